"""Reports held out, and what they say about a model of all the others.

A model is a table of truths over some questions and the target, the last axis. Put through the
channel it says how likely each report of the target is, given the reports of the questions: the
logarithm of that, summed over reports that the model has not seen, says how much it knows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from confide.arrays import Array, Indices
from confide.counts import Counts
from confide.estimators.expectation_maximisation import ReportedTable, em_step

_HELD_OUT = 0.2
_SEED = 4  # the same reports give the same model
SMALLEST = 1e-300


@dataclass(frozen=True)
class Folds:
    """Batches of reports parted in two at random: to learn from, and held out."""

    learning: list[Counts]
    held: list[Counts]

    @classmethod
    def of(cls, batches: Sequence[Counts]) -> Folds:
        """Hold a fifth of the reports out."""
        generator = np.random.default_rng(_SEED)
        drawn = [generator.binomial(batch.reports, _HELD_OUT) for batch in batches]
        return cls(
            [batch.subset(batch.reports - d) for batch, d in zip(batches, drawn, strict=True)],
            [batch.subset(d) for batch, d in zip(batches, drawn, strict=True)],
        )

    def is_disguised(self, question: str) -> bool:
        """Whether a question is disguised, in some batch at least."""
        return any(batch.design.block(question).mechanism is not None for batch in self.learning)


def tabulate_reports(
    batches: Sequence[Counts], names: Sequence[str], cells: Mapping[str, int | Indices]
) -> list[ReportedTable]:
    """Tabulate the reports to some questions, batch by batch."""
    return [ReportedTable.of(batch, names, cells) for batch in batches if batch.n]


def em_steps(batches: Sequence[ReportedTable], truth: Array, steps: int) -> Array:
    """Take so many steps of expectation–maximisation from a table of truths."""
    for _ in range(steps):
        truth = em_step(batches, truth)
    return truth


def uniform_table(batches: Sequence[ReportedTable]) -> Array:
    """Give the table whose cells all have the same share."""
    shape = batches[0].channel.shape
    return np.full(shape, 1 / np.prod(shape))


@dataclass(frozen=True)
class Gain:
    """How much better one model predicts held-out targets than another."""

    value: float
    """In nats, over all held-out reports."""
    deviation: float
    """Its standard error."""

    @property
    def significance(self) -> float:
        """The value in standard errors."""
        return self.value / self.deviation if self.deviation > 0 else 0.0


def measure_gain(held: Sequence[ReportedTable], model: Array, other: Array | None = None) -> Gain:
    """Compare a model with another, or with nothing, on held-out reports."""
    total, squares = 0.0, 0.0
    for batch in held:
        difference = _log_chance_of_target(batch, model)
        if other is not None:
            difference = difference - _log_chance_of_target(batch, other)
        total += batch.n * float((batch.shares * difference).sum())
        squares += batch.n * float((batch.shares * difference**2).sum())
    return Gain(total, float(np.sqrt(squares)))


def _log_chance_of_target(batch: ReportedTable, model: Array) -> Array:
    """ln P(target's report | the other reports) of each cell."""
    expected = batch.channel.apply(model).clip(SMALLEST)
    return np.asarray(np.log(expected) - np.log(expected.sum(axis=-1, keepdims=True)))
