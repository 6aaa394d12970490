"""What a column of reports may be called in a table or a file."""

from __future__ import annotations

from collections.abc import Sequence

from confide.counts.spreadsheet_formulas import escape_formulas
from confide.design.design import Design
from confide.errors import ReportsError

DISGUISED = "_disguised"
"""What the heading of a disguised column ends with in an export."""


def export_heading(design: Design, name: str) -> str:
    """Name a question's column so that it says "disguised", unless a question has that name.

    >>> import confide as cf
    >>> design = cf.Design([cf.YesNo("a"), cf.YesNo("b"), cf.YesNo("b_disguised")])
    >>> export_heading(design, "a"), export_heading(design, "b")
    ('a_disguised', 'b')
    """
    heading = name + DISGUISED
    taken = {other.casefold() for other in design.names}
    return name if heading.casefold() in taken else heading


def find_columns(design: Design, held: Sequence[str], where: str) -> list[str]:
    """Find each question's column: by its name, or as an export calls it."""
    whole = design.whole  # which a file was written under
    exported = {name: export_heading(whole, name) for name in whole.names}
    safe = escape_formulas([*exported, *exported.values()])
    columns, absent = [], []
    for name in design.names:
        heading = exported[name]
        called = (name, heading, safe[name], safe[heading])
        column = next((each for each in called if each in held), None)
        if column is None:
            absent.append(name)
        else:
            columns.append(column)
    if absent:
        raise _missing_columns(absent, where)
    return columns


def check_columns(design: Design, held: Sequence[str], where: str) -> None:
    """Refuse answers without a column for every question, by its own name alone.

    What tells whether a number is missing follows from the number.
    """
    derived = design.declines.values()
    if absent := [name for name in design.names if name not in (*held, *derived)]:
        raise _missing_columns(absent, where)


def _missing_columns(names: Sequence[str], where: str) -> ReportsError:
    return ReportsError(
        f"{where} has no column {', '.join(map(repr, names))}. A column is called as its question, "
        "letter by letter; a CSV file says so in its first line. If it is not needed, use a part "
        "of the design: design.only([…])."
    )
