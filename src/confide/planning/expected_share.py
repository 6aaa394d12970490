"""What to expect of an estimated share, and of the difference of two.

An estimated share is the mean of per-report weights A_r, the event's row of the inverse M⁻¹. With π
the expected distribution of the reports under the assumed truth p, π = Mp, one report's weight
has mean p and variance

    σ² = Σ_r A_r² π_r − p²

exactly, whatever the mechanism and the grouping. It is the error of the unbiased inverse; the
likelihood may do better. If a share ρ of people report the first option of every disguised question
whatever the coin says, π = (1 − ρ)Mp + ρr, with r their reports, and the mean is no longer p.
"""

from __future__ import annotations

from math import hypot, sqrt

import numpy as np

from confide.arrays import Array
from confide.design import Design
from confide.errors import QueryError
from confide.estimators.table_channel import TableChannel
from confide.planning.assumed_shares import AssumedShares, Event, Prevalence, encode_event
from confide.planning.expectation import Expectation, check_between_0_and_1


def expect_share(
    design: Design,
    event: Event,
    prevalence: Prevalence | AssumedShares | None = None,
    *,
    null: float | None = None,
    refusing: float = 0.0,
) -> Expectation:
    """What to expect of the estimated share of an event.

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
    null : float, optional
        The share that is to be ruled out; left out, the power has nothing to tell. Under it only
        the event's share differs: all other combinations of answers keep their proportions.
    refusing : float
        The share of people who report the first option of every disguised question, no to a
        yes-no question, whatever the coin says, and are otherwise like the others.

    Examples
    --------
    One in ten who refuses makes 0.10 look like 0.04:

    >>> import confide as cf
    >>> design = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion(0.75))])
    >>> asked = (design, {"cheated": "yes"}, {"cheated": 0.1})
    >>> told = expect_share(*asked, null=0)
    >>> refused = expect_share(*asked, null=0, refusing=0.1)
    >>> round(refused.mean, 3), round(told.power(2000), 3), round(refused.power(2000), 3)
    (0.04, 1.0, 0.659)
    """
    codes, truth = _read_event(design, event, prevalence)
    cell = tuple(codes.values())
    value = float(truth[cell])
    mean, deviation = _expect_weight(design, codes, truth, refusing)
    if null is None:
        return Expectation(value, mean, value, deviation, deviation)
    _, before = _expect_weight(design, codes, _under_null(truth, cell, null), 0.0)
    return Expectation(value, mean, null, deviation, before, edge=null in (0, 1))


def expect_difference(
    design: Design,
    event: Event,
    first: Prevalence | AssumedShares | None,
    second: Prevalence | AssumedShares | None,
    *,
    part: float = 0.5,
    refusing: float = 0.0,
) -> Expectation:
    """What to expect of the difference between an event's shares in two groups of people.

    The null is that both groups are like all respondents together. With f of the n respondents in
    the first group, σ₁² = σ₁ₐ²/f + σ₁ᵦ²/(1 − f), and σ₀² the same with the shares of all together.

    Parameters
    ----------
    design, event, refusing
        As for `expect_share`.
    first, second : mapping or None
        The assumed shares in either group.
    part : float
        The part of the respondents that is in the first group.

    Examples
    --------
    >>> import confide as cf
    >>> design = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion(0.75))])
    >>> expected = expect_difference(design, {"cheated": "yes"}, {"cheated": 0.2}, {"cheated": 0.1})
    >>> expected.respondents_for_power(0.8)
    2753
    """
    sizes = check_between_0_and_1(part, "part"), 1 - part
    codes, truth = _read_event(design, event, first)
    _, other = _read_event(design, event, second)
    cell = tuple(codes.values())
    means, deviations = zip(
        *(_expect_weight(design, codes, table, refusing) for table in (truth, other)), strict=True
    )
    both = sizes[0] * truth + sizes[1] * other
    _, common = _expect_weight(design, codes, both, 0.0)
    return Expectation(
        value=float(truth[cell] - other[cell]),
        mean=means[0] - means[1],
        null=0.0,
        deviation=hypot(*(d / sqrt(size) for d, size in zip(deviations, sizes, strict=True))),
        null_deviation=common / sqrt(sizes[0] * sizes[1]),
    )


def _expect_weight(
    design: Design, event: dict[str, int], truth: Array, refusing: float
) -> tuple[float, float]:
    """Give the mean and the deviation of a report's weight for an event, given as codes."""
    channel, cell = TableChannel(design, list(event)), tuple(event.values())
    reported = channel.apply(truth)
    if refusing:
        if not 0 <= refusing < 1:
            raise QueryError(f"refusing must be a share from 0 to below 1. Got {refusing}.")
        reported = (1 - refusing) * reported + refusing * _refuse(design, list(event), truth)
    mean = float(truth[cell]) if not refusing else float(channel.invert(reported)[cell])
    second = channel.invert_power(reported, 2)[cell]
    return mean, sqrt(max(float(second - mean**2), 0.0))


def _refuse(design: Design, names: list[str], truth: Array) -> Array:
    """The reports of people who report the first option of every disguised question."""
    for axis, name in enumerate(names):
        if design.block(name).mechanism is not None:
            first = np.zeros(design.reported(name).size)
            first[0] = 1
            shape = [-1 if each == axis else 1 for each in range(truth.ndim)]
            truth = truth.sum(axis=axis, keepdims=True) * first.reshape(shape)
    return truth


def _under_null(truth: Array, cell: tuple[int, ...], null: float) -> Array:
    """The true table with another share in one cell and all others in their proportions."""
    if not 0 <= null <= 1:
        raise QueryError(f"null must be between 0 and 1. Got {null}.")
    others = 1 - truth[cell]
    if others <= 0:
        raise QueryError(
            "an event that is assumed to be certain has no null. Assume a share below 1."
        )
    table = np.array(truth * ((1 - null) / others))
    table[cell] = null
    return table


def _read_event(
    design: Design, event: Event, prevalence: Prevalence | AssumedShares | None
) -> tuple[dict[str, int], Array]:
    codes = encode_event(design, event)
    return codes, AssumedShares.of(design, prevalence).table(list(codes))
