"""Numbers that are told apart at more places than their own hundred intervals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import cached_property

from confide.design.design import Design
from confide.design.questions import Number, Question
from confide.mechanisms import Grid

Place = tuple[str, float]
"""A number's name, and where an interval of it begins."""


@dataclass(frozen=True)
class FinerNumber(Number):
    """A number with intervals of someone's choice.

    The question is the same, and so is the fingerprint of a design that asks it.

    Parameters
    ----------
    edges : tuple of float
        Where the intervals begin, and where the last one ends.
    """

    edges: tuple[float, ...] = ()

    @cached_property
    def grid(self) -> Grid:
        """The intervals in which true numbers are told apart."""
        return Grid(self.edges)


def refine_design(design: Design, places: Iterable[Place]) -> Design:
    """The same design, whose numbers are told apart at some more places."""
    wanted = list(places)

    def refine(question: Question) -> Question:
        more = [place for name, place in wanted if name == question.name]
        if not more or not isinstance(question, Number):
            return question
        same = {field.name: getattr(question, field.name) for field in fields(Number)}
        return FinerNumber(**same, edges=tuple(sorted({*question.grid.edges, *more})))

    finer = replace(design, questions=[refine(question) for question in design.questions])
    if design.whole is not design:
        object.__setattr__(finer, "_whole", refine_design(design.whole, wanted))
    return finer
