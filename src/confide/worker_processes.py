"""Processes that work beside this one, each with one thread, and end when it ends."""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process


def open_pool(workers: int) -> ProcessPoolExecutor:
    """Open a pool of so many processes, each of which starts when it is first needed."""
    # fresh ones: a fork would copy locks of threads that it does not copy
    return ProcessPoolExecutor(workers, get_context("spawn"), _start_worker)


def _start_worker() -> None:
    """Start a worker with one thread, which Ctrl-C and the end of its parent end at once."""
    from threadpoolctl import threadpool_limits

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    threadpool_limits(1)


def _end_with_parent() -> None:
    """End this process when its parent ends: else workers of a killed one would wait for ever."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
