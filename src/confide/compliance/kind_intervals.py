"""The interval of a share of some kinds of people, by its profile likelihood.

Let the kinds E hold the share s of some people. Then of every unit of these people s are of a kind
in E and 1 − s of another: the most likely shares of which that is true are those of pairs, one kind
of either sort, which report by s·B[:, i] + (1 − s)·B[:, j]. What that costs in likelihood is
judged by surveys drawn again, as the shares of a table are (`confide.estimators`): near 0 it is not
χ² with one degree of freedom.

Reports that contradict a model would make its intervals narrow. So they are taken for the nearest
ones that it can lead to, those that are expected of the most likely shares, here and in the surveys
drawn (Mandelkern and Schultz 2000).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt

import numpy as np

from confide.arrays import Array
from confide.estimators.interior_point import maximise_together
from confide.estimators.profile_likelihood import Profile, UsualCosts

_PRECISION = 1 / 200  # of a standard error
_FEW = 5  # people: with fewer of a kind costs are not χ²


@dataclass(frozen=True, eq=False)
class KindInterval:
    """The shares of some kinds with which the reports agree about as well as with the most likely.

    Parameters
    ----------
    behaviours, counts : tuples of arrays
        Of every design: how each kind reports, and how many reports of each sort tell as much as
        those that came in.
    members, others : tuples of int
        The kinds whose share it is, and the other kinds among whom it is one.
    value, error : float
        The most likely share, and its standard error.
    """

    behaviours: tuple[Array, ...]
    counts: tuple[Array, ...]
    members: tuple[int, ...]
    others: tuple[int, ...]
    value: float
    error: float

    def ends(self, level: float) -> tuple[float, float]:
        """The lower and the upper end."""
        return self._find_end(level, 0.0), self._find_end(level, 1.0)

    def scale(self, part: float) -> KindInterval:
        """The interval if so many times as many reports had come in, in the same proportions."""
        counts = tuple(part * each for each in self.counts)
        return replace(self, counts=counts, error=self.error / sqrt(part))

    def p_value(self, value: float) -> float:
        """How well the reports agree with a share: how rarely surveys agree as badly with it."""
        if not 0 <= value <= 1:
            return 0.0
        return self._draw_costs(value).share_beyond(self._cost(value))

    def _find_end(self, level: float, bound: float) -> float:
        """Find the last share towards a bound that the reports do not contradict, by halving.

        Where reports are few costs are, too, so that a share may be the first at which what came in
        is rare: no cost that is usual at one share leads to the end.
        """
        if self.p_value(bound) > 1 - level:
            return bound
        inside, beyond = self.value, bound
        while abs(beyond - inside) > _PRECISION * self.error:
            middle = (inside + beyond) / 2
            if self.p_value(middle) > 1 - level:
                inside = middle
            else:
                beyond = middle
        return inside

    def _cost(self, share: float) -> float:
        """Twice the log-likelihood that fixing the share costs."""
        return float(self._compute_costs(share, self._own)[0])

    def _draw_costs(self, share: float) -> UsualCosts:
        """What fixing the share costs in surveys in which it is true."""
        fixed = self._fix(share)
        inside = np.ones(self._matrix.shape[1], bool)
        profile = Profile(self.behaviours, self.counts, inside)
        drawn = profile.draw_surveys(fixed @ maximise_together(fixed, self._own)[0][0])
        shares = maximise_together(self._matrix, drawn)[0]
        costs = self._compute_costs(share, self._expect(shares))
        people = shares * self._own.sum()
        return UsualCosts(np.sort(costs), bool((people > _FEW).all()), profile.alike)

    def _compute_costs(self, share: float, surveys: Array) -> Array:
        free, fixed = (maximise_together(m, surveys)[1] for m in (self._matrix, self._fix(share)))
        return np.asarray((2 * (free - fixed)).clip(0))

    def _expect(self, shares: Array) -> Array:
        """The reports of every design that are expected of the kinds' shares in some surveys."""
        sizes = [np.full(len(each), each.sum()) for each in self.counts]
        return np.asarray(shares @ self._matrix.T * np.concatenate(sizes))

    def _fix(self, share: float) -> Array:
        """How pairs of kinds report, and each kind among whom the share is none."""
        matrix = self._matrix
        chosen, rest = matrix[:, list(self.members)], matrix[:, list(self.others)]
        pairs = share * chosen[:, :, None] + (1 - share) * rest[:, None, :]
        apart = np.delete(matrix, [*self.members, *self.others], axis=1)
        whole = np.concatenate([pairs.reshape(len(matrix), -1), apart], axis=1)
        return np.unique(whole, axis=1)  # at 0 and 1 pairs are the same

    @cached_property
    def _matrix(self) -> Array:
        return np.concatenate(self.behaviours)

    @cached_property
    def _own(self) -> Array:
        return self._expect(maximise_together(self._matrix, np.concatenate(self.counts)[None])[0])
