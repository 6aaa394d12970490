"""What a column of reports may be called, and how a CSV file holds what a spreadsheet would run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from confide.design.design import Design
from confide.errors import ReportsError

DISGUISED = "_disguised"
"""What the heading of a disguised column ends with in an export."""

_FORMULA = re.compile(r"(?![+-]?\d+(\.\d+)?$)[=+\-@\t\r\n＝＋－＠]")


def safe_texts(texts: Iterable[str]) -> dict[str, str]:
    """Give each text as a CSV file holds it: an apostrophe stands before what would be run.

    Where that is itself one of the texts, one more apostrophe stands before it, so that no two are
    held alike. Numbers stay numbers.

    >>> safe_texts(["law", "=1+1", "-3", "@me", "'@me"])
    {'law': 'law', '=1+1': "'=1+1", '-3': '-3', '@me': "''@me", "'@me": "'@me"}
    """
    given = list(texts)
    held = dict(zip(given, given, strict=True))
    for text in filter(_FORMULA.match, given):
        held[text] = "'" + text
        while held[text] in given:
            held[text] = "'" + held[text]
    return held


def marked(design: Design, name: str) -> str:
    """Name a question's column so that it says "disguised", unless a question has that name.

    >>> import confide as cf
    >>> design = cf.Design([cf.YesNo("a"), cf.YesNo("b"), cf.YesNo("b_disguised")])
    >>> marked(design, "a"), marked(design, "b")
    ('a_disguised', 'b')
    """
    heading = name + DISGUISED
    taken = {other.casefold() for other in design.names}
    return name if heading.casefold() in taken else heading


def columns_of(design: Design, held: Sequence[str], where: str) -> list[str]:
    """Find each question's column: by its name, or as an export calls it."""
    names = design.names
    exported = [marked(design, name) for name in names]
    safe = safe_texts([*names, *exported])
    columns, absent = [], []
    for name, heading in zip(names, exported, strict=True):
        called = (name, heading, safe[name], safe[heading])
        column = next((each for each in called if each in held), None)
        if column is None:
            absent.append(name)
        else:
            columns.append(column)
    if absent:
        raise _lacking(absent, where)
    return columns


def check_columns(design: Design, held: Sequence[str], where: str) -> None:
    """Refuse answers without a column for every question, by its own name alone."""
    if absent := [name for name in design.names if name not in held]:
        raise _lacking(absent, where)


def _lacking(names: Sequence[str], where: str) -> ReportsError:
    return ReportsError(f"{where} has no column {', '.join(map(repr, names))}.")
