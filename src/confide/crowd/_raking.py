"""Weights brought to known shares of the population: raking, by one question post-stratification.

Each question in turn is brought to its known shares, until all of them hold (Deming and Stephan
1940). Only answers in the clear have shares in the sample that can be brought to known ones row by
row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from confide.arrays import Array, Indices
from confide.counts import Counts
from confide.counts.drawn_sample import DrawnSample
from confide.crowd._subpopulation import Subpopulation
from confide.design import Finite
from confide.errors import QueryError

_ROUNDS = 1_000
_TOLERANCE = 1e-12
_LEAST = 10
"""So many reports an answer must have: fewer would hide how much its weights err."""

Margins = Mapping[str, Mapping[object, float]]
"""The known shares, or numbers, of each question's answers."""


def rake_people(people: Subpopulation, margins: Margins) -> Subpopulation:
    """The same people with weights that give the known margins."""
    if people.within or not margins:
        raise QueryError(
            'rake a whole crowd, and give known shares such as {"sex": {"f": 0.5, "m": 0.5}}.'
        )
    return replace(people, batches=tuple(_rake(batch, margins) for batch in people.batches))


def _rake(counts: Counts, margins: Margins) -> Counts:
    wanted = {name: _read_shares(counts, name, shares) for name, shares in margins.items()}
    codes = {
        name: counts.patterns[:, counts.design.position(name)].astype(np.intp) for name in wanted
    }
    drawn = counts.drawn or DrawnSample.alike(counts.reports)
    for name, shares in wanted.items():
        seen = np.bincount(codes[name], counts.reports, len(shares))
        if (seen[shares > 0] < _LEAST).any() or seen[shares == 0].any():
            raise QueryError(
                f"weights are brought to the shares of {name} only if at least {_LEAST} reports "
                "have each answer that there is in the population, and none another."
            )
    factors = _find_factors(drawn.shares, codes, wanted)
    return replace(counts, drawn=drawn.weigh(factors, tuple(codes.values())))


def _read_shares(counts: Counts, name: str, given: Mapping[object, float]) -> Array:
    question = counts.design.question(name)
    if not isinstance(question, Finite) or counts.design.block(name).mechanism is not None:
        raise QueryError(
            f"weights are brought to the shares of options asked in the clear; {name} is "
            "a number, or disguised."
        )
    shares = np.zeros(question.size)
    for value, share in given.items():
        shares[question.code(value)] = share
    if len(given) != question.size or not (shares >= 0).all() or shares.sum() <= 0:
        raise QueryError(
            f"give the known share of each answer to {name}, each once: {question.allowed}."
        )
    return shares / shares.sum()


def _find_factors(
    shares: Array, codes: Mapping[str, Indices], wanted: Mapping[str, Array]
) -> Array:
    """By how much each row's weights change."""
    factors = np.ones(len(shares))
    for _ in range(_ROUNDS):
        off = 0.0
        for name, known in wanted.items():
            seen = np.bincount(codes[name], shares * factors, len(known))
            change = np.divide(known, seen, out=np.ones(len(known)), where=seen > 0)
            factors = factors * change[codes[name]]
            off = max(off, float(np.abs(change - 1).max()))
        if off < _TOLERANCE:
            return factors
    raise QueryError(
        "no weights give all these shares at once. Leave a question out, or join rare answers."
    )
