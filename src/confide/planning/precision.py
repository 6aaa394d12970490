"""How precise an estimated share will be, before anyone is asked: one number at a time."""

from __future__ import annotations

from confide.design import Design
from confide.planning.assumed_shares import AssumedShares, Event, Prevalence
from confide.planning.expectation import check_between_0_and_1
from confide.planning.expected_share import expect_share


def standard_error(
    design: Design, event: Event, prevalence: Prevalence | AssumedShares | None, n: int
) -> float:
    """The standard error to expect of an estimated share: σ/√n.

    Parameters
    ----------
    design, event, prevalence
        As for `expect_share`.
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
    return expect_share(design, event, prevalence).standard_error(n)


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
    check_between_0_and_1(margin, "margin")
    return expect_share(design, event, prevalence).respondents_needed(margin, level)


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
    expected = expect_share(design, event, prevalence, null=null)
    return expected.power(n, two_sided=two_sided, level=level)


def respondents_for_power(
    design: Design,
    event: Event,
    prevalence: Prevalence | AssumedShares | None,
    wanted: float,
    *,
    null: float = 0.0,
    two_sided: bool = True,
    level: float = 0.95,
) -> int:
    """The fewest respondents with whom a survey has the wanted power.

    Parameters
    ----------
    design, event, prevalence
        As for `standard_error`.
    wanted : float
        The power, such as 0.9.
    null, two_sided, level
        As for `power`.

    Examples
    --------
    >>> import confide as cf
    >>> design = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion(0.75))])
    >>> respondents_for_power(design, {"cheated": "yes"}, {"cheated": 0.1}, 0.9, null=0.02)
    1309
    """
    expected = expect_share(design, event, prevalence, null=null)
    return expected.respondents_for_power(wanted, two_sided=two_sided, level=level)
