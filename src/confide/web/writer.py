"""The one writer: reports that arrive together are made durable together (group commit)."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from confide.reports.store import Store, StoreError
from confide.reports.submissions import Outcome, Submission

_LARGEST_BATCH = 512
_LONGEST_QUEUE = 10_000
_IDLE = 2.0  # seconds without reports after which the store is tidied

Result = TypeVar("Result")


class Writer:
    """A thread that alone writes to a store.

    While one transaction is being synchronised to disk, the reports that arrive form the next. A
    report's future is done only after its transaction is durable.

    Parameters
    ----------
    store : Store
        Where to write.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._queue: queue.Queue[_Task | None] = queue.Queue(_LONGEST_QUEUE)
        self._thread = threading.Thread(target=self._work, name="writer", daemon=True)
        self._thread.start()

    async def submit(self, submission: Submission) -> Outcome:
        """Store a report; when this returns it is durable, or refused."""
        outcome: Outcome = await self._put(_Task(submission))
        return outcome

    async def run(self, write: Callable[[], Result]) -> Result:
        """Do some other write in its turn."""
        result: Result = await self._put(_Task(write=write))
        return result

    async def _put(self, task: _Task) -> Any:
        try:
            self._queue.put_nowait(task)
        except queue.Full:
            raise StoreError("too many reports are waiting.") from None
        return await task.future

    def close(self) -> None:
        """Write what is waiting, and stop."""
        self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        untidy = False
        while True:
            try:
                tasks = self._next(_IDLE if untidy else None)
            except queue.Empty:
                untidy = self._tidy()
                continue
            stop = None in tasks
            self._settle([task for task in tasks if task is not None])
            if stop:
                self._tidy()
                return
            untidy = True

    def _next(self, patience: float | None) -> list[_Task | None]:
        """Take all tasks that are waiting, at least one."""
        tasks = [self._queue.get(timeout=patience)]
        while len(tasks) < _LARGEST_BATCH and not self._queue.empty():
            tasks.append(self._queue.get_nowait())
        return tasks

    def _tidy(self) -> bool:
        """Tidy the store; return whether something is left to tidy."""
        try:
            self._store.tidy()
        except StoreError:
            return True
        return False

    def _settle(self, tasks: list[_Task]) -> None:
        reports = [task for task in tasks if task.submission is not None]
        try:
            if reports:
                outcomes = self._store.settle([task.submission for task in reports])  # type: ignore[misc]
                for task, outcome in zip(reports, outcomes, strict=True):
                    task.finish(outcome)
        except Exception as error:
            for task in reports:
                task.fail(error)
        for task in tasks:
            if task.write is not None:
                try:
                    task.finish(task.write())
                except Exception as error:
                    task.fail(error)


class _Task:
    """A report or another write, and the future of the one who waits for it."""

    def __init__(
        self, submission: Submission | None = None, write: Callable[[], Any] | None = None
    ) -> None:
        self.submission = submission
        self.write = write
        self._loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Any] = self._loop.create_future()

    def finish(self, result: Any) -> None:
        self._loop.call_soon_threadsafe(self._set, result, None)

    def fail(self, error: Exception) -> None:
        self._loop.call_soon_threadsafe(self._set, None, error)

    def _set(self, result: Any, error: Exception | None) -> None:
        if self.future.done():  # the client is gone
            return
        if error is None:
            self.future.set_result(result)
        else:
            self.future.set_exception(error)
