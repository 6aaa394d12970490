"""Surveys as HTML."""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from confide.reports.submissions import Outcome
from confide.surveys.certainty import UNDISGUISED, Certainty
from confide.surveys.field import Field
from confide.surveys.survey import Survey
from confide.web.respondent.odds import Odds, altogether, explained, labelled, lead
from confide.web.respondent.own_device import instructions
from confide.web.respondent.written_numbers import hint, keyboard, written

SCRIPTS = ("sampler.js", "report.js", "words.js", "asking.js", "sending.js", "page.js")
"""The respondent's scripts, whose hashes the page shows."""

_TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


@cache
def environment() -> Environment:
    """The templates; what they are given is escaped, and must all be there."""
    return Environment(
        loader=PackageLoader("confide.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def static() -> dict[str, tuple[bytes, str]]:
    """Every static file: its bytes and their type."""
    folder = files("confide.web") / "static"
    return {
        each.name: (each.read_bytes(), _TYPES[each.name.rsplit(".", 1)[1]])
        for each in folder.iterdir()
    }


def script_hashes(names: Sequence[str] = SCRIPTS) -> list[tuple[str, str]]:
    """The SHA-256 of each of the respondent's scripts."""
    return [(name, hashlib.sha256(static()[name][0]).hexdigest()) for name in names]


def page(survey: Survey, language: str, *, is_open: bool, has_model: bool = False) -> str:
    """The respondent's page in a language."""
    head = (
        '<link rel="stylesheet" href="/static/style.css">\n'
        '<link rel="icon" href="/static/icon.svg">\n'
        '<script type="module" src="/static/page.js"></script>'
    )
    script = _script(survey, survey.texts(language), is_open)
    more = {"offline": False, "policy": "", "has_model": has_model}
    return _page(survey, language, script, assets=Markup(head), **more)


def offline_page(survey: Survey, language: str) -> str:
    """The same page as one file that can reach no network; its report is a file too."""
    style = static()["style.css"][0].decode()
    modules = "\n".join(_joined(static()[name][0].decode()) for name in SCRIPTS)
    policy = (
        f"default-src 'none'; script-src '{_source(modules)}'; style-src '{_source(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    head = f'<style>{style}</style>\n<script type="module">{modules}</script>'
    script = {**_script(survey, survey.texts(language), True), "offline": True}
    more = {"offline": True, "policy": policy, "has_model": False}
    return _page(survey, language, script, assets=Markup(head), **more)


def _joined(module: str) -> str:
    """A module as a part of one script: what it imports stands above it."""
    lines = [line for line in module.splitlines() if not line.startswith("import ")]
    return "\n".join(line.removeprefix("export ") for line in lines)


def _source(text: str) -> str:
    """A text as a Content-Security-Policy names it."""
    return "sha256-" + b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _page(survey: Survey, language: str, script: dict[str, Any], **more: Any) -> str:
    texts, form = survey.texts(language), survey.questionnaire
    blocks = _blocks(survey, texts)
    by_browser = [block for block in blocks if block["drawn"] and not block["own"]]
    return (
        environment()
        .get_template("page.html")
        .render(
            t=texts,
            language=language,
            direction=survey.direction(language),
            title=survey.title,
            exit=survey.page.exit,
            organiser=survey.page.organiser,
            consent=survey.page.consent,
            blocks=blocks,
            cards=_cards(blocks),
            lead=lead(form, texts),
            total=altogether(form, texts),
            practice=script["practice"] is not None,
            disguised=any(sure not in UNDISGUISED for sure in form.sure),
            own_device=any(block["own"] for block in blocks),
            by_browser=[
                question["text"] for block in by_browser for question in block["questions"]
            ],
            invitation=survey.page.invitation,
            fingerprint=survey.design.fingerprint,
            hashes=script_hashes(),
            script=_embedded(script),
            **more,
        )
    )


def plain_page(
    survey: Survey, language: str, name: str, script: dict[str, Any] | None = None, **more: Any
) -> str:
    """Another page than that of the questions, such as "receipt"; its script gets the texts."""
    texts = survey.texts(language)
    if script is None:
        terms = {"invitation": survey.page.invitation, "reasons": _reasons(texts)}
        script = {"fields": _fields(survey, texts), **terms}
    return (
        environment()
        .get_template(f"{name}.html")
        .render(
            t=texts,
            language=language,
            direction=survey.direction(language),
            title=survey.title,
            exit=survey.page.exit,
            invitation=survey.page.invitation,
            script=_embedded({"texts": texts, **script}),
            **more,
        )
    )


def questions(
    survey: Survey, language: str, names: Sequence[str]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Some of the questions as a template asks them, and as a script reads their answers."""
    texts = survey.texts(language)
    places = [survey.design.position(name) for name in names]
    fields = _fields(survey, texts)
    shown = [_question(survey, place, texts) for place in places]
    return shown, [fields[place] for place in places]


def _embedded(value: Any) -> Markup:
    """JSON that no text in it can end early."""
    return Markup(json.dumps(value, ensure_ascii=False).replace("<", "\\u003c"))


_SPOKEN = (
    *("practice_result", "no", "yes", "missing", "out_of_range", "off_step", "sending", "unsent"),
    *("refused", "already", "insecure", "uninvited", "closed", "spent"),
    *("decimal_mark", "group_mark"),
)


def _script(survey: Survey, texts: dict[str, str], is_open: bool) -> dict[str, Any]:
    """What the page's script needs: the form, its labels and the texts it says itself."""
    script = survey.questionnaire.script()
    script["fields"] = _fields(survey, texts)
    spoken = {key: texts[key] for key in _SPOKEN}
    terms = {"open": is_open, "invitation": survey.page.invitation}
    told = {"texts": spoken, "reasons": _reasons(texts)}
    return {**script, **terms, **told, "practice": _practice(survey)}


def _reasons(texts: dict[str, str]) -> dict[str, str]:
    """Why the server keeps a report out, in its words and in those of the page's language."""
    keys = {
        Outcome.CONFLICT: "conflict",
        Outcome.WITHDRAWN: "withdrawn",
        Outcome.CLOSED: "closed",
        Outcome.NOT_INVITED: "spent",
    }
    return {outcome.reason: texts[key] for outcome, key in keys.items()}


def _fields(survey: Survey, texts: dict[str, str]) -> list[dict[str, Any]]:
    fields = []
    for place, scripted in enumerate(survey.questionnaire.script()["fields"]):
        field = survey.questionnaire.fields[place]
        shown = scripted | {"text": _text(field), "tag": _tag(survey, place, texts)}
        shown["optional"] = _optional(field)
        if field.finite:
            shown["options"] = labelled(field.question.labels, texts)
        else:
            shown["grid"] = field.question.step
        fields.append(shown)
    return fields


def _practice(survey: Survey) -> dict[str, Any] | None:
    """A yes-no question with the odds of the first one that chance can turn either way."""
    for block in survey.questionnaire.blocks:
        first = survey.questionnaire.fields[block.positions[0]]
        if first.disguised and first.finite:
            odds = Odds.of(block, 0)
            kept = min(row[t] for t, row in enumerate(odds.table))
            rest = odds.total - kept
            if kept and rest:
                return {"branches": [1], "questions": [[[[kept, rest], [rest, kept]]]]}
    return None


def _blocks(survey: Survey, texts: dict[str, str]) -> list[dict[str, Any]]:
    blocks = []
    for b, block in enumerate(explained(survey.questionnaire, texts)):
        positions = survey.questionnaire.blocks[b].positions
        own = (
            instructions(survey.questionnaire, b, texts, survey.page.personal)
            if survey.page.own_device
            else None
        )
        blocks.append(
            {
                **block,
                "index": b,
                "questions": [_question(survey, position, texts) for position in positions],
                "tag": _tag(survey, positions[0], texts),
                "drawn": survey.questionnaire.weights[b] is not None,
                "own": own,
            }
        )
    return sorted(blocks, key=lambda block: block["questions"][0]["position"])


def _cards(blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What happens to the answers, told once for all questions to which the same happens."""
    cards: list[dict[str, Any]] = []
    for block in blocks:
        texts = [question["text"] for question in block["questions"]]
        alone = len(texts) == 1
        for card in cards:
            if alone and card["alone"] and card["sentences"] == block["sentences"]:
                card["texts"] += texts
                break
        else:
            cards.append({**block, "texts": texts, "alone": alone})
    return cards


def _question(survey: Survey, place: int, texts: dict[str, str]) -> dict[str, Any]:
    field = survey.questionnaire.fields[place]
    asked = field.question
    shown = {"position": place, "text": _text(field), "number": not field.finite}
    if field.finite:
        optional = _left_out(survey, place, texts) if _optional(field) else ""
        return shown | {"options": labelled(asked.labels, texts), "optional": optional}
    more = {"unit": asked.unit, "hint": hint(asked, texts), "keyboard": keyboard(asked)}
    return shown | more | {"width": len(written(asked.high, texts)) + 4}


def _left_out(survey: Survey, place: int, texts: dict[str, str]) -> str:
    """What becomes of a question that is left out."""
    field, missing = survey.questionnaire.fields[place], survey.questionnaire.fields[place].size - 1
    if survey.questionnaire.sure[place] is Certainty.ALWAYS:
        return texts["optional_clear"]
    odds = Odds.of(field.block, field.block.questions.index(field.question))
    certain = (missing, missing) in odds.telling
    return texts["optional_certain" if certain else "optional"]


def _tag(survey: Survey, place: int, texts: dict[str, str]) -> str:
    """How a question is asked, in a word or two."""
    tags = {Certainty.ALWAYS: "in_clear", Certainty.RANGE: "in_range"}
    return texts[tags.get(survey.questionnaire.sure[place], "disguised")]


def _text(field: Field) -> str:
    return str(field.question.text or field.name)


def _optional(field: Field) -> bool:
    return getattr(field.question, "missing", "error") == "option"
