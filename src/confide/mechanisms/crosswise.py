"""The crosswise model: are your two answers the same, or not?"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from confide.files import Json
from confide.mechanisms.probability import (
    BIRTHDAY_KEY,
    Probability,
    read_probability,
    truth_for_epsilon,
    write_probability,
)
from confide.mechanisms.yes_no_mechanism import YesNoMechanism


@dataclass(frozen=True, repr=False)
class Crosswise(YesNoMechanism):
    """Say whether the answers to two questions are the same, the sensitive one and a harmless one.

    The harmless question, such as whether one's mother was born in the first quarter, has a known
    share of yes. The report is yes if both answers are the same, no if they differ. That is
    `RelatedQuestion` on one yes-no question, with a birthday in place of a coin.

    Parameters
    ----------
    birthday : probability
        The share of yes to the harmless question; not one half.

    Notes
    -----
    *Privacy.* With p for the birthday, ε = abs(ln(p/(1 − p))).

    *Utility.* A proportion π from n reports has variance π(1 − π)/n + p(1 − p)/(n(2p − 1)²)
    (Yu, Tian and Tang 2008).

    Examples
    --------
    >>> from confide import YesNo
    >>> Crosswise(birthday="1/4").channel([YesNo("cheated")]).weights()
    {'branches': [1], 'questions': [[[[1, 3], [3, 1]]]]}
    """

    birthday: Probability
    kind: ClassVar[str] = "crosswise"
    summary: ClassVar[str] = (
        "One yes-no question: yes is reported if the answer is the same as that to a harmless "
        "question of known share, no if the two differ."
    )
    needed_keys: ClassVar[Json] = {"birthday": BIRTHDAY_KEY}

    def __post_init__(self) -> None:
        exact = read_probability(self.birthday, f"birthday of {self.name}")
        object.__setattr__(self, "birthday", exact)
        self._refuse_nothing("birthday = 1/2")

    @classmethod
    def for_epsilon(cls, epsilon: float) -> Self:
        """The mechanism whose report gives away at most epsilon.

        Examples
        --------
        >>> from confide import YesNo
        >>> round(Crosswise.for_epsilon(1.0).epsilon([YesNo("cheated")]), 3)
        1.0
        """
        return cls(1 - truth_for_epsilon(epsilon, 2))

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        share = Fraction(self.birthday)
        return 1 - share, share

    def parameters(self) -> Json:
        return {"birthday": write_probability(Fraction(self.birthday))}
