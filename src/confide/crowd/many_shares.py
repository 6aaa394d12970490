"""The shares of very many combinations of answers, estimated side by side by the inverse.

Each is about a few questions, so the reported table of those is all that it needs, however many
reports there are: a share, its error and its interval are sums over the cells of that table, with
one weight per cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import prod

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array
from confide.counts import Counts
from confide.crowd._effective_size import count_effective, stretch_variance
from confide.crowd._influence import Influence
from confide.crowd._intervals import ShareIntervals
from confide.crowd._inverse import find_influence
from confide.crowd._score_test import Sample, ScoreTest
from confide.crowd._set_tables import Names, SetTables
from confide.crowd._shares import estimate_shares, weigh_samples
from confide.crowd._subpopulation import Subpopulation
from confide.crowd.comparison import divide_correlated
from confide.crowd.estimate import Estimate, Quantity
from confide.estimators.weight_moments import CellMoments

Answers = tuple[tuple[str, int], ...]
"""Questions with the code of a true answer each, in the design's order."""
_MOST_SHARES, _MOST_CELLS = 4_096, 1 << 20
"""So many shares, and cells of their tables, are on a page: whoever asks for one interval waits for
those of its page."""


class ManyShares:
    """Shares of combinations of answers, from tables that are counted for many sets at a time.

    Parameters
    ----------
    batches : sequence of Counts
        The reports; every report counts the same.
    """

    def __init__(self, batches: Sequence[Counts]) -> None:
        self._people = Subpopulation(tuple(batches), "size", {})
        self._tables = [SetTables(batch) for batch in batches]

    def count(self, sets: Sequence[Names]) -> None:
        """Count the reports to sets of equally many questions, in one pass for each batch.

        A combination of answers can be asked for once its set of questions has been counted, and
        those of all parts of it that are asked for.
        """
        for tables in self._tables:
            tables.count(sets)

    def list_pages(self, combinations: Sequence[Answers]) -> Iterator[list[int]]:
        """Part combinations of answers into pages that can be estimated side by side.

        A page gives the places of its combinations, in their order.
        """
        alike: dict[tuple[tuple[int, ...], ...], list[int]] = {}
        layouts: dict[Names, list[int]] = {}
        for place, each in enumerate(combinations):
            names = _names(each)
            if names not in layouts:
                sizes = tuple(tuple(tables.report_sizes(names)) for tables in self._tables)
                layouts[names] = alike.setdefault(sizes, [])
            layouts[names].append(place)
        for sizes, places in alike.items():
            most = min(_MOST_SHARES, max(1, _MOST_CELLS // max(map(prod, sizes))))
            yield from (places[start : start + most] for start in range(0, len(places), most))

    def of(self, combinations: Sequence[Answers], within: Sequence[int] = ()) -> SharesWithin:
        """The shares of the combinations of answers on a page.

        Parameters
        ----------
        combinations : sequence of answers
            Equally many answers each.
        within : sequence of int
            The places of the answers that make a sub-population: the share is that of the other
            answers among those people. Left out, it is a share of everybody.
        """
        return SharesWithin(self._people, self._tables, combinations, tuple(within))


@dataclass(frozen=True, eq=False)
class SharesWithin:
    """The shares of some combinations of answers, within some of their own answers.

    `ManyShares.of` describes what is given.
    """

    people: Subpopulation
    tables: Sequence[SetTables]
    combinations: Sequence[Answers]
    within: tuple[int, ...]

    @property
    def values(self) -> Array:
        """The estimated shares."""
        return self._estimated[0]

    def accept(self, share: float, level: float) -> NDArray[np.bool_]:
        """Whether each interval holds a share."""
        return self._test.accepts(np.asarray(share), level)

    def estimate(self) -> list[Estimate]:
        """Give the estimates, one for each combination."""
        n, intervals = self.people.n, ShareIntervals(self._test)
        sizes = np.rint(self._test.mean(0, 1) * n) if self.within else np.full(len(self.values), n)
        rows = zip(*(each.tolist() for each in (*self._estimated, sizes)), strict=True)
        return [
            Estimate(value, error, int(size), n, intervals.at((k,)), partial(self._find_moved, k))
            for k, (value, error, size) in enumerate(rows)
        ]

    def divide(self, mine: Sequence[Estimate], others: Sequence[Estimate]) -> list[Quantity]:
        """Divide the estimates of these shares by those of everybody with the other answers.

        For association rules that is the lift.
        """
        correlations = self._correlate().tolist()
        return [
            divide_correlated(one, other, correlation, self.people.n)
            for one, other, correlation in zip(mine, others, correlations, strict=True)
        ]

    @cached_property
    def _test(self) -> ScoreTest:
        """The score test of all shares."""
        samples = []
        for tables, (shares, made_up, a, b) in zip(self.tables, self._cells, strict=True):
            observed, expected = CellMoments(shares, a, b), CellMoments(made_up, a, b)
            n, stretch = self._count_effective(tables.counts), stretch_variance(tables.counts)
            samples.append(Sample(observed, expected, n, tables.counts.n, stretch))
        return weigh_samples(samples, "size")

    @cached_property
    def _estimated(self) -> tuple[Array, Array]:
        return estimate_shares(self._test)

    @cached_property
    def _cells(self) -> list[tuple[Array, Array, Array, Array]]:
        """For each batch the cells' shares, and those of made-up people, and their two weights."""
        asked, found = self._list_parts(self._every), []
        for tables in self.tables:
            shares = np.array([tables[names].shares for names, _ in asked])
            made_up = np.array([tables[names].made_up[codes] for names, codes in asked])
            a, b = (self._weigh(tables, places) for places in (self._every, self.within))
            found.append((shares, made_up, a, b))
        return found

    def _weigh(self, tables: SetTables, places: tuple[int, ...]) -> Array:
        """Give the weight of each cell in the share of the answers at some places."""
        sizes = tables.report_sizes(_names(self.combinations[0]))
        rows = [tables[names].weights[codes] for names, codes in self._list_parts(places)]
        own = [size if place in places else 1 for place, size in enumerate(sizes)]
        weights = np.array(rows).reshape(-1, *own) if places else np.ones((1, *own))
        shape = (len(self.combinations), *sizes)
        return np.broadcast_to(weights, shape).reshape(len(self.combinations), -1)

    def _list_parts(self, places: tuple[int, ...]) -> list[tuple[Names, tuple[int, ...]]]:
        """Give the questions and the codes of the answers at some places; none at no places."""
        return [
            (tuple([each[k][0] for k in places]), tuple([each[k][1] for k in places]))
            for each in (self.combinations if places else ())
        ]

    @cached_property
    def _every(self) -> tuple[int, ...]:
        return tuple(range(len(self.combinations[0])))

    @cached_property
    def _rest(self) -> tuple[int, ...]:
        """The places of the answers that do not make the sub-population."""
        return tuple(place for place in self._every if place not in self.within)

    def _pick(self, place: int, places: Sequence[int]) -> dict[str, int]:
        return dict(self.combinations[place][each] for each in places)

    def _count_effective(self, counts: Counts) -> float | Array:
        """Count how many reports drawn alike would tell as much about each share."""
        if counts.drawn is None:
            return float(counts.n)
        asked = [
            (self._pick(k, self.within), [self._pick(k, self._rest)])
            for k in range(len(self.combinations))
        ]
        return np.concatenate([count_effective(counts, within, event) for within, event in asked])

    def _find_moved(self, place: int) -> Influence:
        """How much each report moves an estimate."""
        people = replace(self.people, within=self._pick(place, self.within))
        return find_influence(people, self._pick(place, self._rest))

    def _correlate(self) -> Array:
        """Correlate the estimates with those of everybody who has the other answers."""
        if any(batch.drawn is not None for batch in self.people.batches):
            return np.array([self._correlate_drawn(k) for k in range(len(self.combinations))])
        below = self._test.mean(0, 1)[:, None]
        moments = np.zeros((3, len(self.combinations)))
        for tables, weight, (shares, _, a, b) in zip(
            self.tables, self._test.weights, self._cells, strict=True
        ):
            mine = (a - self.values[:, None] * b) / below
            other = self._weigh(tables, self._rest)
            for total, (x, y) in zip(
                moments, ((mine, mine), (mine, other), (other, other)), strict=True
            ):
                means = (shares * x).sum(axis=1) * (shares * y).sum(axis=1)
                total += weight**2 * ((shares * x * y).sum(axis=1) - means) / tables.counts.n
        spread = np.sqrt((moments[0] * moments[2]).clip(0))
        known = np.divide(moments[1], spread, out=np.zeros_like(spread), where=spread > 0)
        return known.clip(-1, 1)

    def _correlate_drawn(self, place: int) -> float:
        """The same where people were not drawn alike: report by report."""
        everybody = find_influence(self.people, self._pick(place, self._rest))
        return self._find_moved(place).correlation(everybody)


def _names(answers: Answers) -> Names:
    return tuple([name for name, _ in answers])
