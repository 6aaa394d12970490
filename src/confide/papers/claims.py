"""What a paper claims, checked on the numbers of a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from confide.papers.cells import Row

Verdict = Literal["holds", "does not hold", "cannot be checked"]


@dataclass(frozen=True)
class Finding:
    """Whether a claim holds, and why.

    Parameters
    ----------
    verdict : str
        Whether it holds.
    reason : str
        The numbers that decide, or why nothing can.
    figure : str, optional
        The name of the figure that shows it.
    """

    verdict: Verdict
    reason: str
    figure: str | None = None


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper that numbers can decide.

    Parameters
    ----------
    section : str
        Where the paper says it.
    text : str
        What it says, in its words or close to them.
    check : callable
        From the table of runs to a `Finding`.
    """

    section: str
    text: str
    check: Callable[[Sequence[Row]], Finding]


@dataclass(frozen=True)
class CheckedClaim:
    """A claim with what was found."""

    claim: Claim
    finding: Finding


def check_claims(claims: Sequence[Claim], rows: Sequence[Row]) -> list[CheckedClaim]:
    """Check claims on the rows of a run; one whose runs are missing cannot be checked."""
    checked = []
    for claim in claims:
        try:
            finding = claim.check(rows)
        except NotRun as missing:
            finding = Finding("cannot be checked", str(missing))
        first, rest = finding.reason[:1], finding.reason[1:]
        reason = (first.upper() if first.isascii() else first) + rest  # θ stays θ
        checked.append(CheckedClaim(claim, replace(finding, reason=reason)))
    return checked


class NotRun(Exception):  # noqa: N818  it is no mistake, only nothing to check
    """The runs that a claim needs are not in the table."""


def decide(holds: bool, reason: str, figure: str | None = None) -> Finding:
    """Make the finding of a claim that holds, or does not."""
    return Finding("holds" if holds else "does not hold", reason, figure)


def cannot_be_checked(reason: str) -> Callable[[Sequence[Row]], Finding]:
    """Make the check of a claim that no numbers can decide."""
    return lambda _: Finding("cannot be checked", reason)
