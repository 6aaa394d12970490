"""Reports laid out so that mixtures of products are fitted to them fast.

Where the true answers are independent within a component z, the chance of a report is a product
over the groups, and within a group a sum over the branches of its channel:

    P(r | z) = Π_g Σ_j w_gj Π_{i∈g} (F_gji p_iz)[r_i]

The questions are cut into two halves, each with few distinct reports. The chances of all patterns
are then one product of two small matrices, and so are the sums that expectation–maximisation needs:
a record's answers in both halves tell about its coins. A group too large for one half is cut too;
its branches then count as components of their own.
"""

from __future__ import annotations

import numpy as np

from confide.arrays import Array
from confide.counts import Counts
from confide.estimators.latent_classes.group_slices import split_questions
from confide.estimators.latent_classes.half_reports import (
    TINY,
    ExpectedCounts,
    HalfChances,
    HalfReports,
)
from confide.estimators.latent_classes.layouts import choose_layout
from confide.estimators.latent_classes.product_mixtures import ProductMixtures
from confide.estimators.latent_classes.workspace import Workspace


class HalvedReports:
    """One batch of reports, as pairs of halves.

    Parameters
    ----------
    counts : Counts
        The counted reports.
    without : int, optional
        The position of a question whose reports are ignored.
    """

    def __init__(self, counts: Counts, without: int | None = None) -> None:
        patterns = counts.patterns.copy()
        if without is not None:
            patterns[:, without] = 0
        halves = split_questions(counts.design, without)
        self.left, self.right = (HalfReports(groups, patterns) for groups in halves)
        shape = self.left.size, self.right.size
        self.layout = choose_layout(self.left.place, self.right.place, shape)

    def e_step(
        self, model: ProductMixtures, counts: Array, space: Workspace
    ) -> tuple[Array, Array, ExpectedCounts]:
        """Take the expectation step for members side by side.

        Parameters
        ----------
        model : ProductMixtures
            The members.
        counts : array
            How many reports of each pattern each member learns from: (members, patterns).
        space : Workspace
            Where to compute.

        Returns
        -------
        log_chances : array
            The logarithm of each pattern's probability under each member: (members, patterns).
        sizes : array of shape (members, components)
            How many reports are expected to come from each component.
        expected : dict
            How often each true answer is expected in each component, by question.
        """
        components = model.weights.shape[1]
        left, right, a, b = self._chances_by_member(model, space)
        chance = np.maximum(self.layout.multiply_halves(a, b, space), TINY)
        of_left, of_right = self.layout.sum_over_pairs(counts / chance, a, b)
        of_left *= a
        of_right *= b
        expected: ExpectedCounts = {}
        for half, reports in ((left, of_left), (right, of_right)):
            expected |= half.expect_counts(_by_branch(reports, components))
        sizes = of_left.sum(axis=1).reshape(len(model.weights), -1, components).sum(axis=1)
        return self._log_chances(chance, left, right), sizes, expected

    def log_chances(self, model: ProductMixtures) -> Array:
        """Give the logarithm of each pattern's probability, as `e_step` does."""
        space = Workspace()
        left, right, a, b = self._chances_by_member(model, space)
        chance = np.maximum(self.layout.multiply_halves(a, b, space), TINY)
        return self._log_chances(chance, left, right)

    def _chances_by_member(
        self, model: ProductMixtures, space: Workspace
    ) -> tuple[HalfChances, HalfChances, Array, Array]:
        """Give both halves' chances, and the same by member, the left ones times the weights."""
        members, components = model.weights.shape
        left, right = (half.chances(model.tables, space) for half in (self.left, self.right))
        a, b = _by_member(left.total, members), _by_member(right.total, members)
        a *= np.tile(model.weights, a.shape[2] // components)[:, None]
        return left, right, a, b

    def _log_chances(self, chance: Array, left: HalfChances, right: HalfChances) -> Array:
        return np.asarray(
            np.log(chance) + left.shift[self.left.place] + right.shift[self.right.place]
        )


def _by_member(total: Array, members: int) -> Array:
    """(branches, reports, members · components) → (members, reports, branches · components)."""
    branches, reports, _ = total.shape
    split = total.reshape(branches, reports, members, -1).transpose(2, 1, 0, 3)
    return split.copy().reshape(members, reports, -1)


def _by_branch(by_member: Array, components: int) -> Array:
    """(members, reports, branches · components) → (branches, reports, members · components)."""
    members, reports, _ = by_member.shape
    split = by_member.reshape(members, reports, -1, components).transpose(2, 1, 0, 3)
    return split.reshape(len(split), reports, -1)
