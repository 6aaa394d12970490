"""Noise with equal chance within a half-width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import ClassVar, Self

import numpy as np

from confide.arrays import Array
from confide.files import Json
from confide.mechanisms.asked import Asked
from confide.mechanisms.number_mechanism import Noise, read_positive


@dataclass(frozen=True, repr=False)
class UniformNoise(Noise):
    """Report the number plus an amount uniform between −half_width and half_width.

    Parameters
    ----------
    half_width : float
        The papers' α, in the question's unit.

    Notes
    -----
    *Privacy.* At confidence c the number lies in an interval of width 2αc (Table 1 of
    `agrawal-srikant-2000`). There is no finite ε: reports far apart rule each other's numbers out.

    *Utility.* A mean from n reports has the variance of the numbers plus α²/3, over n.

    Examples
    --------
    >>> round(UniformNoise.for_privacy(1.0, span=60, confidence=0.95).half_width, 2)
    31.58
    """

    half_width: float
    kind: ClassVar[str] = "uniform-noise"
    summary: ClassVar[str] = (
        "One number: reported plus an amount with equal chance between -half_width and half_width."
    )
    needed_keys: ClassVar[Json] = {
        "half_width": {
            "description": "The largest amount, in the question's unit.",
            "$ref": "#/$defs/positive",
        },
    }

    def __post_init__(self) -> None:
        value = read_positive(self.half_width, "half_width of UniformNoise")
        object.__setattr__(self, "half_width", value)

    def parameters(self) -> Json:
        return {"half_width": self.half_width}

    @classmethod
    def of_width(cls, width: float, confidence: float) -> Self:
        return cls(width / (2 * confidence))

    def width(self, confidence: float) -> float:
        return 2 * self.half_width * confidence

    @property
    def reach(self) -> float:
        return self.half_width

    def quantile(self, chance: Array) -> Array:
        return (2 * chance - 1) * self.half_width

    def cumulative(self, amount: Array) -> Array:
        return np.clip(amount / (2 * self.half_width) + 0.5, 0, 1)

    def cumulative_integral(self, amount: Array) -> Array:
        inside = np.clip(amount, -self.half_width, self.half_width) + self.half_width
        return inside**2 / (4 * self.half_width) + np.maximum(amount - self.half_width, 0)

    def epsilon(self, asked: Sequence[Asked]) -> float:  # noqa: ARG002
        return inf
