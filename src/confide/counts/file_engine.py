"""The DuckDB that reads files of reports: how much memory it may take, and how far it is.

What does not fit into the memory is written to a temporary folder, which is gone at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any, TypeAlias

from confide.errors import QueryError
from confide.progress import Listener, current_listener

Engine: TypeAlias = Any
"""A connection of DuckDB, whose own type hints refuse some settings that it takes."""

_LOOK = 0.1  # seconds between two looks at how far a query is
_limit: ContextVar[str | None] = ContextVar("memory limit", default=None)


@contextmanager
def limit_memory(limit: str) -> Iterator[None]:
    """Let reading files within the block take so much memory, such as ``"500MB"`` or ``"2GiB"``.

    Without it DuckDB takes at most four fifths of the machine's.
    """
    if not re.fullmatch(r"\d+(\.\d+)?\s*[KMGT]i?B", limit, re.IGNORECASE):
        raise QueryError(f"a memory limit is written like 500MB or 2GiB. Got {limit!r}.")
    token = _limit.set(limit)
    try:
        yield
    finally:
        _limit.reset(token)


def describe_limit() -> str:
    """Say how much memory reading files may take."""
    return _limit.get() or "four fifths of this machine's"


@contextmanager
def open_engine() -> Iterator[Engine]:
    """Open an engine; whoever listens to progress is told how far its queries are."""
    import duckdb

    limit, listener = _limit.get(), current_listener()
    with TemporaryDirectory() as folder:
        settings: dict[str, Any] = {"temp_directory": folder}
        settings |= {"memory_limit": limit} if limit else {}
        with duckdb.connect(config=settings) as engine:
            # A program without a file, such as a notebook, would else find a bar among its output.
            engine.execute("SET enable_progress_bar_print = false")
            if listener is None:
                yield engine
                return
            with _tell_progress(engine, listener):
                yield engine


@contextmanager
def _tell_progress(engine: Engine, listener: Listener) -> Iterator[None]:
    """Tell a listener, from a thread of its own, how far the engine's query is."""
    engine.execute("SET enable_progress_bar = true")
    over = Event()

    def look() -> None:
        furthest = 0.0
        while not over.wait(_LOOK):
            furthest = max(furthest, engine.query_progress() / 100)
            listener(min(furthest, 1.0))

    thread = Thread(target=look, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
