"""Cells that are quick to run, importable by the processes that share the work."""

from __future__ import annotations

from dataclasses import dataclass

from confide.papers.cells import Cell, derive_seed


@dataclass(frozen=True)
class Toy(Cell):
    """Gives its own number back, and a seed; number 13 fails where it is told to."""

    number: int
    unlucky: bool = False

    def measure(self, folder):  # noqa: ARG002
        if self.unlucky and self.number == 13:
            raise KeyboardInterrupt
        return [{"number": self.number, "seed": derive_seed(self.number)}]
