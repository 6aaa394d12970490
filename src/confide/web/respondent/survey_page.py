"""The page of questions, served or as one file."""

from __future__ import annotations

from markupsafe import Markup

from confide.files import Json
from confide.surveys.certainty import UNDISGUISED, Certainty
from confide.surveys.explanations import explain_first
from confide.surveys.seal import describe_said, write_document, write_words
from confide.surveys.survey import Survey
from confide.web.addresses import HERE
from confide.web.respondent.cards import describe_sheets
from confide.web.respondent.page_script import embed_json, list_reasons
from confide.web.respondent.survey_template import render_survey_template
from confide.web.static_files import SCRIPTS, hash_files, name_source, read_static_files
from confide.web.template_environment import load_script


def render_page(
    survey: Survey, language: str, *, is_open: bool, has_model: bool = False, key: str = ""
) -> str:
    """Render the respondent's page in a language."""
    head = (
        f'<link rel="stylesheet" href="{HERE}/static/style.css">\n'
        f'<link rel="icon" href="{HERE}/static/icon.svg">\n'
        f"{load_script(SCRIPTS[-1], HERE)}"
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
    """Render the page of questions, with all that its scripts start from."""
    wording = survey.wording(language)
    sheets = describe_sheets(survey, wording)
    cards = [card for sheet in sheets for card in sheet["cards"]]
    by_browser = [card for card in cards if card["drawn"] and not card["by_hand"]]
    practice = _can_practise(survey)
    return render_survey_template(
        "page",
        survey,
        language,
        document=Markup(write_document(survey, key)),
        words=Markup(write_words(survey, language)),
        terms=embed_json({**terms, "reasons": list_reasons(wording.texts)}),
        lead=explain_first(survey.questionnaire, wording.texts)[0],
        said=describe_said(wording),
        redirect=survey.page.redirect,
        sheets=sheets,
        cards=cards,
        languages=[(each, survey.texts(each)["language_name"]) for each in survey.languages],
        practice=practice,
        never_told=practice
        and Certainty.SOMETIMES not in survey.questionnaire.certainty_by_question,
        own_device=any(card["by_hand"] for card in cards),
        by_browser=[question["text"] for card in by_browser for question in card["questions"]],
        fingerprint=survey.design.fingerprint,
        hashes=hash_files(SCRIPTS),
        **more,
    )


def _can_practise(survey: Survey) -> bool:
    """Whether there is a question with options whose answers chance hides."""
    form = survey.questionnaire
    return any(
        field.finite and sure not in UNDISGUISED
        for field, sure in zip(form.fields, form.certainty_by_question, strict=True)
    )
