"""Pages that are made from the program itself, so that they cannot drift from it.

A page asks for one of them by a directive: ``command-line``, ``survey-schema``,
``mechanism-table``, ``mechanisms``, ``http-api``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import confide as cf
from confide.design.survey_schema import survey_schema as make_schema
from confide.mechanisms import MECHANISMS


def command_line() -> str:
    """Every command with its arguments and options, from the app that runs."""
    from typer import Context
    from typer.cli import get_docs_for_click
    from typer.main import get_command

    from confide.cli.app import app

    command = get_command(app)
    context = Context(command, info_name="confide")
    text = get_docs_for_click(obj=command, ctx=context, name="confide")
    _, text = text.split("**Commands**", 1)
    return "## " + text.split("\n## ", 1)[1]


def survey_schema() -> str:
    """The keys of a survey file, from its JSON Schema."""
    whole = make_schema()
    parts = [_keys(whole, whole)]
    for name, part in whole["$defs"].items():
        if "properties" in part:
            parts += [f"## {part.get('title', name)}", part.get("description", "")]
            parts.append(_keys(part, whole))
    return "\n\n".join(parts)


def _keys(part: dict[str, Any], whole: dict[str, Any]) -> str:
    lines = ["| key | needed | meaning |", "|---|---|---|"]
    for key, value in part["properties"].items():
        said = {**_referred(value, whole), **value}
        constant = f"`{json.dumps(said['const'])}`" if "const" in said else None
        meaning = constant or said.get("description", "")
        needed = "yes" if key in part.get("required", []) else ""
        lines.append(f"| `{key}` | {needed} | {_cell(meaning)} |")
    return "\n".join(lines)


def _referred(value: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in value:
        return {}
    found: dict[str, Any] = whole["$defs"][value["$ref"].rsplit("/", 1)[1]]
    return found


def mechanism_table() -> str:
    """Every mechanism that a survey file can name, with its keys and what it does."""
    lines = ["| mechanism | keys | what it does |", "|---|---|---|"]
    for kind in MECHANISMS:
        keys = ", ".join(f"`{key}`" for key in kind.needed_keys | kind.optional_keys)
        lines.append(f"| `{kind.kind}` | {keys} | {_cell(kind.summary)} |")
    return "\n".join(lines)


def mechanisms() -> str:
    """The reference of every mechanism, from its docstring."""
    classes = [
        f".. autoclass:: confide.{kind.__name__}\n   :inherited-members:\n" for kind in MECHANISMS
    ]
    return "\n".join(["```{eval-rst}", *classes, "```"])


def http_api() -> str:
    """Every path of the web app, from the OpenAPI document of a survey with a published model."""
    document = openapi()
    parts = []
    for path, methods in document["paths"].items():
        for method, described in methods.items():
            parts += [f"## `{method.upper()} {path}`", described["summary"]]
            if "security" in described:
                parts.append("Needs the name and password of who may see the results (HTTP Basic).")
            parts += _parameters(described)
            parts.append(_answers(described["responses"]))
    return "\n\n".join(parts)


def openapi() -> dict[str, Any]:
    """What the web app says about itself, for a small survey with a model and its test round."""
    from confide.surveys.page_settings import Page
    from confide.surveys.survey import Survey
    from confide.web.model.published import Published
    from confide.web.openapi import document

    design = cf.Design(
        [cf.YesNo("cheated"), cf.YesNo("drugs")],
        [cf.Group([name], cf.RelatedQuestion("3/4")) for name in ("cheated", "drugs")],
        title="Campus life",
    )
    reports = design.disguise(np.array([[1, 1], [0, 0], [1, 0]] * 100), seed=1)
    tree = cf.DisguisedTreeClassifier(design, "cheated", method="literal").fit(reports)
    survey = Survey(design, Page(test="3/4"))
    found: dict[str, Any] = document(survey, Published(survey, tree))
    return found


def _parameters(described: dict[str, Any]) -> Iterator[str]:
    rows = [
        (f"`{each['name']}` in the {each['in']}", each["description"])
        for each in described.get("parameters", [])
    ]
    if "requestBody" in described:
        schema = described["requestBody"]["content"]["application/json"]["schema"]
        rows += [
            (f"`{name}` in the body", value.get("description") or _shape(value))
            for name, value in schema["properties"].items()
        ]
    if rows:
        yield _table("what is sent", "meaning", rows)


def _shape(value: dict[str, Any]) -> str:
    """What a value looks like, where the document does not say what it means."""
    if "const" in value:
        return f"always `{value['const']}`"
    if "pattern" in value:
        return f"a text that matches `{value['pattern']}`"
    if "minItems" in value:
        return f"an array of {value['minItems']} codes, one per question, each a text of digits"
    return f"a value of type {value.get('type', 'any')}"


def _answers(responses: dict[str, Any]) -> str:
    rows = [(f"`{status}`", answer["description"]) for status, answer in responses.items()]
    return _table("status", "meaning", rows)


def _table(left: str, right: str, rows: list[tuple[str, str]]) -> str:
    lines = [f"| {left} | {right} |", "|---|---|"]
    return "\n".join(lines + [f"| {first} | {_cell(second)} |" for first, second in rows])


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _directive(make: Callable[[], str]) -> type[SphinxDirective]:
    """A directive that puts the Markdown that ``make`` gives into the page."""

    class Generated(SphinxDirective):
        def run(self) -> list[Any]:
            return list(self.parse_text_to_nodes(make(), allow_section_headings=True))

    return Generated


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx about the directives."""
    for make in (command_line, survey_schema, mechanism_table, mechanisms, http_api):
        app.add_directive(make.__name__.replace("_", "-"), _directive(make))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
