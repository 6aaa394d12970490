"""The people that a crowd's answers are about, and what is known of them without estimating.

`_inverse`, `_likelihood` and `_reconstruction` estimate shares of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Literal, TypedDict

import numpy as np

from confide.arrays import Array, Values
from confide.counts import Counts
from confide.design import Design, Finite
from confide.design.column_kinds import common_kind, labels_of
from confide.errors import QueryError
from confide.estimators.expectation_maximisation import ReportedTable
from confide.estimators.table_channel import DENSE_CELLS, TableChannel

Pooling = Literal["size", "precision"]


class Size(TypedDict):
    """The number of people that something is about, and the number of reports behind it."""

    n: int
    total: int


@dataclass(frozen=True, eq=False)
class Subpopulation:
    """The people who share some true answers, seen through batches of reports.

    Parameters
    ----------
    batches : tuple of Counts
        All counted reports: nobody knows which of them are of these people.
    by : {"size", "precision"}
        How inverse estimates of several batches are weighed.
    within : mapping
        Questions and the codes of their true answers; empty for everybody.
    sources : tuple of Counts
        The batches as they were counted, where numbers have been cut since: estimates with the
        same sources move together. Empty where nothing was cut.
    """

    batches: tuple[Counts, ...]
    by: Pooling
    within: Mapping[str, int]
    sources: tuple[Counts, ...] = ()

    @property
    def counted(self) -> tuple[Counts, ...]:
        """The batches as they were counted, row by row those of `batches`."""
        return self.sources or self.batches

    @property
    def design(self) -> Design:
        """The design; of several, the first one."""
        return self.batches[0].design

    @cached_property
    def n(self) -> int:
        """The number of reports."""
        return sum(batch.n for batch in self.batches)

    def who_gave(self, names: Iterable[str]) -> Subpopulation:
        """Those of these people who gave the numbers among some questions, if one may be missing.

        In the place of a missing number stands another that nobody answered. So whatever is asked
        about a number is asked of these people, and not of all.
        """
        asked = list(names)
        told = {n: self.design.declines[n] for n in asked if n in self.design.declines}
        for name, teller in told.items():
            if self.within.get(teller, 0) != 0:
                raise QueryError(f"these people did not give {name}: {teller} is yes.")
            if teller in asked and teller not in self.within:
                raise QueryError(
                    f"what is said of {name} is about people who gave it, so {teller} is the same "
                    f"for all of them. Leave it out, or ask first for those whose {teller} is no."
                )
        within = {**dict.fromkeys(told.values(), 0), **self.within}
        return self if len(within) == len(self.within) else replace(self, within=within)

    def require_given(self, names: Iterable[str]) -> None:
        """Refuse numbers that some of these people may not have given."""
        asked = [name for name in names if name in self.design.declines]
        if missing := [name for name in asked if self.design.declines[name] not in self.within]:
            teller = self.design.declines[missing[0]]
            raise QueryError(
                f"some people did not give {missing[0]}. Ask those who did: "
                f'given({{"{teller}": "no"}}), or a crowd of design.only([…]) without it.'
            )

    def labels(self, name: str) -> Values:
        """A question's values by code: options in the kind in which the reports have them.

        Where batches differ in that kind, they are the options as the design has them. Those of a
        number are its intervals' names.
        """
        asked = self.design.question(name)
        if not isinstance(asked, Finite):
            return np.array(asked.labels)
        return labels_of(asked, common_kind(batch.kind(name) for batch in self.batches))

    def table_size(self, names: Iterable[str]) -> int:
        """How many cells a table of some questions has."""
        return prod(self.design.question(name).size for name in names)

    def can_keep(self, names: Iterable[str]) -> bool:
        """Whether a table of some questions is small enough to be kept whole."""
        return self.table_size(names) <= DENSE_CELLS

    def invertible(self, names: Iterable[str]) -> bool:
        """Whether the disguise of some questions has an inverse in every batch."""
        asked = [*self.within, *names]
        return all(TableChannel(batch.design, asked).invertible for batch in self.batches)

    def list_reported_tables(
        self, names: Sequence[str], intervals: Mapping[str, int] | None = None
    ) -> list[ReportedTable]:
        """The reported tables of some questions, one per batch."""
        return [ReportedTable.of(batch, names, intervals) for batch in self.batches]

    def size(self, share: float) -> Size:
        """How many people are in here, if they are this share; and how many reports there are."""
        return {"n": round(share * self.n) if self.within else self.n, "total": self.n}

    def locate(self, observed: ReportedTable) -> tuple[int, ...]:
        """Where these people are on the first axes of a table."""
        merged = observed.channel.merged
        for name in merged.keys() & self.within.keys():
            code, truth = self.within[name], merged[name].truth
            if np.count_nonzero(truth == truth[code]) > 1:
                label = self.design.question(name).labels[code]
                raise QueryError(
                    f"beside noise {self.n:,} reports tell {name} apart only in wider intervals "
                    f"than {label}. Ask for a table with {name} in it: its rows are "
                    "those intervals."
                )
        return tuple(
            int(merged[name].truth[code]) if name in merged else code
            for name, code in self.within.items()
        )


def conditional(truth: Array, within: tuple[int, ...]) -> Array:
    """A table within the sub-population that its first axes fix."""
    return np.asarray(truth[within] / (truth[within].sum() or 1.0))
