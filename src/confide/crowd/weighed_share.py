"""The share of people for whom something holds that is no single event: that a model is right.

Whatever is linear in the true table is a mean of per-report weights, as the share of an event is.
So it has the same interval, by the same score test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from confide.arrays import Array
from confide.counts import Counts
from confide.crowd._effective_size import count_effective_for, stretch_variance
from confide.crowd._influence import Influence
from confide.crowd._intervals import ShareIntervals
from confide.crowd._score_test import Sample
from confide.crowd._shares import estimate_shares, weigh_samples
from confide.crowd.estimate import Estimate
from confide.estimators.weight_moments import PointMoments


@dataclass(frozen=True, eq=False)
class WeighedReports:
    """A batch of reports, and what each of its patterns counts for.

    Parameters
    ----------
    counts : Counts
        The reports.
    upper, lower : arrays
        The weights whose means' ratio is the share: of those for whom it holds, and of all whom it
        is a share of.
    made_up : PointMoments, optional
        Those of made-up people, who keep reports that are all alike from being taken for exact;
        left out, there are none.
    """

    counts: Counts
    upper: Array
    lower: Array
    made_up: PointMoments | None = None


def estimate_weighed_share(batches: Sequence[WeighedReports]) -> Estimate:
    """Estimate the share in all batches together, every report counting the same."""
    samples = []
    for batch in batches:
        observed = PointMoments(batch.counts.shares, batch.upper, batch.lower)
        n = count_effective_for(batch.counts, batch.upper, batch.lower)
        stretch = stretch_variance(batch.counts)
        sample = Sample(observed, batch.made_up or observed, n, batch.counts.n, stretch)
        samples.append(sample.stretch_by_tails(observed.moment(1, 0) / observed.moment(0, 1)))
    test = weigh_samples(samples, "size")
    value, error = estimate_shares(test)
    share, total = float(test.mean(0, 1)), sum(batch.counts.n for batch in batches)
    parts = zip(test.weights, batches, strict=True)
    moved = tuple(
        (each.counts, weight * (each.upper - float(value) * each.lower) / share)
        for weight, each in parts
    )
    people = round(share * total)
    return Estimate(
        float(value),
        float(error),
        people,
        None if people == total else total,
        ShareIntervals(test).at(()),
        partial(Influence, moved),
    )
