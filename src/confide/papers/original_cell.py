"""The original accuracy, without disguise, as a cell that several papers run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from confide.papers.cells import Cell, Row
from confide.papers.learning_ways import measure_original
from confide.papers.split_people import load_people


@dataclass(frozen=True)
class OriginalCell(Cell):
    """The original accuracy of an algorithm on one data set under one reading.

    Parameters
    ----------
    algorithm, data, reading : str
        What is learned, from which data, and how these became yes-no.
    people : int
        How many of the first people are taken.
    """

    algorithm: str
    data: str
    reading: str
    people: int

    def measure(self, folder: Path | None) -> list[Row]:
        people = load_people(self.data, self.reading, folder, self.people)
        settings: Row = {"experiment": "original", "data": self.data, "reading": self.reading}
        return [settings | measure_original(self.algorithm, people)]
