"""Kuk's two decks of cards."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from confide.files import Json
from confide.mechanisms.probability import (
    Probability,
    read_probability,
    truth_for_epsilon,
    write_probability,
)
from confide.mechanisms.yes_no_mechanism import YesNoMechanism


@dataclass(frozen=True)
class Kuk(YesNoMechanism):
    """Draw a card from one of two decks and name its colour: whose answer is yes draws from the
    first, all others from the second.

    A red card is reported as yes. Nobody names the deck.

    Parameters
    ----------
    red_if_yes, red_if_no : probability
        The share of red cards in either deck. They must differ.

    Notes
    -----
    *Privacy.* With p and q for the two shares, ε is the larger of abs(ln(p/q)) and
    abs(ln((1 − p)/(1 − q))).

    *Utility.* A proportion π from n reports has variance λ(1 − λ)/(n(p − q)²), where
    λ = πp + (1 − π)q (Kuk 1990, with one draw).

    Examples
    --------
    >>> from confide import YesNo
    >>> Kuk(red_if_yes=0.8, red_if_no=0.3).channel([YesNo("cheated")]).weights()
    {'branches': [1], 'questions': [[[[7, 3], [2, 8]]]]}
    """

    red_if_yes: Probability
    red_if_no: Probability
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

    def __post_init__(self) -> None:
        for name in ("red_if_yes", "red_if_no"):
            exact = read_probability(getattr(self, name), f"{name} of {self.name}")
            object.__setattr__(self, name, exact)
        self._refuse_nothing("equal decks")

    @classmethod
    def for_epsilon(cls, epsilon: float) -> Self:
        """Two decks, each with as many red cards as the other has black ones, whose report gives
        away at most epsilon.

        Examples
        --------
        >>> from confide import YesNo
        >>> round(Kuk.for_epsilon(1.0).epsilon([YesNo("cheated")]), 3)
        1.0
        """
        red = truth_for_epsilon(epsilon, 2)
        return cls(red, 1 - red)

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        return Fraction(self.red_if_no), Fraction(self.red_if_yes)

    def parameters(self) -> Json:
        return {
            "red_if_yes": write_probability(Fraction(self.red_if_yes)),
            "red_if_no": write_probability(Fraction(self.red_if_no)),
        }
