"""The one writer: what arrives together is made durable together (group commit)."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Generic, TypeVar

from confide.reports.invitation_store import Redemption
from confide.reports.store import Store, StoreError
from confide.reports.submissions import Outcome, Submission

_LARGEST_BATCH = 512
_LONGEST_QUEUE = 10_000
_TIDY = 0.25  # seconds after which the store is tidied at the latest, while reports come in
_RETRY = 0.25  # seconds until it is tried again, while someone else reads the database

Result = TypeVar("Result")
Task = Callable[[], None]
"""A write that has a transaction of its own."""


class Writer:
    """A thread that alone writes to a store.

    While one transaction is being synchronised to disk, the reports and redemptions that arrive
    form the next. A future is done only after its transaction is durable.

    Parameters
    ----------
    store : Store
        Where to write.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._queue: queue.Queue[_Shared[Any] | Task | None] = queue.Queue(_LONGEST_QUEUE)
        self._thread = threading.Thread(target=self._work, name="writer", daemon=True)
        self._thread.start()

    async def submit(self, submission: Submission) -> Outcome:
        """Store a report; when this returns it is durable, or refused."""
        return await self._share(_Shared[Outcome](submission))

    async def redeem(self, redemption: Redemption) -> bool:
        """Redeem an invitation; return whether it may be signed for, which is then durable."""
        return await self._share(_Shared[bool](redemption))

    async def _share(self, shared: _Shared[Result]) -> Result:
        self._put(shared)
        return await shared.future

    async def run(self, write: Callable[[], Result]) -> Result:
        """Do another write, alone, when its turn comes; return what it returns."""
        awaited = _Awaited[Result]()

        def task() -> None:
            try:
                awaited.finish(write())
            except Exception as error:
                awaited.fail(error)

        self._put(task)
        return await awaited.future

    def _put(self, task: _Shared[Any] | Task) -> None:
        try:
            self._queue.put_nowait(task)
        except queue.Full:
            raise StoreError("too many reports are waiting.") from None

    def close(self) -> None:
        """Write what is waiting, and stop."""
        self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        """Write what is waiting, again and again, until told to stop; tidy the store in between."""
        untidy, tidied = False, time.monotonic()
        while True:
            with suppress(queue.Empty):
                tasks = self._next(_RETRY if untidy else None)
                untidy = True
                self._write([task for task in tasks if isinstance(task, _Shared)])
                for task in tasks:
                    if task is not None and not isinstance(task, _Shared):
                        task()
                if None in tasks:
                    self._tidy()
                    return
            if self._queue.empty() or time.monotonic() > tidied + _TIDY:
                untidy, tidied = not self._tidy(), time.monotonic()

    def _write(self, shared: Sequence[_Shared[Any]]) -> None:
        """Write reports and redemptions in one transaction."""
        if not shared:
            return
        submissions = [each.item for each in shared if isinstance(each.item, Submission)]
        redemptions = [each.item for each in shared if isinstance(each.item, Redemption)]
        try:
            outcomes, signed = self._store.write(submissions, redemptions)
        except Exception as error:
            for each in shared:
                each.fail(error)
        else:
            results = {Submission: iter(outcomes), Redemption: iter(signed)}
            for each in shared:
                each.finish(next(results[type(each.item)]))

    def _next(self, patience: float | None) -> list[_Shared[Any] | Task | None]:
        """Take all tasks that are waiting, at least one."""
        tasks = [self._queue.get(timeout=patience)]
        while len(tasks) < _LARGEST_BATCH and not self._queue.empty():
            tasks.append(self._queue.get_nowait())
        return tasks

    def _tidy(self) -> bool:
        """Tidy the store; return whether nothing is left to tidy."""
        try:
            return self._store.tidy()
        except StoreError:
            return False


class _Awaited(Generic[Result]):
    """What the writer's thread will have found, for the one who waits for it in the event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Result] = self._loop.create_future()

    def finish(self, result: Result) -> None:
        self._loop.call_soon_threadsafe(self._set_result, result)

    def fail(self, error: Exception) -> None:
        self._loop.call_soon_threadsafe(self._set_exception, error)

    def _set_result(self, result: Result) -> None:
        if not self.future.done():  # else the client is gone
            self.future.set_result(result)

    def _set_exception(self, error: Exception) -> None:
        if not self.future.done():
            self.future.set_exception(error)


class _Shared(_Awaited[Result], Generic[Result]):
    """What is written in one transaction with others, for the one who waits for it."""

    def __init__(self, item: Submission | Redemption) -> None:
        super().__init__()
        self.item = item
