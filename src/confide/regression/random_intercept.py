"""An intercept for every group, integrated out by adaptive Gauss–Hermite quadrature.

    L_group = ∫ Π_i P(report_i | η_i + τ·b) φ(b) db

At a node b the product is the plain likelihood with one more column b, whose coefficient is τ. So a
group is a mixture over nodes as a report is one over truths, and the same two formulas give its
derivatives. Each group has nodes of its own, placed by the mean and deviation of its b. On the way
to the peak they are placed anew at every step: nodes placed for one τ take a far larger one for
likely. Near the peak they stay where they are while the likelihood is climbed, and are then placed
anew, until nothing moves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from confide.arrays import Array, Codes
from confide.errors import QueryError
from confide.regression.newton import HALVINGS, Peak, climb, point_uphill
from confide.regression.regression_likelihood import EvaluatedLikelihood, Likelihood

_NODES = 15
_APPROACHES = 100
_NEAR = 1e-6
_FURTHEST = 0.5  # a step that changes the deviation by more is shortened
_ROUNDS = 50
_STILL = 1e-9
_FIRST_DEVIATION = 0.5
_MORE_THAN_ONE = 1.001  # weights of a group add up to what its reports are worth


@dataclass(frozen=True, eq=False)
class GroupedLikelihood:
    """The likelihood of groups, at nodes that stay where they are.

    Parameters
    ----------
    rows : Likelihood
        That of the single reports.
    groups : integer array
        The group of each row.
    middles, deviations : arrays
        Where each group has its nodes.
    """

    rows: Likelihood
    groups: Codes
    middles: Array
    deviations: Array

    @property
    def n(self) -> float:
        """The number of reports."""
        return self.rows.n

    @property
    def place(self) -> int:
        """The place of the deviation among the parameters."""
        return self.rows.slices[0].stop

    def start(self) -> Array:
        """The peak without intercepts, and a deviation to begin with."""
        return np.insert(climb(self.rows).params, self.place, _FIRST_DEVIATION)

    def _nodes(self) -> tuple[Array, Array]:
        """The nodes b and the logs of their weights, of shape (groups, nodes)."""
        z, w = np.polynomial.hermite.hermgauss(_NODES)
        b = self.middles[:, None] + np.sqrt(2) * self.deviations[:, None] * z
        log = np.log(w) + z**2 - b**2 / 2 + np.log(self.deviations)[:, None] - np.log(np.pi) / 2
        return b, log

    def _at(self, node: Array) -> Likelihood:
        """The likelihood of rows whose groups are at these nodes: one more column."""
        column = np.broadcast_to(node[self.groups, None], (*self.rows.matrices.shape[:2], 1))
        return replace(self.rows, matrices=np.concatenate([self.rows.matrices, column], axis=2))

    def _sum(self, values: Array) -> Array:
        """Add up rows within groups, each as often as it was reported."""
        sums = np.zeros((len(self.middles), *values.shape[1:]))
        np.add.at(sums, self.groups, (values.T * self.rows.counts).T)
        return sums

    def _log_nodes(self, params: Array) -> tuple[Array, Array]:
        """The nodes, and the log of each one's part in its group's likelihood."""
        nodes, log_weights = self._nodes()
        logs = [self._sum(self._at(node).log_rows(params)) for node in nodes.T]
        return nodes, log_weights + np.stack(logs, axis=1)

    def value(self, params: Array) -> float:
        """The log-likelihood of all groups."""
        return float(_log_sum(self._log_nodes(params)[1]).sum())

    def evaluate(self, params: Array) -> EvaluatedLikelihood:
        """The log-likelihood with its derivatives, group by group."""
        nodes, logs = self._log_nodes(params)
        total = _log_sum(logs)
        weights = np.exp(logs - total[:, None])
        size = len(params)
        scores, hessian = np.zeros((len(total), size)), np.zeros((size, size))
        for node, weight in zip(nodes.T, weights.T, strict=True):
            rows = self._at(node)
            here = replace(rows, counts=rows.counts * weight[self.groups]).evaluate(params)
            own = self._sum(here.scores)
            scores += weight[:, None] * own
            hessian += here.hessian + (weight[:, None] * own).T @ own
        hessian -= scores.T @ scores
        return EvaluatedLikelihood(total, scores, np.ones(len(total)), hessian)

    def place_nodes(self, params: Array) -> GroupedLikelihood:
        """Give the same groups, with their nodes placed for these parameters."""
        nodes, logs = self._log_nodes(params)
        weights = np.exp(logs - _log_sum(logs)[:, None])
        middles = (weights * nodes).sum(axis=1)
        spread = (weights * nodes**2).sum(axis=1) - middles**2
        return replace(self, middles=middles, deviations=np.sqrt(np.maximum(spread, 1e-6)))

    def settle_nodes(self, params: Array) -> GroupedLikelihood:
        """Give the same groups, with nodes placed from where those of other parameters lie."""
        return self.place_nodes(params).place_nodes(params)


def climb_with_intercepts(rows: Likelihood, groups: Codes) -> tuple[GroupedLikelihood, Peak]:
    """Find the peak of a likelihood with an intercept for every group."""
    size = int(groups.max()) + 1
    if size < 2:
        raise QueryError("random_intercept needs at least two groups. There is one.")
    if np.bincount(groups, rows.counts).max() < _MORE_THAN_ONE:
        raise QueryError(
            "random_intercept needs groups of several reports. Each has one, and what is a group's "
            "is not told apart from chance."
        )
    if len(rows.designs[0]) > 1 and not rows.family.continuous:
        raise QueryError("random_intercept takes an outcome with two options, or a number.")
    grouped, params = _approach(GroupedLikelihood(rows, groups, np.zeros(size), np.ones(size)))
    for _ in range(_ROUNDS):
        grouped = grouped.settle_nodes(params)
        peak = climb(grouped, params)
        moved = np.abs(peak.params - params).max()
        params = peak.params
        if moved <= _STILL * (1 + np.abs(params).max()):
            break
    if params[grouped.place] < 0:  # b is as likely as −b
        params = np.where(np.arange(len(params)) == grouped.place, -params, params)
        grouped = replace(grouped, middles=-grouped.middles)
    return grouped, replace(peak, params=params)


def _approach(groups: GroupedLikelihood) -> tuple[GroupedLikelihood, Array]:
    """Walk close to the peak by short steps, with the nodes placed anew at every one."""
    params = groups.start()
    groups = groups.settle_nodes(params)
    for _ in range(_APPROACHES):
        here = groups.evaluate(params)
        move = point_uphill(here.gradient, here.hessian)
        if here.gradient @ move <= _NEAR * groups.n:
            break
        move = move / max(1.0, abs(move[groups.place]) / _FURTHEST)
        height = groups.value(params)
        for _ in range(HALVINGS):
            there = groups.settle_nodes(params + move)
            if there.value(params + move) > height:
                break
            move = move / 2
        groups, params = there, params + move
    return groups, params


def _log_sum(logs: Array) -> Array:
    top = logs.max(axis=1, keepdims=True)
    return (np.log(np.exp(logs - top).sum(axis=1, keepdims=True)) + top)[:, 0]
