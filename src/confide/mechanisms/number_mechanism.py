"""What the mechanisms for numbers have in common (`agrawal-srikant-2000`, section 2)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from math import inf
from numbers import Real
from typing import ClassVar, Self, TypeGuard

import numpy as np

from confide.arrays import Array, Codes
from confide.errors import DesignError, QueryError, show
from confide.mechanisms.asked import Asked, AskedNumber, asks_number
from confide.mechanisms.grid import Grid
from confide.mechanisms.mechanism import Mechanism
from confide.mechanisms.mixture import Mixture
from confide.mechanisms.randomness import Randomness
from confide.mechanisms.stepped_noise import LARGEST_GRID, NoiseWeights, SteppedNoise

LARGEST_NUMBER = 2**53
"""Up to here a browser's numbers are exact to the unit."""

_LEAST_NOISE, _MOST_NOISE = 1e-6, 1e3
"""How far noise reaches, at least and at most, in units of the question's range."""


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value is a real number of any library's kind."""
    return isinstance(value, Real) and not isinstance(value, bool)


def read_finite(value: object, what: str) -> float:
    """Read a finite number of at most 2^53 in size."""
    if not is_number(value):
        raise DesignError(f"{what} must be a number. Got {show(value)}.")
    if not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
        raise DesignError(f"{what} must be a number between -2^53 and 2^53. Got {show(value)}.")
    return float(value) + 0.0  # so that -0 is 0, and equal designs are written alike


def read_positive(value: object, what: str) -> float:
    """Read a positive number."""
    number = read_finite(value, what)
    if number <= 0:
        raise DesignError(f"{what} must be a positive number. Got {show(value)}.")
    return number


def one_number(asked: Sequence[Asked]) -> AskedNumber:
    """The only question of a group that a mechanism for numbers disguises."""
    (question,) = asked
    assert asks_number(question)  # checked when the design was made
    return question


class NumberMechanism(Mechanism):
    """A mechanism for one `Number` question."""

    invertible: ClassVar[bool] = False

    def check(self, asked: Sequence[Asked]) -> None:
        if len(asked) != 1 or not asks_number(asked[0]):
            raise DesignError(
                f"{self.name} disguises one number question; this group has "
                f"{', '.join(q.name for q in asked)}. Use RelatedQuestion, UnrelatedQuestion or "
                "RandomizedChoice for yes-no and choice questions."
            )

    @abstractmethod
    def sample(self, asked: AskedNumber, values: Array, randomness: Randomness) -> Array:
        """Disguise a whole column of numbers."""

    @abstractmethod
    def report_grid(self, asked: Asked) -> Grid:
        """The intervals in which reports are counted."""

    @abstractmethod
    def matrix(self, asked: AskedNumber) -> Array:
        """The probability of each report interval given each true interval."""

    @abstractmethod
    def width(self, confidence: float) -> float:
        """The interval in which the true number lies with the given confidence (Table 1)."""

    def width_of(self, asked: Asked, confidence: float) -> float:  # noqa: ARG002
        """The width for one question, which is smaller where the question's step allows less."""
        return self.width(confidence)

    def channel(self, asked: Sequence[Asked]) -> None:  # noqa: ARG002
        return None

    def mixture(self, asked: Sequence[Asked]) -> Mixture:
        """The channel as algebra: one rectangular matrix."""
        return Mixture.of([(1.0, [self.matrix(one_number(asked))])])

    def inverse(self, asked: Sequence[Asked], keep: Sequence[int] | None = None) -> Mixture:  # noqa: ARG002
        raise QueryError(
            f"{asked[0].name} is disguised by {self.name}, which has no inverse. "
            'Use method="likelihood".'
        )

    def disguise(
        self, asked: Sequence[Asked], columns: Sequence[Codes], randomness: Randomness
    ) -> list[Codes]:
        (values,) = columns
        return [self.sample(one_number(asked), values, randomness)]

    def join(self, other: Mechanism) -> Mechanism | None:  # noqa: ARG002
        return None  # one draw disguises one number


class Noise(NumberMechanism):
    """A report is the number plus a random amount."""

    def check(self, asked: Sequence[Asked]) -> None:
        super().check(asked)
        question = one_number(asked)
        low, high = question.grid.edges[0], question.grid.edges[-1]
        if not _LEAST_NOISE <= self.reach / (high - low) <= _MOST_NOISE:
            raise DesignError(
                f"{self.name} must move {question.name} by a millionth to a thousand times its "
                f"range, which goes from {low:g} to {high:g}. It moves it by {self.reach:g}."
            )
        if question.step is not None:
            self._check_steps(question, question.step)

    def _check_steps(self, asked: AskedNumber, step: float) -> None:
        points = round((asked.high - asked.low) / step) + 1
        if points > LARGEST_GRID:
            raise DesignError(
                f"{asked.name} has {points:,} possible numbers; exact noise is drawn for at most "
                f"{LARGEST_GRID:,}. Use a larger step, or none for simulations."
            )
        if self.bounded and self.reach <= step / 2:
            raise DesignError(
                f"{self.name} of at most {self.reach:g} never moves {asked.name} by its step of "
                f"{step:g}: every report would be true. Use more noise or a finer step."
            )

    @abstractmethod
    def quantile(self, chance: Array) -> Array:
        """The amount below which noise falls with the given probability."""

    @abstractmethod
    def cumulative(self, amount: Array) -> Array:
        """The noise's distribution function F: the chance of noise below each amount."""

    @abstractmethod
    def cumulative_integral(self, amount: Array) -> Array:
        """∫ F(u) du from −∞ to each amount, with F the noise's distribution function."""

    @property
    @abstractmethod
    def reach(self) -> float:
        """How far reports are counted beyond the range; infinite tails go to the end intervals."""

    @classmethod
    @abstractmethod
    def of_width(cls, width: float, confidence: float) -> Self:
        """The noise whose `width` at this confidence is the given one."""

    @classmethod
    def for_privacy(cls, privacy: float, *, span: float, confidence: float = 0.95) -> Self:
        """The noise that hides a number within ``privacy`` times its range (section 5.1).

        Parameters
        ----------
        privacy : float
            1.0 means: at this confidence an interval as wide as the whole range.
        span : float
            The width of the range.
        confidence : float
            Such as 0.95.
        """
        wanted = read_positive(privacy, "privacy") * read_positive(span, "span")
        if not 0 < confidence < 1:
            raise DesignError(f"confidence must be between 0 and 1. Got {confidence}.")
        return cls.of_width(wanted, confidence)

    def make_stepped_noise(self, asked: AskedNumber) -> SteppedNoise | None:
        """Make the noise in whole steps for a number with a step; None for any other number."""
        if asked.step is None:
            return None
        return SteppedNoise.of(self.cumulative, self.bounded, self.reach, asked, asked.step)

    def width_of(self, asked: Asked, confidence: float) -> float:
        stepped = self.make_stepped_noise(one_number([asked]))
        return self.width(confidence) if stepped is None else stepped.width(confidence)

    def noise_width(self, confidence: float) -> float:
        return self.width(confidence)

    def noise_weights(self, asked: Asked) -> NoiseWeights:
        """The integer weights of the noise; a question without a step has none and is refused."""
        stepped = self.make_stepped_noise(one_number([asked]))
        if stepped is None:
            raise DesignError(
                f"{asked.name} has no step, so a browser cannot draw its noise exactly. "
                "Give the question a step, such as 1."
            )
        return stepped.table()

    def sample(self, asked: AskedNumber, values: Array, randomness: Randomness) -> Array:
        """Disguise numbers exactly with integers where there is a step, else in floating point."""
        stepped = self.make_stepped_noise(asked)
        if stepped is not None:
            return stepped.sample(values, randomness)
        return values + self.quantile(randomness.uniform(len(values)))

    def report_grid(self, asked: Asked) -> Grid:
        question = one_number([asked])
        if (stepped := self.make_stepped_noise(question)) is not None:
            return stepped.report_grid(question.grid)
        truth = question.grid
        low, high = truth.edges[0], truth.edges[-1]
        step = (high - low) / truth.size
        beyond = int(np.ceil(self.reach / step - 1e-9))
        inner = Grid.equal(low - beyond * step, high + beyond * step, truth.size + 2 * beyond)
        return inner if self.bounded else Grid((-inf, *inner.edges, inf))

    def matrix(self, asked: AskedNumber) -> Array:
        """Integrate over both intervals, so that no edge of the density is rounded away.

        P(report < e | truth uniform in [a, b]) = (H(e − a) − H(e − b))/(b − a), H = ∫F.
        """
        if (stepped := self.make_stepped_noise(asked)) is not None:
            return stepped.matrix(asked.grid)
        truth, reports = asked.grid.array, self.report_grid(asked).array
        inner = reports[np.isfinite(reports)][:, None]
        integral = self.cumulative_integral(inner - truth[None, :-1]) - self.cumulative_integral(
            inner - truth[None, 1:]
        )
        below = integral / np.diff(truth)
        ends = np.zeros((1, below.shape[1])), np.ones((1, below.shape[1]))
        rows = below if self.bounded else np.concatenate([ends[0], below, ends[1]])
        return np.diff(rows, axis=0).clip(0)
