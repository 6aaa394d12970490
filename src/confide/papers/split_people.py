"""The people of a yes-no data set: split in those learned from and those tested on; grouped."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from confide.arrays import Codes
from confide.design import Design, Group, YesNo
from confide.mechanisms import RelatedQuestion
from confide.papers.cells import derive_seed
from confide.papers.data import find_data_set, load

FIRST = 10_000
"""The papers use so many of the first records of Adult; the other sets are smaller."""
_TRAINED = 0.8
"""The share that is learned from: printed in `surveys`; the others do not say."""


@dataclass(frozen=True, eq=False)
class SplitPeople:
    """Records of yes-no answers, the class last, once split in two.

    Parameters
    ----------
    names : tuple of str
        The attributes and the class.
    train, test : integer arrays
        The records that are learned from, and those that test what was learned.
    """

    names: tuple[str, ...]
    train: Codes
    test: Codes

    @property
    def target(self) -> str:
        """The name of the class, which is the last column."""
        return self.names[-1]

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of all columns but the class."""
        return self.names[:-1]

    def select(self, attributes: tuple[str, ...]) -> SplitPeople:
        """The same people with some of the attributes only, and the class."""
        places = [self.names.index(name) for name in (*attributes, self.target)]
        return SplitPeople((*attributes, self.target), self.train[:, places], self.test[:, places])


def name_scheme(groups: object) -> str:
    """Say how many groups there are.

    >>> name_scheme(1), name_scheme(2)
    ('1 group', '2 groups')
    """
    return "1 group" if groups == 1 else f"{groups} groups"


@lru_cache(maxsize=8)
def load_people(
    data: str, reading: str, folder: Path | None = None, first: int = FIRST
) -> SplitPeople:
    """Load a data set and split its first records in two, once and for all repeats.

    The papers divide their data once and then repeat the disguise, so chance in their figures is
    that of the disguise (and of the grouping) alone.
    """
    data_set = find_data_set(data)
    names, X, y = load(data_set, reading, folder)
    table = np.column_stack([X, y])[:first].astype(np.int64)
    order = np.random.default_rng(derive_seed("split", data)).permutation(len(table))
    trained = round(_TRAINED * len(table))
    return SplitPeople((*names, data_set.target), table[order[:trained]], table[order[trained:]])


def draw_partition(names: tuple[str, ...], groups: int, seed: int) -> tuple[tuple[str, ...], ...]:
    """Deal names into so many groups at random, as equal in size as can be.

    >>> [len(part) for part in draw_partition(("a", "b", "c", "d", "e"), 2, seed=1)]
    [3, 2]
    """
    order = np.random.default_rng(seed).permutation(len(names))
    parts = np.array_split(order, groups)
    return tuple(tuple(names[i] for i in part.tolist()) for part in parts)


@lru_cache(maxsize=1024)
def build_related_design(
    names: tuple[str, ...], parts: tuple[tuple[str, ...], ...], truth: str
) -> Design:
    """The design in which each part is disguised by one related-question coin of its own."""
    mechanism = RelatedQuestion(truth)
    return Design([YesNo(name) for name in names], [Group(list(p), mechanism) for p in parts])
