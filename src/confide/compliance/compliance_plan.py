"""What a model of compliance would find, before anyone is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TypeAlias

import numpy as np

from confide.arrays import Array
from confide.compliance.compliance_result import ComplianceResult, ComplianceShares
from confide.compliance.kind_intervals import KindInterval
from confide.counts import Counts
from confide.crowd import Crowd, Estimate
from confide.design import Design
from confide.errors import QueryError

ComplianceModel: TypeAlias = Callable[[Sequence[Crowd], str], ComplianceResult]
"""Such as `cheating_detection`."""

_MANY = 10**9  # reports, of which expected shares make whole numbers
_SIGNIFICANCE = 0.05


@dataclass(frozen=True, repr=False)
class ComplianceProspect(ComplianceShares):
    """What a model of compliance would find.

    Parameters
    ----------
    share : Estimate or None
        The share of yes that it would find on average, with the standard error to expect.
    bound : pair of float
        Its bound, on average.
    kinds : mapping of names to Estimate
        The shares of the kinds of people, likewise.
    power : float or None
        The chance that the goodness of fit notices, at a significance of 5 %, that people do
        otherwise than the model has it; None where no degrees of freedom are left.
    """

    power: float | None

    def __repr__(self) -> str:
        told = "nothing left to judge it by" if self.power is None else f"{self.power:.2f}"
        return "\n  ".join([*self._lines(), f"power of the fit: {told}"])


def plan(
    model: ComplianceModel,
    designs: Sequence[Design],
    question: str,
    respondents: int,
    share: float,
    *,
    refusing: float = 0.0,
    lying: float = 0.0,
    inattentive: float = 0.0,
) -> ComplianceProspect:
    """What a model would find if respondents are dealt in equal parts to some designs.

    The model is fitted to the reports that are expected; its standard errors are those of so many
    respondents.

    Parameters
    ----------
    model : function
        `cheating_detection`, `stochastic_lie_detector`, `extended_crosswise` or
        `two_sample_unrelated`.
    designs : sequence of Design
        The designs that people are dealt to.
    question : str
        A yes-no question of all of them.
    respondents : int
        How many people are asked in all.
    share : float
        The assumed share of yes.
    refusing : float
        The share of people, yes or no, who say no whatever the coin says.
    lying : float
        The share of the yes who say no whatever the coin says.
    inattentive : float
        The share of people who report anything.

    Examples
    --------
    How well would 2,000 people tell that a fifth refuse, with two dictated shares of yes?

    >>> import confide as cf
    >>> designs = [
    ...     cf.Design([cf.YesNo("cheated")],
    ...               [cf.Group(["cheated"], cf.ForcedResponse(t, {"cheated": {"yes": 1}}))])
    ...     for t in ("1/4", "3/4")]
    >>> model = cf.compliance.cheating_detection
    >>> found = cf.compliance.plan(model, designs, "cheated", 2000, 0.3, refusing=0.2)
    >>> found.kinds["refuses"]
    0.200 ± 0.046 (95 %, n = 2,000)
    """
    kinds = (refusing, lying, inattentive)
    if not all(0 <= each <= 1 for each in (share, *kinds)) or refusing + inattentive > 1:
        raise QueryError(
            "share, refusing, lying and inattentive must be shares from 0 to 1, refusing and "
            f"inattentive together at most 1. Got {share:g}, "
            f"{', '.join(f'{each:g}' for each in kinds)}."
        )
    if respondents < 1 or not designs:
        raise QueryError("a plan needs at least one respondent and one design.")
    crowds = [_expect_crowd(design, question, share, kinds) for design in designs]
    found = model(crowds, question)
    scale = sqrt(_MANY * len(designs) / respondents)

    def shrink(estimate: Estimate) -> Estimate:
        assert isinstance(estimate.how, KindInterval)
        error, how = estimate.standard_error * scale, estimate.how.scale(1 / scale**2)
        return Estimate(estimate.value, error, respondents, how=how)

    return ComplianceProspect(
        None if found.share is None else shrink(found.share),
        found.bound,
        {name: shrink(kind) for name, kind in found.kinds.items()},
        _fit_power(found.fit.g2 / scale**2, found.fit.degrees),
    )


def _expect_crowd(
    design: Design, question: str, share: float, kinds: tuple[float, float, float]
) -> Crowd:
    """A crowd with as many of each report as is expected of people like these."""
    refusing, lying, inattentive = kinds
    block = design.block(question)
    place = [each.name for each in block.questions].index(question)
    if len(design.names) > 1:
        raise QueryError("a plan is for designs that ask one question; leave the others out.")
    channel = block.channel_on([place]).matrix()
    no = np.eye(len(channel))[0]
    honest = share * ((1 - lying) * channel[:, 1] + lying * no) + (1 - share) * channel[:, 0]
    reported: Array = (
        (1 - refusing - inattentive) * honest + refusing * no + inattentive / len(channel)
    )
    counts = np.rint(reported * _MANY).astype(np.int64)
    there = np.flatnonzero(counts)
    return Crowd(design, Counts.gather(design, [there], counts[there]))


def _fit_power(g2: float, degrees: int) -> float | None:
    """The power of a goodness of fit whose statistic has this noncentrality."""
    if degrees < 1:
        return None
    from scipy.stats import chi2, ncx2

    critical = chi2.isf(_SIGNIFICANCE, degrees)
    return float(ncx2.sf(critical, degrees, g2)) if g2 > 1e-9 else _SIGNIFICANCE
