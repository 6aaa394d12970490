"""A design as plain values, with the keys that survey files have in TOML and in JSON, and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import TypeVar

from confide.design.design import Design
from confide.design.group import Group
from confide.design.questions import QUESTIONS, Question
from confide.design.soundness import find_problems
from confide.errors import DesignError, show
from confide.files import Json
from confide.mechanisms import MECHANISMS, Mechanism

# "page" is how the web app presents the survey: no part of the design
_TOP = ("$schema", "title", "question", "group", "page")
MOST_PROBLEMS = 100
"""More than these are not listed."""

_Read = TypeVar("_Read")
_Kind = TypeVar("_Kind", Question, Mechanism)


def to_dict(design: Design) -> Json:
    """The design as plain values, without whatever has its default."""
    survey: Json = {"title": design.title} if design.title else {}
    survey["question"] = [
        {"name": question.name, "kind": question.kind, **question.parameters()}
        for question in design.questions
    ]
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


def canonical_json(design: Design) -> str:
    """The text whose SHA-256 is the fingerprint."""
    return json.dumps(to_dict(design), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def from_dict(survey: object, where: str = "the survey") -> Design:
    """Read plain values as `to_dict` writes them; every mistake is named with its place."""
    design, problems = read_design(survey)
    if design is None:
        raise DesignError(f"{where}: {problems[0]}")
    return design


def read_design(survey: object) -> tuple[Design | None, list[str]]:
    """Read plain values as a design; where that fails, give all reasons, each with its place."""
    if not isinstance(survey, dict):
        return None, ["a survey must be a table with questions."]
    problems: list[str] = []
    try:
        _check_keys(survey, (), _TOP, "the survey")
        if not isinstance(survey.get("$schema", ""), str):
            raise DesignError("$schema must be a text.")
    except DesignError as error:
        problems.append(str(error))
    questions = _read_entries(survey, "question", _read_question, problems)
    groups = _read_entries(survey, "group", _read_group, problems)
    title = survey.get("title", "")
    if not problems:
        try:
            return Design(questions, groups, title), []
        except DesignError:
            problems += islice(find_problems(questions, groups, title), MOST_PROBLEMS)
    return None, problems[:MOST_PROBLEMS]


def _read_entries(
    survey: Json, key: str, read: Callable[[Json], _Read], problems: list[str]
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


def _read_question(entry: Json) -> Question:
    kind = _find_kind(entry, "kind", QUESTIONS)
    _check_keys(entry, ("kind", *kind.needed_keys), kind.optional_keys, "this question")
    return kind.from_parameters({key: value for key, value in entry.items() if key != "kind"})


def _read_group(entry: Json) -> Group:
    own = ("questions", "mechanism")
    kind = _find_kind(entry, "mechanism", MECHANISMS)
    _check_keys(entry, (*own, *kind.needed_keys), kind.optional_keys, "this group")
    if not isinstance(entry["questions"], list):
        raise DesignError('questions must be a list of names such as ["cheated"].')
    parameters = {key: value for key, value in entry.items() if key not in own}
    return Group(entry["questions"], kind.from_parameters(parameters))


def _find_kind(entry: Json, key: str, kinds: Sequence[type[_Kind]]) -> type[_Kind]:
    for kind in kinds:
        if kind.kind == entry.get(key):
            return kind
    known = ", ".join(kind.kind for kind in kinds)
    got = show(entry[key]) if key in entry else "nothing"
    raise DesignError(f"{key} must be one of {known}. Got {got}.")


def _check_keys(entry: Json, needed: Iterable[str], optional: Iterable[str], where: str) -> None:
    known = [*needed, *optional]
    for key in entry:
        if key not in known:
            raise DesignError(
                f"{where} has the unknown key {show(key)}. Known are {', '.join(sorted(known))}."
            )
    for key in known:
        if key in needed and key not in entry:
            raise DesignError(f"{where} lacks the key {key!r}.")
        if key in entry and entry[key] is None:
            raise DesignError(f"{where} has no value for the key {key!r}. Leave the key out.")
