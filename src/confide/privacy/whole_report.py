"""Bayes' rule on whole reports: the posterior of every coin and every answer.

Given the class of a person the groups are independent, so P(report | class) is a product over the
groups. Leaving one factor open, for the side of its coin or for one of its answers, and summing
over the classes gives every posterior.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import product
from math import prod

import numpy as np

from confide.arrays import Array, Codes
from confide.design import Design
from confide.estimators.share_likelihood import divide_positive
from confide.privacy.group_likelihoods import GroupLikelihoods, normalise_rows
from confide.privacy.known_crowd import KnownCrowd

_WORK = 1 << 28  # coins × reports × classes, beyond which all coins at once are not tried


class WholeReport:
    """Patterns of reports with what they say, block by block, about each class of people.

    Parameters
    ----------
    design : Design
        The design under which they are made.
    population : KnownCrowd
        The crowd as the adversary knows it.
    patterns : array of shape (patterns, questions)
        The reports.
    """

    def __init__(self, design: Design, population: KnownCrowd, patterns: Codes) -> None:
        self._design, self._shares = design, population.shares
        self._views = [GroupLikelihoods.of(block, patterns) for block in design.blocks]
        self._values = [view.chances(self._shares) for view in self._views]
        scaled = [view.branches(each) for view, each in zip(self._views, self._values, strict=True)]
        self._branches = [branches for branches, _ in scaled]
        self._scales = [scale for _, scale in scaled]
        self._whole = [branches.sum(axis=1) for branches in self._branches]
        self._weights = population.mixture.weights
        self._settled = population.settled
        self._joint = np.tile(self._weights, (len(patterns), 1))
        for view, whole in zip(self._views, self._whole, strict=True):
            self._joint *= whole[view.index]
        self._total = self._joint.sum(axis=1)

    @property
    def chances(self) -> Array:
        """The probability of each pattern."""
        scale = sum(each[view.index] for view, each in zip(self._views, self._scales, strict=True))
        return np.asarray(self._total * np.exp(scale))

    def has_coin(self, group: int) -> bool:
        """Whether a group is reported either as it is or from a cover."""
        mechanism = self._design.blocks[group].mechanism
        return mechanism is not None and mechanism.coin is not None

    def _sides(self, group: int) -> tuple[Array, Array]:
        """P(truth, report | class) and P(cover, report | class), on the block's scale."""
        view, whole = self._views[group], self._whole[group]
        mechanism = view.block.mechanism
        assert mechanism is not None and mechanism.coin is not None
        logs = view.truth(self._shares) - self._scales[group][:, None]
        truth = np.minimum(float(mechanism.coin) * np.exp(logs), whole)
        return truth, whole - truth

    def _others(self, block: int) -> Array:
        """P(class, all other blocks' reports), for each pattern."""
        whole = self._whole[block][self._views[block].index]
        return divide_positive(self._joint, whole)

    def coin_posterior(self, group: int) -> Array:
        """The posterior of the likelier side of a group's coin."""
        others, index = self._others(group), self._views[group].index
        sides = [(others * side[index]).sum(axis=1) for side in self._sides(group)]
        return divide_positive(np.maximum(*sides), self._total)

    def all_coins(self) -> Array | None:
        """The posterior of the likeliest combination of all coins."""
        groups = [g for g in range(len(self._design.groups)) if self.has_coin(g)]
        if len(self._weights) == 1 and groups:
            return np.asarray(prod(self.coin_posterior(group) for group in groups))
        if not groups or 2 ** len(groups) * self._joint.size > _WORK:
            return None
        rest = self._joint
        for group in groups:
            rest = divide_positive(rest, self._whole[group][self._views[group].index])
        sides = [[side[self._views[g].index] for side in self._sides(g)] for g in groups]
        best = np.zeros(len(self._total))
        for combination in product(*sides):
            best = np.maximum(best, prod(combination, start=rest).sum(axis=1))
        return divide_positive(best, self._total)

    def prior(self, name: str) -> Array:
        """How likely each answer is from all that the question's own draw has no part in.

        Returns
        -------
        array of shape (patterns, answers)
        """
        block, _ = self._find_block(name)
        return normalise_rows(self._others(block) @ self._shares[name])

    def prior_from_clear(self, name: str) -> Array:
        """How likely each answer is from the answers in the clear alone, in the same shape."""
        known, ruled_out = self._clear_joint
        block, view = self._find_block(name)
        if view.block.mechanism is None:  # its own report is left out
            own = self._whole[block][view.index]
            known = known / np.where(own > 0, own, 1.0)
            ruled_out = ruled_out - (own == 0)
        return normalise_rows(np.where(ruled_out == 0, known, 0.0) @ self._shares[name])

    @cached_property
    def _clear_joint(self) -> tuple[Array, Codes]:
        """P(class, reports in the clear) of each pattern, and how many of them rule a class out.

        The first is of those reports that do not, so that one can be left out of either.
        """
        known = np.tile(self._weights, (len(self._total), 1))
        ruled_out = np.zeros(known.shape, np.int64)
        for view, whole in zip(self._views, self._whole, strict=True):
            if view.block.mechanism is None:
                shown = whole[view.index]
                known *= np.where(shown > 0, shown, 1.0)
                ruled_out += shown == 0
        return known, ruled_out

    def _find_block(self, name: str) -> tuple[int, GroupLikelihoods]:
        position = self._design.position(name)
        ((block, view),) = (
            (b, v) for b, v in enumerate(self._views) if position in v.block.positions
        )
        return block, view

    def answer(self, name: str) -> Array:
        """The posterior of the likeliest answer to one question."""
        if self._settled:
            return divide_positive((self._joint @ self._shares[name]).max(axis=1), self._total)
        block, view = self._find_block(name)
        place = view.block.positions.index(self._design.position(name))
        seen = view.reports[:, place]
        within = divide_positive(
            self._branches[block], self._values[block][seen + view.first_columns[place]]
        )
        factors = view.block.mixture.factors[place][:, seen]
        # distinct report u, branch b, class k, answer a
        answers = np.einsum("ubk,bua,ka->auk", within, factors, self._shares[name])
        others = self._others(block)
        best = np.zeros(len(self._total))
        for each in answers:
            best = np.maximum(best, np.einsum("pk,pk->p", others, each[view.index]))
        return divide_positive(best, self._total)

    def all_answers(self, all_coins: Array | None) -> Array | None:
        """The posterior of the likeliest combination of all answers."""
        if self._settled:
            return divide_positive(self._joint.max(axis=1), self._total)
        if len(self._weights) == 1:
            best = [_likeliest_answers(view, self._shares)[view.index] for view in self._views]
            return np.asarray(prod(best))
        return all_coins if all(_coin_tells_answers(view) for view in self._views) else None


def _likeliest_answers(view: GroupLikelihoods, shares: Mapping[str, Array]) -> Array:
    """The posterior of the likeliest answers after each report, in a crowd of one class.

    M = θ·I + C, and C is one product or does not depend on the truth. So the likeliest answers are
    those likeliest under one of the branches, and trying each branch's own is enough.
    """
    mixture = view.block.mixture
    weighed = []  # for each question: branch, distinct report, answer
    for place, question in enumerate(view.block.questions):
        each = mixture.factors[place][:, view.reports[:, place]] * shares[question.name][0]
        largest = each.sum(axis=2).max(axis=0)  # a common scale, as products may vanish
        weighed.append(each / np.where(largest > 0, largest, 1.0)[:, None])
    rows = np.arange(len(view.reports))
    best = np.zeros(len(rows))
    for branch in range(len(mixture.weights)):
        chosen = [each[branch].argmax(axis=1) for each in weighed]
        terms = [each[:, rows, codes] for each, codes in zip(weighed, chosen, strict=True)]
        best = np.maximum(best, mixture.weights @ prod(terms))
    return divide_positive(best, mixture.weights @ prod(each.sum(axis=2) for each in weighed))


def _coin_tells_answers(view: GroupLikelihoods) -> bool:
    """Whether a report and its coin tell the answers: under the cover each report has one cause."""
    mechanism, sizes = view.block.mechanism, [q.size for q in view.block.questions]
    if mechanism is None or mechanism.coin is None:
        return mechanism is None
    covers = [
        view.block.mixture.marginal([place]).matrix() - float(mechanism.coin) * np.eye(size)
        for place, size in enumerate(sizes)
    ]
    return all(((cover > 1e-12).sum(axis=1) <= 1).all() for cover in covers)
