"""The observed table of reports: all that an analysis ever needs from the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array, Codes, Indices
from confide.counts.crossed_counts import CrossedCounts, cross_rows
from confide.counts.distinct_rows import number_cells, sort_rows
from confide.counts.drawn_sample import DrawnSample
from confide.design.column_kinds import Kind, common_kind
from confide.design.design import Design
from confide.errors import ReportsError

if TYPE_CHECKING:
    from confide.counts.recounting import Places, Refinement, ReportsAtHand

FINGERPRINT = b"confide.fingerprint"
"""Under this key a Parquet file's metadata names the design of its reports."""

_FEW_CELLS = 16

MissingReports = Literal["error", "at random"]
"""What an empty report does: it is refused, or its row is left out."""


@dataclass(frozen=True, eq=False)
class Counts:
    """How often each pattern of reports came in.

    Parameters
    ----------
    design : Design
        The design under which the reports were made.
    patterns : integer array of shape (patterns, questions)
        The distinct rows of report codes, sorted.
    reports : integer array of shape (patterns,)
        How many reports show each pattern.
    kinds : tuple of str, optional
        The kind in which each question's reports were held, ``"texts"``, ``"numbers"`` or ``"truth
        values"``: labels come back in it. Left out, or None for a question, they are the options
        as the design has them.
    drawn : DrawnSample, optional
        How the people were drawn, where their weights differ or they were drawn by strata or
        clusters. A pattern then has a row for each of these.
    origin : ReportsAtHand or Refinement, optional
        Reports that can be counted again with numbers cut at more places, or the counts that these
        are such a finer view of.

    Examples
    --------
    >>> import confide as cf, numpy as np
    >>> design = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion(0.75))])
    >>> counts = cf.Counts.of(design, np.array([1, 0, 0, 1, 0]))
    >>> counts
    Counts(5 reports, 2 patterns)
    >>> counts.table(["cheated"]).tolist()
    [3.0, 2.0]
    >>> (counts + counts).n
    10
    """

    design: Design
    patterns: Codes
    reports: NDArray[np.int64]
    kinds: tuple[Kind | None, ...] = ()
    drawn: DrawnSample | None = None
    origin: ReportsAtHand | Refinement | None = None

    def __repr__(self) -> str:
        return f"Counts({self.n:,} reports, {len(self.patterns):,} patterns)"

    @classmethod
    def of(
        cls,
        design: Design,
        reports: object,
        *,
        weights: str | None = None,
        strata: str | None = None,
        clusters: str | None = None,
        population: float | Mapping[object, float] | None = None,
        missing: MissingReports = "error",
    ) -> Counts:
        """Count reports: a dataframe or relation of any kind, a path, an array, or counts; also
        the address of the web app's store, such as ``sqlite:///survey.db``.

        ``weights``, ``strata`` and ``clusters`` name columns beside the reports, ``population`` is
        how many people there are, and ``missing`` what an empty report does, as in `Crowd`."""
        from confide.counts.counting import count_reports
        from confide.counts.sample_columns import SampleColumns

        sampling = SampleColumns(weights, strata, clusters, population)
        return count_reports(design, reports, sampling, missing)

    @classmethod
    def gather(
        cls,
        design: Design,
        columns: Sequence[Codes],
        reports: Codes | None = None,
        kinds: tuple[Kind | None, ...] = (),
    ) -> Counts:
        """Add up rows of report codes, one column per question.

        ``reports`` says how many reports each row stands for; left out, each stands for one.
        """
        sizes = report_sizes(design)
        narrow = np.int16 if max(sizes) < 1 << 15 else np.int32
        if prod(sizes) <= max(1 << 16, 4 * len(columns[0])):
            key = number_cells(columns, sizes)
            table = _tally(key, reports, prod(sizes))
            cells = np.flatnonzero(table)
            patterns = np.stack(np.unravel_index(cells, sizes), axis=1)
            return cls(design, patterns.astype(narrow), table[cells].astype(np.int64), kinds)
        rows = np.stack([column.astype(narrow) for column in columns], axis=1)
        order, starts = sort_rows(rows, sizes)
        ones = np.ones(len(rows), np.int64) if reports is None else reports.astype(np.int64)
        summed = np.add.reduceat(ones[order], starts)
        return cls(design, rows[order[starts]], summed, kinds)

    @cached_property
    def finer(self) -> dict[Places, Counts]:
        """The finer views of these counts that were asked for, by their places."""
        return {}

    @cached_property
    def n(self) -> int:
        """The number of reports."""
        return int(self.reports.sum())

    @property
    def shares(self) -> Array:
        """The share of the reports that show each pattern, by their weights if they have any."""
        return np.asarray(self.reports / self.n) if self.drawn is None else self.drawn.shares

    @property
    def effective_n(self) -> float:
        """The number of reports; with weights, as many of equal weight as would tell as much."""
        return float(self.n) if self.drawn is None else self.drawn.effective_size

    def kind(self, question: str) -> Kind | None:
        """The kind in which a question's reports were held; None where it is not known."""
        position = self.design.position(question)
        return self.kinds[position] if self.kinds else None

    def subset(self, reports: Codes) -> Counts:
        """Keep so many reports of each pattern, and only the patterns of which any are kept."""
        kept, many = reports > 0, reports.astype(np.int64, copy=False)
        drawn = None if self.drawn is None else self.drawn.keep(many)
        return Counts(self.design, self.patterns[kept], many[kept], self.kinds, drawn)

    def only(self, part: Design) -> Counts:
        """The same reports under a part of the design (`Design.only`)."""
        self._require_plain("narrowed")
        places = [self.design.position(name) for name in part.names]
        kinds = tuple(self.kinds[place] for place in places) if self.kinds else ()
        return Counts.gather(part, [self.patterns[:, p] for p in places], self.reports, kinds)

    def merge_sample(self) -> tuple[Counts, Array]:
        """The counts without their sample, and by how much the reports of each pattern count.

        Weights are brought to the sum of as many reports of equal weight as would tell as much.
        """
        if self.drawn is None:
            return self, np.ones(len(self.reports))
        merged = Counts.gather(self.design, list(self.patterns.T), self.reports, self.kinds)
        sizes = report_sizes(self.design)
        order, starts = sort_rows(self.patterns, sizes)
        weights = np.add.reduceat(self.drawn.shares[order], starts) * self.effective_n
        return merged, weights / merged.reports

    def table(self, questions: Sequence[str], merged: Mapping[str, Indices] | None = None) -> Array:
        """The reported table over some questions, with one axis per question; weights add up to n.

        ``merged`` may give new codes for the codes of some questions, several into one.
        """
        columns, sizes = [], []
        for name in questions:
            position = self.design.position(name)
            codes = (merged or {}).get(name)
            column = self.patterns[:, position]
            columns.append(column if codes is None else codes[column])
            size = report_sizes(self.design)[position] if codes is None else int(codes.max()) + 1
            sizes.append(size)
        key = number_cells(columns, sizes)
        rows = self.reports if self.drawn is None else self.shares * self.n
        table = np.bincount(key, rows, prod(sizes)).astype(float)
        return table.reshape(sizes)

    def cross(self, given: Sequence[Sequence[str]]) -> list[CrossedCounts]:
        """Take the reports of some questions together and cross them with every question.

        One pass over the patterns serves all that is asked; weights add up to n.
        """
        places = [[self.design.position(name) for name in names] for names in given]
        weights = self.reports if self.drawn is None else self.shares * self.n
        return cross_rows(report_sizes(self.design), places, self.patterns, weights)

    def add(self, reports: object, *, missing: MissingReports = "error") -> Counts:
        """The counts with further reports, which are all that is read: what was counted stays so.

        ``reports`` are whatever `of` counts, of the same design: the reports of a new day, or saved
        counts. Nothing is added unless all of them fit.

        >>> import confide as cf, numpy as np
        >>> design = cf.Design([cf.YesNo("cheated")])
        >>> counts = cf.Counts.of(design, np.array([1, 0, 0]))
        >>> counts.add(np.array([1, 1])).table(["cheated"]).tolist()
        [2.0, 3.0]
        """
        return self + Counts.of(self.design, reports, missing=missing)

    def __add__(self, other: Counts) -> Counts:
        """Merge the counts of two batches under the same design.

        Where their reports were held in different kinds, labels are the design's own.
        """
        if other.design.fingerprint != self.design.fingerprint:
            raise ReportsError(
                "counts of two different designs cannot be added "
                f"({self.design.fingerprint[:12]} and {other.design.fingerprint[:12]}). "
                "Use Crowd.pool for those."
            )
        for counts in (self, other):
            counts._require_plain("added")
        rows = np.concatenate([self.patterns, other.patterns])
        kinds = tuple(
            common_kind([self.kind(name), other.kind(name)]) for name in self.design.names
        )
        reports = np.r_[self.reports, other.reports]
        return Counts.gather(self.design, list(rows.T), reports, kinds)

    def __sub__(self, earlier: Counts) -> Counts:
        """The reports that came after others of them were counted: those of a wave.

        >>> import confide as cf, numpy as np
        >>> design = cf.Design([cf.YesNo("cheated")])
        >>> monday = cf.Counts.of(design, np.array([1, 0, 0]))
        >>> friday = monday.add(np.array([1, 1]))
        >>> (friday - monday).table(["cheated"]).tolist()
        [0.0, 2.0]
        """
        from confide.counts.later_counts import subtract_counts

        return subtract_counts(self, earlier)

    def _require_plain(self, verb: str) -> None:
        if self.drawn is not None:
            raise ReportsError(f"counts with weights, strata or clusters cannot be {verb}.")

    def save(self, path: str | Path) -> None:
        """Write the counts, with the design's fingerprint, as Parquet."""
        self._require_plain("saved")
        from confide.counts.counts_file import save_counts

        save_counts(self, Path(path))

    @classmethod
    def load(cls, design: Design, path: str | Path) -> Counts:
        """Read the counts that `save` wrote under the same design."""
        from confide.counts.counts_file import load_counts

        return load_counts(design, Path(path))


def report_sizes(design: Design) -> tuple[int, ...]:
    """How many different reports each question has, in the design's order."""
    sizes = {
        position: size
        for block in design.blocks
        for position, size in zip(block.positions, block.report_sizes, strict=True)
    }
    return tuple(sizes[i] for i in range(len(sizes)))


def check_fingerprint(design: Design, metadata: dict[bytes, bytes] | None, name: str) -> None:
    """Refuse a file that says it was made under another design."""
    found = (metadata or {}).get(FINGERPRINT)
    if found is not None and found.decode() not in (design.fingerprint, design.whole.fingerprint):
        raise ReportsError(
            f"{name} was made under another design: its fingerprint is {found.decode()[:12]}…, "
            f"this design's is {design.fingerprint[:12]}…. Use the survey file it was made with."
        )


def _tally(key: Codes, reports: Codes | None, cells: int) -> Codes:
    """Count the reports in each cell; a few cells are each counted alone, which is faster."""
    if reports is None and cells <= _FEW_CELLS:
        return np.array([np.count_nonzero(key == key.dtype.type(cell)) for cell in range(cells)])
    return np.bincount(key, reports, cells)
