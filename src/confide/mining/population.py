"""What a learner asks of a population, which need not be a `confide.Crowd`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeGuard, runtime_checkable

from confide.arrays import Array, Codes
from confide.counts import Counts
from confide.crowd import Crowd
from confide.design import Design
from confide.estimators.crossed_inverse import Path


@runtime_checkable
class WrittenOut(Protocol):
    """Whatever can write out its true answers."""

    def cells(self) -> tuple[Codes, Array] | None:
        """Rows of true codes with the share of each; None where they are too many."""
        ...


class Population(WrittenOut, Protocol):
    """A `confide.Crowd`, or an estimate of the population that stands in for one."""

    @property
    def design(self) -> Design:
        """The questions, and how they were disguised."""
        ...

    @property
    def n(self) -> int:
        """The number of reports behind the estimate."""
        ...


class CrossedPopulation(Population, Protocol):
    """A population that can be asked about the nodes of a tree, its cells being too many."""

    def cross_nodes(
        self, paths: Sequence[Path], target: str, names: Sequence[str]
    ) -> Mapping[str, Array]:
        """The shares of target × question in each node: (nodes, classes, answers) by question."""
        ...


def pool_batches(batches: Sequence[Counts]) -> Crowd:
    """Make one crowd of counted batches; those without reports are left out."""
    return Crowd.pool([Crowd(batch.design, batch) for batch in batches if batch.n])


def is_population(given: object) -> TypeGuard[Population]:
    """Whether an object is a population and not a table of reports.

    Its type is asked, because a dataframe may have a column named as a method is.
    """
    return issubclass(type(given), WrittenOut)
