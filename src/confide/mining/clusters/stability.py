"""Would another survey of the same people find the same clusters?

Reports are drawn again with replacement, clusters fitted anew from starts of their own, and both
models asked to label the same made-up people. Of each cluster it is told how much of it a cluster
of the other model shares: the people in both over those in either (Jaccard), for the best match,
averaged over surveys (Hennig 2007, who calls clusters below 0.6 not to be trusted, and above 0.75
valid). Where reports are very many, surveys of fewer are drawn: their clusters are less stable.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.arrays import Array, Codes
from confide.counts import Counts
from confide.estimators.bootstrap import draw_reports_again
from confide.estimators.latent_classes import draw_sample
from confide.estimators.product_mixture import ProductMixture
from confide.mining.clusters.cluster_fit import LARGEST_SAMPLE, SEED, fit_clusters
from confide.progress import track

_PEOPLE = 2_000


def measure_stability(batches: Sequence[Counts], mixture: ProductMixture, surveys: int) -> Array:
    """Give the mean Jaccard similarity of each cluster to its best match in redrawn surveys."""
    generator = np.random.default_rng(SEED)
    some = draw_sample(batches, LARGEST_SAMPLE, generator)
    people = draw_answers(mixture, _PEOPLE, generator)
    own = label(mixture, people)
    found = []
    for _ in track(range(surveys)):
        again = draw_reports_again(some, generator)
        other = label(fit_clusters(again, len(mixture.weights)).mixture, people)
        found.append(match_clusters(own, other, len(mixture.weights)))
    return np.mean(found, axis=0)


def label(mixture: ProductMixture, answers: Sequence[Codes]) -> Codes:
    """Give each person's likeliest cluster."""
    return np.asarray(find_chances(mixture, answers).argmax(axis=1))


def find_chances(mixture: ProductMixture, answers: Sequence[Codes]) -> Array:
    """Give each person's chance to be in each cluster, from codes of their answers."""
    clusters = np.eye(len(mixture.weights))
    return ProductMixture(mixture.weights, (*mixture.tables, clusters)).predict_last(answers)


def match_clusters(own: Codes, other: Codes, clusters: int) -> Array:
    """Give for each cluster the Jaccard similarity to its best match among other labels.

    >>> match_clusters(np.array([0, 0, 1, 1]), np.array([1, 1, 1, 0]), 2).round(3)
    array([0.667, 0.5  ])
    """
    both = np.zeros((clusters, clusters))
    np.add.at(both, (own, other), 1)
    either = both.sum(axis=1)[:, None] + both.sum(axis=0) - both
    return np.asarray(
        np.divide(both, either, out=np.zeros_like(both), where=either > 0).max(axis=1)
    )


def draw_answers(
    mixture: ProductMixture, people: int, generator: np.random.Generator
) -> list[Codes]:
    """Draw people's answers from a mixture, one column of codes per question."""
    cluster = generator.choice(len(mixture.weights), people, p=mixture.weights)
    columns = []
    for table in mixture.tables:
        reached = table.cumsum(axis=1)[cluster]
        columns.append((generator.random(people)[:, None] > reached[:, :-1]).sum(axis=1))
    return columns
