"""The questions of a design, cut into two halves with about equally many possible reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2, prod

import numpy as np

from confide.arrays import Array
from confide.design import Block, Design
from confide.estimators.latent_classes.product_mixtures import Tables

_MOST_BRANCHES = 4
"""A group with more branches is never cut."""
_LARGEST_SHARE = 0.6
"""A group with a larger share of the design's bits is cut."""


@dataclass(frozen=True, eq=False)
class GroupSlice:
    """The questions of one group that lie in one half, with the group's channel on them.

    Parameters
    ----------
    positions : tuple of int
        The questions' positions in the design.
    branch_weights : array of shape (branches,)
        The probability of each branch of the channel: truth or cover. Where the group is cut they
        stand in one half only; the other half has ones.
    factors : one array of shape (branches, reports, answers) per question
        How each branch turns an answer into a report.
    cut : bool
        Whether the rest of the group lies in the other half, so that branches must stay apart.
    """

    positions: tuple[int, ...]
    branch_weights: Array
    factors: tuple[Array, ...]
    cut: bool = False

    @property
    def report_sizes(self) -> list[int]:
        """How many reports each question can have."""
        return [factor.shape[1] for factor in self.factors]

    @property
    def bits(self) -> float:
        """The logarithm, to base 2, of how many reports the questions can have together."""
        return log2(prod(self.report_sizes))

    def report_chances(self, tables: Tables, branch: int) -> Array:
        """Give the chance of each report to each question in each component, in one branch.

        The shape is (all questions' reports one after the other, components).
        """
        return np.concatenate(
            [f[branch] @ tables[p].T for f, p in zip(self.factors, self.positions, strict=True)]
        )

    def cut_at(self, place: int) -> tuple[GroupSlice, GroupSlice]:
        """Cut the questions in two; the first part keeps the branches' weights."""
        first = GroupSlice(
            self.positions[:place], self.branch_weights, self.factors[:place], cut=True
        )
        ones = np.ones_like(self.branch_weights)
        return first, GroupSlice(self.positions[place:], ones, self.factors[place:], cut=True)


def split_questions(
    design: Design, without: int | None = None
) -> tuple[list[GroupSlice], list[GroupSlice]]:
    """Split the questions into two halves with about equally many possible reports.

    A group stays whole unless it is larger than all others together. Of the question at position
    ``without`` the report is ignored.
    """
    groups = [_slice_block(block, without) for block in design.blocks]
    groups.sort(key=lambda group: group.bits, reverse=True)
    whole = _add_bits(groups)
    halves: tuple[list[GroupSlice], list[GroupSlice]] = ([], [])
    if _must_be_cut(groups[0], whole):
        first, second = groups[0].cut_at(_find_middle(groups[0], whole))
        halves[0].append(first)
        halves[1].append(second)
        groups = groups[1:]
    for group in groups:
        min(halves, key=_add_bits).append(group)
    return _join_unbranched(halves[0]), _join_unbranched(halves[1])


def _slice_block(block: Block, without: int | None) -> GroupSlice:
    """Give a whole group as one slice; a single question needs no branches."""
    mixture = block.mixture.marginal(range(len(block.positions)))
    factors = tuple(
        factor.sum(axis=1, keepdims=True) if position == without else factor
        for position, factor in zip(block.positions, mixture.factors, strict=True)
    )
    if len(factors) == 1:
        channel = np.tensordot(mixture.weights, factors[0], axes=1)
        return GroupSlice(block.positions, np.ones(1), (channel[None],))
    return GroupSlice(block.positions, mixture.weights, factors)


def _add_bits(groups: Sequence[GroupSlice]) -> float:
    return sum(group.bits for group in groups)


def _must_be_cut(group: GroupSlice, whole: float) -> bool:
    """Tell whether a group is too large for one half, and has few enough branches to be cut."""
    return (
        len(group.positions) > 1
        and group.bits > _LARGEST_SHARE * whole
        and len(group.branch_weights) <= _MOST_BRANCHES
    )


def _find_middle(group: GroupSlice, whole: float) -> int:
    """Find how many questions of a group that is cut make half of all questions' bits."""
    sums = np.cumsum([log2(size) for size in group.report_sizes])
    return int(np.clip(np.searchsorted(sums, whole / 2), 1, len(sums) - 1))


def _join_unbranched(groups: list[GroupSlice]) -> list[GroupSlice]:
    """Join all groups with a single branch: their questions are independent, as in one group."""
    single = [group for group in groups if len(group.branch_weights) == 1]
    if len(single) < 2:
        return groups
    positions = tuple(position for group in single for position in group.positions)
    factors = tuple(factor for group in single for factor in group.factors)
    branched = [group for group in groups if len(group.branch_weights) > 1]
    return [*branched, GroupSlice(positions, np.ones(1), factors)]
