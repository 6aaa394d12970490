"""How well the reports agree with a share: its profile likelihood, judged by surveys drawn again.

Let one cell of a table hold the share s of a sub-population. Then the rest of the sub-population
determines that cell: of every unit of people elsewhere in it, 1 − s are where they are and s are in
the cell. That is a channel of its own, from tables without the cell to tables with it, A(s). So the
most likely table in which the share is s is the most likely one behind the channel M·A(s), and one
maximiser finds both.

Twice the log-likelihood that the restriction to s costs would be χ² with one degree of freedom,
were no share near 0. Behind a disguise many are, and intervals that take χ² for granted cover down
to 81 % instead of 95 %. So what is usual is found by drawing surveys from the most likely table in
which the share is s (a parametric bootstrap; Feldman and Cousins, 1998). Where a report is one of
two there is nothing to draw: the surveys stand at even steps of the binomial distribution.

With few reports a cost is decided by a handful of them, so that many surveys cost nearly the same;
what little they differ by comes from the other shares, which so few reports hardly tell. So costs
count as the same that differ by no more than the part that two reports are of all. Without this the
intervals of 30 reports in four groups cover down to 91 %. Of the surveys that cost the same as the
one at hand five in seven count as dearer. If all of them did, many intervals would cover more than
98 %; half of them (Lancaster's mid-p, 1961) leaves some that cover 91 %. A survey is called rare
with all that cost the same only if these and the dearer ones are at most 7 % of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Z95, Array
from confide.estimators.interior_point import maximise_together
from confide.estimators.table_channel import TableChannel

_SURVEYS = 199
_TOLD = 0.95  # up to this level so many surveys tell what is usual
_CHI_SQUARE = Z95**2  # its value at that level
_FEW = 5  # people: with fewer in a cell costs are not χ²
TIED = 1e-5
"""Costs that differ by less are the same, but for rounding."""
SAME = 5 / 7
"""What counts of the surveys that cost the same."""
_ROUNDING = 1e-9
_DIGITS = 9  # of the chances from which reports are drawn, alike on every processor


@dataclass(frozen=True, eq=False)
class UsualCosts:
    """The costs of a share in surveys in which it is true.

    Parameters
    ----------
    drawn : array
        Those of the surveys that were drawn, sorted.
    regular : bool
        Whether no share was near 0 in any of them: then the costs are χ².
    alike : float
        Costs that differ by no more than this part count as the same.
    """

    drawn: Array
    regular: bool
    alike: float

    def find_rare_cost(self, level: float) -> float:
        """The cost that surveys exceed as rarely as a level says.

        Beyond 95 % the surveys drawn are too few to tell; from there on it grows as χ² does.
        """
        from scipy.special import chdtri

        usual = float(chdtri(1, 1 - level))
        if self.regular:
            return usual
        return self._find_dearest(min(level, _TOLD)) * max(1.0, usual / _CHI_SQUARE)

    def share_beyond(self, cost: float) -> float:
        """The share of surveys that cost more, and part of those that cost the same: a p-value."""
        from scipy.special import chdtrc

        if self.regular:
            return float(chdtrc(1, cost))
        if cost <= (told := self._find_dearest(_TOLD)) + TIED:
            return float(self._share_drawn_beyond(np.asarray(cost)))
        return float(chdtrc(1, cost / told * _CHI_SQUARE)) if told > 0 else 0.0

    def _find_dearest(self, level: float) -> float:
        """The largest cost that is not as rare as a level says.

        It is none, or the last one that counts as the same as a drawn cost, or the last one below
        those that do.
        """
        same, below = self.drawn / (1 - self.alike), self.drawn * (1 - self.alike) - 2 * TIED
        costs = np.concatenate([[0.0], same, below])
        return float(costs[self._share_drawn_beyond(costs) > 1 - level + _ROUNDING].max())

    def _share_drawn_beyond(self, costs: Array) -> Array:
        """The share beyond as the drawn surveys tell it; where nothing is lost, it is all."""
        dearer = count_dearer(self.drawn, costs, self.alike)
        return np.where(costs <= TIED, 1.0, (dearer + SAME) / (len(self.drawn) + 1))


@dataclass(frozen=True, eq=False)
class Profile:
    """The reports of all batches, the channels that they came through, and whom it is about.

    Parameters
    ----------
    matrices : one array per batch, reports × truths
        The channels.
    counts : one array per batch
        How many reports of each kind came in.
    inside : boolean array
        Which truths are in the sub-population.
    """

    matrices: tuple[Array, ...]
    counts: tuple[Array, ...]
    inside: NDArray[np.bool_]

    @classmethod
    def of(cls, batches: Sequence[tuple[TableChannel, Array]], within: tuple[int, ...]) -> Profile:
        """Write out the channels of batches, for people whom the first axes fix."""
        inside = np.zeros(batches[0][0].shape, bool)
        inside[within] = True
        return cls(
            tuple(write_matrix(channel) for channel, _ in batches),
            tuple(np.ravel(counts).astype(float) for _, counts in batches),
            inside.ravel(),
        )

    def cost(self, cell: int, share: float) -> float:
        """Twice the log-likelihood that fixing a cell's share costs."""
        fixed = fix_share(self._matrix, self.inside, cell, share)
        height = maximise_together(fixed, self._own)[1]
        return max(0.0, 2 * (self._maximum - float(height[0])))

    def usual_costs(self, cell: int, share: float) -> UsualCosts:
        """What fixing a cell's share costs in surveys in which it is true."""
        fixed = fix_share(self._matrix, self.inside, cell, share)
        drawn = self.draw_surveys(fixed @ maximise_together(fixed, self._own)[0][0])
        costs, regular = compute_costs(self._matrix, fixed, cell, drawn)
        return UsualCosts(np.sort(costs), bool(regular.all()), self.alike)

    @property
    def alike(self) -> float:
        """The part by which costs may differ and count as the same."""
        return 2 / max(4.0, float(self._own.sum()))

    def draw_surveys(self, expected: Array) -> Array:
        """Draw surveys of as many reports in each batch, given the chance of each report.

        The seed is the reports themselves. The same reports give the same intervals, and as each
        survey is judged by others, the test has its level on average, however few are drawn
        (Barnard, 1963); one seed for all of them would err alike in every survey.
        """
        generator = np.random.default_rng(self._own[0].round().astype(np.int64))
        drawn: list[Array] = []
        start = 0
        for counts in self.counts:
            chances = expected[start : start + len(counts)].round(_DIGITS).clip(0)
            total, chances = round(counts.sum()), chances / chances.sum()
            if len(counts) == 2 and len(self.counts) == 1:
                drawn.append(spread_surveys(total, float(chances[1])))
            else:
                drawn.append(generator.multinomial(total, chances, _SURVEYS).astype(float))
            start += len(counts)
        return np.concatenate(drawn, axis=1)

    @cached_property
    def _matrix(self) -> Array:
        return np.concatenate(self.matrices)

    @cached_property
    def _own(self) -> Array:
        return np.concatenate(self.counts)[None]

    @cached_property
    def _maximum(self) -> float:
        return float(maximise_together(self._matrix, self._own)[1][0])


def count_dearer(drawn: Array, cost: Array, alike: float) -> Array:
    """How many of the costs in each row are larger than another, with part of the same ones."""
    own = cost[..., None]
    as_dear = (drawn >= own * (1 - alike) - TIED).sum(axis=-1)
    dearer = (drawn * (1 - alike) > own + TIED).sum(axis=-1)
    return np.asarray(SAME * as_dear + (1 - SAME) * dearer)


def spread_surveys(n: int, chance: float) -> Array:
    """Surveys of two kinds of reports at even steps of their distribution, in place of drawn ones.

    There are so few of them that the test need not be left to chance.
    """
    from scipy.special import bdtr

    reach = 10 * sqrt(n * chance * (1 - chance)) + 10
    counts = np.arange(max(0, int(n * chance - reach)), min(n, int(n * chance + reach)) + 1)
    levels = (np.arange(_SURVEYS) + 0.5) / _SURVEYS
    found = counts[np.searchsorted(bdtr(counts, n, chance), levels).clip(0, len(counts) - 1)]
    return np.stack([n - found, found], axis=1).astype(float)


def write_matrix(channel: TableChannel) -> Array:
    """Write a table's channel out, report × truth."""
    cells = int(np.prod(channel.shape))
    columns = [channel.apply(unit.reshape(channel.shape)).ravel() for unit in np.eye(cells)]
    return np.stack(columns, axis=1)


def fix_share(matrix: Array, inside: NDArray[np.bool_], cell: int, share: float) -> Array:
    """The channel M·A(s) from tables without a cell, which is to have a share of those inside."""
    brought = (1 - share) * matrix + share * matrix[:, [cell]]
    fixed = np.where(inside, brought, matrix)
    fixed[:, cell] = 0.0  # nobody is there but those whom the others bring
    return fixed


def compute_costs(
    matrix: Array, fixed: Array, cell: int, surveys: Array
) -> tuple[Array, NDArray[np.bool_]]:
    """What fixing a cell's share costs in many surveys, and in which of them no cell has few."""
    free, heights = maximise_together(matrix, surveys)
    bound, lower = maximise_together(fixed, surveys)
    shares = np.concatenate([free, np.delete(bound, cell, axis=1)], axis=1)
    return (2 * (heights - lower)).clip(0), shares.min(axis=1) * surveys.sum(axis=1) > _FEW
