"""What every mechanism answers for itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar, Protocol, Self

from confide.errors import DesignError
from confide.mechanisms.channel import Channel
from confide.mechanisms.mixture import Mixture
from confide.mechanisms.probability import Probability


class Asked(Protocol):
    """A question with finitely many options, as far as a mechanism needs to know it."""

    @property
    def name(self) -> str: ...
    @property
    def options(self) -> tuple[Any, ...]: ...


class Mechanism(ABC):
    """How a group of questions is disguised.

    A mechanism is a value: parameters and nothing else. What it does depends on the questions it
    is asked to disguise, so every method takes them.
    """

    kind: ClassVar[str]
    """The mechanism's name in survey files."""

    @property
    def name(self) -> str:
        """The mechanism's name in messages."""
        return type(self).__name__

    @property
    def theta(self) -> Fraction | None:
        """The probability that a coin lets the whole group through; None where there is no coin."""
        return None

    @abstractmethod
    def check(self, asked: Sequence[Any]) -> None:
        """Refuse questions that this mechanism cannot disguise, or would disguise to nothing."""

    @abstractmethod
    def parameters(self) -> dict[str, Any]:
        """The parameters as survey files write them."""

    @classmethod
    def from_parameters(cls, parameters: dict[str, Any]) -> Self:
        """Read the parameters of a survey file."""
        return cls(**parameters)

    @abstractmethod
    def epsilon(self, asked: Sequence[Any]) -> float:
        """The worst-case privacy loss of one report: the largest log-ratio within a row of M."""

    def with_truth(self, truth: Probability) -> Self:  # noqa: ARG002
        """The same mechanism with another truth; one without that parameter stays as it is."""
        return self


class FiniteMechanism(Mechanism):
    """A mechanism for questions with finitely many options."""

    @abstractmethod
    def channel(self, asked: Sequence[Asked]) -> Channel:
        """The exact channel of the group."""

    @abstractmethod
    def inverse(self, asked: Sequence[Asked], keep: Sequence[int] | None = None) -> Mixture:
        """The operator that undoes the channel, on a table of the kept questions of the group."""

    def joined(self, other: FiniteMechanism) -> FiniteMechanism | None:
        """The mechanism that does both groups' work with one draw; None where there is none."""
        return self if self == other else None

    def separated(self, asked: Sequence[Asked]) -> list[FiniteMechanism]:
        """For each question of the group the mechanism that disguises it alone just as here."""
        return [self for _ in asked]

    def check_kinds(self, asked: Sequence[Any], most: int | None = None) -> None:
        """Refuse numbers, and more questions than the mechanism takes."""
        for question in asked:
            if not hasattr(question, "options"):
                raise DesignError(
                    f"{self.name} disguises yes-no and choice questions; {question.name!r} is a "
                    "number. Use UniformNoise, GaussianNoise, LaplaceNoise or Intervals for it."
                )
        if most is not None and len(asked) > most:
            raise DesignError(
                f"{self.name} disguises one question at a time; this group has {len(asked)}: "
                f"{', '.join(q.name for q in asked)}. Give each a group of its own."
            )
