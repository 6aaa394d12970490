"""What a draft would give away and tell: what stands beside it while it is written."""

from __future__ import annotations

from confide import privacy
from confide.design import Block, Design
from confide.files import Json
from confide.planning import respondents_needed
from confide.surveys.sheets import lay_sheets, list_places
from confide.web.preview.draft import Draft

_MARGIN = 0.05


def describe_draft(draft: Draft) -> Json:
    """Say what is wrong with a draft, or what it gives away and how many people it needs.

    >>> asked = b'[[question]]\\nname = "a"\\nkind = "yes-no"'
    >>> describe_draft(Draft("survey.toml", asked))["questions"]["a"]
    {'given': 'The answer to a is known: it is asked in the clear.', 'people': 385, 'sheet': 0}
    """
    if draft.problems:
        return {"problems": draft.problems, "questions": {}, "people": None, "given": []}
    survey = draft.survey
    design = survey.design
    sheets = lay_sheets(design, survey.page)
    place = {p: i for i, sheet in enumerate(sheets) for p in list_places(design, sheet)}
    said = {q.name: _say_given(design, block) for block in design.blocks for q in block.questions}
    people = {name: _count_needed(design, name) for name in design.names}
    questions = {
        name: {"given": said[name], "people": people[name], "sheet": place[p]}
        for p, name in enumerate(design.names)
    }
    most = max((count for count in people.values() if count), default=None)
    given = privacy.of(design).sentences()
    return {"problems": [], "questions": questions, "people": most, "given": given}


def _say_given(design: Design, block: Block) -> str:
    """Say what a report tells about the questions of one draw; of a number, also if it is given."""
    part = design.only([question.name for question in block.questions])
    said = privacy.of(part).sentences()
    if not part.declines:
        return said[0]
    return " ".join(sentence for sentence in said if block.questions[0].name in sentence.split())


def _count_needed(design: Design, name: str) -> int | None:
    """How many people give every share of a question to five points; None for a number."""
    question = design.question(name)
    if question.grid is not None:
        return None
    return max(
        respondents_needed(design, {name: label}, None, _MARGIN) for label in question.labels
    )
