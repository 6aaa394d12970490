"""Reports laid out so that product-shaped joints are fitted to them fast.

Where the true answers are independent within a component z, the chance of a report is a product
over the groups, and within a group a sum over the branches of its channel:

    P(r | z) = Π_g Σ_j w_gj Π_{i∈g} (F_gji p_iz)[r_i]

The questions are cut into two halves, each with few distinct reports. The chances of all patterns
are then one product of two small matrices, and so are the sums that expectation–maximisation needs:
a record's answers in both halves tell about its coins. A group too large for one half is cut too;
its branches then count as components of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2, prod

import numpy as np
from scipy.sparse import csr_matrix

from confide.counts import Counts
from confide.estimators.latent_classes.pairs import Array, pairs

Tables = Sequence[Array]
"""For each question of the design the chance of each true answer: (components, answers)."""

_MOST_BRANCHES = 4
"""A group with more branches is never cut."""
_TINY = 1e-30
_LARGEST_KEY = 2**62


@dataclass(frozen=True, eq=False)
class GroupSlice:
    """Questions of one group that lie in one half.

    ``cut`` says that the rest of the group lies in the other half, so that the branches must stay
    apart; ``odds`` then count in one half only.
    """

    positions: tuple[int, ...]
    odds: Array
    factors: tuple[Array, ...]
    cut: bool = False

    @property
    def sizes(self) -> list[int]:
        return [factor.shape[1] for factor in self.factors]

    def chances(self, tables: Tables, branch: int) -> Array:
        """The chance of each single report in each component: the questions' rows on end."""
        return np.concatenate(
            [f[branch] @ tables[p].T for f, p in zip(self.factors, self.positions, strict=True)]
        )


class Piece:
    """The distinct reports to one part of a half, and where the half's reports show them."""

    def __init__(self, part: GroupSlice, rows: Array) -> None:
        seen, self.place = _distinct(rows)
        hot = [np.eye(k)[seen[:, i]] for i, k in enumerate(part.sizes)]
        self.part, self._hot = part, np.concatenate(hot, axis=1)
        ones, order = np.ones(len(rows)), np.arange(len(rows))
        self.gather = csr_matrix((ones, (self.place, order)), (len(seen), len(rows)))

    def likelihood(self, tables: Tables) -> tuple[Array, Array]:
        """Each branch's chance of each distinct report, times exp(−shift), and that shift."""
        logs = np.stack(
            [
                self._hot @ np.log(np.maximum(self.part.chances(tables, j), _TINY)) + np.log(odd)
                for j, odd in enumerate(self.part.odds)
            ]
        )
        shift = logs.max(axis=(0, 2))
        return np.exp(logs - shift[:, None]), shift

    def expected(self, shares: Sequence[Array], tables: Tables) -> dict[int, Array]:
        """How often each true answer is expected, from each branch's share in the reports."""
        counts: dict[int, Array] = {}
        ends = np.cumsum([0, *self.part.sizes])
        for j, share in enumerate(shares):
            reported = self._hot.T @ share / np.maximum(self.part.chances(tables, j), _TINY)
            for i, p in enumerate(self.part.positions):
                back = self.part.factors[i][j].T @ reported[ends[i] : ends[i + 1]]
                counts[p] = counts.get(p, 0) + back.T * tables[p]
        return counts


class Half:
    """The distinct reports to one half of the questions."""

    def __init__(self, parts: Sequence[GroupSlice], patterns: Array) -> None:
        columns = [position for part in parts for position in part.positions]
        seen, self.place = _distinct(patterns[:, columns])
        self.size = len(seen)
        ends = np.cumsum([0, *(len(part.positions) for part in parts)])
        self.pieces = [
            Piece(part, seen[:, start:end])
            for part, start, end in zip(parts, ends[:-1], ends[1:], strict=True)
        ]

    def likelihood(self, tables: Tables) -> HalfLikelihood:
        """The chance of each distinct report under each component, cut branches apart."""
        total: Array = np.ones((1, self.size, len(tables[0])))
        shift = np.zeros(self.size)
        branches = []
        for piece in self.pieces:
            chances, top = piece.likelihood(tables)
            shift += top[piece.place]
            branches.append(chances)
            kept = chances if piece.part.cut else chances.sum(axis=0, keepdims=True)
            total = total * kept[:, piece.place]
        return HalfLikelihood(self, tables, branches, total, shift)


@dataclass(frozen=True, eq=False)
class HalfLikelihood:
    """What `Half.likelihood` found.

    ``total`` (branches of a cut group, reports, components) is the chance times exp(−``shift``).
    """

    half: Half
    tables: Tables
    branches: list[Array]
    total: Array
    shift: Array

    def expected(self, responsibility: Array) -> dict[int, Array]:
        """How often each true answer is expected in each component, by question.

        ``responsibility``, shaped like ``total``, says how many reports each component explains.
        """
        counts: dict[int, Array] = {}
        together = responsibility.sum(axis=0)
        for piece, branches in zip(self.half.pieces, self.branches, strict=True):
            if piece.part.cut:
                shares = [piece.gather @ each for each in responsibility]
            else:
                each = (piece.gather @ together) / np.maximum(branches.sum(axis=0), _TINY)
                shares = [each * branch for branch in branches]
            counts |= piece.expected(shares, self.tables)
        return counts


class HalvedReports:
    """One batch of reports, as pairs of halves; without the reports to one question, if given."""

    def __init__(self, counts: Counts, without: int | None = None) -> None:
        patterns = counts.patterns.copy()
        if without is not None:
            patterns[:, without] = 0
        halves = _halves(counts, without)
        self.left, self.right = (Half(parts, patterns) for parts in halves)
        shape = self.left.size, self.right.size
        self.pairs = pairs(self.left.place, self.right.place, shape)

    def explained(
        self, weights: Array, tables: Tables, training: Array
    ) -> tuple[Array, Array, dict[int, Array]]:
        """One expectation step for members side by side.

        Parameters
        ----------
        weights : array of shape (members, components)
            Each member's distribution over its components.
        tables : one array of shape (members · components, answers) a question
            The answers' distribution in each component.
        training : array
            How many reports of each pattern each member learns from, as `pairs` lays it out.

        Returns
        -------
        logs, sizes, counts
            The log-chance of each pattern, laid out too, how many reports each component explains,
            and how often each true answer is expected, by question.
        """
        left, right, a, b = self._sides(weights, tables)
        chance = self.pairs.chance(a, b)
        ratio = training / np.maximum(chance, _TINY)
        of_left, of_right = self.pairs.shared(ratio, a, b)
        of_left *= a
        of_right *= b
        counts: dict[int, Array] = {}
        for half, shared in ((left, of_left), (right, of_right)):
            counts |= half.expected(_by_branch(shared, weights.shape[1]))
        sizes = of_left.sum(axis=1).reshape(len(weights), -1, weights.shape[1]).sum(axis=1)
        return self._logs(chance, left, right), sizes, counts

    def likelihood(self, weights: Array, tables: Tables) -> Array:
        """The log-chance of each pattern, as `explained` gives it."""
        left, right, a, b = self._sides(weights, tables)
        return self._logs(self.pairs.chance(a, b), left, right)

    def _sides(
        self, weights: Array, tables: Tables
    ) -> tuple[HalfLikelihood, HalfLikelihood, Array, Array]:
        """Both halves' chances; by member too, where the left ones carry the weights."""
        left, right = self.left.likelihood(tables), self.right.likelihood(tables)
        a, b = _by_member(left.total, len(weights)), _by_member(right.total, len(weights))
        a *= np.tile(weights, a.shape[2] // weights.shape[1])[:, None]
        return left, right, a, b

    def _logs(self, chance: Array, left: HalfLikelihood, right: HalfLikelihood) -> Array:
        shift = self.pairs.outer_sum(left.shift, right.shift)
        return np.asarray(np.log(np.maximum(chance, _TINY)) + shift)


def _by_member(total: Array, members: int) -> Array:
    """(branches, reports, members · components) → (members, reports, branches · components)."""
    branches, reports, _ = total.shape
    split = total.reshape(branches, reports, members, -1).transpose(2, 1, 0, 3)
    return np.ascontiguousarray(split).reshape(members, reports, -1)


def _by_branch(shared: Array, components: int) -> Array:
    """The way back of `_by_member`."""
    members, reports, _ = shared.shape
    split = shared.reshape(members, reports, -1, components).transpose(2, 1, 0, 3)
    return split.reshape(len(split), reports, -1)


def _distinct(rows: Array) -> tuple[Array, Array]:
    """The distinct rows, and each row's place among them."""
    sizes = [int(column.max()) + 1 for column in rows.T]
    if prod(sizes) < _LARGEST_KEY:
        key = np.zeros(len(rows), np.int64)
        for column, size in zip(rows.T, sizes, strict=True):
            key = key * size + column
        _, first, place = np.unique(key, return_index=True, return_inverse=True)
        return rows[first], place
    seen, place = np.unique(rows, axis=0, return_inverse=True)
    return seen, place.ravel()


def _halves(counts: Counts, without: int | None) -> tuple[list[GroupSlice], list[GroupSlice]]:
    """Cut the questions into two halves with about equally many possible reports."""
    parts = []
    for block in counts.design.blocks:
        mixture = block.mixture.marginal(range(len(block.positions)))
        factors = tuple(
            factor.sum(axis=1, keepdims=True) if position == without else factor
            for position, factor in zip(block.positions, mixture.factors, strict=True)
        )
        parts.append(GroupSlice(block.positions, mixture.weights, factors))
    parts.sort(key=_bits, reverse=True)
    whole = sum(map(_bits, parts))
    halves: tuple[list[GroupSlice], list[GroupSlice]] = ([], [])
    first = parts[0]
    if (
        len(first.positions) > 1
        and _bits(first) > 0.6 * whole
        and len(first.odds) <= _MOST_BRANCHES
    ):
        middle = _middle(first, whole)
        halves[0].append(_some(first, range(middle), first.odds))
        halves[1].append(
            _some(first, range(middle, len(first.positions)), np.ones_like(first.odds))
        )
        parts = parts[1:]
    for part in parts:
        lighter = min(halves, key=lambda half: sum(map(_bits, half)))
        lighter.append(part)
    return _joined(halves[0]), _joined(halves[1])


def _joined(parts: list[GroupSlice]) -> list[GroupSlice]:
    """Questions without branches are one part."""
    plain = [part for part in parts if len(part.odds) == 1]
    if len(plain) < 2:
        return parts
    positions = tuple(p for part in plain for p in part.positions)
    factors = tuple(f for part in plain for f in part.factors)
    return [*(p for p in parts if len(p.odds) > 1), GroupSlice(positions, np.ones(1), factors)]


def _bits(part: GroupSlice) -> float:
    return log2(prod(part.sizes))


def _middle(part: GroupSlice, whole: float) -> int:
    """How many questions of a cut group go to the first half."""
    sums = np.cumsum([log2(k) for k in part.sizes])
    return int(np.clip(np.searchsorted(sums, whole / 2), 1, len(sums) - 1))


def _some(part: GroupSlice, keep: range, odds: Array) -> GroupSlice:
    positions = tuple(part.positions[i] for i in keep)
    return GroupSlice(positions, odds, tuple(part.factors[i] for i in keep), cut=True)
