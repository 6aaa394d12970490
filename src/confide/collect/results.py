"""What the reports say so far, as plain values: for the dashboard and for programs."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from confide.collect.field import Field
from confide.collect.form import Form
from confide.collect.records import left_out, readable
from confide.collect.store import Store
from confide.collect.survey import Survey
from confide.counts import Counts
from confide.crowd import Crowd, Estimate, Table
from confide.crowd.algebra import Algebra, Array
from confide.design import Design
from confide.errors import QueryError
from confide.mechanisms import Grid

_BARS = 16


@dataclass(frozen=True, eq=False)
class Collected:
    """The reports of a store, counted.

    Parameters
    ----------
    counts : Counts or None
        Those that can be read; None where there are none.
    damaged : int
        How many are left out because they cannot be read.
    """

    counts: Counts | None = None
    damaged: int = 0

    @property
    def n(self) -> int:
        """How many reports are counted."""
        return self.counts.n if self.counts else 0


def counted(form: Form, store: Store) -> Collected:
    """Count the reports of a store."""
    patterns = store.patterns()
    records, each = [record for record, _ in patterns], np.array([n for _, n in patterns], int)
    fits = readable(form, records)
    damaged = int(each[~fits].sum())
    if not fits.any():
        return Collected(None, damaged)
    table = form.table(b"".join(compress(records, fits)))
    codes = [_report_codes(field, table.column(field.name)) for field in form.fields]
    return Collected(Counts.gather(form.design, codes, each[fits]), damaged)


def _report_codes(field: Field, column: Any) -> Any:
    if field.finite:
        return np.asarray(column.combine_chunks().indices)
    return _report_grid(field).code(column.to_numpy())


def _report_grid(field: Field) -> Grid:
    grid = field.block.report_grid()
    assert grid is not None
    return grid


def from_url(design: Design, url: str) -> Counts:
    """Count the reports of a store: what ``Crowd(design, "sqlite:///survey.db")`` reads."""
    from confide.collect.store import open_store
    from confide.errors import ReportsError

    store = open_store(url, design)
    try:
        collected = counted(Form(design), store)
    finally:
        store.close()
    if collected.damaged:
        warnings.warn(left_out(collected.damaged), stacklevel=2)
    if collected.counts is None:
        raise ReportsError("there are no reports.")
    return collected.counts


def results(survey: Survey, collected: Collected) -> dict[str, Any]:
    """Every question's reports and estimates; nothing is estimated below the minimum."""
    counts, minimum = collected.counts, survey.page.minimum
    found: dict[str, Any] = {"n": collected.n, "damaged": collected.damaged, "minimum": minimum}
    found["questions"] = []
    if counts is not None and counts.n >= minimum:
        crowd = Crowd(survey.design, counts)
        found["questions"] = [_question(field, crowd, counts) for field in survey.form.fields]
    return found


def _question(field: Field, crowd: Crowd, counts: Counts) -> dict[str, Any]:
    described = {
        "name": field.name,
        "text": str(field.question.text or field.name),
        "disguised": field.disguised,
    }
    if field.finite:
        raw = counts.table([field.name])
        table = crowd.table([field.name])
        rows = [
            {"answer": label, "reports": int(count), "reported": count / counts.n, **_plain(e)}
            for label, count, e in zip(field.question.labels, raw, table.estimates, strict=True)
        ]
        return {**described, "rows": rows, "influence": influence(crowd.design, field.name)}
    if field.noise is None:
        return {**described, "rows": _number(field, counts), "influence": 1.0}
    try:
        return {**described, "rows": _noisy(field, crowd, counts), "influence": None}
    except QueryError as error:
        return {**described, "rows": [], "influence": None, "problem": str(error)}


def _noisy(field: Field, crowd: Crowd, counts: Counts) -> list[dict[str, Any]]:
    """A number with noise: its reports, those out of the range too, beside what they say."""
    found = crowd.distribution(field.name)
    place = np.searchsorted(found.edges, _report_grid(field).middles)
    raw = np.bincount(place, counts.table([field.name]), len(found.edges) + 1)
    labels = [f"below {field.question.low:g}", *found.labels, f"above {field.question.high:g}"]
    return _rows(labels, raw, np.pad(found.shares, 1), np.pad(found.standard_errors, 1), counts.n)


def _number(field: Field, counts: Counts) -> list[dict[str, Any]]:
    """A number in bars: its own intervals where only those are told, else even ones."""
    raw = counts.table([field.name])
    if field.edges is not None:
        labels = [field.words(code) for code in range(field.size)]
    else:
        starts = np.arange(0, len(raw), -(-len(raw) // _BARS))
        edges = field.question.grid.array[[*starts, -1]]
        raw = np.add.reduceat(raw, starts)
        labels = list(field.question.named(Grid(tuple(edges.tolist()))))
    shares = raw / counts.n  # nothing is disguised by chance here
    return _rows(labels, raw, shares, np.sqrt(shares * (1 - shares) / counts.n), counts.n)


def _rows(labels: list[str], raw: NDArray[Any], shares: Array, errors: Array, n: int) -> list[Any]:
    return [
        {
            "answer": label,
            "reports": int(count),
            "reported": count / n,
            **_plain(Estimate(float(share), float(error), n)),
        }
        for label, count, share, error in zip(labels, raw, shares, errors, strict=True)
    ]


def influence(design: Design, name: str) -> float:
    """How many times a true report's part in an estimate one false report can have.

    >>> import confide as cf
    >>> group = cf.Group(["a"], cf.RelatedQuestion("3/4"))
    >>> influence(cf.Design([cf.YesNo("a")], [group]), "a")
    2.0
    """
    algebra = Algebra(design, [name])
    inverse = np.stack([algebra.inverted(report) for report in np.eye(algebra.shape[0])])
    return float(np.ptp(inverse, axis=0).max())


def cross(survey: Survey, collected: Collected, questions: list[str]) -> dict[str, Any]:
    """The estimated cross table of some questions."""
    counts = collected.counts
    if counts is None or counts.n < survey.page.minimum:
        raise QueryError(f"nothing is estimated below {survey.page.minimum} reports.")
    table = Crowd(survey.design, counts).table(questions)
    return {"n": counts.n, "questions": questions, "method": table.method, "rows": _cells(table)}


def _cells(table: Table) -> list[dict[str, Any]]:
    return [
        {"answers": [str(cell) for cell in row[:-1]], **_plain(row[-1])} for row in table.rows()
    ]


def _plain(estimate: Estimate) -> dict[str, float]:
    low, high = estimate.interval()
    return {
        "share": estimate.value,
        "standard_error": estimate.standard_error,
        "low": low,
        "high": high,
    }
