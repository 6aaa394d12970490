"""What the reports say so far, as plain values: for the results' pages and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from confide.arrays import Z95, Array
from confide.counts.stores import CountedStore
from confide.crowd import Crowd, Estimate
from confide.crowd.estimate import Approximation
from confide.design import Design
from confide.errors import QueryError
from confide.estimators.table_channel import TableChannel
from confide.files import Json
from confide.mechanisms import Grid
from confide.surveys.field import Field
from confide.surveys.survey import Survey
from confide.web.admin.bars import MOST, find_bars
from confide.web.admin.shown_people import (
    ShownPeople,
    TooFewPeopleError,
    check_enough,
    check_given,
)

Bounds = tuple[float, float] | None

_LEAST_ERROR = 0.1  # reports: with a single one that differs, a standard error is larger
_SEEN = (0.0, 1.0)  # what a report in the clear adds to an estimate: nothing, or itself
_QUANTILES = {"median": 0.5, "lower": 0.25, "upper": 0.75}


def estimate_questions(survey: Survey, collected: CountedStore) -> Json:
    """Estimate every question beside its reports; nothing is estimated below the minimum."""
    minimum = survey.page.minimum
    found: Json = {"n": collected.n, "damaged": collected.damaged, "minimum": minimum}
    if collected.counts is None or collected.n < minimum:
        return {**found, "questions": []}
    people = ShownPeople(survey, collected.counts)
    fields = survey.questionnaire.fields
    return {**found, "questions": [estimate_question(people, field) for field in fields]}


@lru_cache(maxsize=256)  # people and questions are told apart by identity: the same ask again
def estimate_question(people: ShownPeople, field: Field) -> Json:
    """Estimate one question among some people; beside its reports where these are all people."""
    described: Json = {
        "name": field.name,
        "text": str(field.question.text or field.name),
        "unit": field.question.unit,
        "disguised": field.disguised,
        "influence": _find_influence(people.survey.design, field),
    }
    try:
        rows = (
            _estimate_options(people, field)
            if field.noise is None
            else _estimate_noisy_number(people, field)
        )
        if field.name in people.survey.design.declines:
            described["given"] = people.count_given([field.name])
        return {**described, "rows": rows, "summary": _summarize_number(people, field)}
    except TooFewPeopleError:
        raise
    except QueryError as error:
        return {**described, "rows": [], "summary": {}, "problem": str(error)}


def _find_influence(design: Design, field: Field) -> float | None:
    if field.noise is not None:
        return None
    return compute_influence(design, field.name) if field.disguised else 1.0


def _estimate_options(people: ShownPeople, field: Field) -> list[Json]:
    """Estimate a question with options, or a number without noise in bars."""
    crowd, n = people.crowd, people.counts.n
    labels = list(map(str, field.question.labels)) if field.finite else find_bars(field)[1]
    if len(labels) == 1:  # there is nothing else to be
        return [_make_row(labels[0], n, Estimate(1.0, 0.0, n), _SEEN)]
    bounds: list[Bounds] = [None] * len(labels)
    raw: list[int | None] = [None] * len(labels)
    if not people.conditions:
        raw = [int(count) for count in crowd.counts[0].table([field.name])]
        bounds = [_SEEN] * len(labels)
        if field.disguised:
            weights = _compute_report_weights(people.survey.design, field.name)
            bounds = list(zip(weights.min(axis=0), weights.max(axis=0), strict=True))
    rows = zip(labels, raw, crowd.table([field.name]).estimates, bounds, strict=True)
    return [_make_row(*row) for row in rows]


def _estimate_noisy_number(people: ShownPeople, field: Field) -> list[Json]:
    """Estimate a number with noise; for everybody beside its reports, those out of range too."""
    n = people.counts.n
    found = people.crowd.distribution(field.name, MOST if n > 100 * MOST else None)
    check_given(people.survey, found.n)
    if people.conditions or field.name in people.survey.design.declines:  # not everybody's reports
        pairs = zip(found.labels, found.estimates, strict=True)
        return [_make_row(label, None, estimate, None) for label, estimate in pairs]
    place = np.searchsorted(found.edges, _find_report_grid(field).middles)
    counted = people.counts.table([field.name])
    raw: Array = np.bincount(place, counted, len(found.edges) + 1).astype(float)
    low, high = (f"{end:.10g}" for end in (field.number.low, field.number.high))
    labels = [f"below {low}", *found.labels, f"above {high}"]
    none = Approximation(0.0, 0.0, n)
    estimates = [none, *found.estimates, none]
    rows = zip(labels, raw, estimates, strict=True)
    return [_make_row(label, int(count), estimate, None) for label, count, estimate in rows]


def _find_report_grid(field: Field) -> Grid:
    grid = field.block.report_grid()
    assert grid is not None
    return grid


def _summarize_number(people: ShownPeople, field: Field) -> Json:
    """The mean, the median and the quartiles of a number, where reports tell it finer than bars."""
    if field.finite or field.edges is not None:
        return {}
    found = people.cut(whole=field.name).distribution(field.name)
    values = {"mean": found.mean} | {key: found.quantile(at) for key, at in _QUANTILES.items()}
    return {key: describe_estimate(value) for key, value in values.items()}


def _make_row(label: str, raw: int | None, estimate: Estimate, bounds: Bounds) -> Json:
    reported = None if raw is None else raw / estimate.n
    seen = {} if raw is None else {"reports": raw, "reported": reported}
    return {"answer": label, **seen, **describe_estimate(estimate, bounds)}


def compute_influence(design: Design, name: str) -> float:
    """How many times a true report's part in an estimate one false report can have.

    >>> import confide as cf
    >>> group = cf.Group(["a"], cf.RelatedQuestion("3/4"))
    >>> compute_influence(cf.Design([cf.YesNo("a")], [group]), "a")
    2.0
    """
    return float(np.ptp(_compute_report_weights(design, name), axis=0).max())


def _compute_report_weights(design: Design, name: str) -> Array:
    """Compute how much each report adds to the estimate of each option: one row per report."""
    channel = TableChannel(design, [name])
    return np.stack([channel.invert(report) for report in np.eye(channel.shape[0])])


def estimate_joint_table(survey: Survey, collected: CountedStore, questions: Sequence[str]) -> Json:
    """Estimate some questions together, as fine as the design tells numbers apart."""
    check_enough(survey, collected.n)
    assert collected.counts is not None
    table = Crowd(survey.design, collected.counts).table(questions)
    rows = [
        {"answers": [str(cell) for cell in row[:-1]], **describe_estimate(row[-1])}
        for row in table.rows()
    ]
    return {"n": collected.n, "questions": list(questions), "method": table.method, "rows": rows}


def describe_estimate(estimate: Estimate, bounds: Bounds = None) -> Json:
    """Give an estimate as plain values, for programs and for the results' pages.

    Where all reports are alike the standard error is 0 and tells nothing; so does one of far less
    than a report, which only iteration leaves over. The interval is then that of the score test,
    from ``bounds``, the least and the most that one report can say; None where they are not known.
    """
    value = estimate.value
    ends: tuple[float | None, float | None] = estimate.known_interval() or (None, None)
    if estimate.standard_error * estimate.n < _LEAST_ERROR:
        ends = (None, None)
        if bounds is not None:
            least, most = bounds
            reach = (most - least) * Z95**2 / (estimate.n + Z95**2)
            low, high = max(least, value - reach), min(most, value + reach)
            ends = min(low, value), max(high, value)  # where rounding put it outside
    found = {"share": value, "standard_error": estimate.standard_error}
    return {**found, "low": ends[0], "high": ends[1]}
