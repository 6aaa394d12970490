"""What whole records tell about their coins: what θ alone does not say about privacy."""

from __future__ import annotations

from confide import privacy
from confide.crowd import Crowd
from confide.papers.cells import Row
from confide.papers.people import People, build_related_design
from confide.papers.table import settle


def measure_coins(people: People, parts: tuple[tuple[str, ...], ...], truth: str) -> Row:
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
