"""Reports counted again, so that numbers in the clear can be cut where no interval begins.

Counts hold a number by its interval, and a cut inside of one is not in them. The reports have it:
as long as they are at hand they are counted again with intervals that begin there, too. Rows of
such finer counts lie within the rows of the first, so estimates from both are compared row by row.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from confide.arrays import Codes, Indices
from confide.counts.counts import Counts
from confide.counts.distinct_rows import find_distinct_rows
from confide.counts.drawn_sample import DrawnSample
from confide.counts.rounded_numbers import RoundedNumbers, share_out
from confide.design.design import Design
from confide.design.finer_number import Place, list_coarse, refine_design, round_design
from confide.errors import ReportsError

Places = frozenset[Place]

_CHANGED = (
    "the reports have changed since they were counted, and what is told apart within an interval "
    "is counted again. Make the crowd anew."
)


@dataclass(frozen=True, eq=False)
class ReportsAtHand:
    """Reports that were counted and can be counted again.

    Parameters
    ----------
    reports : object
        What was counted.
    how : mapping
        The other arguments of `Counts.of`: how people were drawn, and what is missing.
    """

    reports: object
    how: Mapping[str, Any]
    _found: dict[Places, Counts] = field(default_factory=dict)
    _rounded: dict[str, RoundedNumbers | None] = field(default_factory=dict)

    def count(self, design: Design, places: Places) -> Counts:
        """Count them again, with intervals that begin at some more places."""
        if places not in self._found:
            self._found[places] = self._count(refine_design(design, places), self.reports)
        return self._found[places]

    def round(self, counts: Counts, name: str) -> RoundedNumbers | None:
        """Read the numbers that were given to one question asked in the clear.

        None if nobody gave one; and with a warning if the reports are gone or have changed.
        """
        if name not in self._rounded:
            try:
                self._rounded[name] = self._round(counts, name)
            except ReportsError as error:
                self._rounded[name] = None
                warnings.warn(f"{name} is known by its intervals only: {error}", stacklevel=2)
        return self._rounded[name]

    def _round(self, counts: Counts, name: str) -> RoundedNumbers | None:
        before = share_out(counts, name, counts.reports)
        if not before.any():
            return None
        design, reports = counts.design, self.reports
        if self.how.get("missing") != "at random":  # which leaves rows out by all questions
            design = design.only([name])
        if isinstance(reports, np.ndarray):  # which has no names for its columns
            columns = [counts.design.position(each) for each in design.names]
            reports = reports.reshape(len(reports), -1)[:, columns]
        again = self._count(round_design(design, name), reports)
        now = RoundedNumbers.of(again, name, again.reports)
        if not now.agrees(before, counts.design.block(name).number.grid):
            raise ReportsError(_CHANGED)
        return RoundedNumbers.of(again, name, again.shares)

    def _count(self, design: Design, reports: object) -> Counts:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what there is to say was said the first time
            return Counts.of(design, reports, **self.how)

    def __reduce__(self) -> tuple[type, tuple[()]]:
        """Counts that go to another process or to a file leave the reports behind: as None."""
        return type(None), ()


@dataclass(frozen=True, eq=False)
class Refinement:
    """Of which counts others are a finer view: the same reports, told apart at more places.

    Row by row they lie within rows of these.
    """

    counts: Counts
    places: Places
    rows: Indices


def find_first(counts: Counts) -> Refinement:
    """The counts that some counts refine, and at which places; of others themselves, at none."""
    origin = counts.origin
    if isinstance(origin, Refinement):
        return origin
    return Refinement(counts, frozenset(), np.arange(len(counts.reports)))


def is_at_hand(counts: Counts) -> bool:
    """Whether the reports of some counts can be counted again."""
    return isinstance(find_first(counts).counts.origin, ReportsAtHand)


def round_numbers(counts: Counts, name: str) -> RoundedNumbers | None:
    """The numbers that were given to a question asked in the clear, if they can still be read.

    The reports must be at hand.
    """
    first = find_first(counts).counts
    assert isinstance(first.origin, ReportsAtHand)
    return first.origin.round(first, name)


def refine_counts(counts: Counts, places: Iterable[Place]) -> Counts:
    """The same reports told apart at some more places; the same object for the same places.

    Parameters
    ----------
    counts : Counts
        Counts of reports at hand, or a finer view of such.
    places : iterable of (str, float)
        Numbers asked in the clear, and where intervals of theirs begin.
    """
    first = find_first(counts)
    wanted = first.places.union(places)
    if not wanted:
        return first.counts
    known = first.counts.finer
    if wanted not in known:
        assert isinstance(first.counts.origin, ReportsAtHand)
        fresh = first.counts.origin.count(first.counts.design, wanted)
        rows = locate_rows(fresh, first.counts)
        drawn = share_weights(first.counts.drawn, fresh, rows)
        known[wanted] = replace(fresh, drawn=drawn, origin=Refinement(first.counts, wanted, rows))
    return known[wanted]


def locate_rows(finer: Counts, counts: Counts) -> Indices:
    """The row of some counts in which each row of finer ones lies."""
    first = find_first(finer)
    if first.counts is counts:
        return first.rows
    theirs, mine = _key_rows(counts, counts.design, finer), _key_rows(finer, counts.design, finer)
    place = find_distinct_rows(np.concatenate([theirs, mine]))[1]
    known = np.full(int(place.max()) + 1, -1, np.intp)
    known[place[: len(theirs)]] = np.arange(len(theirs))
    rows = known[place[len(theirs) :]]
    if (rows < 0).any() or (np.bincount(rows, finer.reports, len(theirs)) != counts.reports).any():
        raise ReportsError(_CHANGED)
    return rows


def _key_rows(counts: Counts, design: Design, finer: Counts) -> Codes:
    """Rows of codes as a coarser design has them, with their strata and clusters."""
    columns = []
    for own, asked, column in zip(
        counts.design.questions, design.questions, counts.patterns.T, strict=True
    ):
        if own.grid is not None and asked.grid is not None and own.size != asked.size:
            column = asked.grid.code(own.grid.middles)[column]
        columns.append(column)
    if counts.drawn is not None and finer.drawn is not None:
        columns.append(counts.drawn.strata)
        if counts.drawn.clusters is not None:
            columns.append(counts.drawn.clusters)
    return np.stack(columns, axis=1).astype(np.int64)


def share_weights(drawn: DrawnSample | None, finer: Counts, rows: Indices) -> DrawnSample | None:
    """Weights of finer rows that add up to those of the rows in which they lie."""
    if drawn is None:
        return None
    own = finer.drawn or DrawnSample.alike(finer.reports)
    before = np.bincount(rows, own.weights, len(drawn.weights)).astype(float)
    factors = np.divide(drawn.weights, before, out=np.ones(len(before)), where=before > 0)
    weighed = own.weigh(factors[rows])
    return replace(weighed, margins=tuple(margin[rows] for margin in drawn.margins))


def keep_at_hand(counts: Counts, reports: object, how: Mapping[str, Any]) -> Counts:
    """The same counts, which hold on to their reports where a cut may need them.

    Counts that were given as such, or saved, hold no more than they do.
    """
    from confide.counts.counts_file import holds_counts  # reads Parquet, which is slow to import

    counted = isinstance(reports, Counts) or (
        isinstance(reports, str | Path) and holds_counts(Path(reports))
    )
    if counted or not list_coarse(counts.design):
        return counts
    return replace(counts, origin=ReportsAtHand(reports, how))
