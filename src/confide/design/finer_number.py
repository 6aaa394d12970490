"""Numbers that are told apart at more places than their own hundred intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from confide.design.design import Design
from confide.design.questions import Number
from confide.mechanisms import Grid

Place = tuple[str, float]
"""A number's name, and where an interval of it begins."""

FINELY = 100 * 2**10
"""Of so many parts of a range numbers are rounded to the nearest. Every edge of a number's own
intervals is one; and with so many twos among its factors hardly any number that people give lies
half-way between two, which would always be rounded up."""


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

    def refine(number: Number) -> Grid | None:
        more = [place for name, place in wanted if name == number.name]
        return Grid(tuple(sorted({*number.grid.edges, *more}))) if more else None

    return _change_grids(design, refine)


def coarsen_design(design: Design) -> Design:
    """The same design, whose numbers are told apart at their own intervals only."""
    finer = any(isinstance(question, FinerNumber) for question in design.questions)
    return _change_questions(design, _coarsen) if finer else design


def list_places(design: Design) -> list[Place]:
    """List the places at which a design's numbers are told apart beyond their own intervals."""
    finer = [question for question in design.questions if isinstance(question, FinerNumber)]
    plain = map(_coarsen, finer)
    return [
        (mine.name, edge)
        for mine, own in zip(finer, plain, strict=True)
        for edge in sorted({*mine.edges} - {*own.grid.edges})
    ]


def list_coarse(design: Design) -> list[Number]:
    """List the numbers asked in the clear of which an interval holds several."""
    numbers = [question for question in design.questions if isinstance(question, Number)]
    clear = [number for number in numbers if design.block(number.name).mechanism is None]
    return [number for number in clear if not number.exact]


def can_round(number: Number) -> bool:
    """Whether a computer's numbers tell the parts apart to which a number is rounded."""
    part = max((number.high - number.low) / FINELY, number.step or 0.0)
    return part > 8 * np.spacing(max(abs(number.low), abs(number.high)))


def round_design(design: Design, name: str) -> Design:
    """The same design with one number rounded to its step, or finely (`FINELY`)."""

    def refine(number: Number) -> Grid | None:
        step = (number.high - number.low) / FINELY if number.step is None else number.step
        return number.cut_at_steps(step, FINELY + 1) if number.name == name else None

    return _change_grids(design, refine)


def _change_grids(design: Design, refine: Callable[[Number], Grid | None]) -> Design:
    """The same design with other intervals of the numbers for which there are any."""

    def change(number: Number) -> Number:
        grid = refine(number)
        return number if grid is None else FinerNumber(**_list_fields(number), edges=grid.edges)

    return _change_questions(design, change)


def _change_questions(design: Design, change: Callable[[Number], Number]) -> Design:
    """The same design with other numbers, and as a part of the same whole."""
    changed = replace(
        design,
        questions=[change(q) if isinstance(q, Number) else q for q in design.questions],
    )
    if design.whole is not design:
        object.__setattr__(changed, "_whole", _change_questions(design.whole, change))
    return changed


def _coarsen(number: Number) -> Number:
    """The same number with its own intervals."""
    return Number(**_list_fields(number))


def _list_fields(number: Number) -> dict[str, Any]:
    """What a number is, but for where it is told apart."""
    return {field.name: getattr(number, field.name) for field in fields(Number)}
