"""What is taken over from another tool's form, and what is not, before it becomes a survey."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from confide.files import Json


@dataclass(frozen=True)
class Remark:
    """A word about a part of a form.

    Parameters
    ----------
    place : str
        Where it stands.
    why : str
        What became of it, and why.
    """

    place: str
    why: str


@dataclass(frozen=True)
class FormCondition:
    """What an earlier question must be answered with, or not with; the code is the form's own."""

    question: str
    code: str
    negated: bool = False


@dataclass(frozen=True)
class Item:
    """One question of a form, as the questions that confide asks for it.

    Parameters
    ----------
    place : str
        Where it stands in the form.
    entries : list
        The questions, as survey files write them.
    section : mapping
        How they look together, with the keys of ``[[page.section]]``; empty for one question.
    answers : mapping
        For each code that the form stores the question and the answer that say the same.
    conditions : tuple of FormCondition
        After which answers it is asked; all of them.
    """

    place: str
    entries: list[Json]
    section: Json = field(default_factory=dict)
    answers: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    conditions: tuple[FormCondition, ...] = ()

    def find_answer(self, condition: FormCondition) -> tuple[str, str] | None:
        """Find the question and the answer that a condition on this item asks for, if there is one.

        >>> item = Item("row 2", [], answers={"y": ("smokes", "yes"), "n": ("smokes", "no")})
        >>> item.find_answer(FormCondition("smokes", "y", negated=True))
        ('smokes', 'no')
        """
        found = self.answers.get(condition.code)
        if found is None or not condition.negated:
            return found
        if self.section.get("look") == "several":
            return found[0], "no"
        others = [answer for code, answer in self.answers.items() if code != condition.code]
        return others[0] if len(others) == 1 else None


@dataclass
class TakenForm:
    """A form as far as it was taken over.

    Parameters
    ----------
    title : str
        The form's title.
    items : list of Item
        Its questions, by the names that the form has for them.
    groups : list
        The groups that a form of confide's own names.
    skipped : list of Remark
        What nobody answers, and what was dropped from a question that is asked all the same.
    refused : list of Remark
        Questions that cannot be asked.
    """

    title: str = ""
    items: dict[str, Item] = field(default_factory=dict)
    groups: object = None
    skipped: list[Remark] = field(default_factory=list)
    refused: list[Remark] = field(default_factory=list)

    def skip(self, place: str, why: str) -> None:
        """Note what was left aside without harm."""
        self.skipped.append(Remark(place, why))

    def refuse(self, place: str, why: str) -> None:
        """Note a question that cannot be asked."""
        self.refused.append(Remark(place, why))

    def add(self, name: str, item: Item) -> None:
        """Take an item, unless its name is taken already."""
        if name in self.items:
            self.refuse(item.place, f"another question is named {name!r}, too. Rename it.")
        else:
            self.items[name] = item


def make_name(base: str, part: object, taken: Sequence[str]) -> str:
    """Make the name of one option of a question, or of one row.

    >>> make_name("done", "Stole a bike", [])
    'done_stole_a_bike'
    """
    word = re.sub(r"\W+", "_", str(part).strip().casefold()).strip("_")[:40] or "x"
    name, number = f"{base}_{word}", 2
    while name in taken:
        name, number = f"{base}_{word}_{number}", number + 1
    return name


def expand_options(place: str, name: str, text: str, options: Sequence[tuple[str, str]]) -> Item:
    """Make a question with several answers the yes-no questions that it stands for.

    Parameters
    ----------
    options : pairs of str
        The code and the label of each option.

    Examples
    --------
    >>> item = expand_options("row 2", "done", "Have you …?", [("a", "lied"), ("b", "stolen")])
    >>> [entry["name"] for entry in item.entries], item.answers["b"]
    (['done_a', 'done_b'], ('done_b', 'yes'))
    """
    entries: list[Json] = []
    answers = {}
    for code, label in options:
        own = make_name(name, code, [entry["name"] for entry in entries])
        entries.append({"name": own, "kind": "yes-no", "text": label})
        answers[code] = (own, "yes")
    section: Json = {"look": "several"} | ({"text": text} if text else {})
    return Item(place, entries, section, answers)
