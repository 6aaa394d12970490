"""What every mechanism answers for itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import ClassVar, Self

from confide.arrays import Codes
from confide.errors import DesignError, QueryError
from confide.files import Json
from confide.mechanisms.asked import Asked, asks_number
from confide.mechanisms.channel import Channel
from confide.mechanisms.grid import Grid
from confide.mechanisms.mixture import Mixture
from confide.mechanisms.probability import Probability, write_probability
from confide.mechanisms.randomness import Randomness
from confide.mechanisms.stepped_noise import NoiseWeights


class Mechanism(ABC):
    """How a group of questions is disguised.

    A mechanism is a value: parameters and nothing else. What it does depends on the questions it
    is asked to disguise, so the methods take them. What others ask of a mechanism it states here,
    so that nobody needs to know which mechanism it is.
    """

    kind: ClassVar[str]
    """The mechanism's name in survey files."""
    summary: ClassVar[str]
    """One sentence for editors and for the reference of survey files."""
    needed_keys: ClassVar[Json]
    """The keys that survey files must give for it, each as the files' JSON Schema describes it."""
    optional_keys: ClassVar[Json] = {}
    """The keys that survey files may give for it, described alike."""

    by_chance: ClassVar[bool] = True
    """Whether chance has a part in the report."""
    invertible: ClassVar[bool]
    """Whether a table of reports can be turned into the true one exactly: not so for numbers."""
    bounded: ClassVar[bool] = True
    """Whether a report of a number leaves only some numbers possible; endless noise leaves all."""
    personal_cover: ClassVar[bool] = False
    """Whether the cover ignores the truth and is drawn from a known, personal distribution."""

    def __repr__(self) -> str:
        """As it is made, with the names and the probabilities of survey files."""
        keys = [*self.needed_keys, *self.optional_keys]
        given = ", ".join(f"{key}={_write(getattr(self, key))!r}" for key in keys)
        return f"{self.name}({given})"

    @property
    def name(self) -> str:
        """The mechanism's name in messages."""
        return type(self).__name__

    @property
    def coin(self) -> Fraction | None:
        """The probability that a coin lets the whole group through; None where there is no coin."""
        return None

    @property
    def interval_edges(self) -> tuple[float, ...] | None:
        """The edges of the intervals by which a number is reported; None for all else."""
        return None

    @abstractmethod
    def check(self, asked: Sequence[Asked]) -> None:
        """Refuse questions that this mechanism cannot disguise, or would disguise to nothing."""

    def for_questions(self, asked: Sequence[Asked]) -> Self:  # noqa: ARG002
        """The same mechanism with its options written as the questions write them."""
        return self

    @abstractmethod
    def parameters(self) -> Json:
        """The parameters as survey files write them, under the mechanism's keys."""

    @classmethod
    def from_parameters(cls, parameters: Json) -> Self:
        """Read the parameters of a survey file."""
        return cls(**parameters)

    @abstractmethod
    def epsilon(self, asked: Sequence[Asked]) -> float:
        """The worst-case privacy loss of one report: the largest log-ratio within a row of M."""

    @abstractmethod
    def channel(self, asked: Sequence[Asked]) -> Channel | None:
        """The exact channel of a group of questions with options; None for a number."""

    @abstractmethod
    def mixture(self, asked: Sequence[Asked]) -> Mixture:
        """The channel as algebra, from true tables to reported ones."""

    @abstractmethod
    def inverse(self, asked: Sequence[Asked], keep: Sequence[int] | None = None) -> Mixture:
        """The operator that undoes the channel, on a table of the kept questions of the group."""

    @abstractmethod
    def disguise(
        self, asked: Sequence[Asked], columns: Sequence[Codes], randomness: Randomness
    ) -> list[Codes]:
        """Disguise whole columns of option numbers, or of numbers, one column per question."""

    def report_values(self, asked: Asked) -> Sequence[int] | None:  # noqa: ARG002
        """What a report of options may be, where it is none of them; None for the options."""
        return None

    @abstractmethod
    def report_grid(self, asked: Asked) -> Grid | None:
        """The intervals in which reports of a number are counted; None for options."""

    @abstractmethod
    def width_of(self, asked: Asked, confidence: float) -> float:
        """The width of the interval that holds a true number with the given confidence."""

    def noise_width(self, confidence: float) -> float | None:  # noqa: ARG002
        """The width of the interval that holds the noise; None where no noise is added."""
        return None

    def noise_weights(self, asked: Asked) -> NoiseWeights | None:  # noqa: ARG002
        """The integer weights of the noise on a number; None where no noise is added."""
        return None

    def with_truth(self, truth: Probability) -> Self:  # noqa: ARG002
        """The same mechanism with another truth; one without that parameter stays as it is."""
        return self

    def join(self, other: Mechanism) -> Mechanism | None:
        """The mechanism that does both groups' work with one draw; None where there is none."""
        return self if self == other else None

    def narrow(self, asked: Sequence[Asked], keep: Sequence[int]) -> Mechanism:  # noqa: ARG002
        """The mechanism on some questions of the group: dropping the others leaves its form."""
        return self

    def separate(self, asked: Sequence[Asked]) -> Sequence[Mechanism]:
        """For each question of the group the mechanism that disguises it alone just as here."""
        return [self for _ in asked]


class FiniteMechanism(Mechanism):
    """A mechanism for questions with finitely many options."""

    invertible: ClassVar[bool] = True

    @abstractmethod
    def channel(self, asked: Sequence[Asked]) -> Channel:
        """The exact channel of the group."""

    def mixture(self, asked: Sequence[Asked]) -> Mixture:
        return self.channel(asked).mixture

    def disguise(
        self, asked: Sequence[Asked], columns: Sequence[Codes], randomness: Randomness
    ) -> list[Codes]:
        return self.channel(asked).sample(columns, randomness)

    def report_grid(self, asked: Asked) -> Grid | None:  # noqa: ARG002
        return None

    def width_of(self, asked: Asked, confidence: float) -> float:  # noqa: ARG002
        raise QueryError(f"{asked.name} has options, so no interval holds its answer.")

    def check_kinds(self, asked: Sequence[Asked], most: int | None = None) -> None:
        """Refuse numbers, and more questions than the mechanism takes."""
        for question in asked:
            if asks_number(question):
                raise DesignError(
                    f"{self.name} disguises yes-no and choice questions; {question.name!r} is a "
                    "number. Use UniformNoise, GaussianNoise, LaplaceNoise or Intervals for it."
                )
        if most is not None and len(asked) > most:
            raise DesignError(
                f"{self.name} disguises one question at a time; this group has {len(asked)}: "
                f"{', '.join(q.name for q in asked)}. Give each a group of its own."
            )


def _write(value: object) -> object:
    """A parameter with its probabilities as texts."""
    if isinstance(value, Fraction):
        return write_probability(value)
    if isinstance(value, Mapping):
        return {key: _write(each) for key, each in value.items()}
    return tuple(map(_write, value)) if isinstance(value, tuple) else value
