"""Noise from the Laplace distribution, which has an epsilon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log
from typing import ClassVar, Self

import numpy as np

from confide.arrays import Array
from confide.files import Json
from confide.mechanisms.asked import Asked
from confide.mechanisms.number_mechanism import Noise, one_number, read_positive


@dataclass(frozen=True, repr=False)
class LaplaceNoise(Noise):
    """Report the number plus an amount of exponential size, its sign chosen by a fair coin.

    Parameters
    ----------
    scale : float
        The mean size of the amount, in the question's unit.

    Notes
    -----
    *Privacy.* ε = (high − low)/scale for a number between low and high; on a grid it is computed
    from the integer weights that are drawn. At confidence c the number lies in an interval of width
    −2·scale·ln(1 − c).

    *Utility.* A mean from n reports has the variance of the numbers plus 2·scale², over n.

    Examples
    --------
    >>> from confide import Number
    >>> LaplaceNoise(32).epsilon([Number("age", 16, 80)])
    2.0
    """

    scale: float
    kind: ClassVar[str] = "laplace-noise"
    summary: ClassVar[str] = (
        "One number: reported plus an amount from the Laplace distribution around 0."
    )
    needed_keys: ClassVar[Json] = {
        "scale": {
            "description": "The mean size of the amount, in the question's unit.",
            "$ref": "#/$defs/positive",
        },
    }
    bounded: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", read_positive(self.scale, "scale of LaplaceNoise"))

    def parameters(self) -> Json:
        return {"scale": self.scale}

    @classmethod
    def of_width(cls, width: float, confidence: float) -> Self:
        return cls(width / (-2 * log(1 - confidence)))

    def width(self, confidence: float) -> float:
        return inf if confidence == 1 else -2 * self.scale * log(1 - confidence)

    @property
    def reach(self) -> float:
        return 5 * self.scale

    def quantile(self, chance: Array) -> Array:
        centred = chance - 0.5
        return np.asarray(-self.scale * np.sign(centred) * np.log1p(-2 * np.abs(centred)))

    def cumulative(self, amount: Array) -> Array:
        tail = np.exp(-np.abs(amount) / self.scale) / 2
        return np.where(amount < 0, tail, 1 - tail)

    def cumulative_integral(self, amount: Array) -> Array:
        tail = self.scale / 2 * np.exp(-np.abs(amount) / self.scale)
        return np.asarray(np.maximum(amount, 0) + tail)

    def epsilon(self, asked: Sequence[Asked]) -> float:
        question = one_number(asked)
        stepped = self.make_stepped_noise(question)
        if stepped is not None:
            return stepped.epsilon()
        return (question.high - question.low) / self.scale
