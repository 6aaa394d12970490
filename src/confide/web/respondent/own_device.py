"""Own-device instructions: how a person disguises by their own coin what a browser would draw.

They are read off the same integer weights, so that a report made by hand is exactly as likely as
one made by the page (`surveys`, Figure 8: the private and the personal question share one pair of
buttons, and only the person knows which was answered).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from confide.surveys.questionnaire import Questionnaire
from confide.surveys.wording import Wording

_MOST_SIDES = 100  # more than a person can draw by hand

Table = Sequence[Sequence[int]]


@dataclass(frozen=True)
class DrawnCase:
    """What a person who has drawn certain numbers is to do.

    Parameters
    ----------
    when : str
        Which numbers these are, in words.
    instructions : tuple of str
        What to do, one sentence per question.
    """

    when: str
    instructions: tuple[str, ...]


@dataclass(frozen=True)
class OwnDeviceInstructions:
    """How to disguise one block by hand."""

    intro: str
    cases: tuple[DrawnCase, ...]


def write_instructions(
    questionnaire: Questionnaire, block: int, wording: Wording
) -> OwnDeviceInstructions | None:
    """Say how to disguise a block by hand; None where a person could not."""
    weights = questionnaire.weights[block]
    if weights is None or "noise" in weights:
        return None
    places, texts = questionnaire.blocks[block].positions, wording.texts
    asked = [questionnaire.fields[place] for place in places]
    labels = [wording.labels(place) for place in places]
    instead = [wording.say_of("personal", field.name) for field in asked]
    branches: list[tuple[int, list[str]]] = []
    if len(asked) == 1:
        branches = _split_question(weights["questions"][0][0], labels[0], instead[0], texts)
    else:
        for b, weight in enumerate(weights["branches"]):
            instructed = [
                _instruct(table[b], labels[i], instead[i], texts)
                for i, table in enumerate(weights["questions"])
            ]
            branches.append((weight, instructed))
    sides = sum(weight for weight, _ in branches)
    drawn_again = [sum(table[b][0]) for table in weights["questions"] for b in range(len(table))]
    if sides > _MOST_SIDES or (len(asked) > 1 and max(drawn_again) > _MOST_SIDES):
        return None
    intro = _write_intro(sides, texts)
    if len(asked) > 1:
        intro += f" {texts['own_keep']}"
    return OwnDeviceInstructions(intro, _write_cases(branches, texts))


def _write_intro(sides: int, texts: Mapping[str, str]) -> str:
    device = texts.get(f"own_{sides}", texts["own_other"]).format(sides=sides)
    return texts["own_intro"].format(sides=sides, device=device)


def _write_cases(
    branches: list[tuple[int, list[str]]], texts: Mapping[str, str]
) -> tuple[DrawnCase, ...]:
    cases, start = [], 1
    for weight, instructed in branches:
        last = start + weight - 1
        key = "own_one" if weight == 1 else "own_some"
        cases.append(DrawnCase(texts[key].format(first=start, last=last), tuple(instructed)))
        start += weight
    return tuple(cases)


def _split_question(
    table: Table, labels: list[str], personal: str | None, texts: Mapping[str, str]
) -> list[tuple[int, list[str]]]:
    """Split the table of one question into the truth and what covers it."""
    total = sum(table[0])
    kept, cover = _split_table(table)
    if kept is not None and personal:
        share = Fraction(kept, total)
        rest = texts["own_personal"].format(question=personal)
        instructed = [(share.numerator, [texts["own_as_is"]])]
        return [*instructed, (share.denominator - share.numerator, [rest])]
    if len(table) == 2 and table[0][0] == table[1][1]:
        branches = [(table[0][0], [texts["own_as_is"]]), (table[0][1], [texts["own_opposite"]])]
    elif kept is not None:
        says = [texts["own_say"].format(option=option) for option in labels]
        branches = [(kept, [texts["own_as_is"]])]
        branches += [(weight, [say]) for weight, say in zip(cover, says, strict=True)]
    else:
        branches = [(total, [_write_table(table, labels, texts)])]
    return [(weight, instructed) for weight, instructed in branches if weight]


def _split_table(table: Table) -> tuple[int | None, list[int]]:
    """Split a table into the truth and a draw that ignores it; None if it is no such mixture."""
    columns = list(zip(*table, strict=True))
    others = [{w for t, w in enumerate(column) if t != r} for r, column in enumerate(columns)]
    if any(len(weights) != 1 for weights in others):
        return None, []
    cover = [weights.pop() for weights in others]
    kept = {table[r][r] - weight for r, weight in enumerate(cover)}
    if len(kept) != 1 or min(kept) < 0:
        return None, []
    return kept.pop(), cover


def _instruct(
    table: Table, labels: list[str], personal: str | None, texts: Mapping[str, str]
) -> str:
    """Say what one branch asks of one question."""
    size = range(len(table))
    total = sum(table[0])
    if all(table[t][t] == total for t in size):
        return texts["own_as_is"]
    if len(table) == 2 and table[0][1] == table[1][0] == total:
        return texts["own_opposite"]
    if all(row == table[0] for row in table):
        if personal:
            return texts["own_personal"].format(question=personal)
        if total in table[0]:
            return texts["own_say"].format(option=labels[list(table[0]).index(total)])
    return texts["own_table"].format(sides=total) + " " + _write_table(table, labels, texts)


def _write_table(table: Table, labels: list[str], texts: Mapping[str, str]) -> str:
    """Write a whole table in words: for each true answer the numbers and what to choose."""
    lines = []
    for answer, row in zip(labels, table, strict=True):
        parts, start = [], 1
        for option, weight in zip(labels, row, strict=True):
            if weight:
                key = "own_part_one" if weight == 1 else "own_part_some"
                last = start + weight - 1
                parts.append(texts[key].format(first=start, last=last, option=option))
            start += weight
        lines.append(texts["own_row"].format(answer=answer, parts=", ".join(parts)))
    return "; ".join(lines) + "."
