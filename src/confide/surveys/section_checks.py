"""Whether a page's sections fit its survey: what shares a sheet, how it looks, who is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from confide.design import Choice, Design, Question, YesNo
from confide.design.questions import check_text
from confide.errors import ConfideError, DesignError, show

LOOKS = ("list", "several", "matrix")
"""How a section's questions look: one below the other, boxes to tick, or rows of one table."""

_KEYS = ("questions", "title", "text", "look", "only_if")


def find_section_problems(sections: Sequence[object]) -> Iterator[str]:
    """Find what is wrong with the sections of a page, whatever the survey asks."""
    for number, section in enumerate(sections, 1):
        where = f"section {number} of the page"
        if not isinstance(section, dict) or not set(section) <= set(_KEYS):
            yield f"{where} must be a table with the keys {', '.join(_KEYS)}. Got {show(section)}."
            continue
        names = section.get("questions")
        if not isinstance(names, list) or not names or not all(isinstance(n, str) for n in names):
            yield f"questions of {where} must be a list of names. Got {show(names)}."
        if section.get("look", "list") not in LOOKS:
            yield f"look of {where} must be {' or '.join(LOOKS)}. Got {show(section['look'])}."
        asked = section.get("only_if", {"question": "", "answer": ""})
        if not isinstance(asked, dict) or set(asked) != {"question", "answer"}:
            yield f"only_if of {where} must name a question and an answer. Got {show(asked)}."
        try:
            for key in ("title", "text"):
                check_text(section.get(key, ""), f"{key} of {where}")
        except DesignError as error:
            yield str(error)


def find_misplaced(design: Design, sections: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Find why sections do not fit what a survey asks."""
    seen: set[str] = set()
    for number, section in enumerate(sections, 1):
        where, names = f"[[page.section]] {number}", section["questions"]
        if unknown := [name for name in names if name not in design.names]:
            yield f"{where}: there is no question {show(unknown[0])}."
            continue
        told = {teller: number for number, teller in design.declines.items()}
        for name in told.keys() & set(names):
            yield f"{where}: {name} stands beside {told[name]}. Leave it out."
        if seen & set(names) or len(set(names)) < len(names):
            yield f"{where}: a question stands in one section, once."
        seen |= set(names)
        groups = [[q.name for q in design.block(name).questions] for name in names]
        if any(not set(group) <= set(names) for group in groups):
            yield f"{where}: questions of one group share a draw, so they share a section, too."
        yield from _find_unfit_look(
            where, design, [design.question(name) for name in names], section
        )
        yield from _find_unfit_condition(where, design, names, section)


def _find_unfit_look(
    where: str, design: Design, asked: list[Question], section: Mapping[str, Any]
) -> Iterator[str]:
    look = section.get("look", "list")
    if look == "list":
        return
    mechanisms = {repr(design.block(question.name).mechanism) for question in asked}
    if len({len(design.block(question.name).questions) for question in asked}) > 1:
        mechanisms.add("another")
    if len(mechanisms) > 1:
        yield f"{where}: with look {look!r} all questions are disguised by one mechanism alike."
    if look == "several" and not all(isinstance(q, YesNo) and q.size == 2 for q in asked):
        yield f"{where}: with look 'several' all are yes-no questions that must be answered."
    if look == "matrix" and not (
        all(isinstance(q, Choice) for q in asked) and len({q.labels for q in asked}) == 1
    ):
        yield f"{where}: with look 'matrix' all are choices with the same options."


def _find_unfit_condition(
    where: str, design: Design, names: list[str], section: Mapping[str, Any]
) -> Iterator[str]:
    """A question that is asked only after a certain disguised answer would tell that answer."""
    if not (condition := section.get("only_if")):
        return
    name = condition["question"]
    if name not in design.names:
        yield f"{where}: there is no question {show(name)} to ask before."
        return
    if design.block(name).mechanism is not None:
        yield (
            f"{where}: only_if must name a question in the clear. {name} is disguised: whether "
            f"others are asked after it would tell its answer."
        )
    if any(design.position(each) <= design.position(name) for each in names):
        yield f"{where}: {name} of only_if must be asked before the section."
    try:
        design.question(name).code(condition["answer"])
    except ConfideError as error:
        yield f"{where}: {error}"
