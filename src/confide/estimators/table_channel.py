"""A design's channel and its inverse on the table of some of its questions.

Groups are independent, so every operator is applied block by block along the table's axes; the
matrix of the whole table is never built.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, reduce

import numpy as np

from confide.arrays import Array, Indices
from confide.design import Design, Number
from confide.estimators.merged_intervals import interval_widths, merge_intervals
from confide.mechanisms import Mixture

DENSE_CELLS = 1 << 22
"""Up to this many cells a table is kept whole; beyond it the patterns carry the weights."""


class TableChannel:
    """The channel of a design on the table over the given questions, with one axis per question.

    Parameters
    ----------
    design : Design
        The design.
    questions : sequence of str
        The axes.
    intervals : mapping, optional
        Into how many intervals a number is merged, or with which of its finest ones merged ones
        begin; left out, its finest ones.
    """

    def __init__(
        self,
        design: Design,
        questions: Sequence[str],
        intervals: Mapping[str, int | Indices] | None = None,
    ) -> None:
        self.design = design
        self.questions = tuple(questions)
        self.merged = merge_intervals(
            design, {k: v for k, v in (intervals or {}).items() if k in questions}
        )
        self.shape = tuple(
            self.merged[name].grid.size if name in self.merged else design.question(name).size
            for name in questions
        )
        places = [design.position(name) for name in questions]
        self._pieces = [
            (block, [j for j, p in enumerate(block.positions) if p in places], axes)
            for block in design.blocks
            if (axes := [places.index(p) for p in block.positions if p in places])
        ]

    @cached_property
    def _channels(self) -> list[tuple[Mixture, list[int]]]:
        return [
            (self._merge(block.channel_on(keep), axes), axes) for block, keep, axes in self._pieces
        ]

    def _merge(self, channel: Mixture, axes: list[int]) -> Mixture:
        merged = self.merged.get(self.questions[axes[0]])
        return (
            replace(channel, factors=(merged.merge_channel(channel.factors[0]),))
            if merged
            else channel
        )

    @cached_property
    def _inverses(self) -> list[tuple[Mixture, list[int]]]:
        return [(block.inverse_on(keep), axes) for block, keep, axes in self._pieces]

    def describe(self) -> Hashable:
        """Give what the channel and its inverse consist of: equal for tables disguised alike."""
        pieces = zip(self._channels, self._inverses, strict=True)
        mixtures = [(axes, each) for (one, axes), (other, _) in pieces for each in (one, other)]
        return self.shape, *(
            (*axes, *(part.tobytes() for part in (each.weights, *each.factors)))
            for axes, each in mixtures
        )

    @property
    def invertible(self) -> bool:
        """Whether no question is disguised by noise on a number."""
        return all(block.invertible for block, _, _ in self._pieces)

    @property
    def number_axes(self) -> list[int]:
        """The axes along which neighbouring cells are neighbouring numbers."""
        return [
            axis
            for axis, name in enumerate(self.questions)
            if isinstance(self.design.question(name), Number)
        ]

    @property
    def uniform(self) -> Array:
        """The table in which all options are alike likely, and all numbers: by their widths."""
        return reduce(np.multiply.outer, map(self._spread, self.questions), np.ones(()))

    def _spread(self, name: str) -> Array:
        question = self.design.question(name)
        if not isinstance(question, Number):
            return np.full(question.size, 1 / question.size)
        if name in self.merged:
            return self.merged[name].shares
        widths = interval_widths(question)
        return widths / widths.sum()

    def channel_matrix(self) -> Array:
        """The whole matrix, report × truth, of a single question."""
        ((channel, _),) = self._channels
        return channel.matrix()

    def apply(self, truth: Array) -> Array:
        """The expected table of reports: M p."""
        return _apply_blocks(self._channels, truth)

    def apply_transpose(self, function: Array) -> Array:
        """The expectation of a function of the report, given each truth: Mᵀ f."""
        return _apply_blocks(self._channels, function, lambda m: m.transposed)

    def invert(self, reported: Array) -> Array:
        """The estimated true table: M⁻¹ π."""
        return _apply_blocks(self._inverses, reported)

    def invert_power(self, reported: Array, exponent: int) -> Array:
        """Σ_r A_trⁱ π_r for each cell t, with A = M⁻¹: the i-th moment of its weights."""
        return _apply_blocks(self._inverses, reported, lambda m: m.power(exponent))

    def weights(self, function: Array) -> Array:
        """The weight of each report in the estimate of Σ_t f_t p_t: Aᵀ f."""
        return _apply_blocks(self._inverses, function, lambda m: m.transposed)


def _apply_blocks(
    pieces: list[tuple[Mixture, list[int]]],
    table: Array,
    transform: Callable[[Mixture], Mixture] = lambda mixture: mixture,
) -> Array:
    """Apply each block's operator, transformed if so wanted, along the block's own axes."""
    for mixture, axes in pieces:
        table = transform(mixture).apply(table, axes)
    return table
