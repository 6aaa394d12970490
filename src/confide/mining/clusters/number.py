"""How many clusters the reports tell apart: as many as explain reports they were not fitted to.

One more cluster always fits the reports better that it was fitted to. So reports are dealt into
folds, and clusters fitted to all but one are judged by the likelihood of that one. More clusters
are taken only where their gain is more than its own standard error, report by report.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from confide.arrays import Array
from confide.counts import Counts
from confide.design import Design, Finite
from confide.errors import ModelError
from confide.estimators.latent_classes import HalvedReports, draw_sample
from confide.estimators.product_mixture import ProductMixture
from confide.mining.clusters.cluster_fit import (
    LARGEST_SAMPLE,
    SEED,
    ClusterFits,
    find_log_chances,
)
from confide.mining.model_selection import split_batches
from confide.mining.option_reports import describe_size
from confide.progress import track

_FOLDS = 5
_MOST = 8
_PATIENCE = 2  # so many numbers in a row without a gain end the search
_FEWEST = 50  # reports, from which a number can be chosen


@dataclass(frozen=True)
class TriedNumber:
    """A number of clusters that was tried.

    Parameters
    ----------
    clusters : int
        The number.
    log_likelihood : float
        The mean log-likelihood of a report that the clusters were not fitted to.
    gain : float
        How much better that is than the best smaller number; 0 for one cluster.
    gain_error : float
        The standard error of the gain.
    """

    clusters: int
    log_likelihood: float
    gain: float
    gain_error: float

    @property
    def better(self) -> bool:
        """Whether the gain is more than chance alone would give."""
        return self.gain > self.gain_error


def choose_number(batches: Sequence[Counts]) -> tuple[int, list[TriedNumber]]:
    """Choose the number of clusters by held-out likelihood, and tell what was tried."""
    some = draw_sample(batches, LARGEST_SAMPLE, np.random.default_rng(SEED))
    if sum(batch.effective_n for batch in some) < _FEWEST:
        raise ModelError(
            f"{describe_size(some)} too few to choose the number of clusters from; {_FEWEST} are "
            "needed. Give n_clusters."
        )
    folds = list(split_batches(some, _FOLDS))
    fits = [ClusterFits(train) for train, _ in folds]
    weights, squares = _weigh_rows([batch for _, test in folds for batch in test])
    tried: list[TriedNumber] = []
    best, known = 1, np.zeros_like(weights)
    for clusters in track(range(1, min(_MOST, count_told(some[0].design)) + 1)):
        logs = np.concatenate(
            [
                _judge(each.fit(clusters).mixture, test)
                for each, (_, test) in zip(fits, folds, strict=True)
            ]
        )
        gains = logs - known if tried else np.zeros_like(logs)
        gain = float(weights @ gains)
        error = float(np.sqrt(squares @ (gains - gain) ** 2))
        tried.append(TriedNumber(clusters, float(weights @ logs), gain, error))
        if tried[-1].better or clusters == 1:
            best, known = clusters, logs
        elif clusters - best >= _PATIENCE:
            break
    return best, tried


def count_told(design: Design) -> int:
    """Give how many clusters the answers could tell apart, were everybody asked in the clear.

    So many clusters have a share each, and a free number for every answer but one to each question.
    They cannot be more than the combinations of answers; and two questions tell no clusters, as the
    same table comes from many pairs of them.

    >>> from confide.design import YesNo
    >>> [count_told(Design([YesNo(name) for name in "abcdef"[:n]])) for n in (2, 3, 4, 5)]
    [1, 2, 3, 5]
    """
    sizes = [question.size for question in design.questions if isinstance(question, Finite)]
    return 1 if len(sizes) < 3 else prod(sizes) // (1 + sum(size - 1 for size in sizes))


def _weigh_rows(batches: Sequence[Counts]) -> tuple[Array, Array]:
    """Give each row's share of all weights, and the sum of its people's shares squared.

    Weights are brought to the sum of as many reports of equal weight as would tell as much.
    """
    weights = np.concatenate([batch.shares * batch.effective_n for batch in batches])
    squares = np.concatenate([_sum_squares(batch) for batch in batches])
    total = weights.sum()
    return weights / total, squares / total**2


def _sum_squares(batch: Counts) -> Array:
    """Give the sum of the squared weights of each row's people."""
    if batch.drawn is None:
        return batch.reports.astype(float)
    return batch.drawn.squares * (batch.effective_n / batch.drawn.weights.sum()) ** 2


def _judge(mixture: ProductMixture, batches: Sequence[Counts]) -> Array:
    """Give the log-likelihood of a report of each row."""
    return np.concatenate(find_log_chances(mixture, [HalvedReports(batch) for batch in batches]))
