"""Reports of questions with options: a design and its counts, those for numbers left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from confide.counts import Counts
from confide.design import Design, Finite
from confide.errors import ModelError
from confide.mining.same_survey import check_same_survey
from confide.mining.sample_weights import read_crowd


def read_finite(
    design: Design, reports: object, sample_weight: object, least: int
) -> tuple[Design, tuple[Counts, ...]]:
    """Read reports or a crowd; leave out numbers, and refuse fewer than ``least`` questions."""
    crowd = read_crowd(design, reports, sample_weight)
    check_same_survey(design, crowd)
    kept = leave_out_numbers(design)
    if len(kept.names) < least:
        raise ModelError(
            f"at least {least} yes-no or choice questions are needed. This survey has "
            f"{len(kept.names)}; numbers take no part."
        )
    if crowd.effective_n < len(kept.names):
        raise ModelError(
            f"{describe_size(crowd.batches)} too few to learn from {len(kept.names)} questions. "
            "Collect more, or ask less."
        )
    if len(kept.names) == len(design.names):
        return kept, crowd.batches
    return kept, tuple(_select(batch, leave_out_numbers(batch.design)) for batch in crowd.batches)


def describe_size(batches: Sequence[Counts]) -> str:
    """Say how many reports there are; with weights, also how many would tell as much."""
    n = sum(batch.n for batch in batches)
    told = sum(batch.effective_n for batch in batches)
    if n == 1:
        return "1 report is"
    return f"{n:,} reports{f', by their weights as good as {told:.0f},' if told < n else ''} are"


def leave_out_numbers(design: Design) -> Design:
    """Give the design without numbers; a noisy number is always a group of its own."""
    names = [question.name for question in design.questions if isinstance(question, Finite)]
    return replace(
        design,
        questions=[design.question(name) for name in names],
        groups=[group for group in design.groups if group.questions[0] in names],
    )


def _select(counts: Counts, kept: Design) -> Counts:
    """Keep the reports to some of the questions."""
    if counts.drawn is None:
        return counts.only(kept)
    # those of different strata and clusters stay apart, also where they are alike now
    places = [counts.design.position(name) for name in kept.names]
    kinds = tuple(counts.kinds[place] for place in places) if counts.kinds else ()
    return replace(counts, design=kept, patterns=counts.patterns[:, places], kinds=kinds)
