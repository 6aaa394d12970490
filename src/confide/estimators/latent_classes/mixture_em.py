"""Mixtures of products, fitted to reports through the channel by expectation–maximisation.

What is hidden is the component, the coin and the answers. Several members, which start elsewhere or
learn from other reports, are fitted side by side. As prior knowledge `PRIOR` people are added to
each component, and to each of its questions: spread evenly over the answers, or as people at large.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from confide.arrays import Array
from confide.counts import Counts
from confide.estimators.latent_classes.halved_reports import HalvedReports
from confide.estimators.latent_classes.product_mixtures import ProductMixtures
from confide.estimators.latent_classes.workspace import Workspace

PRIOR = 1.0
"""So many people are added to each component and to each of its questions."""


@dataclass(frozen=True, eq=False)
class TrainingReports:
    """The reports that mixtures are fitted to.

    Parameters
    ----------
    batches : list of HalvedReports
        The distinct reports of each batch.
    counts : one array per batch
        How many reports of each pattern each member learns from: (members, patterns).
    margins : sequence of arrays, optional
        How the people who are added answer each question; left out, evenly.
    space : Workspace
        Where steps compute; all batches one after the other.
    """

    batches: list[HalvedReports]
    counts: list[Array]
    margins: Sequence[Array] | None = None
    space: Workspace = field(default_factory=Workspace)

    @classmethod
    def of(
        cls, batches: Sequence[Counts], margins: Sequence[Array] | None = None
    ) -> TrainingReports:
        """Take all reports of some batches, for every member; each counts by its weight."""
        merged = [batch.merge_sample() for batch in batches]
        halved = [HalvedReports(counts) for counts, _ in merged]
        weights = [counts.reports * factors for counts, factors in merged]
        return cls(halved, [weight[None] for weight in weights], margins)

    def count_added(self, sizes: Sequence[int]) -> list[Array]:
        """Count the people who are added to each component, by question and answer."""
        margins = self.margins or [np.full(answers, 1 / answers) for answers in sizes]
        return [PRIOR * margin for margin in margins]

    def log_likelihood(self, log_chances: Sequence[Array]) -> Array:
        """Give each member's log-likelihood, from the log-chances that `take_em_step` gives."""
        pairs = zip(log_chances, self.counts, strict=True)
        each = [(log * count).sum(axis=1) for log, count in pairs]
        return np.asarray(np.sum(each, axis=0))


def take_em_step(
    model: ProductMixtures, reports: TrainingReports, fixed: Sequence[int] = ()
) -> tuple[ProductMixtures, list[Array]]:
    """Take one step of expectation–maximisation.

    Parameters
    ----------
    model : ProductMixtures
        The members.
    reports : TrainingReports
        What each member learns from.
    fixed : sequence of int
        The positions of questions whose tables stay as they are.

    Returns
    -------
    model : ProductMixtures
        The members after the step.
    log_chances : one array per batch
        The logarithm of each pattern's probability before the step: (members, patterns).
    """
    sizes: Array = np.full(model.weights.shape, PRIOR)
    added = reports.count_added([table.shape[1] for table in model.tables])
    counts = [np.tile(each, (model.weights.size, 1)) for each in added]
    log_chances = []
    for batch, learnt in zip(reports.batches, reports.counts, strict=True):
        logs, expected_sizes, expected = batch.e_step(model, learnt, reports.space)
        sizes = sizes + expected_sizes
        for position, count in expected.items():
            counts[position] += count
        log_chances.append(logs)
    tables = [
        table if i in fixed else count / count.sum(axis=1, keepdims=True)
        for i, (table, count) in enumerate(zip(model.tables, counts, strict=True))
    ]
    return ProductMixtures(sizes / sizes.sum(axis=1, keepdims=True), tables), log_chances


def run_em(
    model: ProductMixtures,
    reports: TrainingReports,
    iterations: Iterable[object],
    fixed: Sequence[int] = (),
) -> ProductMixtures:
    """Run expectation–maximisation for a number of steps.

    Parameters
    ----------
    model : ProductMixtures
        Where the members start.
    reports : TrainingReports
        What each member learns from.
    iterations : iterable
        One step is taken for each item: ``range(60)``, or the same within a progress bar.
    fixed : sequence of int
        The positions of questions whose tables stay as they are.
    """
    for _ in iterations:
        model, _ = take_em_step(model, reports, fixed)
    return model
