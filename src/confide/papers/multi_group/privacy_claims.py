"""What section 5.3.3 of the paper claims of privacy."""

from __future__ import annotations

from collections.abc import Sequence

from confide.papers.cells import Row
from confide.papers.claims import Claim, Finding, NotRun, decide
from confide.papers.multi_group.experiment import GROUPS
from confide.papers.run_table import select
from confide.papers.split_people import name_scheme


def _find_told(rows: Sequence[Row]) -> dict[tuple[int, float], float]:
    told = {
        (int(row["groups"] or 0), float(row["truth"] or 0)): float(row["coins_told"] or 0)
        for row in select(rows, experiment="privacy")
        if row["coins_told"] is not None
    }
    if {groups for groups, _ in told} != set(GROUPS):
        raise NotRun("what records tell was not measured for all schemes.")
    return told


def _say_told(told: dict[tuple[int, float], float]) -> str:
    truths = sorted({truth for _, truth in told})
    return "; ".join(
        f"{name_scheme(groups)}: "
        + ", ".join(f"{100 * told[groups, truth]:.0f} % at θ = {truth}" for truth in truths)
        for groups in GROUPS
    )


def _check_privacy_by_truth(rows: Sequence[Row]) -> Finding:
    told = _find_told(rows)
    near, far = min(t for _, t in told), max(t for _, t in told)
    return decide(
        all(told[groups, far] - told[groups, near] > 0.05 for groups in GROUPS),
        f"records of Adult all of whose coins one tells who knows the crowd: {_say_told(told)}. A "
        "single answer alone is guessed with max(θ, 1 − θ), as the paper says.",
        "privacy",
    )


def _check_privacy_by_groups(rows: Sequence[Row]) -> Finding:
    told = _find_told(rows)
    falls = all(
        told[more, truth] < told[fewer, truth]
        for fewer, more in ((1, 2), (2, 3))
        for truth in {truth for _, truth in told}
    )
    return decide(falls, f"records all of whose coins are told: {_say_told(told)}.", "privacy")


CLAIMS = (
    Claim(
        "5.3.3",
        "When θ is away from 1 and 0 and approaches 0.5, the privacy level of the data increases.",
        _check_privacy_by_truth,
    ),
    Claim(
        "5.3.3",
        "With the number of groups increasing, the privacy level increases.",
        _check_privacy_by_groups,
    ),
)
