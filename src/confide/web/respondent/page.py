"""The page of questions, served or as one file."""

from __future__ import annotations

import hashlib
from base64 import b64encode

from markupsafe import Markup

from confide.files import Json
from confide.surveys.survey import Survey
from confide.web.respondent.explanations import (
    explain_blocks,
    explain_first,
    explain_review,
    explain_total,
)
from confide.web.respondent.own_device import write_instructions
from confide.web.respondent.page_script import make_script
from confide.web.respondent.questions import describe_question, name_disguise
from confide.web.respondent.survey_template import render_survey_template
from confide.web.static_files import hash_files, read_static_files

SCRIPTS = ("sampler.js", "report.js", "words.js", "asking.js", "sending.js", "page.js")
"""The respondent's scripts, whose hashes the page shows."""


def render_page(survey: Survey, language: str, *, is_open: bool, has_model: bool = False) -> str:
    """Render the respondent's page in a language."""
    head = (
        '<link rel="stylesheet" href="/static/style.css">\n'
        '<link rel="icon" href="/static/icon.svg">\n'
        '<script type="module" src="/static/page.js"></script>'
    )
    script = make_script(survey, survey.texts(language), is_open)
    more = {"offline": False, "policy": "", "has_model": has_model}
    return _render(survey, language, script, assets=Markup(head), **more)


def render_offline_page(survey: Survey, language: str) -> str:
    """Render the page as one file that can reach no network; its report is a file, too."""
    style = read_static_files()["style.css"][0].decode()
    modules = "\n".join(_inline_module(read_static_files()[name][0].decode()) for name in SCRIPTS)
    policy = (
        f"default-src 'none'; script-src '{_name_source(modules)}'; "
        f"style-src '{_name_source(style)}'; base-uri 'none'; form-action 'none'"
    )
    head = f'<style>{style}</style>\n<script type="module">{modules}</script>'
    script = {**make_script(survey, survey.texts(language), True), "offline": True}
    more = {"offline": True, "policy": policy, "has_model": False}
    return _render(survey, language, script, assets=Markup(head), **more)


def _inline_module(module: str) -> str:
    """Strip a module of its imports and exports: what it imports stands above it in one script."""
    lines = [line for line in module.splitlines() if not line.startswith("import ")]
    return "\n".join(line.removeprefix("export ") for line in lines)


def _name_source(text: str) -> str:
    """Name a text as a Content-Security-Policy does."""
    return "sha256-" + b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _render(survey: Survey, language: str, script: Json, **more: object) -> str:
    texts, questionnaire = survey.texts(language), survey.questionnaire
    blocks = _describe_blocks(survey, texts)
    by_browser = [block for block in blocks if block["drawn"] and not block["own"]]
    return render_survey_template(
        "page",
        survey,
        language,
        script,
        organiser=survey.page.organiser,
        consent=survey.page.consent,
        blocks=blocks,
        cards=_merge_cards(blocks),
        lead=explain_first(questionnaire, texts),
        total=explain_total(questionnaire, texts),
        practice=script["practice"] is not None,
        review_note=explain_review(questionnaire, texts),
        own_device=any(block["own"] for block in blocks),
        by_browser=[question["text"] for block in by_browser for question in block["questions"]],
        fingerprint=survey.design.fingerprint,
        hashes=hash_files(SCRIPTS),
        **more,
    )


def _describe_blocks(survey: Survey, texts: dict[str, str]) -> list[Json]:
    blocks = []
    for b, explanation in enumerate(explain_blocks(survey.questionnaire, texts)):
        positions = survey.questionnaire.blocks[b].positions
        own = (
            write_instructions(survey.questionnaire, b, texts, survey.page.personal)
            if survey.page.own_device
            else None
        )
        blocks.append(
            {
                "sentences": explanation.sentences,
                "pictures": explanation.pictures,
                "index": b,
                "questions": [describe_question(survey, position, texts) for position in positions],
                "tag": name_disguise(survey, positions[0], texts),
                "drawn": survey.questionnaire.weights[b] is not None,
                "own": own,
            }
        )
    return sorted(blocks, key=lambda block: block["questions"][0]["position"])


def _merge_cards(blocks: list[Json]) -> list[Json]:
    """Merge the blocks to whose answers the same happens, so that it is explained once."""
    cards: list[Json] = []
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
