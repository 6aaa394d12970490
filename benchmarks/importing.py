"""How long `import confide` takes in a fresh process."""

from __future__ import annotations

import subprocess
import sys

from measuring import Result, Size, format_duration

MOST_SECONDS = 0.5
TIMED = """
from time import perf_counter, process_time
wall, processor = perf_counter(), process_time()
import confide
print(perf_counter() - wall, process_time() - processor)
"""


def measure(size: Size) -> list[Result]:
    """The best of several fresh processes."""
    seconds, processor = min(_import_once() for _ in range(size.rounds))
    return [
        Result(
            what="import confide, in a fresh process",
            confide=format_duration(seconds),
            beside=f"of these {format_duration(processor)} of processor time",
            found=seconds,
            shown=format_duration(seconds),
            target=f"< {MOST_SECONDS} s",
            met=seconds < MOST_SECONDS,
        )
    ]


def _import_once() -> tuple[float, float]:
    run = subprocess.run([sys.executable, "-c", TIMED], check=True, capture_output=True, text=True)
    wall, processor = map(float, run.stdout.split())
    return wall, processor
