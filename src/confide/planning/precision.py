"""How precise an estimate will be, before anyone is asked.

An estimated share is the mean of per-report weights A_r, the event's row of the inverse M⁻¹. With π
the expected distribution of the reports under the assumed truth p, π = Mp, one report's weight
has mean p and variance

    σ² = Σ_r A_r² π_r − p²

exactly, whatever the mechanism and the grouping; n respondents give the standard error σ/√n. All
else follows from σ. It is the error of the unbiased inverse; the likelihood may do better.
Respondents are taken as a simple random sample of a large population.
"""

from __future__ import annotations

from math import ceil, sqrt
from statistics import NormalDist
from typing import TypedDict, Unpack

import numpy as np

from confide.arrays import Array
from confide.design import Design
from confide.errors import QueryError
from confide.estimators.table_channel import TableChannel
from confide.planning.assumed_shares import AssumedShares, Event, Prevalence, encode_event

_NORMAL = NormalDist()
_MOST_RESPONDENTS = 10**9


class NullTest(TypedDict, total=False):
    """A test of a share against a null, as `power` takes it."""

    null: float
    two_sided: bool
    level: float


def standard_error(
    design: Design, event: Event, prevalence: Prevalence | AssumedShares | None, n: int
) -> float:
    """The standard error to expect of an estimated share: σ/√n.

    Parameters
    ----------
    design : Design
        How the answers are disguised.
    event : mapping
        Whose share is estimated, such as ``{"cheated": "yes"}``; several questions give the share
        of people to whom all of it applies.
    prevalence : mapping or None
        The assumed shares, such as ``{"cheated": 0.1}`` (see `Prevalence`). Options of questions
        not named are equally likely; without a joint questions are independent.
    n : int
        The number of respondents.

    Examples
    --------
    Warner's variance p(1 − p)/n + θ(1 − θ)/(n(2θ − 1)²), with p = 0.1 and θ = 3/4:

    >>> import confide as cf
    >>> design = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion(0.75))])
    >>> round(standard_error(design, {"cheated": "yes"}, {"cheated": 0.1}, 2000), 4)
    0.0205
    """
    codes, truth = _read_event(design, event, prevalence)
    return _deviation(design, codes, truth) / sqrt(_check_respondents(n))


def respondents_needed(
    design: Design,
    event: Event,
    prevalence: Prevalence | AssumedShares | None,
    margin: float,
    *,
    level: float = 0.95,
) -> int:
    """The fewest respondents whose interval reaches at most ``margin`` to either side.

    The interval's half-width is zσ/√n with z the normal quantile of (1 + level)/2, so
    n = ⌈(zσ/margin)²⌉.

    Parameters
    ----------
    design, event, prevalence
        As for `standard_error`.
    margin : float
        The half-width of the interval, such as 0.03 for three percentage points.
    level : float
        The interval's confidence.

    Examples
    --------
    The textbook's 1,068 people for a direct question, and those for a disguised one:

    >>> import confide as cf
    >>> direct = cf.Design([cf.YesNo("cheated")])
    >>> respondents_needed(direct, {"cheated": "yes"}, None, margin=0.03)
    1068
    >>> warner = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion(0.75))])
    >>> respondents_needed(warner, {"cheated": "yes"}, None, margin=0.03)
    4269
    """
    codes, truth = _read_event(design, event, prevalence)
    reach = half_width(_deviation(design, codes, truth), level)
    return max(1, ceil((reach / _check_between_0_and_1(margin, "margin")) ** 2))


def power(
    design: Design,
    event: Event,
    prevalence: Prevalence | AssumedShares | None,
    n: int,
    *,
    null: float = 0.0,
    two_sided: bool = True,
    level: float = 0.95,
) -> float:
    """The chance that a survey tells an event's assumed share from another one.

    The null hypothesis p₀ is rejected when the estimate is farther from it than zσ₀/√n, with σ₀
    the deviation under the null; the estimate itself varies by σ₁/√n around the assumed share p₁.
    So with d = |p₁ − p₀| the power is, one-sided and with z the normal quantile of level,

        Φ((d√n − zσ₀)/σ₁)

    and two-sided, with z that of (1 + level)/2, it is Φ((−d√n − zσ₀)/σ₁) more.

    Parameters
    ----------
    design, event, prevalence, n
        As for `standard_error`.
    null : float
        The share p₀ that is to be ruled out. Under it only the event's share differs: all other
        combinations of answers keep their proportions.
    two_sided : bool
        Whether an estimate on the other side of the null rejects it as well.
    level : float
        The confidence of the test: a null that holds is rejected with the chance 1 − level.

    Examples
    --------
    >>> import confide as cf
    >>> design = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion(0.75))])
    >>> round(power(design, {"cheated": "yes"}, {"cheated": 0.1}, 500, null=0.02), 2)
    0.53
    """
    codes, truth = _read_event(design, event, prevalence)
    cell = tuple(codes.values())
    distance = abs(float(truth[cell]) - null) * sqrt(_check_respondents(n))
    before = _deviation(design, codes, _under_null(truth, cell, null))
    after = _deviation(design, codes, truth)
    tail = (1 - _check_between_0_and_1(level, "level")) / (2 if two_sided else 1)
    reach = _NORMAL.inv_cdf(1 - tail) * before
    chance = _normal_below(distance - reach, after)
    return chance + _normal_below(-distance - reach, after) if two_sided else chance


def respondents_for_power(
    design: Design,
    event: Event,
    prevalence: Prevalence | AssumedShares | None,
    wanted: float,
    **test: Unpack[NullTest],
) -> int:
    """The fewest respondents with whom a survey has the wanted power.

    Parameters
    ----------
    design, event, prevalence
        As for `standard_error`.
    wanted : float
        The power, such as 0.9.
    **test
        ``null``, ``two_sided`` and ``level``, as for `power`.

    Examples
    --------
    >>> import confide as cf
    >>> design = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion(0.75))])
    >>> respondents_for_power(design, {"cheated": "yes"}, {"cheated": 0.1}, 0.9, null=0.02)
    1309
    """
    _check_between_0_and_1(wanted, "the wanted power")

    def enough(n: int) -> bool:
        return power(design, event, prevalence, n, **test) >= wanted

    high = 1
    while not enough(high):
        high *= 2
        if high > _MOST_RESPONDENTS:
            raise QueryError(
                "no number of respondents gives this power: the assumed share is the null itself, "
                "or too near to it."
            )
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def half_width(standard_error: float, level: float = 0.95) -> float:
    """The distance from an estimate to either end of its interval."""
    return _NORMAL.inv_cdf((1 + _check_between_0_and_1(level, "level")) / 2) * standard_error


def _deviation(design: Design, event: dict[str, int], truth: Array) -> float:
    """σ of an event, given as codes, under the true table over its questions."""
    channel, cell = TableChannel(design, list(event)), tuple(event.values())
    second = channel.invert_power(channel.apply(truth), 2)[cell]
    return sqrt(max(float(second - truth[cell] ** 2), 0.0))


def _under_null(truth: Array, cell: tuple[int, ...], null: float) -> Array:
    """The true table with another share in one cell and all others in their proportions."""
    if not 0 <= null <= 1:
        raise QueryError(f"null must be between 0 and 1. Got {null}.")
    others = 1 - truth[cell]
    if others <= 0:
        raise QueryError("an event assumed to be certain leaves no proportions for a null.")
    table = np.array(truth * ((1 - null) / others))
    table[cell] = null
    return table


def _normal_below(distance: float, deviation: float) -> float:
    """The chance that a normal deviate lies below a distance."""
    return _NORMAL.cdf(distance / deviation) if deviation > 0 else float(distance > 0)


def _read_event(
    design: Design, event: Event, prevalence: Prevalence | AssumedShares | None
) -> tuple[dict[str, int], Array]:
    codes = encode_event(design, event)
    return codes, AssumedShares.of(design, prevalence).table(list(codes))


def _check_respondents(n: int) -> int:
    if not n >= 1 or n % 1:
        raise QueryError(f"the number of respondents must be a whole number from 1 up. Got {n}.")
    return n


def _check_between_0_and_1(value: float, what: str) -> float:
    if not 0 < value < 1:
        raise QueryError(f"{what} must be above 0 and below 1. Got {value}.")
    return value
