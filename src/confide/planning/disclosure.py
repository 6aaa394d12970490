"""What a report gives away about an event: the worst case, and the odds under a plan's crowd."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, product
from math import inf, prod
from typing import TypeAlias

import numpy as np

from confide.arrays import Array
from confide.design import Block, Design
from confide.mechanisms import Mixture
from confide.planning.assumed_shares import (
    AssumedShares,
    Event,
    Prevalence,
    encode_event,
    require_finite,
)

_MOST_REPORTS = 1 << 16
"""With more possible reports than this the most telling one is not searched for."""


@dataclass(frozen=True)
class Disclosure:
    """What the most telling report says about an event.

    Parameters
    ----------
    posterior : float
        The probability of the event after that report.
    odds_ratio : float
        The factor by which that report multiplies the odds of the event; infinite if it is certain.
    """

    posterior: float
    odds_ratio: float


def measure_epsilon(design: Design, names: Iterable[str]) -> float:
    """Measure the worst-case privacy loss of the groups that hold any of the questions.

    Groups are independent, so their losses add up; a question in the clear loses everything.
    """
    return sum(
        inf if block.mechanism is None else block.mechanism.epsilon(block.questions)
        for block in _find_blocks(design, names)
    )


def measure_disclosure(
    design: Design, event: Event, prevalence: Prevalence | AssumedShares | None
) -> Disclosure | None:
    """Measure what the whole reports of an event's groups say about it, to one who knows the crowd.

    By Bayes' theorem, after a report r of the groups that hold the event's questions its odds are
    P(event, r)/P(no event, r); the most telling report has the largest. A group's other questions
    count too: with related questions they tell about the coin.

    Returns None where there are too many possible reports to look at each.
    """
    assumed = AssumedShares.of(design, prevalence)
    codes = encode_event(design, event)
    readings = [_list_readings(block, codes, assumed) for block in _find_blocks(design, event)]
    names = [*codes, *(n for choices in readings for n in choices[0][1] if n not in codes)]
    if prod(require_finite(design, name).size for name in names) > _MOST_REPORTS:
        return None
    truth, cell = assumed.table(names), tuple(codes.values())
    within = np.zeros_like(truth)
    within[cell] = truth[cell]
    odds = max(
        _largest_odds(chosen, names, within, truth - within) for chosen in product(*readings)
    )
    prior = float(truth[cell].sum())
    return Disclosure(1 / (1 + 1 / odds), odds * (1 - prior) / prior)


_Reading: TypeAlias = tuple[Mixture, list[str]]
"""The channel of some questions of a group, its branches weighed by what the others reported."""


def _list_readings(
    block: Block, event: Mapping[str, int], assumed: AssumedShares
) -> list[_Reading]:
    """The channel of the questions that matter, for each extreme of what the others may tell.

    A question independent of all others tells about a group's branch only, by the likelihoods
    F_b p of its report in each branch b. With two branches an event's odds are monotone in their
    ratio, which multiplies over such questions: only its smallest and its largest value count.
    """
    mixture, names = block.mixture, [question.name for question in block.questions]
    two = len(mixture.weights) <= 2
    aside = [two and name not in event and not assumed.may_depend(name) for name in names]
    extremes = np.ones((2, len(mixture.weights)))
    for name, factor in zip(compress(names, aside), compress(mixture.factors, aside), strict=True):
        likelihoods = (factor @ assumed.table([name])).T
        possible = likelihoods[likelihoods.any(axis=1)]
        first = possible[:, 0] / possible.sum(axis=1)
        extremes *= possible[[first.argmin(), first.argmax()]]
        extremes /= extremes.max(axis=1, keepdims=True)
    kept = [not each for each in aside]
    factors = tuple(compress(mixture.factors, kept))
    return [
        (Mixture(mixture.weights * extreme, factors), list(compress(names, kept)))
        for extreme in extremes
    ]


def _largest_odds(chosen: Sequence[_Reading], names: list[str], event: Array, rest: Array) -> float:
    """The largest ratio of the two parts of the truth among the reports."""
    for mixture, kept in chosen:
        axes = [names.index(name) for name in kept]
        event, rest = mixture.apply(event, axes), mixture.apply(rest, axes)
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.nanmax(event / rest))


def _find_blocks(design: Design, names: Iterable[str]) -> list[Block]:
    """The blocks that hold any of the questions."""
    wanted = set(names)
    return [b for b in design.blocks if wanted & {question.name for question in b.questions}]
