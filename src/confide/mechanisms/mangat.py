"""Mangat's model: whoever would say yes says so; all others ask a device."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Self

from confide.files import Json
from confide.mechanisms.probability import (
    TRUTH_KEY,
    Probability,
    read_probability,
    write_probability,
)
from confide.mechanisms.yes_no_mechanism import YesNoMechanism


@dataclass(frozen=True, repr=False)
class Mangat(YesNoMechanism):
    """Whose answer is yes reports yes; whose answer is no reports it with probability ``truth``,
    and else yes.

    Who reports no has certainly answered no: the model is for questions of which only yes is
    sensitive.

    Parameters
    ----------
    truth : probability
        The probability that no is reported as it is; above 0.

    Notes
    -----
    *Privacy.* ε = ∞, because a report of no rules yes out. A report of yes raises the odds of yes
    by the factor 1/(1 − θ).

    *Utility.* A proportion π from n reports has variance λ(1 − λ)/(nθ²), where
    λ = π + (1 − π)(1 − θ) (Mangat 1994).

    Examples
    --------
    >>> from confide import YesNo
    >>> Mangat(truth="3/4").channel([YesNo("cheated")]).weights()
    {'branches': [1], 'questions': [[[[3, 1], [0, 4]]]]}
    """

    truth: Probability
    kind: ClassVar[str] = "mangat"
    summary: ClassVar[str] = (
        "One yes-no question: yes is reported as it is, no with probability truth, else as yes."
    )
    needed_keys: ClassVar[Json] = {"truth": TRUTH_KEY}

    def __post_init__(self) -> None:
        object.__setattr__(self, "truth", read_probability(self.truth, f"truth of {self.name}"))
        self._refuse_nothing("truth = 0")

    @classmethod
    def for_epsilon(cls, epsilon: float) -> Self:
        """Refused: whatever the truth, a report of no is certain, and epsilon is infinite."""
        raise cls.has_no_epsilon(epsilon)

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        return 1 - Fraction(self.truth), Fraction(1)

    def with_truth(self, truth: Probability) -> Self:
        return replace(self, truth=truth)

    def parameters(self) -> Json:
        return {"truth": write_probability(Fraction(self.truth))}
