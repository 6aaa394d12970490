"""Kuk's two decks of cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import ClassVar, Self

import numpy as np

from confide.errors import DesignError, show
from confide.files import Json
from confide.mechanisms.asked import Asked
from confide.mechanisms.channel import Channel
from confide.mechanisms.mixture import Mixture
from confide.mechanisms.probability import (
    Probability,
    common_denominator,
    read_probability,
    truth_for_epsilon,
    write_probability,
)
from confide.mechanisms.yes_no_mechanism import YesNoMechanism

_MOST_DRAWS = 20


@dataclass(frozen=True, repr=False)
class Kuk(YesNoMechanism):
    """Draw a card from one of two decks and name its colour: whose answer is yes draws from the
    first, all others from the second.

    A red card is reported as yes. Nobody names the deck. With several draws, each with the card put
    back, the report is how many cards were red: it has more values than the answer. Such a
    question is simulated and analysed, but not asked on the web.

    Parameters
    ----------
    red_if_yes, red_if_no : probability
        The share of red cards in either deck. They must differ.
    draws : int
        How many cards are drawn.

    Notes
    -----
    *Privacy.* With p and q for the two shares and k draws, ε is k times the larger of abs(ln(p/q))
    and abs(ln((1 − p)/(1 − q))).

    *Utility.* A proportion π from n reports has variance
    (λ(1 − λ)/k + (1 − 1/k)π(1 − π)(p − q)²)/(n(p − q)²), where λ = πp + (1 − π)q (Kuk 1990).

    *Inverse.* Of r red cards a report counts (r/k − q)/(p − q) for yes: Kuk's estimator, whose mean
    is the answer itself. The likelihood uses how many were red for all that it tells.

    Examples
    --------
    >>> from confide import YesNo
    >>> Kuk(red_if_yes=0.8, red_if_no=0.3).channel([YesNo("cheated")]).weights()
    {'branches': [1], 'questions': [[[[7, 3], [2, 8]]]]}
    >>> Kuk("3/4", "1/4", draws=2).channel([YesNo("cheated")]).weights()
    {'branches': [1], 'questions': [[[[9, 6, 1], [1, 6, 9]]]]}
    """

    red_if_yes: Probability
    red_if_no: Probability
    draws: int = 1
    kind: ClassVar[str] = "kuk"
    summary: ClassVar[str] = (
        "One yes-no question: a card is drawn from one of two decks, whichever the answer says, "
        "and red is reported as yes."
    )
    needed_keys: ClassVar[Json] = {
        "red_if_yes": {
            "description": "The share of red cards in the deck of those whose answer is yes.",
            "$ref": "#/$defs/probability",
        },
        "red_if_no": {
            "description": "The share of red cards in the deck of all others.",
            "$ref": "#/$defs/probability",
        },
    }
    optional_keys: ClassVar[Json] = {
        "draws": {
            "description": "How many cards are drawn; with several their number is reported.",
            "type": "integer",
            "minimum": 1,
            "maximum": _MOST_DRAWS,
            "default": 1,
        },
    }

    def __post_init__(self) -> None:
        for name in ("red_if_yes", "red_if_no"):
            exact = read_probability(getattr(self, name), f"{name} of {self.name}")
            object.__setattr__(self, name, exact)
        if type(self.draws) is not int or not 1 <= self.draws <= _MOST_DRAWS:
            raise DesignError(
                f"draws of {self.name} must be a whole number from 1 to {_MOST_DRAWS}. "
                f"Got {show(self.draws)}."
            )
        self._refuse_nothing("equal decks")

    @classmethod
    def for_epsilon(cls, epsilon: float, draws: int = 1) -> Self:
        """Two decks, each with as many red cards as the other has black ones, whose report gives
        away at most epsilon.

        Parameters
        ----------
        epsilon : float
            The worst-case privacy loss of all draws together.
        draws : int
            How many cards are drawn.

        Examples
        --------
        >>> from confide import YesNo
        >>> round(Kuk.for_epsilon(1.0).epsilon([YesNo("cheated")]), 3)
        1.0
        """
        if draws == 1:
            red = truth_for_epsilon(epsilon, 2)
        else:  # coarser, so that a browser could draw the number of red cards exactly
            red = truth_for_epsilon(epsilon / draws, 2, 2 ** (32 // draws))
        return cls(red, 1 - red, draws)

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        return Fraction(self.red_if_no), Fraction(self.red_if_yes)

    def parameters(self) -> Json:
        decks = {
            "red_if_yes": write_probability(Fraction(self.red_if_yes)),
            "red_if_no": write_probability(Fraction(self.red_if_no)),
        }
        return decks if self.draws == 1 else {**decks, "draws": self.draws}

    def check(self, asked: Sequence[Asked]) -> None:
        super().check(asked)
        exact = [p for row in self._list_chances() for p in row]
        common_denominator(exact, f"{self.name} with {self.draws} draws")

    def report_values(self, asked: Asked) -> Sequence[int] | None:  # noqa: ARG002
        return None if self.draws == 1 else range(self.draws + 1)

    def _list_chances(self) -> list[list[Fraction]]:
        """The chance of each number of red cards, for no and for yes."""
        k = self.draws
        return [
            [comb(k, r) * p**r * (1 - p) ** (k - r) for p in self.chances] for r in range(k + 1)
        ]

    def channel(self, asked: Sequence[Asked]) -> Channel:  # noqa: ARG002
        return Channel.of([Fraction(1)], [[self._list_chances()]])

    def inverse(
        self,
        asked: Sequence[Asked],  # noqa: ARG002
        keep: Sequence[int] | None = None,
    ) -> Mixture:
        no, yes = map(float, self.chances)
        counted = (np.arange(self.draws + 1) / self.draws - no) / (yes - no)
        return Mixture.of([(1.0, [np.stack([1 - counted, counted])])]).marginal(
            [0] if keep is None else keep
        )

    def epsilon(self, asked: Sequence[Asked]) -> float:
        return self.draws * super().epsilon(asked)
