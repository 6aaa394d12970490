"""What the reports that a fit did not learn from say of it, and when they have no more to say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.arrays import Array
from confide.estimators.latent_classes import ProductMixtures

_LOOK = 5
"""After so many leaps the left-out reports are asked."""
_PATIENCE = 2
"""When they have gained nothing so often in a row, the fit ends."""
_GAIN, _NATS = 1e-4, 1.0
"""They have gained nothing where their log-likelihood rose by less than the first of these on
average, and by less than the second in all."""


@dataclass(frozen=True, eq=False)
class HeldOut:
    """The part of the reports that judges each member.

    Parameters
    ----------
    folds : one array per batch
        How many reports of each pattern each member was not fitted to.
    """

    folds: list[Array]

    @property
    def n(self) -> float:
        """The number of reports."""
        return float(sum(fold.sum() for fold in self.folds))

    def score(self, log_chances: Sequence[Array]) -> float:
        """Give the mean log-likelihood of the left-out reports, over all members."""
        pairs = zip(self.folds, log_chances, strict=True)
        return float(sum(np.vdot(fold, log) for fold, log in pairs)) / self.n


class Watch:
    """Watches a fit, and ends it when left-out reports gain nothing more.

    Parameters
    ----------
    held_out : HeldOut
        The reports that judge it.

    Attributes
    ----------
    best : ProductMixtures or None
        The members that told the left-out reports best, where that was looked at.
    """

    def __init__(self, held_out: HeldOut) -> None:
        self._held_out, self._leaps, self._idle, self._score = held_out, 0, 0, -np.inf
        self._gain = min(_GAIN, _NATS / held_out.n)
        self.best: ProductMixtures | None = None

    def is_over(self, model: ProductMixtures, log_chances: Sequence[Array]) -> bool:
        """Take note of the members before a leap; tell whether to stop."""
        self._leaps += 1
        if self._leaps % _LOOK:
            return False
        score = self._held_out.score(log_chances)
        self._idle = 0 if score > self._score + self._gain else self._idle + 1
        if score > self._score:
            self.best, self._score = model, score
        return self._idle >= _PATIENCE
