"""The experiment of section 5.1, and what the records themselves give away (section 5.3)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from confide.papers.cells import Cell, Row, Scale, derive_seed
from confide.papers.coins import CoinsCell, Parts
from confide.papers.learning_ways import QUICK_WAYS, Way, measure, score_plainly
from confide.papers.original_cell import OriginalCell
from confide.papers.readings import READINGS
from confide.papers.split_people import FIRST, SplitPeople, build_related_design, load_people

TRUTHS = ("0", ".1", ".2", ".3", ".4", ".45", ".51", ".55", ".6", ".7", ".8", ".9", "1")
"""The values of section 5.1, and 0, of which section 5.2 speaks."""
TOLD_TRUTHS = (".51", ".55", ".6", ".7", ".8", ".9")
"""Where it is measured what a record tells about its coin."""
_QUICK, _QUICK_TRUTHS = 2_000, (".6", ".9")

_SCORES = {"paper": score_plainly}
"""The paper's own trees are also scored on disguised people."""

NOTES = (
    "The paper divides its data into training and testing data and does not say how: 80 % and 20 % "
    "of the first 10,000 records of Adult, as surveys prints it, once for all repeats.",
    "A negative estimate counts as zero where ID3 needs a count. Where only one class has a "
    "positive count at the root, the tree is one leaf of that class.",
    "All 14 attributes and the class are one group; the class is disguised with them.",
    "θ = 0, of which the results speak, is added to the printed values.",
)


@dataclass(frozen=True)
class AccuracyCell(Cell):
    """One θ, once: disguise, grow a tree, test it on true and on disguised people."""

    reading: str
    people: int
    truth: str
    repeat: int
    ways: tuple[Way, ...] = QUICK_WAYS

    @property
    def cost(self) -> float:
        return 2.0 if "confide" in self.ways else 0.1

    def measure(self, folder: Path | None) -> list[Row]:
        people = load_people("adult", self.reading, folder, self.people)
        design = build_related_design(people.names, (people.names,), self.truth)
        seed = derive_seed("du-zhan-2003", self.truth, self.repeat)
        settings: Row = {
            "experiment": "accuracy",
            "data": "adult",
            "reading": self.reading,
            "truth": float(self.truth),
            "groups": 1,
            "repeat": self.repeat,
        }
        return [
            settings | measure(way, "ID3", people, design, seed, score=_SCORES.get(way))
            for way in self.ways
        ]


@dataclass(frozen=True)
class ToldCell(CoinsCell):
    """What records tell about their coins where all attributes are one group."""

    def deal(self, people: SplitPeople) -> tuple[SplitPeople, Parts]:
        return people, (people.names,)


def list_cells(scale: Scale) -> list[Cell]:
    """All cells of the paper."""
    n = _QUICK if scale.quick else FIRST
    told = TOLD_TRUTHS[1::4] if scale.quick else TOLD_TRUTHS
    defaults = _QUICK_TRUTHS if scale.quick else TRUTHS
    repeats = [(t, r) for r in range(scale.repeats) for t in TRUTHS]
    slow = [(t, r) for r in range(scale.default_repeats) for t in defaults]
    return [
        *(OriginalCell("ID3", "adult", reading, n) for reading in READINGS),
        *(AccuracyCell(scale.reading, n, truth, repeat) for truth, repeat in repeats),
        *(ToldCell(scale.reading, n, 1, truth) for truth in told),
        *(AccuracyCell(scale.reading, n, truth, repeat, ("confide",)) for truth, repeat in slow),
    ]
