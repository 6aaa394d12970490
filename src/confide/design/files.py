"""Survey files: the design as TOML for people and as JSON for programs, with the same keys."""

from __future__ import annotations

import json
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

from confide.design.design import Design, Group
from confide.design.questions import Choice, Number, Question, YesNo
from confide.design.toml import to_toml
from confide.design.writing import written_safely
from confide.errors import ConfideError, DesignError
from confide.mechanisms import MECHANISMS

LARGEST_FILE = 1 << 20
QUESTIONS: tuple[type[Question], ...] = (YesNo, Choice, Number)
_FILE_NAMES = {"choices": "options"}  # a field whose name in the file differs


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
    for field in fields(question)[1:]:
        value = getattr(question, field.name)
        if value != field.default:
            plain = list(value) if isinstance(value, tuple) else value
            described[_FILE_NAMES.get(field.name, field.name)] = plain
    return described


def canonical_json(design: Design) -> str:
    """The text whose SHA-256 is the fingerprint."""
    return json.dumps(to_dict(design), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def from_dict(survey: Any, where: str = "the survey") -> Design:
    """Read plain values as `to_dict` writes them; every mistake is named with its place."""
    if not isinstance(survey, dict):
        raise DesignError(f"{where} must be a table with questions.")
    # "page" is how the web app presents the survey: no part of the design
    _known_keys(survey, {"title", "question", "group", "page"}, where)
    title = survey.get("title", "")
    if not isinstance(title, str):
        raise DesignError(f"{where}: title must be a text.")
    questions = [
        _placed(f"{where}, question {i}", _question, entry)
        for i, entry in enumerate(_entries(survey, "question", where), 1)
    ]
    groups = [
        _placed(f"{where}, group {i}", _group, entry)
        for i, entry in enumerate(_entries(survey, "group", where), 1)
    ]
    return Design(questions, groups, title)


def _entries(survey: dict[str, Any], key: str, where: str) -> list[dict[str, Any]]:
    entries = survey.get(key, [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise DesignError(f"{where}: write each {key} under its own [[{key}]].")
    return entries


def _placed(where: str, read: Any, entry: dict[str, Any]) -> Any:
    try:
        return read(entry)
    except ConfideError as error:
        name = entry.get("name")
        named = f" ({name[:60]})" if isinstance(name, str) else ""
        raise DesignError(f"{where}{named}: {error}") from None


def _question(entry: dict[str, Any]) -> Question:
    kind = _kind(entry, "kind", QUESTIONS)
    allowed = {_FILE_NAMES.get(f.name, f.name): f.name for f in fields(kind)}
    _known_keys(entry, {"kind", *allowed}, "this question")
    values = {allowed[key]: value for key, value in entry.items() if key != "kind"}
    for key in ("name", "text", "unit"):
        if not isinstance(values.get(key, ""), str):
            raise DesignError(f"{key} must be a text.")
    try:
        question: Question = kind(**values)
        return question
    except TypeError as error:
        raise DesignError(_wanting(error)) from None


def _group(entry: dict[str, Any]) -> Group:
    mechanism = _kind(entry, "mechanism", MECHANISMS)
    names = entry.get("questions")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise DesignError('questions must be a list of names such as ["cheated"].')
    parameters = {k: v for k, v in entry.items() if k not in ("questions", "mechanism")}
    try:
        return Group(names, mechanism.from_parameters(parameters))
    except TypeError as error:
        raise DesignError(_wanting(error)) from None


def _kind(entry: dict[str, Any], key: str, kinds: tuple[Any, ...]) -> Any:
    for kind in kinds:
        if kind.kind == entry.get(key):
            return kind
    known = ", ".join(kind.kind for kind in kinds)
    got = str(entry.get(key))[:40] if key in entry else "nothing"
    raise DesignError(f"{key} must be one of {known}. Got {got}.")


def _known_keys(entry: dict[str, Any], allowed: set[str], where: str) -> None:
    for key in entry:
        if key not in allowed:
            raise DesignError(
                f"{where} has the unknown key {key[:40]!r}. Known are {', '.join(sorted(allowed))}."
            )


def _wanting(error: TypeError) -> str:
    """Turn Python's complaint about a call into one about a file."""
    text = str(error).split("() ", 1)[-1].replace("'choices'", "'options'")
    return (
        text.replace("got an unexpected keyword argument", "unknown key")
        .replace("required positional arguments", "keys")
        .replace("required positional argument", "key")
        + "."
    )


def load(path: Path) -> Design:
    """Read a survey from a TOML or JSON file."""
    text = _read(path)
    try:
        survey = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (json.JSONDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        kind = "JSON" if path.suffix == ".json" else "TOML"
        raise DesignError(f"{path.name} is not valid {kind}: {error}") from None
    return from_dict(survey, path.name)


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise DesignError(
                f"{path.name} is {path.stat().st_size:,} bytes; a survey file has at most "
                f"{LARGEST_FILE:,}. Is it the right file?"
            )
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise DesignError(f"{path.name} is not UTF-8 text. Save it as UTF-8.") from None
    except OSError as error:
        raise DesignError(f"cannot read {path.name}: {error.strerror}.") from None


def save(design: Design, path: Path) -> None:
    """Write the design; nothing is left half-written."""
    if path.suffix == ".toml":
        text = to_toml(to_dict(design))
    else:
        text = json.dumps(to_dict(design), indent=2, ensure_ascii=False) + "\n"
    with written_safely(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
