"""What whole records tell about their coins: what θ alone does not say about privacy."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from pathlib import Path

from confide import privacy
from confide.crowd import Crowd
from confide.papers.cells import Cell, Row
from confide.papers.run_table import settle
from confide.papers.split_people import SplitPeople, build_related_design, load_people

Parts = tuple[tuple[str, ...], ...]
"""The attributes of each group."""


@dataclass(frozen=True)
class CoinsCell(Cell):
    """What records of Adult tell about their coins, to one who knows the crowd.

    Parameters
    ----------
    reading : str
        How the data became yes-no.
    people : int
        How many of the first people are taken.
    groups : int
        How many coins a record has.
    truth : str
        θ of each.
    """

    reading: str
    people: int
    groups: int
    truth: str

    @property
    def cost(self) -> float:
        return 3.0

    @abstractmethod
    def deal(self, people: SplitPeople) -> tuple[SplitPeople, Parts]:
        """The people with the attributes that a paper takes, and their groups."""

    @property
    def settings(self) -> Row:
        """What else a paper's rows say."""
        return {}

    def measure(self, folder: Path | None) -> list[Row]:
        people, parts = self.deal(load_people("adult", self.reading, folder, self.people))
        settings: Row = {
            "experiment": "privacy",
            "data": "adult",
            "reading": self.reading,
            **self.settings,
            "truth": float(self.truth),
            "groups": self.groups,
        }
        return [settings | _measure_coins(people, parts, self.truth)]


def _measure_coins(people: SplitPeople, parts: Parts, truth: str) -> Row:
    """How often one who knows the crowd tells all coins of a record, and a single answer alone."""
    design = build_related_design(people.names, parts, truth)
    clear = build_related_design(people.names, (), truth)
    statement = privacy.of(design, crowd=Crowd(clear, people.train))
    told = statement.exposure.all_coins
    return {
        "fingerprint": design.fingerprint,
        "coins_told": None if told is None else settle(told.mean),
        "one_answer_told": max(float(truth), 1 - float(truth)),
    }
