"""What a learner asks of a population, which need not be a `confide.Crowd`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeGuard, runtime_checkable

from confide.arrays import Array, Codes
from confide.design import Design


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


class DivisiblePopulation(Population, Protocol):
    """A population that can be asked about its sub-populations, its cells being too many."""

    def given_codes(self, codes: Mapping[str, int]) -> DivisiblePopulation:
        """The sub-population with the true answers of these codes."""
        ...

    def cross(self, target: str, candidates: Sequence[str]) -> Mapping[str, Array]:
        """The shares of target × candidate, one table per candidate."""
        ...


def is_population(given: object) -> TypeGuard[Population]:
    """Whether an object is a population and not a table of reports.

    Its type is asked, because a dataframe may have a column named as a method is.
    """
    return issubclass(type(given), WrittenOut)
