"""A design as plain values, with the keys that survey files have in TOML and in JSON, and back."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from functools import cache
from inspect import signature
from itertools import islice
from typing import Any, TypeVar

from confide.design.design import Design, Group, find_problems
from confide.design.questions import Choice, Number, Question, YesNo
from confide.errors import DesignError, show
from confide.mechanisms import MECHANISMS

QUESTIONS: tuple[type[Question], ...] = (YesNo, Choice, Number)
_FIELDS = {"options": "choices"}  # a key whose field has another name
# "page" is how the web app presents the survey: no part of the design
_TOP = ("$schema", "title", "question", "group", "page")
_MOST_PROBLEMS = 100

_Read = TypeVar("_Read")


def to_dict(design: Design) -> dict[str, Any]:
    """The design as plain values, without whatever has its default."""
    survey: dict[str, Any] = {"title": design.title} if design.title else {}
    survey["question"] = [_question_to_dict(question) for question in design.questions]
    if design.groups:
        survey["group"] = [
            {
                "questions": list(group.questions),
                "mechanism": group.mechanism.kind,
                **group.mechanism.parameters(),
            }
            for group in design.groups
        ]
    return survey


def _question_to_dict(question: Question) -> dict[str, Any]:
    described: dict[str, Any] = {"name": question.name, "kind": question.kind}
    kind: type = type(question)
    for key, field in zip(_keys(kind), fields(question), strict=True):
        value = getattr(question, field.name)
        if value != field.default:
            described[key] = list(value) if isinstance(value, tuple) else value
    return described


def canonical_json(design: Design) -> str:
    """The text whose SHA-256 is the fingerprint."""
    return json.dumps(to_dict(design), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def from_dict(survey: Any, where: str = "the survey") -> Design:
    """Read plain values as `to_dict` writes them; every mistake is named with its place."""
    design, problems = read_design(survey)
    if design is None:
        raise DesignError(f"{where}: {problems[0]}")
    return design


def read_design(survey: Any) -> tuple[Design | None, list[str]]:
    """Read plain values as a design; where that fails, give all reasons, each with its place."""
    if not isinstance(survey, dict):
        return None, ["a survey must be a table with questions."]
    problems: list[str] = []
    try:
        _check_keys(survey, dict.fromkeys(_TOP, False), "the survey")
        if not isinstance(survey.get("$schema", ""), str):
            raise DesignError("$schema must be a text.")
    except DesignError as error:
        problems.append(str(error))
    questions = _entries(survey, "question", _question, problems)
    groups = _entries(survey, "group", _group, problems)
    title = survey.get("title", "")
    if not problems:
        try:
            return Design(questions, groups, title), []
        except DesignError:
            problems += islice(find_problems(questions, groups, title), _MOST_PROBLEMS)
    return None, problems[:_MOST_PROBLEMS]


def _entries(
    survey: dict[str, Any], key: str, read: Callable[[dict[str, Any]], _Read], problems: list[str]
) -> list[_Read]:
    """The questions or groups that can be read; what is wrong with the others is noted."""
    entries = survey.get(key, [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        problems.append(f"write each {key} under its own [[{key}]].")
        return []
    found = []
    for number, entry in enumerate(entries, 1):
        try:
            found.append(read(entry))
        except DesignError as error:
            name = entry.get("name")
            named = f" ({name[:60]})" if isinstance(name, str) else ""
            problems.append(f"{key} {number}{named}: {error}")
    return found


def _question(entry: dict[str, Any]) -> Question:
    kind = _kind(entry, "kind", QUESTIONS)
    given = {_FIELDS.get(key, key): value for key, value in entry.items() if key != "kind"}
    _check_keys(entry, {"kind": True, **_keys(kind)}, "this question")
    return kind(**given)


def _group(entry: dict[str, Any]) -> Group:
    mechanism = _kind(entry, "mechanism", MECHANISMS)
    _check_keys(entry, {"questions": True, "mechanism": True, **_keys(mechanism)}, "this group")
    parameters = {k: v for k, v in entry.items() if k not in ("questions", "mechanism")}
    if not isinstance(entry["questions"], list):
        raise DesignError('questions must be a list of names such as ["cheated"].')
    return Group(entry["questions"], mechanism.from_parameters(parameters))


def _kind(entry: dict[str, Any], key: str, kinds: tuple[Any, ...]) -> Any:
    for kind in kinds:
        if kind.kind == entry.get(key):
            return kind
    known = ", ".join(kind.kind for kind in kinds)
    got = show(entry[key]) if key in entry else "nothing"
    raise DesignError(f"{key} must be one of {known}. Got {got}.")


@cache
def _keys(kind: type) -> dict[str, bool]:
    """The keys of a question or mechanism in a file, and whether it needs them."""
    names = {field: key for key, field in _FIELDS.items()}
    return {
        names.get(name, name): parameter.default is parameter.empty
        for name, parameter in signature(kind).parameters.items()
    }


def _check_keys(entry: dict[str, Any], known: dict[str, bool], where: str) -> None:
    for key in entry:
        if key not in known:
            raise DesignError(
                f"{where} has the unknown key {show(key)}. Known are {', '.join(sorted(known))}."
            )
    for key, needed in known.items():
        if needed and key not in entry:
            raise DesignError(f"{where} lacks the key {key!r}.")
        if key in entry and entry[key] is None:
            raise DesignError(f"{where} has no value for the key {key!r}. Leave the key out.")
