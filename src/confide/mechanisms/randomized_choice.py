"""Keep the answer or report another option: k-ary randomized response."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Self

from confide.files import Json
from confide.mechanisms.asked import Asked
from confide.mechanisms.channel import Channel
from confide.mechanisms.mechanism import FiniteMechanism
from confide.mechanisms.mixture import Mixture
from confide.mechanisms.probability import (
    Probability,
    read_probability,
    truth_for_epsilon,
    write_probability,
)
from confide.mechanisms.related_question import RelatedQuestion


@dataclass(frozen=True, repr=False)
class RandomizedChoice(FiniteMechanism):
    """One question: report the true option with probability ``keep``, else another one.

    It is `RelatedQuestion` on one question under the name its users know.

    Parameters
    ----------
    keep : probability
        The probability that the true option is reported.

    Notes
    -----
    *Privacy.* ε = abs(ln(keep·(k − 1)/(1 − keep))) for k options.

    *Utility.* With q = (1 − keep)/(k − 1), a proportion p from n reports has variance
    p*(1 − p*)/(n(keep − q)²), where p* = q + (keep − q)p.

    Examples
    --------
    >>> from confide import Choice
    >>> faculty = Choice("faculty", ["arts", "law", "science"])
    >>> RandomizedChoice(keep=0.7).channel([faculty]).weights()
    {'branches': [1], 'questions': [[[[14, 3, 3], [3, 14, 3], [3, 3, 14]]]]}
    """

    keep: Probability
    kind: ClassVar[str] = "randomized-choice"
    summary: ClassVar[str] = (
        "One question: the answer is kept with probability keep, "
        "otherwise another option is reported."
    )
    needed_keys: ClassVar[Json] = {
        "keep": {
            "description": "The probability that the true option is reported.",
            "$ref": "#/$defs/probability",
        },
    }

    def __post_init__(self) -> None:
        object.__setattr__(self, "keep", read_probability(self.keep, f"keep of {self.name}"))

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
        >>> round(RandomizedChoice.for_epsilon(1.0).epsilon([YesNo("cheated")]), 3)
        1.0
        """
        return cls(truth_for_epsilon(epsilon, options))

    @property
    def coin(self) -> Fraction:
        """The probability of the truth, exactly."""
        return Fraction(self.keep)

    def with_truth(self, truth: Probability) -> Self:
        return replace(self, keep=truth)

    @property
    def _related(self) -> RelatedQuestion:
        return RelatedQuestion(self.keep)

    def check(self, asked: Sequence[Asked]) -> None:
        self.check_kinds(asked, most=1)
        self._related.check(asked)

    def parameters(self) -> Json:
        return {"keep": write_probability(self.coin)}

    def channel(self, asked: Sequence[Asked]) -> Channel:
        return self._related.channel(asked)

    def inverse(self, asked: Sequence[Asked], keep: Sequence[int] | None = None) -> Mixture:
        return self._related.inverse(asked, keep)

    def epsilon(self, asked: Sequence[Asked]) -> float:
        return self._related.epsilon(asked)
