"""Reports under several designs, joined into one population."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, get_args

from confide.crowd._subpopulation import Pooling, Subpopulation
from confide.design import Design
from confide.design.questions import Option
from confide.errors import QueryError

_Asked: TypeAlias = dict[str, tuple[tuple[Option, ...], str | None]]
"""The options of each question, and what tells whether it is missing, by its name."""


def pool_populations(given: Sequence[Subpopulation], by: Pooling) -> Subpopulation:
    """Join whole populations over the same questions; refuse others."""
    if not given:
        raise QueryError("there are no crowds to pool.")
    if by not in get_args(Pooling):
        raise QueryError(f'by must be "size" or "precision". Got {by!r}.')
    if any(people.within for people in given):
        raise QueryError("pool whole crowds, then ask for a sub-population of the pool.")
    first, *others = (_describe_questions(people.design) for people in given)
    for place, other in enumerate(others, 2):
        if other != first:
            raise QueryError(
                "crowds can be pooled only over the same questions and options: crowd 1 and crowd "
                f"{place} differ in {_list_differences(first, other)}. A question has one name in "
                "all survey files."
            )
    return Subpopulation(tuple(batch for people in given for batch in people.batches), by, {})


def _describe_questions(design: Design) -> _Asked:
    return {q.name: (q.values, design.declines.get(q.name)) for q in design.questions}


def _list_differences(first: _Asked, other: _Asked) -> str:
    """Name the questions that one of two crowds lacks, or that have other options in it."""
    names = [*first, *(name for name in other if name not in first)]
    return ", ".join(name for name in names if first.get(name) != other.get(name))
