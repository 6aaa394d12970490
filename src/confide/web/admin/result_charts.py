"""Results as the bars and tables that a page or a report draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from confide.files import Json
from confide.surveys.field import Field
from confide.surveys.written_numbers import write_number
from confide.web.admin.result_words import ResultWords, count_decimals

Truth = Mapping[str, Mapping[str, float]]
"""The true shares of a simulation: by question, by answer."""

_MOST_ROWS = 6  # of a question in the overview
_SCALES = (0.05, 0.1, 0.2, 0.5, 1.0)


@dataclass(frozen=True)
class Bar:
    """One answer: its name, its share in words, and what is drawn of it in percent of the width.

    One outside a number's range is reported only: noise moved it there.
    """

    label: str
    value: str
    span: str
    width: float
    ends: tuple[float, float] | None
    reported: str = ""
    reported_width: float = 0.0
    truth: str = ""
    truth_at: float | None = None
    outside: bool = False


def draw_bars(
    words: ResultWords,
    field: Field,
    rows: Sequence[Json],
    *,
    scale: float = 1.0,
    truth: Mapping[str, float] | None = None,
    digits: int | None = None,
) -> list[Bar]:
    """Draw the shares of a question's answers, one bar each, on a scale that ends at a share."""
    decimals = count_decimals(list(rows)) if digits is None else digits
    bars = []
    for row in rows:
        true = None if truth is None else truth.get(row["answer"])
        reported = row.get("reported")
        bars.append(
            Bar(
                words.answer(field, row["answer"]),
                words.percent(row["share"], decimals),
                words.span(row, decimals),
                _place(row["share"], scale),
                None
                if row["low"] is None
                else (_place(row["low"], scale), _place(row["high"], scale)),
                ""
                if reported is None
                else words.say("reported", share=words.percent(reported, decimals)),
                _place(reported or 0.0, scale),
                "" if true is None else words.say("truth_is", share=words.percent(true, decimals)),
                None if true is None else _place(true, scale),
                not field.finite and row["answer"].startswith(("below", "above")),
            )
        )
    return bars


def _place(share: float, scale: float) -> float:
    """Where a share is drawn, in percent of the width."""
    return round(100 * min(max(share / scale, 0.0), 1.0), 2)


def choose_scale(rows: Sequence[Json]) -> float:
    """Choose where the scale of some shares ends: a round share that holds all of them.

    >>> choose_scale([{"share": 0.07, "high": 0.12}, {"share": 0.01, "high": None}])
    0.2
    """
    most = max((max(row["share"], row["high"] or 0.0) for row in rows), default=1.0)
    return next((scale for scale in _SCALES if most <= scale), 1.0)


def show_question(
    words: ResultWords, field: Field, found: Json, truth: Truth | None, brief: bool
) -> Json:
    """Show one question: as a card of the overview, or with every answer."""
    rows, true = found["rows"], None if truth is None else truth.get(field.name)
    unit, histogram = words.unit(field), not field.finite
    scale = choose_scale(rows) if histogram else 1.0
    bars = draw_bars(words, field, rows, scale=scale, truth=true)
    shown, more = _choose_shown(field, rows, bars) if brief else (bars, 0)
    if histogram:  # reports that noise moved out of the range are nobody's true number
        shown = [bar for bar in bars if not bar.outside]
    summary = {key: words.amount(each, unit) for key, each in found["summary"].items()}
    return {
        "name": field.name,
        "text": words.name(field),
        "context": words.context(field),
        "unit": unit,
        "disguised": field.disguised,
        "histogram": histogram,
        "bars": shown,
        "rows": bars,
        "more": more,
        "summary": summary,
        "problem": found.get("problem", ""),
        "influence": found["influence"],
        "ends": _find_ends(words, field) if histogram else None,
        "reported": any("reports" in row for row in rows),
    }


def _choose_shown(field: Field, rows: Sequence[Json], bars: list[Bar]) -> tuple[list[Bar], int]:
    """Choose the bars of a card: a yes tells a no, and of many answers the first; how many not."""
    kept = [
        bar
        for row, bar in zip(rows, bars, strict=True)
        if row["answer"] != "no" or field.question.kind != "yes-no"
    ]
    if len(kept) <= _MOST_ROWS or not field.finite:
        return kept, 0
    return kept[: _MOST_ROWS - 1], len(kept) - _MOST_ROWS + 1


def _find_ends(words: ResultWords, field: Field) -> tuple[str, str]:
    """The ends of a number's range."""
    low, high = (write_number(end, words.marks) for end in (field.number.low, field.number.high))
    return low, high
