"""How everything here is measured: side by side in one run, the best of several rounds."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

_ALONE = """
import resource, subprocess, sys
subprocess.run([sys.executable, "-c", *sys.argv[1:]], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""A small process around the measured one, which would else inherit the peak of this large one."""


@dataclass(frozen=True)
class Result:
    """One line of the table."""

    what: str
    confide: str
    beside: str
    found: float
    """What the target is about: a ratio, seconds or bytes, as `shown` says."""
    shown: str
    target: str
    met: bool


@dataclass(frozen=True)
class Size:
    """How much is measured."""

    answers: int = 1_000_000
    peer_answers: int = 100_000
    reports: int = 10_000_000
    people: int = 100_000_000
    rounds: int = 7
    seconds: float = 10.0
    with_peers: bool = True


SMALL = Size(
    answers=2_000,
    peer_answers=500,
    reports=5_000,
    people=6_000,
    rounds=1,
    seconds=1.0,
    with_peers=False,
)
"""Enough to see that everything runs."""


def measure_best_seconds(
    rounds: int, *functions: Callable[[], Any], clock: Callable[[], float] = perf_counter
) -> list[float]:
    """The shortest time of each function, all taking turns so that a busy moment hits all alike.

    What runs in one thread is best timed by ``clock=process_time``, processor time with that of
    the system for it: the same as by the wall, but for what else the machine does.
    """
    best = [float("inf")] * len(functions)
    for _ in range(rounds):
        for i, function in enumerate(functions):
            start = clock()
            function()
            best[i] = min(best[i], clock() - start)
    return best


def measure_peak_memory(*arguments: str) -> int:
    """The bytes that a `confide` command needs at most."""
    confide = "from confide.cli import main; main()"
    command = [sys.executable, "-c", _ALONE, confide, *arguments]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    return int(run.stdout) * 1024


def format_duration(seconds: float) -> str:
    """Seconds as people write them."""
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"
