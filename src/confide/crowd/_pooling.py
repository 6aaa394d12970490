"""Reports under several designs, joined into one population."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from confide.crowd._subpopulation import Pooling, Subpopulation
from confide.design import Design
from confide.design.questions import Option
from confide.errors import QueryError


def pool_populations(given: Sequence[Subpopulation], by: Pooling) -> Subpopulation:
    """Join whole populations over the same questions; refuse others."""
    if not given:
        raise QueryError("there are no crowds to pool.")
    if by not in get_args(Pooling):
        raise QueryError(f'by must be "size" or "precision". Got {by!r}.')
    if any(people.within for people in given):
        raise QueryError("pool whole crowds, then ask for a sub-population of the pool.")
    first, *others = (_values_by_question(people.design) for people in given)
    if any(other != first for other in others) or any(
        people.design.declines != given[0].design.declines for people in given
    ):
        raise QueryError("crowds can be pooled only over the same questions and options.")
    return Subpopulation(tuple(batch for people in given for batch in people.batches), by, {})


def _values_by_question(design: Design) -> dict[str, tuple[Option, ...]]:
    return {question.name: question.values for question in design.questions}
