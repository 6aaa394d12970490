"""The JSON Schema of survey files, with which editors check and complete them."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from confide.design.questions import QUESTIONS, Question
from confide.files import Json, read_json
from confide.mechanisms import MECHANISMS, Mechanism

_Kinds = Sequence[type[Question]] | Sequence[type[Mechanism]]


def survey_schema() -> Json:
    """Make the schema: what all surveys share, and what each kind says of its own keys.

    >>> survey_schema()["$defs"]["randomized-choice"]["required"]
    ['questions', 'mechanism', 'keep']
    """
    text = files("confide.formats").joinpath("survey_base.schema.json").read_text("utf-8")
    schema: Json = read_json(text)
    shared: Json = schema["$defs"]
    question, group = shared.pop("question"), shared.pop("group")
    grouped = {"questions": {"$ref": "#/$defs/questions"}}
    schema["$defs"] = {
        "question": question | _refer_to(QUESTIONS),
        **{kind.kind: _describe(kind, "kind", {}) for kind in QUESTIONS},
        "group": group | _refer_to(MECHANISMS),
        **{kind.kind: _describe(kind, "mechanism", grouped) for kind in MECHANISMS},
        **shared,
    }
    return schema


def _refer_to(kinds: _Kinds) -> Json:
    """Say that a table is of one of several kinds."""
    return {"oneOf": [{"$ref": f"#/$defs/{kind.kind}"} for kind in kinds]}


def _describe(kind: type[Question] | type[Mechanism], key: str, first: Json) -> Json:
    """Describe the table of one kind, which is named under ``key``."""
    needed: Json = {
        **first,
        key: {"description": kind.summary, "const": kind.kind},
        **kind.needed_keys,
    }
    return {
        "title": kind.kind.replace("-", " ").capitalize(),
        "description": kind.summary,
        "type": "object",
        "additionalProperties": False,
        "required": list(needed),
        "properties": needed | kind.optional_keys,
    }
