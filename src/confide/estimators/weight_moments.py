"""The moments of per-report weights: all that an estimate's value, error and interval stand on.

The share of an event within a sub-population is a ratio of two means of per-report weights: a, a
row of M⁻¹ for the event and the sub-population, over b, that of the sub-population alone (b = 1 for
everybody). What follows needs only E aⁱbʲ with i + j ≤ 4.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from confide.arrays import Array
from confide.counts import Counts
from confide.design import Block, Design
from confide.estimators.event_weights import (
    Where,
    event_weights,
    find_fixed,
    fix_rows,
    invert_patterns,
)
from confide.estimators.table_channel import TableChannel
from confide.mechanisms import Mixture


class WeightMoments(ABC):
    """The moments E aⁱbʲ for all cells of a table, each kept once it was asked for."""

    def __init__(self) -> None:
        self._kept: dict[tuple[int, int], Array] = {}

    def moment(self, i: int, j: int) -> Array:
        """E aⁱbʲ, one number per cell."""
        if (i, j) not in self._kept:
            self._kept[i, j] = np.asarray(self._compute(i, j))
        return self._kept[i, j]

    @abstractmethod
    def _compute(self, i: int, j: int) -> Array | float: ...


class TableMoments(WeightMoments):
    """The moments of a reported table that is kept whole.

    Parameters
    ----------
    channel : TableChannel
        Its channel.
    reported : array
        The shares of the reports.
    within : sequence of int
        The sub-population's codes on the first axes; the cells are those of the other axes.
    """

    def __init__(self, channel: TableChannel, reported: Array, within: Sequence[int]) -> None:
        super().__init__()
        self._channel, self._reported, self._cell = channel, reported, tuple(within)
        event = np.zeros(channel.shape)
        event[self._cell] = 1
        self._weights = channel.weights(event) if within else np.ones_like(reported)

    def _compute(self, i: int, j: int) -> Array | float:
        if not self._cell and j:
            return self.moment(i, 0)
        weighed = self._reported * self._weights**j
        return self._channel.invert_power(weighed, i)[self._cell] if i else float(weighed.sum())


class PatternMoments(WeightMoments):
    """The moments of a table too large to keep with its sub-population, pattern by pattern."""

    def __init__(self, counts: Counts, within: Where, questions: Sequence[str]) -> None:
        super().__init__()
        self._counts, self._within, self._questions = counts, within, questions
        self._weights = event_weights(counts, within)

    def _compute(self, i: int, j: int) -> Array | float:
        weighed = self._counts.shares * self._weights**j
        if not i:
            return float(weighed.sum())
        return invert_patterns(
            self._counts, weighed, self._within, self._questions, lambda m: m.power(i)
        )


class PointMoments(WeightMoments):
    """The moments of a few points, each with its share and its two weights."""

    def __init__(self, shares: Array, a: Array, b: Array) -> None:
        super().__init__()
        self._shares, self._a, self._b = shares, a, b

    def _compute(self, i: int, j: int) -> Array | float:
        return float(self._shares @ (self._a**i * self._b**j))


class CellMoments(WeightMoments):
    """The moments of many small tables side by side, one in each row: its cells are points."""

    def __init__(self, shares: Array, a: Array, b: Array) -> None:
        super().__init__()
        self._shares, self._a, self._b = shares, a, b

    def _compute(self, i: int, j: int) -> Array | float:
        return np.asarray((self._shares * self._a**i * self._b**j).sum(axis=1))


class EventMoments(PointMoments):
    """The moments of a single event, from the weights of the patterns."""

    def __init__(self, counts: Counts, event: Where, within: Where) -> None:
        having = event_weights(counts, {**within, **event})
        super().__init__(counts.shares, having, event_weights(counts, within))


class MadeUpMoments(WeightMoments):
    """The moments of made-up people: half have the event, half have not, else any answers alike.

    Those who have not are anybody less those who have. Groups are independent, and so are the
    answers of anybody; each moment is a product over the groups.

    Parameters
    ----------
    design : Design
        The design.
    event, within : mappings
        The codes of the event and of the sub-population.
    questions : sequence of str
        The axes of the table whose every cell is an event.
    """

    def __init__(
        self, design: Design, event: Where, within: Where, questions: Sequence[str] = ()
    ) -> None:
        super().__init__()
        self._event, self._within = {**within, **event}, within
        self._axes = {name: axis for axis, name in enumerate(questions)}
        asked = {*self._event, *questions}
        self._asked = [q for q in design.questions if q.name in asked]
        self._blocks = [
            block for block in design.blocks if any(q.name in asked for q in block.questions)
        ]

    @property
    def share(self) -> float:
        """The share of anybody who has the event."""
        shares = [np.size(self._event.get(q.name, 0)) / q.size for q in self._asked]
        return float(np.prod(shares))

    def having_and_anybody(self, i: int, j: int) -> tuple[Array, Array]:
        """The moments of people who have the event, and of anybody."""
        having, anybody = np.ones(()), np.ones(())
        for block in self._blocks:
            first, second = self._of_block(block, i, j)
            having, anybody = having * first, anybody * second
        return having, anybody

    def _compute(self, i: int, j: int) -> Array | float:
        return make_up(*self.having_and_anybody(i, j), self.share)

    def _of_block(self, block: Block, i: int, j: int) -> tuple[Array, Array]:
        """The moments of one group, of people with the event and of anybody."""
        fixed = find_fixed(block, self._event)
        opened = [k for k, q in enumerate(block.questions) if q.name in self._axes]
        keep = [*fixed, *opened]
        channel = block.channel_on(keep).transposed
        anybody = [f.mean(axis=1, keepdims=True) for f in channel.factors]
        having = [
            f[:, np.atleast_1d(code)].mean(axis=1, keepdims=True)
            for f, code in zip(channel.factors, fixed.values(), strict=False)
        ]
        having += channel.factors[len(fixed) :]
        weights = fix_rows(block, fixed, opened).power(i) if i else None
        share = self._share_rows(block, keep).power(j) if j else None
        found = []
        for people in (having, anybody):
            product = Mixture(channel.weights, tuple(people))
            for factor in (weights, share):
                product = product if factor is None else product.times(factor)
            found.append(self._place(product.sum_rows(), block, len(fixed), opened))
        return found[0], found[1]

    def _share_rows(self, block: Block, keep: list[int]) -> Mixture:
        """The weights of the sub-population on a group's questions: one row each."""
        within = find_fixed(block, self._within)
        inverse = block.inverse_on(keep)
        rows = [
            f[:, np.atleast_1d(within.get(k, np.arange(f.shape[1])))].sum(axis=1, keepdims=True)
            for k, f in zip(keep, inverse.factors, strict=True)
        ]
        return Mixture(inverse.weights, tuple(rows))

    def _place(self, table: Array, block: Block, fixed: int, opened: list[int]) -> Array:
        """Lay a group's table along the axes of its questions; it has the length 1 elsewhere."""
        axes = [self._axes[block.questions[k].name] for k in opened]
        table = table.reshape(table.shape[fixed:]).transpose(np.argsort(axes))
        shape = np.ones(len(self._axes), int)
        shape[sorted(axes)] = table.shape
        return table.reshape(shape)


def make_up(having: Array, anybody: Array, share: float | Array) -> Array:
    """The moments of people of whom half have an event and half have not.

    Parameters
    ----------
    having, anybody : arrays
        The moments of those who have the event, and of anybody.
    share : float or array
        The share of anybody who has it; where that is everybody, all have it.
    """
    some = np.less(share, 1)
    without = (anybody - share * having) / np.where(some, 1 - np.asarray(share), 1)
    return np.where(some, (having + without) / 2, having)
