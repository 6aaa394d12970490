"""The triangular model: is at least one of your two answers yes?"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from confide.files import Json
from confide.mechanisms.probability import (
    BIRTHDAY_KEY,
    Probability,
    read_probability,
    write_probability,
)
from confide.mechanisms.yes_no_mechanism import YesNoMechanism


@dataclass(frozen=True, repr=False)
class Triangular(YesNoMechanism):
    """Say whether the answer to at least one of two questions is yes: the sensitive one, and a
    harmless one of known share.

    Who reports no has certainly answered no: the model is for questions of which only yes is
    sensitive.

    Parameters
    ----------
    birthday : probability
        The share of yes to the harmless question; below 1.

    Notes
    -----
    *Privacy.* ε = ∞, because a report of no rules yes out. A report of yes raises the odds of yes
    by the factor 1/p, with p for the birthday.

    *Utility.* A proportion π from n reports has variance λ(1 − λ)/(n(1 − p)²), where
    λ = π + (1 − π)p (Yu, Tian and Tang 2008).

    Examples
    --------
    >>> from confide import YesNo
    >>> Triangular(birthday="1/4").channel([YesNo("cheated")]).weights()
    {'branches': [1], 'questions': [[[[3, 1], [0, 4]]]]}
    """

    birthday: Probability
    kind: ClassVar[str] = "triangular"
    summary: ClassVar[str] = (
        "One yes-no question: yes is reported if the answer to it, or to a harmless question of "
        "known share, is yes."
    )
    needed_keys: ClassVar[Json] = {"birthday": BIRTHDAY_KEY}

    def __post_init__(self) -> None:
        exact = read_probability(self.birthday, f"birthday of {self.name}")
        object.__setattr__(self, "birthday", exact)
        self._refuse_nothing("birthday = 1")

    @classmethod
    def for_epsilon(cls, epsilon: float) -> Self:
        """Refused: whatever the birthday, a report of no is certain, and epsilon is infinite."""
        raise cls.has_no_epsilon(epsilon)

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        return Fraction(self.birthday), Fraction(1)

    def parameters(self) -> Json:
        return {"birthday": write_probability(Fraction(self.birthday))}
