"""What the reports say so far, as plain values: for the dashboard and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from confide.arrays import Z95, Array
from confide.counts import Counts
from confide.counts.stores import CountedStore
from confide.crowd import Crowd, Estimate
from confide.crowd.estimate import Approximation
from confide.design import Choice, Design, Number
from confide.errors import QueryError
from confide.estimators.table_channel import TableChannel
from confide.files import Json
from confide.mechanisms import Grid
from confide.surveys.field import Field
from confide.surveys.survey import Survey
from confide.web.admin.bars import MOST, cut_into_bars, cut_numbers, find_bars

Bounds = tuple[float, float] | None

_TENTH = 0.1  # one report that differs makes a standard error of one report at least
_SEEN = (0.0, 1.0)  # what a report in the clear adds to an estimate: nothing, or itself


def _find_report_grid(field: Field) -> Grid:
    grid = field.block.report_grid()
    assert grid is not None
    return grid


def estimate_questions(survey: Survey, collected: CountedStore) -> Json:
    """Estimate every question beside its reports; nothing is estimated below the minimum."""
    counts, minimum = collected.counts, survey.page.minimum
    found: Json = {"n": collected.n, "damaged": collected.damaged, "minimum": minimum}
    found["questions"] = []
    if counts is not None and counts.n >= minimum:
        crowd = Crowd(survey.design, counts)
        found["questions"] = [
            _estimate_question(field, crowd, counts) for field in survey.questionnaire.fields
        ]
    return found


def _estimate_question(field: Field, crowd: Crowd, counts: Counts) -> Json:
    described = {
        "name": field.name,
        "text": str(field.question.text or field.name),
        "unit": field.question.unit,
        "disguised": field.disguised,
    }
    if field.finite:
        return {**described, **_estimate_options(field, crowd, counts)}
    if field.noise is None:
        return {**described, "rows": _estimate_clear_number(field, counts), "influence": 1.0}
    try:
        return {
            **described,
            "rows": _estimate_noisy_number(field, crowd, counts),
            "influence": None,
        }
    except QueryError as error:
        return {**described, "rows": [], "influence": None, "problem": str(error)}


def _estimate_options(field: Field, crowd: Crowd, counts: Counts) -> Json:
    """Estimate a question with options, beside what was reported."""
    raw, estimates = counts.table([field.name]), crowd.table([field.name]).estimates
    inverse = _compute_report_weights(crowd.design, field.name)
    rows = [
        {
            "answer": label,
            "reports": int(count),
            "reported": count / counts.n,
            **_to_dict(estimate, (float(weights.min()), float(weights.max()))),
        }
        for label, count, estimate, weights in zip(
            field.question.labels, raw, estimates, inverse.T, strict=True
        )
    ]
    return {"rows": rows, "influence": compute_influence(crowd.design, field.name)}


def _estimate_noisy_number(field: Field, crowd: Crowd, counts: Counts) -> list[Json]:
    """Estimate a number with noise, beside its reports, those out of the range too."""
    found = crowd.distribution(field.name, MOST if counts.n > 100 * MOST else None)
    place = np.searchsorted(found.edges, _find_report_grid(field).middles)
    raw: Array = np.bincount(place, counts.table([field.name]), len(found.edges) + 1).astype(float)
    low, high = (f"{end:.10g}" for end in (field.number.low, field.number.high))
    labels = [f"below {low}", *found.labels, f"above {high}"]
    shares, errors = np.pad(found.shares, 1), np.pad(found.standard_errors, 1)
    cells = zip(shares.tolist(), errors.tolist(), strict=True)
    return _make_rows(labels, raw, [Approximation(*cell, counts.n) for cell in cells], None)


def _estimate_clear_number(field: Field, counts: Counts) -> list[Json]:
    """Estimate a number without noise, in bars: the reported intervals, or even ones."""
    starts, labels = find_bars(field)
    raw = np.add.reduceat(counts.table([field.name]), starts)
    if len(labels) == 1:  # there is nothing else to be
        return _make_rows(labels, raw, [Estimate(1.0, 0.0, counts.n)], _SEEN)
    bars = Design([Choice(field.name, labels, ordered=True)])
    codes = np.arange(len(labels))
    crowd = Crowd(bars, Counts.gather(bars, [codes], raw.astype(np.int64)))
    return _make_rows(labels, raw, crowd.table([field.name]).estimates, _SEEN)


def _make_rows(
    labels: list[str], raw: Array, estimates: Sequence[Estimate], bounds: Bounds
) -> list[Json]:
    return [
        {
            "answer": label,
            "reports": int(count),
            "reported": count / estimate.n,
            **_to_dict(estimate, bounds),
        }
        for label, count, estimate in zip(labels, raw, estimates, strict=True)
    ]


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


def estimate_cross_table(survey: Survey, collected: CountedStore, questions: list[str]) -> Json:
    """Estimate the cross table of some questions, as fine as the design tells numbers apart."""
    counts = _require_enough(survey, collected)
    table = Crowd(survey.design, counts).table(questions)
    rows = [
        {"answers": [str(cell) for cell in row[:-1]], **_to_dict(row[-1], None)}
        for row in table.rows()
    ]
    return {"n": counts.n, "questions": questions, "method": table.method, "rows": rows}


def estimate_cross_table_in_bars(
    survey: Survey, collected: CountedStore, questions: list[str]
) -> Json:
    """Estimate the cross table of two questions, numbers in bars."""
    counts = cut_numbers(survey.questionnaire, _require_enough(survey, collected))
    table = Crowd(counts.design, counts).table(questions)
    asked = [survey.questionnaire.fields[survey.design.position(name)] for name in questions]
    bounds = None if any(field.disguised for field in asked) else _SEEN
    labels, values, variances = [], table.values, table.standard_errors**2
    for axis, name in enumerate(questions):
        question = counts.design.question(name)
        if not isinstance(question, Number):
            labels.append(list(question.labels))
            continue
        starts, named = cut_into_bars(question, table.grids.get(name, question.grid))
        labels.append(named)
        # errors of neighbours under noise go against each other: their sum has at most this one
        values = np.add.reduceat(values, starts, axis=axis)
        variances = np.add.reduceat(variances, starts, axis=axis)
    estimates = table.estimates
    if values is not table.values:  # the intervals of neighbours do not add up, their errors do
        cells = zip(values.ravel(), np.sqrt(variances).ravel(), strict=True)
        estimates = [Approximation(float(value), float(error), counts.n) for value, error in cells]
    rows = [
        {"answers": list(answers), **_to_dict(estimate, bounds)}
        for answers, estimate in zip(product(*labels), estimates, strict=True)
    ]
    units = [field.question.unit for field in asked]
    axes = [f"{n} ({u})" if u else n for n, u in zip(questions, units, strict=True)]
    return {"n": counts.n, "questions": questions, "axes": axes, "labels": labels, "rows": rows}


def _require_enough(survey: Survey, collected: CountedStore) -> Counts:
    """Give the counts; refuse them where they are too few to say anything of anyone."""
    if collected.counts is None or collected.n < survey.page.minimum:
        raise QueryError(f"nothing is estimated below {survey.page.minimum} reports.")
    return collected.counts


def _to_dict(estimate: Estimate, bounds: Bounds) -> dict[str, float | None]:
    """Give an estimate as plain values, for programs and for the dashboard.

    Where all reports are alike the standard error is 0 and tells nothing; so does one of far less
    than a report, which only iteration leaves over. The interval is then that of the score test,
    from the least and the most that one report can say; None where that is not known.
    """
    value = estimate.value
    ends: tuple[float | None, float | None] = estimate.known_interval() or (None, None)
    if estimate.standard_error * estimate.n < _TENTH:
        ends = (None, None)
        if bounds is not None:
            least, most = bounds
            reach = (most - least) * Z95**2 / (estimate.n + Z95**2)
            low, high = max(least, value - reach), min(most, value + reach)
            ends = min(low, value), max(high, value)  # where rounding put it outside
    found = {"share": value, "standard_error": estimate.standard_error}
    return {**found, "low": ends[0], "high": ends[1]}
