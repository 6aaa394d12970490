"""The one likelihood: what a report says about coefficients, through the channel of the design.

    P(report | x, parameters) = Σ_truth M[report, truth] · P(outcome | x, d, β) · P(d | x, γ)

A truth is an outcome together with a cell d of the disguised predictors: one combination of their
options. M is the channel of the blocks in which outcome and disguised predictors are; those of one
group share its coin, and M knows. Where no predictor is disguised there is one cell, and no γ.

Both derivatives follow from those of the complete data, weighted by P(truth | report): the score of
a report is the mean of the scores of its truths, the Hessian is the mean of their Hessians plus the
covariance of their scores (Louis 1982).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from confide.arrays import Array, Codes
from confide.regression.families import Family, log_softmax


@dataclass(frozen=True)
class EvaluatedLikelihood:
    """The log-likelihood at one point, with its derivatives."""

    log: Array
    """Each row's log probability."""
    scores: Array
    """Each row's gradient, of shape (rows, parameters)."""
    counts: Array
    """How many reports each row stands for."""
    hessian: Array
    """The second derivatives of the sum over all reports."""

    @property
    def gradient(self) -> Array:
        """The first derivatives of the sum over all reports."""
        return self.counts @ self.scores

    @property
    def outer_product(self) -> Array:
        """The sum of the outer products of the reports' scores."""
        return (self.scores * self.counts[:, None]).T @ self.scores


@dataclass(frozen=True, eq=False)
class Likelihood:
    """The likelihood of distinct rows of reports, each with how often it came in.

    Parameters
    ----------
    family : Family
        How the true outcome depends on the predictors.
    channel : array of shape (rows, outcomes, cells)
        M[report, truth], for the report of each row.
    matrices : array of shape (cells, rows, columns)
        The formula's design matrix, were the disguised predictors in each of their cells.
    clear : array of shape (rows, columns)
        What the cells' shares may depend on: a constant and the clear predictors.
    outcome : array of shape (rows,)
        The outcome of a linear regression; else nothing is read off it.
    offset : array of shape (rows,)
        What is added to the first linear predictor.
    counts : array of shape (rows,)
        How many reports each row stands for.
    """

    family: Family
    channel: Array
    matrices: Array
    clear: Array
    outcome: Array
    offset: Array
    counts: Array

    @property
    def cells(self) -> int:
        """How many combinations the disguised predictors have."""
        return len(self.matrices)

    @property
    def n(self) -> float:
        """The number of reports."""
        return float(self.counts.sum())

    def keep(self, rows: Codes) -> Likelihood:
        """Keep some of the rows."""
        return replace(
            self,
            channel=self.channel[rows],
            matrices=self.matrices[:, rows],
            clear=self.clear[rows],
            outcome=self.outcome[rows],
            offset=self.offset[rows],
            counts=self.counts[rows],
        )

    @cached_property
    def designs(self) -> list[Sequence[Array]]:
        """For each cell the design matrix of every linear predictor of the outcome."""
        return [self.family.designs(matrix) for matrix in self.matrices]

    @cached_property
    def slices(self) -> list[slice]:
        """The parameters' places: each linear predictor of the outcome, then each cell but one."""
        widths = [design.shape[1] for design in self.designs[0]]
        widths += [self.clear.shape[1]] * (self.cells - 1)
        ends = np.cumsum([0, *widths]).tolist()
        return [slice(start, end) for start, end in pairwise(ends)]

    @property
    def size(self) -> int:
        """The number of parameters."""
        return self.slices[-1].stop

    def start(self) -> Array:
        """Parameters from which a fit sets out."""
        outcome = self.family.start(self.designs[0], self.outcome - self.offset, self.counts)
        return np.r_[outcome, np.zeros(self.size - len(outcome))]

    def cell_shares(self, params: Array) -> Array:
        """log P(d | x, γ) of every row, of shape (rows, cells)."""
        first = self.family.predictors
        eta = [self.clear @ params[place] for place in self.slices[first:]]
        return log_softmax(np.stack(eta, axis=1) if eta else np.empty((len(self.counts), 0)))

    def linear_predictors(self, params: Array, cell: int) -> Array:
        """η of every row in one cell, of shape (rows, linear predictors)."""
        places = self.slices[: self.family.predictors]
        designs = self.designs[cell]
        eta = [design @ params[place] for design, place in zip(designs, places, strict=True)]
        eta[0] = eta[0] + self.offset
        return np.stack(eta, axis=1)

    def log_rows(self, params: Array) -> Array:
        """Each row's log probability."""
        return self._weigh_truths(params)[0]

    def posterior(self, params: Array) -> Array:
        """P(truth | report) of every row, of shape (rows, outcomes, cells)."""
        return self._weigh_truths(params)[1]

    def _weigh_truths(self, params: Array) -> tuple[Array, Array]:
        log_shares = self.cell_shares(params)
        parts = [
            self.family.derivatives(self.linear_predictors(params, d), self.outcome).log
            + log_shares[:, d, None]
            for d in range(self.cells)
        ]
        return self._posterior(np.stack(parts, axis=2))

    def value(self, params: Array) -> float:
        """The log-likelihood of all reports."""
        return float(self.counts @ self.log_rows(params))

    def _posterior(self, log_truths: Array) -> tuple[Array, Array]:
        """Each row's log probability, and P(truth | report) of shape (rows, outcomes, cells)."""
        possible = np.where(self.channel > 0, log_truths, -np.inf)
        top = possible.max(axis=(1, 2), keepdims=True)
        joint = self.channel * np.exp(possible - top)
        total = joint.sum(axis=(1, 2), keepdims=True)
        return (np.log(total) + top)[:, 0, 0], joint / total

    def evaluate(self, params: Array) -> EvaluatedLikelihood:
        """The log-likelihood with its derivatives."""
        log_shares = self.cell_shares(params)
        outcomes = [
            self.family.derivatives(self.linear_predictors(params, d), self.outcome)
            for d in range(self.cells)
        ]
        truths = [each.log + log_shares[:, d, None] for d, each in enumerate(outcomes)]
        log, posterior = self._posterior(np.stack(truths, axis=2))
        scores = np.zeros((len(log), self.size))
        hessian = np.zeros((self.size, self.size))
        shares = np.exp(log_shares)[:, 1:]
        for d, each in enumerate(outcomes):
            weight = posterior[:, :, d]
            moved = np.eye(self.cells)[d, 1:] - shares  # the first derivatives of log P(d | x, γ)
            among = weight.sum(axis=1)
            own = np.einsum("ny,nyj->nj", weight, each.first)
            first = np.concatenate([own, among[:, None] * moved], axis=1)
            curved = _curvature(weight, each.first, each.second, moved, shares)
            columns = [*self.designs[d], *[self.clear] * (self.cells - 1)]
            _add_scores(scores, self.slices, columns, first)
            _add_hessian(hessian, self.slices, columns, curved * self.counts[:, None, None])
        hessian -= (scores * self.counts[:, None]).T @ scores
        return EvaluatedLikelihood(log, scores, self.counts, hessian)


def _curvature(weight: Array, first: Array, second: Array, moved: Array, shares: Array) -> Array:
    """Σ_y P(truth | report)·(∂∂ log P + ∂ log P ∂ log P) of one cell, in all linear predictors."""
    size, more = first.shape[2], moved.shape[1]
    whole = np.zeros((len(weight), size + more, size + more))
    products = second + first[:, :, :, None] * first[:, :, None, :]
    whole[:, :size, :size] = np.einsum("ny,nyjk->njk", weight, products)
    crossed = np.einsum("ny,nyj->nj", weight, first)[:, :, None] * moved[:, None, :]
    whole[:, :size, size:] = crossed
    whole[:, size:, :size] = crossed.transpose(0, 2, 1)
    spread = shares[:, :, None] * shares[:, None, :] - shares[:, :, None] * np.eye(more)
    both = spread + moved[:, :, None] * moved[:, None, :]
    whole[:, size:, size:] = weight.sum(axis=1)[:, None, None] * both
    return whole


def _add_scores(scores: Array, places: list[slice], columns: list[Array], first: Array) -> None:
    for j, (place, design) in enumerate(zip(places, columns, strict=True)):
        scores[:, place] += first[:, j, None] * design


def _add_hessian(hessian: Array, places: list[slice], columns: list[Array], curved: Array) -> None:
    for j, (here, design) in enumerate(zip(places, columns, strict=True)):
        for k in range(j + 1):
            there = places[k]
            block = (design * curved[:, j, k, None]).T @ columns[k]
            hessian[here, there] += block
            if k < j:
                hessian[there, here] += block.T
