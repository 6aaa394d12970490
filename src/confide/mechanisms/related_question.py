"""Warner's related-question model, for groups (`du-zhan-2003`, `multi-group`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, log, prod
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from confide.errors import DesignError
from confide.files import Json
from confide.mechanisms.asked import Asked
from confide.mechanisms.channel import Channel, ExactMatrix, identity
from confide.mechanisms.mechanism import FiniteMechanism
from confide.mechanisms.mixture import Mixture
from confide.mechanisms.probability import (
    TRUTH_KEY,
    Probability,
    common_denominator,
    read_probability,
    truth_for_epsilon,
    write_probability,
)


@dataclass(frozen=True, repr=False)
class RelatedQuestion(FiniteMechanism):
    """With probability ``truth`` the whole group is reported as it is; otherwise every question of
    it is reported as another option, each other option equally likely. For yes-no questions that
    is the opposite, so the group flips as one.

    Parameters
    ----------
    truth : probability
        The papers' θ. It may be below one half, but not where a report would say nothing. A float
        that is no plain decimal is taken as the fraction it was computed from, or the nearest that
        a browser can draw.

    Notes
    -----
    *Privacy.* One question with k options: ε = abs(ln(θ(k − 1)/(1 − θ))). Two or more questions:
    ε = ∞, because answers that agree with the report in part are impossible: a report of two
    yes-no questions tells for certain whether the two answers are equal.

    *Utility.* A yes-no proportion p from n reports has variance
    p(1 − p)/n + θ(1 − θ)/(n(2θ − 1)²).

    *Inverse.* Split each axis of a table into its mean and its residual; the component that is
    residual on the questions S is divided by θ + (1 − θ)·Π_{i∈S} −1/(k_i − 1). For yes-no
    questions M⁻¹ = (θ·I − (1 − θ)·flip)/(2θ − 1): equations (3) to (8) of `multi-group`.

    Examples
    --------
    >>> from confide import YesNo
    >>> RelatedQuestion("3/4").inverse([YesNo("cheated")]).matrix()
    array([[ 1.5, -0.5],
           [-0.5,  1.5]])
    """

    truth: Probability
    kind: ClassVar[str] = "related-question"
    summary: ClassVar[str] = (
        "With probability truth all answers of the group are reported as they are, "
        "otherwise each as another option: for yes-no questions the opposite."
    )
    needed_keys: ClassVar[Json] = {"truth": TRUTH_KEY}

    def __post_init__(self) -> None:
        object.__setattr__(self, "truth", read_probability(self.truth, f"truth of {self.name}"))

    @classmethod
    def for_epsilon(cls, epsilon: float, options: int = 2) -> Self:
        """The mechanism whose report of one question gives away at most epsilon.

        Parameters
        ----------
        epsilon : float
            The worst-case privacy loss.
        options : int
            How many options the question has.

        Examples
        --------
        >>> from confide import YesNo
        >>> round(RelatedQuestion.for_epsilon(1.0).epsilon([YesNo("cheated")]), 3)
        1.0
        """
        return cls(truth_for_epsilon(epsilon, options))

    @property
    def coin(self) -> Fraction:
        """The probability of the truth, exactly."""
        return Fraction(self.truth)

    def with_truth(self, truth: Probability) -> Self:
        return replace(self, truth=truth)

    def check(self, asked: Sequence[Asked]) -> None:
        self.check_kinds(asked)
        if _says_nothing(self.coin, asked):
            what = (
                "yes-no questions"
                if all(q.size == 2 for q in asked)
                else f"the group {', '.join(q.name for q in asked)}"
            )
            raise DesignError(
                f"truth of {self.name} must differ from {self.coin} for {what}: at "
                f"{self.coin} a report says nothing. Got {self.coin}."
            )
        if len(asked) == 1:  # else a draw of its own decides for the truth
            covered = (1 - self.coin) / (asked[0].size - 1)
            common_denominator([self.coin, covered], f"{self.name} for {asked[0].name}")

    def parameters(self) -> Json:
        return {"truth": write_probability(self.coin)}

    def channel(self, asked: Sequence[Asked]) -> Channel:
        sizes = [question.size for question in asked]
        branches = [[identity(k) for k in sizes], [_cover_with_another(k) for k in sizes]]
        return Channel.of([self.coin, 1 - self.coin], branches)

    def inverse(self, asked: Sequence[Asked], keep: Sequence[int] | None = None) -> Mixture:
        # Dropping questions leaves the same mechanism on the rest.
        sizes = [question.size for question in _select(asked, keep)]
        axes = ([2] if 2 in sizes else []) + [size for size in sizes if size > 2]
        entries = _compute_entries(float(self.coin), axes)
        terms = []
        for differs in np.ndindex(entries.shape):
            states = iter(differs[1:] if 2 in sizes else differs)
            covered = [differs[0] if size == 2 else next(states) for size in sizes]
            weight = float(entries[differs]) * prod(
                size - 1 for size, cover in zip(sizes, covered, strict=True) if cover
            )
            matrices = [
                np.array(_cover_with_another(size) if cover else identity(size), dtype=float)
                for size, cover in zip(sizes, covered, strict=True)
            ]
            terms.append((weight, matrices))
        return Mixture.of(terms)

    def epsilon(self, asked: Sequence[Asked]) -> float:
        if len(asked) > 1 or self.coin in (0, 1):
            return inf
        return abs(log(self.coin * (asked[0].size - 1) / (1 - self.coin)))


def _cover_with_another(size: int) -> ExactMatrix:
    """The cover: every option but the true one, equally likely."""
    return [[Fraction(row != column, size - 1) for column in range(size)] for row in range(size)]


def _says_nothing(theta: Fraction, asked: Iterable[Asked]) -> bool:
    """Whether a divisor of the inverse is 0: θ/(1 − θ) = −Π_{i∈S} −1/(k_i − 1) for some S.

    Then (1 − θ)/θ is a whole number and the product of an odd number of the k_i − 1. Only its
    divisors can lead there, so products are followed only as long as they divide it.
    """
    if theta.numerator != 1 or theta == 1:  # (1 − θ)/θ is whole and positive just for θ = 1/m
        return False
    wanted = theta.denominator - 1
    found = {(1, False)}
    for question in asked:
        others = question.size - 1
        found |= {(p * others, not odd) for p, odd in found if wanted % (p * others) == 0}
    return (wanted, True) in found


def _compute_entries(theta: float, axes: Sequence[int]) -> NDArray[np.float64]:
    """Compute the entries of M⁻¹, by whether report and truth differ on each axis.

    All yes-no questions flip together and so are one axis. On an axis of k options the residual
    is damped by −1/(k − 1); back from (mean, residual) to (equal, different) every axis turns by
    the entries of the projections J/k and I − J/k.
    """
    damping = np.ones(())
    for size in axes:
        damping = np.multiply.outer(damping, [1, -1 / (size - 1)])
    entries = 1 / (theta + (1 - theta) * damping)
    for axis, size in enumerate(axes):
        turn = np.array([[1, size - 1], [1, -1]]) / size
        entries = np.moveaxis(np.tensordot(turn, entries, (1, axis)), 0, axis)
    return entries


def _select(asked: Sequence[Asked], keep: Sequence[int] | None) -> Sequence[Asked]:
    return asked if keep is None else [asked[i] for i in keep]
