"""The page of questions, served or as one file."""

from __future__ import annotations

from markupsafe import Markup

from confide.files import Json
from confide.surveys.certainty import UNDISGUISED
from confide.surveys.explanations import explain_first
from confide.surveys.seal import name_disguise, write_document
from confide.surveys.survey import Survey
from confide.web.respondent.own_device import write_instructions
from confide.web.respondent.page_script import embed_json, list_reasons
from confide.web.respondent.questions import describe_question
from confide.web.respondent.survey_template import render_survey_template
from confide.web.static_files import SCRIPTS, hash_files, name_source, read_static_files
from confide.web.template_environment import load_script


def render_page(
    survey: Survey, language: str, *, is_open: bool, has_model: bool = False, key: str = ""
) -> str:
    """Render the respondent's page in a language."""
    head = (
        '<link rel="stylesheet" href="/static/style.css">\n'
        '<link rel="icon" href="/static/icon.svg">\n'
        f"{load_script(SCRIPTS[-1])}"
    )
    terms = {"open": is_open, "offline": False}
    more = {"offline": False, "policy": "", "has_model": has_model}
    return _render(survey, language, key, terms, assets=Markup(head), **more)


def render_offline_page(survey: Survey, language: str, key: str = "") -> str:
    """Render the page as one file that can reach no network; its report is a file, too."""
    style = read_static_files()["style.css"][0].decode()
    modules = "\n".join(_inline_module(read_static_files()[name][0].decode()) for name in SCRIPTS)
    policy = (
        f"default-src 'none'; script-src {name_source(modules)}; "
        f"style-src {name_source(style)}; base-uri 'none'; form-action 'none'"
    )
    head = f'<style>{style}</style>\n<script type="module">{modules}</script>'
    terms = {"open": True, "offline": True}
    more = {"offline": True, "policy": policy, "has_model": False}
    return _render(survey, language, key, terms, assets=Markup(head), **more)


def _inline_module(module: str) -> str:
    """Strip a module of its imports and exports: what it imports stands above it in one script."""
    lines = [line for line in module.splitlines() if not line.startswith("import ")]
    return "\n".join(line.removeprefix("export ") for line in lines)


def _render(survey: Survey, language: str, key: str, terms: Json, **more: object) -> str:
    texts = survey.texts(language)
    blocks = _describe_blocks(survey, texts)
    by_browser = [block for block in blocks if block["drawn"] and not block["own"]]
    return render_survey_template(
        "page",
        survey,
        language,
        document=Markup(write_document(survey, language, key)),
        terms=embed_json({**terms, "reasons": list_reasons(texts)}),
        lead=explain_first(survey.questionnaire, texts)[0],
        organiser=survey.page.organiser,
        consent=survey.page.consent,
        blocks=blocks,
        practice=_can_practise(survey),
        own_device=any(block["own"] for block in blocks),
        by_browser=[question["text"] for block in by_browser for question in block["questions"]],
        fingerprint=survey.design.fingerprint,
        hashes=hash_files(SCRIPTS),
        **more,
    )


def _describe_blocks(survey: Survey, texts: dict[str, str]) -> list[Json]:
    blocks = []
    for b, block in enumerate(survey.questionnaire.blocks):
        own = (
            write_instructions(survey.questionnaire, b, texts, survey.page.personal)
            if survey.page.own_device
            else None
        )
        blocks.append(
            {
                "index": b,
                "questions": [describe_question(survey, p, texts) for p in block.positions],
                "tag": name_disguise(survey, block.positions[0], texts),
                "drawn": survey.questionnaire.weights[b] is not None,
                "own": own,
            }
        )
    return sorted(blocks, key=lambda block: block["questions"][0]["position"])


def _can_practise(survey: Survey) -> bool:
    """Whether there is a question with options whose answers chance hides."""
    form = survey.questionnaire
    return any(
        field.finite and sure not in UNDISGUISED
        for field, sure in zip(form.fields, form.certainty_by_question, strict=True)
    )
