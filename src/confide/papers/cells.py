"""Cells: the smallest parts of an experiment that are run, recorded and never run again."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

Row = dict[str, str | int | float | None]
"""One line of the table of runs, by column."""


@dataclass(frozen=True)
class Cell(ABC):
    """One run of an experiment, described by plain values; its rows depend on them alone."""

    @property
    def key(self) -> str:
        """The cell's name: the same for equal cells, on every machine."""
        return f"{type(self).__name__} {json.dumps(asdict(self), sort_keys=True)}"

    @property
    def cost(self) -> float:
        """About how many seconds it takes; what the time left is computed from."""
        return 0.05

    @abstractmethod
    def measure(self, folder: Path | None) -> list[Row]:
        """Run it with the data of a folder, or of wherever they are found."""


@dataclass(frozen=True)
class Scale:
    """How large an experiment is run.

    Parameters
    ----------
    repeats : int
        How often each setting is repeated.
    default_repeats : int
        How often with confide's default learner, which is slow.
    quick : bool
        Whether a small version of the experiment is enough.
    reading : str
        The reading under which the data become yes-no.
    """

    repeats: int
    default_repeats: int
    quick: bool = False
    reading: str = "median"


def derive_seed(*parts: Any) -> int:
    """A seed that follows from plain values: the same everywhere, unlike that of other values.

    >>> derive_seed("adult", 0.7, 3) == derive_seed("adult", 0.7, 3) != derive_seed("adult", 0.7, 4)
    True
    """
    digest = hashlib.sha256(json.dumps(parts).encode()).digest()
    return int.from_bytes(digest[:6], "big")  # 48 bits are exact in every file format
