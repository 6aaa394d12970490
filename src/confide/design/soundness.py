"""What makes questions and groups a sound design."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from confide.design.group import Group
from confide.design.question import check_text
from confide.design.questions import Number, Question, YesNo
from confide.errors import DesignError

_Part = TypeVar("_Part")


def read_parts(given: Iterable[_Part], kind: type[_Part], what: str) -> tuple[_Part, ...]:
    """Read the questions or groups of a design; refuse what is neither."""
    items = tuple(given) if isinstance(given, Iterable) else (given,)
    for item in items:
        if not isinstance(item, kind):
            raise DesignError(
                f"{what} of a design must be a list of {kind.__name__} values. "
                f"Got {type(item).__name__}."
            )
    return items


def find_problems(
    questions: Sequence[Question], groups: Sequence[Group], title: object
) -> Iterator[str]:
    """Find every reason why questions and groups cannot be a design."""
    try:
        check_text(title, "title of a design")
    except DesignError as error:
        yield str(error)
    if not questions:
        yield "a design must ask at least one question."
    asked = {question.name: question for question in questions}
    for twice in _find_repeated(question.name for question in questions):
        yield f"two questions are named {twice!r}. Names must differ."
    grouped = [name for group in groups for name in group.questions]
    for name in grouped:
        if name not in asked:
            yield (
                f"a group names the question {name!r}, which is not asked. "
                f"The questions are {', '.join(asked)}."
            )
    for twice in _find_repeated(grouped):
        yield f"question {twice!r} is in a group twice. A question is disguised once."
    for number, group in enumerate(groups, 1):
        if all(name in asked for name in group.questions):
            members = [asked[name] for name in group.questions]
            try:
                group.mechanism.for_questions(members).check(members)
            except DesignError as error:
                yield f"group {number} ({', '.join(group.questions)}): {error}"
    yield from _find_missing_problems(asked, groups)


def _find_missing_problems(asked: Mapping[str, Question], groups: Sequence[Group]) -> Iterator[str]:
    """Find numbers whose missing answers would not be told, or would be told to everybody."""
    tellers = {
        q.name: q.missing for q in asked.values() if isinstance(q, Number) and q.missing is not None
    }
    drawn = {name: g for g in groups for name in g.questions if g.mechanism.by_chance}
    for twice in _find_repeated(tellers.values()):
        yield f"two numbers name {twice!r} under missing. Each has a question of its own."
    for number, teller in tellers.items():
        where = f"missing of question {number!r} must name"
        question = asked.get(teller)
        if not isinstance(question, YesNo) or question.size > 2:
            yield f"{where} a question of the survey answered by yes or no alone. Got {teller!r}."
        elif (number in drawn) != (teller in drawn):
            clear, hidden = (number, teller) if teller in drawn else (teller, number)
            yield (
                f"{where} a question that is disguised if the number is, and only then. "
                f"Chance disguises {hidden!r} and not {clear!r}, which would tell who gave none."
            )
        elif teller in drawn and len(drawn[teller].questions) > 1:
            yield f"{where} a question that is alone in its group. {teller!r} is not."


def _find_repeated(names: Iterable[str]) -> list[str]:
    return [name for name, times in Counter(names).items() if times > 1]
