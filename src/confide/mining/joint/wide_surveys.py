"""Many people asked many questions: fits begin on some of the reports and end on all of them.

Where hardly two reports are alike, a step takes time in proportion to people × questions. Some
thousand reports of so many answers each already tell the hidden classes; all the others then tell
the classes' tables, in a few steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from confide.arrays import Array
from confide.counts import Counts
from confide.crowd import Crowd
from confide.estimators.bootstrap import draw_reports
from confide.estimators.latent_classes import ProductMixtures, TrainingReports, run_em
from confide.mining.joint.candidates import MEMBERS, FittedCandidate
from confide.mining.population import pool_batches
from confide.progress import track

_BEGUN = 150_000
"""So many answers in distinct reports are enough to begin with."""
_WORK = 6_000_000
"""So many answers, once for every member that is kept, are read in a step over all reports."""
_FEWEST, _FEWEST_BEGUN = 2, 5
"""So many members of each candidate are kept, and begun with, at least."""
_STEPS = 2  # of expectation–maximisation over all reports
_AT_A_TIME = 1 << 15
"""So many distinct reports are handled at a time."""


def draw_some(crowd: Crowd, generator: np.random.Generator) -> Crowd:
    """Draw the reports that fits begin with: all of them, unless they are too many."""
    answers = _count_answers(crowd)
    if answers <= _BEGUN:
        return crowd
    share = _BEGUN / answers
    return pool_batches(
        [draw_reports(batch, round(share * batch.n), generator) for batch in crowd.batches]
    )


def count_members(crowd: Crowd) -> int:
    """Say how many members of each candidate to begin with, the last of whom are kept."""
    return int(np.clip(_count_kept(crowd), _FEWEST_BEGUN, MEMBERS))


def _count_kept(crowd: Crowd) -> int:
    """Say with how many members a step over all reports is taken."""
    return max(_WORK // _count_answers(crowd), _FEWEST)


def _count_answers(crowd: Crowd) -> int:
    """Count the answers in distinct reports."""
    return sum(batch.patterns.size for batch in crowd.batches)


def _cut(batch: Counts) -> list[Counts]:
    """Cut a batch into parts, each of which a step handles within the processor's caches.

    One with weights stays whole: how much its reports count is known for all of them together.
    """
    if batch.drawn is not None:
        return [batch]
    starts = range(0, len(batch.reports), _AT_A_TIME)
    cuts = [slice(start, start + _AT_A_TIME) for start in starts]
    return [
        replace(batch, patterns=batch.patterns[cut], reports=batch.reports[cut]) for cut in cuts
    ]


def finish_on_all(
    crowd: Crowd, fits: Sequence[FittedCandidate], shares: Array, margins: Sequence[Array]
) -> list[FittedCandidate]:
    """Take the last steps of the fits that have a share, with as many members as time has."""
    members = _count_kept(crowd)
    parts = [part for batch in crowd.batches for part in _cut(batch)]
    reports = TrainingReports.of(parts, margins)
    finished = list(fits)
    kept = np.flatnonzero(shares).tolist()
    for place in track(kept, costs=[fits[place].mixed.weights.shape[1] for place in kept]):
        fit = fits[place]
        start = ProductMixtures.stack(fit.mixed.members[-members:])
        finished[place] = replace(fit, whole=run_em(start, reports, range(_STEPS), fit.fixed))
    return finished
