"""The interval of an accuracy that rests on an estimate of the personal answers."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

from confide.crowd import Estimate
from confide.crowd.estimate import Interval


@dataclass(frozen=True, eq=False)
class PersonalInterval(Interval):
    """The interval of an accuracy that depends on what is only estimated of the personal answers.

    Parameters
    ----------
    known : Estimate
        The accuracy, were the estimate exact.
    personal : Estimate
        What is taken off for the personal answers; the two are independent.
    """

    known: Estimate
    personal: Estimate

    def ends(self, level: float) -> tuple[float, float]:
        """The lower and the upper end: the two errors added like the sides of a triangle."""
        (low, high), value = self.known.interval(level), min(max(self.known.value, 0.0), 1.0)
        first, last = self.personal.interval(level)
        below = hypot(value - low, last - self.personal.value)
        above = hypot(high - value, self.personal.value - first)
        return max(value - below, 0.0), min(value + above, 1.0)
