"""Runs the cells of an experiment on all cores, each in a process with one thread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from pathlib import Path

from threadpoolctl import threadpool_limits

from confide.errors import ConfideError
from confide.papers.cells import Cell, Row
from confide.worker_processes import open_pool

Done = tuple[Cell, list[Row]]
"""A cell and its rows."""

_WAITING = 4
"""So many cells for each process are handed out at once: few are under way when it is stopped."""


def run_cells(cells: Sequence[Cell], folder: Path | None, cores: int) -> Iterator[Done]:
    """Run cells and give each with its rows as soon as it is done.

    With one core they are run in this process, in order.
    """
    if cores == 1:
        with threadpool_limits(1):
            yield from ((cell, cell.measure(folder)) for cell in cells)
        return
    pool = open_pool(cores)
    try:
        yield from _keep_busy(pool, iter(cells), folder, cores * _WAITING)
    except BrokenProcessPool:
        raise ConfideError(
            "a process was ended from outside, perhaps for want of memory. What is finished is "
            "kept: run the same command again, with fewer --cores."
        ) from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _keep_busy(
    pool: ProcessPoolExecutor, cells: Iterator[Cell], folder: Path | None, most: int
) -> Iterator[Done]:
    """Hand out cells, so many at a time."""
    under_way: dict[Future[list[Row]], Cell] = {}
    while True:
        for cell in islice(cells, most - len(under_way)):
            under_way[pool.submit(cell.measure, folder)] = cell
        if not under_way:
            return
        for future in wait(under_way, return_when=FIRST_COMPLETED).done:
            yield under_way.pop(future), future.result()
