"""Sections and translations of a page: what fits a survey, and what is refused, in one line."""

import copy
import json

import pytest
from support.web_surveys import GERMAN_PLANT, campus, plant

import confide as cf
from confide.surveys.page_settings import Page
from confide.surveys.seal import compute_seal, write_document, write_words
from confide.surveys.sheets import lay_sheets
from confide.surveys.survey import Survey


def test_every_question_is_asked_once_whatever_the_sections():
    for survey in (plant(), campus()):
        sheets = json.loads(write_document(survey))["sheets"]
        asked = [place for sheet in sheets for place in sheet["questions"]]
        assert sorted(asked) == list(range(len(survey.design.questions)))
    assert [sheet.look for sheet in lay_sheets(plant().design, plant().page)] == [
        "list", "several", "matrix", "list", "list",
    ]  # fmt: skip


def test_presentation_is_outside_the_fingerprint_and_inside_the_seal():
    other = plant(consent="I do take part.")
    german = copy.deepcopy(plant().page.translations)
    german["de"]["question"]["boss"]["options"][0] = "niemals"
    for changed in (other, plant(translations=german), plant(section=[]), plant(redirect="")):
        assert changed.design.fingerprint == plant().design.fingerprint
        assert compute_seal(changed) != compute_seal(plant())


def test_a_translation_changes_words_and_no_codes():
    words = [json.loads(write_words(plant(), language)) for language in plant().languages]
    assert [each["language"] for each in words] == ["en", "de", "ar"]
    assert words[1]["fields"][3]["options"] == ["nie", "selten", "oft", "immer"]
    assert words[1]["fields"][6]["options"] == ["Nein", "Ja", "Möchte ich nicht sagen"]
    assert words[1]["said"]["consent"] == "Ich nehme teil."


CONDITION = {"question": "part", "answer": "production"}


@pytest.mark.parametrize(
    ("section", "complaint"),
    [
        ({"questions": ["absent"]}, "no question 'absent'"),
        ({"questions": []}, "list of names"),
        ({"questions": ["part"], "looks": "list"}, "with the keys"),
        ({"questions": ["part"], "look": "grid"}, "must be list or several or matrix"),
        ({"questions": ["boss", "stolen"], "look": "several"}, "one mechanism alike"),
        ({"questions": ["boss", "team"], "look": "several"}, "all are yes-no questions"),
        ({"questions": ["stolen", "slept"], "look": "matrix"}, "choices with the same options"),
        ({"questions": ["hurt"], "look": "several"}, "that must be answered"),
        ({"questions": ["part"], "only_if": CONDITION}, "asked before the section"),
        ({"questions": ["hours"], "only_if": {"question": "part"}}, "a question and an answer"),
        (
            {"questions": ["hours"], "only_if": {"question": "part", "answer": "stores"}},
            "has no option",
        ),
        (
            {"questions": ["hours"], "only_if": {"question": "stolen", "answer": "yes"}},
            "would tell its answer",
        ),
    ],
)
def test_a_section_that_does_not_fit_is_refused(section, complaint):
    with pytest.raises(cf.DesignError, match=complaint):
        plant(section=[section], translations={})


def test_questions_of_one_group_share_a_section():
    with pytest.raises(cf.DesignError, match="share a draw"):
        campus(section=[{"questions": ["happy"]}])
    campus(section=[{"questions": ["lonely", "happy"]}])


def without(table, *path):
    """A copy of a translation without what stands at a path."""
    copied = copy.deepcopy(table)
    inner = copied
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return copied


@pytest.mark.parametrize(
    ("translations", "complaint"),
    [
        ({"de": without(GERMAN_PLANT, "title")}, "lacks title"),
        ({"de": without(GERMAN_PLANT, "consent")}, "lacks consent"),
        ({"de": without(GERMAN_PLANT, "section")}, "lacks section"),
        ({"de": without(GERMAN_PLANT, "help")}, r"lacks help\.mood"),
        ({"de": without(GERMAN_PLANT, "question", "slept")}, r"lacks question\.slept\.text"),
        (
            {"de": without(GERMAN_PLANT, "question", "boss", "options")},
            r"boss\.options \(4 different",
        ),
        (
            {"de": without(GERMAN_PLANT, "question", "hours", "unit")},
            r"lacks question\.hours\.unit",
        ),
        ({"de": {**GERMAN_PLANT, "titel": "?"}}, "unknown key 'titel'"),
        ({"de": {**GERMAN_PLANT, "texts": {"sned": "Los"}}}, "no text 'sned'"),
        ({"German": GERMAN_PLANT}, "a code such as"),
        ({"qaa": GERMAN_PLANT}, "needs the page's texts"),
        ({"de": "Deutsch"}, "must be a table"),
        ({"de": {**GERMAN_PLANT, "question": {"boss": {"options": "nie"}}}}, "must be a list"),
    ],
)
def test_a_translation_that_lacks_something_is_refused(translations, complaint):
    with pytest.raises(cf.DesignError, match=complaint):
        plant(translations=translations)


@pytest.mark.parametrize("address", ["http://panel.example", "javascript:alert(1)", "panel"])
def test_a_redirect_leads_to_an_address(address):
    with pytest.raises(cf.DesignError, match="redirect of the page must be an address"):
        Page(redirect=address)


def test_a_section_and_a_translation_are_read_from_a_file(tmp_path):
    path = tmp_path / "survey.toml"
    cf.Design([cf.YesNo("a", "Ever?"), cf.YesNo("b", "Never?")]).save(path)
    path.write_text(
        path.read_text()
        + """
[[page.section]]
questions = ["a", "b"]
look = "several"
[[page.translations.de.section]]
[page.translations.de.question]
a = { text = "Je?" }
b = { text = "Nie?" }
"""
    )
    survey = Survey.load(path)
    assert survey.languages == ("en", "de")
    assert survey.wording("de").text(1) == "Nie?"
