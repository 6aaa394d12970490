"""Questions that were asked only after certain answers: everyone else counts with a stand-in."""

from __future__ import annotations

from dataclasses import replace

from confide.surveys.field import Field
from confide.surveys.sheets import Sheet, lay_sheets, list_places
from confide.surveys.survey import Survey
from confide.web.admin.result_links import Links
from confide.web.admin.result_words import ResultWords
from confide.web.admin.shown_people import ShownPeople


def find_required_answers(survey: Survey, name: str) -> list[tuple[str, str]]:
    """Find the answers after which a question was asked: names of questions, and of answers.

    The first that is asked comes first; a question that everyone was asked has none.
    """
    if not any("only_if" in section for section in survey.page.section):
        return []
    design = survey.design
    sheets = lay_sheets(design, survey.page)
    required: list[tuple[str, str]] = []
    while condition := _find_sheet(survey, sheets, name).only_if:
        place, code = condition
        name = design.names[place]
        required.insert(0, (name, str(design.question(name).labels[code])))
    return required


def _find_sheet(survey: Survey, sheets: list[Sheet], name: str) -> Sheet:
    place = survey.design.position(name)
    return next(each for each in sheets if place in list_places(survey.design, each))


def say_asked_only(words: ResultWords, people: ShownPeople, asked: Field, beside: str = "") -> str:
    """Say after which answers a question was asked; else nothing.

    Nothing is said of answers that all these people share, nor of the question that stands beside.
    """
    said = [
        f"{words.name(each)} – {words.answer(each, answer)}"
        for each, answer in _find_unshared(people, asked)
        if each.name != beside
    ]
    return words.say("asked_only", answer="; ".join(said)) if said else ""


def link_asked(links: Links, people: ShownPeople, asked: Field) -> str:
    """Give the address of a question among those who were asked it."""
    unshared = _find_unshared(people, asked)
    among = (*links.among, *(f"{each.name}={answer}" for each, answer in unshared))
    return replace(links, among=among).question(asked.name)


def _find_unshared(people: ShownPeople, asked: Field) -> list[tuple[Field, str]]:
    """Find the answers after which a question was asked, but those that all these people share."""
    shared = {each.name for each in people.conditions}
    required = find_required_answers(people.survey, asked.name)
    return [(people.find_field(name), answer) for name, answer in required if name not in shared]
