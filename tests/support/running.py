"""Whether processes are still there."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

_PATIENCE = 20.0  # seconds


def is_running(process: int) -> bool:
    """Whether a process of this number runs; one that has ended but was not noticed does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def list_children(process: int) -> list[int]:
    """List the processes that a process has started."""
    threads = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for each in threads for child in each.read_text().split()]


def have_ended(processes: Sequence[int]) -> bool:
    """Whether processes have all ended, or do so soon."""
    limit = time.monotonic() + _PATIENCE
    while any(map(is_running, processes)) and time.monotonic() < limit:
        time.sleep(0.1)
    return not any(map(is_running, processes))
