"""The sheets of a page and their cards, as its template lays them out."""

from __future__ import annotations

from confide.files import Json
from confide.surveys.seal import name_disguise
from confide.surveys.sheets import Sheet, lay_sheets
from confide.surveys.survey import Survey
from confide.surveys.wording import Wording
from confide.web.respondent.asked_questions import describe_question
from confide.web.respondent.own_device import write_instructions


def describe_sheets(survey: Survey, wording: Wording) -> list[Json]:
    """Describe every sheet: what its section says, and its cards."""
    return [
        {
            "look": sheet.look,
            **_describe_section(sheet, wording),
            "cards": [_describe_card(survey, card, wording) for card in sheet.cards],
        }
        for sheet in lay_sheets(survey.design, survey.page)
    ]


def _describe_section(sheet: Sheet, wording: Wording) -> dict[str, str]:
    return {"title": "", "text": ""} if sheet.section is None else wording.section(sheet.section)


def _describe_card(survey: Survey, blocks: tuple[int, ...], wording: Wording) -> Json:
    form = survey.questionnaire
    places = [[*form.blocks[b].positions] for b in blocks]
    questions = [[describe_question(survey, p, wording) for p in each] for each in places]
    return {
        "blocks": " ".join(map(str, blocks)),
        "questions": [each for asked in questions for each in asked],
        "tag": name_disguise(survey, places[0][0], wording.texts),
        "drawn": form.weights[blocks[0]] is not None,
        "by_hand": _describe_by_hand(survey, blocks, questions, wording),
    }


def _describe_by_hand(
    survey: Survey, blocks: tuple[int, ...], questions: list[list[Json]], wording: Wording
) -> list[Json]:
    """How a card is drawn for by hand: once where all its blocks are told the same."""
    if not survey.page.own_device:
        return []
    form = survey.questionnaire
    told = [write_instructions(form, block, wording) for block in blocks]
    if any(each is None for each in told):
        return []
    if all(each == told[0] for each in told):
        return [{"own": told[0], "questions": questions[0], "each": len(blocks) > 1, "of": ""}]
    return [
        {"own": own, "questions": asked, "each": False, "of": asked[0]["text"]}
        for own, asked in zip(told, questions, strict=True)
    ]
