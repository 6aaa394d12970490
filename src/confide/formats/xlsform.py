"""XLSForm workbooks ↔ surveys as plain values.

Read are select_one, integer and decimal with a constraint such as ``. >= 16 and . <= 80``, and
range, in groups or not. The design's own groups stand in a sheet ``confide``: one row per group,
with the columns questions, mechanism, and parameters as a JSON object. A number's unit, and what
tells whether it is missing, stand in the columns ``unit`` and ``missing`` of the sheet
``survey``; options that rise have the appearance ``likert``.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal

from confide.errors import DesignError, show
from confide.files import Json, read_json
from confide.formats import PREFER_NOT
from confide.formats.forms import (
    NO_BRANCHING,
    NO_QUOTING,
    UNKNOWN,
    Names,
    check_form_kind,
    check_question_count,
    explain_refusal,
    find_disguised_names,
    make_finite_entry,
)
from confide.formats.workbook import Row, Rows, read_workbook, write_workbook

_REFUSED_SHEETS = ("entities", "external_choices", "osm")
_CONTAINER = {"type", "name", "label", "hint", "appearance"}
_QUESTION = {*_CONTAINER, "required", "required_message", "constraint_message"}
_OWN = ("unit", "missing")  # of numbers, which XLSForm does not have
_CERTAIN = {"yes", "no", "true", "false", "true()", "false()"}
_RANGE = {"start": "low", "end": "high", "step": "step"}
_RANGE_DEFAULTS = {"start": "1", "end": "10", "step": "1"}

_SELECT = re.compile(r"select[ _]one(?: from)? (\S+)", re.IGNORECASE)
_NUMBER = r"-?(?:[0-9]{1,17}(?:\.[0-9]{1,400})?|\.[0-9]{1,400})"
_BOUND = rf"\.\s*([<>]=?)\s*({_NUMBER})"
_CONSTRAINT = re.compile(rf"{_BOUND}\s+and\s+{_BOUND}")


def to_survey(content: bytes) -> Json:
    """Read a workbook as a survey; whatever cannot be taken over is refused with its place."""
    sheets = read_workbook(content)
    for sheet in _REFUSED_SHEETS:
        if sheets.get(sheet):
            raise DesignError(f"sheet {sheet} is not supported: {UNKNOWN}")
    return _Reader(sheets).read_survey()


class _Reader:
    """Reads one workbook; it knows the names of all questions and which are disguised."""

    def __init__(self, sheets: dict[str, Rows]) -> None:
        self.sheets = sheets
        self.groups = read_groups(sheets.get("confide", []))
        self.disguised = find_disguised_names(self.groups)
        rows = [row for _, row in sheets.get("survey", [])]
        check_question_count(len(rows))
        self.names = Names(name for row in rows if (name := _find_name(row)))
        self.lists: dict[str, Rows] = {}
        for place, row in sheets.get("choices", []):
            self.lists.setdefault(str(row.get("list_name")).strip(), []).append((place, row))

    def read_survey(self) -> Json:
        survey: Json = {}
        for place, row in self.sheets.get("settings", []):
            self.check_columns(place, row, set(row))
            if "form_title" in row:
                survey["title"] = str(row["form_title"])
        entries = [self.read_entry(place, row) for place, row in self.sheets.get("survey", [])]
        survey["question"] = [entry for entry in entries if entry is not None]
        return {**survey, "group": self.groups} if self.groups else survey

    def read_entry(self, place: str, row: Row) -> Json | None:
        """Read the question of a row; None where a group of the form begins or ends."""
        place = f"{place} ({_find_name(row) or ''})"
        given = " ".join(str(row.get("type", "")).split())
        kind = given.lower().replace("_", " ")
        if kind in ("begin group", "end group"):
            self.check_columns(place, row, _CONTAINER)
            return None
        if select := _SELECT.fullmatch(given):
            self.check_columns(place, row, _QUESTION)
            ordered = "likert" in str(row.get("appearance", "")).split()
            return make_finite_entry(
                _find_name(row), _read_text(row), self.read_options(select[1]), ordered
            )
        if kind in ("integer", "decimal"):
            self.check_columns(place, row, {*_QUESTION, "constraint", *_OWN})
            return read_ranged_entry(place, row, kind)
        if kind == "range":
            self.check_columns(place, row, {*_QUESTION, "parameters", *_OWN})
            return read_ranged_entry(place, row, kind)
        raise DesignError(
            f"{place}, column type: {show(given)} is not supported. Supported are select_one, "
            "integer, decimal, range and groups."
        )

    def read_options(self, name: str) -> list[str | int]:
        """Read what people see of each choice of a list."""
        choices = self.lists.get(name, [])
        for place, row in choices:
            self.check_columns(place, row, {"list_name", "name", "label"})
        return [read_option(row.get("label", row.get("name"))) for _, row in choices]

    def check_columns(self, place: str, row: Row, known: set[str]) -> None:
        for column, value in row.items():
            where = f"{place}, column {column}"
            if column not in known:
                reason = NO_BRANCHING if "relevan" in column else UNKNOWN
                raise explain_refusal(where, value, self.disguised, reason)
            if column == "required" and str(value).strip().lower() not in _CERTAIN:
                raise explain_refusal(where, value, self.disguised, NO_BRANCHING)
            if self.names.find_mentioned(str(value)):
                reason = NO_QUOTING if column in ("label", "hint") else NO_BRANCHING
                raise explain_refusal(where, str(value), self.disguised, reason)


def read_groups(rows: Rows) -> list[Json]:
    """Read the design's groups from the sheet confide."""
    return [_read_group(place, row) for place, row in rows]


def _read_group(place: str, row: Row) -> Json:
    """Read a group of the design from its row in the sheet confide."""
    if not {"questions", "mechanism"} <= set(row) <= {"questions", "mechanism", "parameters"}:
        raise DesignError(f"{place} must have the columns questions, mechanism and parameters.")
    try:
        parameters = read_json(str(row.get("parameters", "{}")))
        if not isinstance(parameters, dict):
            raise ValueError("it must be an object")
    except (ValueError, RecursionError) as error:
        example = '{"truth": "3/4"}'
        reason = f"must be JSON such as {example}: {error}"
        raise DesignError(f"{place}, column parameters {reason}.") from None
    names = re.split(r"[\s,]+", str(row["questions"]).strip())
    return {**parameters, "questions": names, "mechanism": str(row["mechanism"]).strip()}


def _find_name(row: Row) -> str | None:
    return str(row["name"]).strip() if "name" in row else None


def _read_text(row: Row) -> str:
    """Read what people see before they answer; a label that only repeats the name is left out."""
    label = str(row.get("label", ""))
    lines = ["" if label == _find_name(row) else label, str(row.get("hint", ""))]
    return "\n".join(line for line in lines if line)


def read_option(value: object) -> str | int:
    """Read a choice as people see it in its cell."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return int(value)
    return str(value).strip()


def read_ranged_entry(place: str, row: Row, kind: str) -> Json:
    """Read a number of the kind integer, decimal or range, which must say its range."""
    if kind == "range":
        limits = _read_range(place, row)
    else:
        limits = _read_constraint(place, row, whole=kind != "decimal")
    entry = {"name": _find_name(row), "kind": "number", **limits}
    texts = {"text": _read_text(row)} | {key: str(row.get(key, "")) for key in _OWN}
    return entry | {key: text for key, text in texts.items() if text}


def _read_constraint(place: str, row: Row, whole: bool) -> Json:
    """Read the range that a constraint such as ``. >= 16 and . <= 80`` allows."""
    found = _CONSTRAINT.fullmatch(" ".join(str(row.get("constraint", "")).split()))
    ends = {found[1][0]: found.group(1, 2), found[3][0]: found.group(3, 4)} if found else {}
    # of broken numbers there is none next to an end that is left out
    sound = all("." not in number if whole else "=" in sign for sign, number in ends.values())
    if len(ends) < 2 or not sound:
        kind = "whole numbers" if whole else "numbers"
        raise DesignError(
            f'{place}, column constraint must give the range of {kind}, such as ". >= 16 and '
            f'. <= 80". Got {show(row.get("constraint"))}.'
        )
    low, high = _read_number(ends[">"][1]), _read_number(ends["<"][1])
    if not whole:
        return {"low": low, "high": high}
    return {"low": low + (ends[">"][0] == ">"), "high": high - (ends["<"][0] == "<"), "step": 1}


def _read_range(place: str, row: Row) -> Json:
    """Read the range that parameters such as ``start=0 end=10 step=0.5`` give."""
    text = "=".join(part.strip() for part in str(row.get("parameters", "")).split("="))
    pairs = [pair.partition("=") for pair in re.split(r"[\s,;]+", text) if pair]
    given = _RANGE_DEFAULTS | {key: value for key, _, value in pairs}
    if set(given) != set(_RANGE) or not all(re.fullmatch(_NUMBER, v) for v in given.values()):
        raise DesignError(
            f"{place}, column parameters must be numbers such as start=0 end=10 step=0.5. "
            f"Got {show(row.get('parameters'))}."
        )
    return {_RANGE[key]: _read_number(value) for key, value in given.items()}


def _read_number(number: str) -> int | float:
    return float(number) if "." in number else int(number)


def _write_number(number: float) -> str:
    """A number as XPath knows it: without an exponent.

    >>> _write_number(0.00001)
    '0.00001'
    """
    return format(Decimal(repr(number)), "f")


def to_workbook(survey: Json) -> bytes:
    """Write a survey as a workbook that XLSForm tools show, and `to_survey` reads back the same."""
    sheets: dict[str, list[Json]] = {
        "survey": [_write_row(entry) for entry in survey["question"]],
        "choices": [
            choice
            for entry in survey["question"]
            if entry["kind"] != "number"
            for choice in _write_choices(entry)
        ],
    }
    if "title" in survey:
        sheets["settings"] = [{"form_title": survey["title"]}]
    if "group" in survey:
        sheets["confide"] = [_write_group(group) for group in survey["group"]]
    return write_workbook({name: rows for name, rows in sheets.items() if rows})


def _write_row(entry: Json) -> Row:
    check_form_kind(entry)
    common = {"name": entry["name"], "label": entry.get("text", entry["name"]), "required": "yes"}
    if entry["kind"] != "number":
        ordered = {"appearance": "likert"} if "ordered" in entry else {}
        return {"type": f"select_one {entry['name']}", **common, **ordered}
    common |= {key: entry[key] for key in _OWN if key in entry}
    common["required"] = "no" if "missing" in entry else "yes"
    low, high = _write_number(entry["low"]), _write_number(entry["high"])
    if entry.get("step", 1) != 1 or ("step" in entry and "." in low + high):
        parameters = f"start={low} end={high} step={_write_number(entry['step'])}"
        return {"type": "range", **common, "parameters": parameters}
    kind = "integer" if "step" in entry else "decimal"
    return {"type": kind, **common, "constraint": f". >= {low} and . <= {high}"}


def _write_choices(entry: Json) -> list[Row]:
    options = [*entry.get("options", ["yes", "no"])]
    options += [PREFER_NOT] if "missing" in entry else []
    return [{"list_name": entry["name"], "name": option, "label": option} for option in options]


def _write_group(group: Json) -> Row:
    parameters = {k: v for k, v in group.items() if k not in ("questions", "mechanism")}
    return {
        "questions": " ".join(group["questions"]),
        "mechanism": group["mechanism"],
        "parameters": json.dumps(parameters, ensure_ascii=False),
    }
