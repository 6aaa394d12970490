"""How a true outcome depends on the predictors: logit, probit, linear, multinomial.

A family sees the linear predictors η of every row and answers, for each outcome that is possible,
with its log probability and that one's first and second derivatives in η. Everything else, the
disguise included, is the likelihood's.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from confide.arrays import Array

FamilyName = Literal["logit", "probit", "linear", "multinomial"]


@dataclass(frozen=True)
class Derivatives:
    """Log probabilities of the outcomes, and their derivatives in the linear predictors."""

    log: Array
    """Of shape (rows, outcomes)."""
    first: Array
    """Of shape (rows, outcomes, linear predictors)."""
    second: Array
    """Of shape (rows, outcomes, linear predictors, linear predictors)."""


class Family(ABC):
    """What the likelihood asks of every family."""

    predictors: int
    """How many linear predictors there are."""
    continuous: ClassVar[bool] = False
    """Whether the outcome is a number."""

    @abstractmethod
    def designs(self, matrix: Array) -> Sequence[Array]:
        """The design matrix of each linear predictor, from that of the formula."""

    @abstractmethod
    def derivatives(self, eta: Array, outcome: Array) -> Derivatives:
        """The outcomes' log probabilities; ``outcome`` is a number's own value, where it is one."""

    @abstractmethod
    def mean(self, eta: Array) -> Array:
        """What is predicted, of shape (rows, columns): probabilities, or the mean of a number."""

    def name_coefficients(
        self,
        columns: Sequence[str],
        outcome: str,  # noqa: ARG002
        options: Sequence[str],  # noqa: ARG002
    ) -> list[str]:
        """Name the coefficients by the columns of the design matrix."""
        return list(columns)

    def start(self, designs: Sequence[Array], outcome: Array, counts: Array) -> Array:  # noqa: ARG002
        """The coefficients from which a fit sets out."""
        return np.zeros(sum(design.shape[1] for design in designs))


class Multinomial(Family):
    """log(p_k / p_0) = η_k for every option k but the first; with two options the logit."""

    def __init__(self, options: int) -> None:
        self.predictors = options - 1

    def designs(self, matrix: Array) -> Sequence[Array]:
        return [matrix] * self.predictors

    def derivatives(self, eta: Array, outcome: Array) -> Derivatives:  # noqa: ARG002
        log = log_softmax(eta)
        p = np.exp(log[:, 1:])
        size = self.predictors
        indicator = np.vstack([np.zeros(size), np.eye(size)])
        second = p[:, :, None] * p[:, None, :] - p[:, :, None] * np.eye(size)
        return Derivatives(
            log,
            indicator - p[:, None, :],
            np.broadcast_to(second[:, None], (len(p), size + 1, size, size)),
        )

    def mean(self, eta: Array) -> Array:
        return np.exp(log_softmax(eta))[:, 1:]

    def name_coefficients(
        self, columns: Sequence[str], outcome: str, options: Sequence[str]
    ) -> list[str]:
        if self.predictors == 1:
            return list(columns)
        return [f"{outcome}={option} ~ {name}" for option in options[1:] for name in columns]


class Probit(Family):
    """P(yes) = Φ(η)."""

    predictors = 1

    def designs(self, matrix: Array) -> Sequence[Array]:
        return [matrix]

    def derivatives(self, eta: Array, outcome: Array) -> Derivatives:  # noqa: ARG002
        from scipy.special import log_ndtr

        signed = eta * np.array([-1.0, 1.0])  # no, yes
        log = log_ndtr(signed)
        ratio = np.exp(-(signed**2) / 2 - log) / np.sqrt(2 * np.pi)
        first = ratio * np.array([-1.0, 1.0])
        second = -ratio * (signed + ratio)
        return Derivatives(log, first[:, :, None], second[:, :, None, None])

    def mean(self, eta: Array) -> Array:
        from scipy.special import ndtr

        return ndtr(eta)


class Linear(Family):
    """A number with mean η_1 and normal errors; η_2, the same for all, is the log of their scale.

    The outcome is known, so each row has one outcome: its own value.
    """

    predictors = 2
    continuous = True

    def designs(self, matrix: Array) -> Sequence[Array]:
        return [matrix, np.ones((len(matrix), 1))]

    def derivatives(self, eta: Array, outcome: Array) -> Derivatives:
        scale = np.exp(eta[:, 1])
        z = (outcome - eta[:, 0]) / scale
        log = -(z**2) / 2 - eta[:, 1] - np.log(2 * np.pi) / 2
        first = np.stack([z / scale, z**2 - 1], axis=1)
        crossed = -2 * z / scale
        second = np.stack([-1 / scale**2, crossed, crossed, -2 * z**2], axis=1)
        return Derivatives(log[:, None], first[:, None], second.reshape(-1, 1, 2, 2))

    def mean(self, eta: Array) -> Array:
        return eta[:, :1]

    def name_coefficients(
        self,
        columns: Sequence[str],
        outcome: str,  # noqa: ARG002
        options: Sequence[str],  # noqa: ARG002
    ) -> list[str]:
        return [*columns, "log(sigma)"]

    def start(self, designs: Sequence[Array], outcome: Array, counts: Array) -> Array:
        root = np.sqrt(counts)
        found = np.linalg.lstsq(designs[0] * root[:, None], outcome * root, rcond=None)[0]
        spread = np.average((outcome - designs[0] @ found) ** 2, weights=counts)
        return np.r_[found, np.log(max(spread, np.finfo(float).tiny)) / 2]


def log_softmax(eta: Array) -> Array:
    """log p of a first option with η = 0 and of others with the given η, row by row.

    >>> np.exp(log_softmax(np.log([[3.0]]))).round(6).tolist()
    [[0.25, 0.75]]
    """
    whole = np.concatenate([np.zeros((len(eta), 1)), eta], axis=1)
    top = np.maximum.reduce([*whole.T])[:, None]
    total = sum(np.exp(column - top[:, 0]) for column in whole.T)
    return whole - top - np.log(total)[:, None]
