"""How long `import confide` takes in a fresh process."""

from __future__ import annotations

import subprocess
import sys

from measuring import Result, Size, duration

MOST_SECONDS = 0.5
TIMED = """
from time import perf_counter
start = perf_counter()
import confide
print(perf_counter() - start)
"""


def measure(size: Size) -> list[Result]:
    """The best of several fresh processes."""
    seconds = min(_once() for _ in range(size.rounds))
    return [
        Result(
            what="import confide, in a fresh process",
            confide=duration(seconds),
            beside="",
            found=seconds,
            shown=duration(seconds),
            target=f"< {MOST_SECONDS} s",
            met=seconds < MOST_SECONDS,
        )
    ]


def _once() -> float:
    run = subprocess.run([sys.executable, "-c", TIMED], check=True, capture_output=True, text=True)
    return float(run.stdout)
