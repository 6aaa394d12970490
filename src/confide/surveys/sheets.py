"""Which questions share a sheet of the page, in which order, and who is asked them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from confide.design import Design
from confide.surveys.page_settings import Page


@dataclass(frozen=True)
class Sheet:
    """What a respondent sees at once.

    Parameters
    ----------
    cards : tuple of tuples of int
        The blocks of each card: those of one card are disguised alike and look like one question,
        or are a number and what tells whether it is missing.
    look : str
        How the questions of a card look: "list", "several" or "matrix".
    section : int or None
        The page's section that the sheet is; None for a block on its own.
    only_if : pair of int or None
        The place of a question in the clear, and the answer after which the sheet is asked.
    """

    cards: tuple[tuple[int, ...], ...]
    look: str = "list"
    section: int | None = None
    only_if: tuple[int, int] | None = None


def lay_sheets(design: Design, page: Page) -> list[Sheet]:
    """Lay questions on sheets: those of a section together, every other block alone.

    >>> import confide as cf
    >>> design = cf.Design([cf.YesNo("a"), cf.YesNo("b"), cf.YesNo("c")])
    >>> sections = [{"questions": ["b", "c"], "look": "several"}]
    >>> [sheet.cards for sheet in lay_sheets(design, Page(section=sections))]
    [((0,),), ((1, 2),)]
    """
    place = {p: b for b, block in enumerate(design.blocks) for p in block.positions}
    sheets = [_lay_section(design, place, i, each) for i, each in enumerate(page.section)]
    laid = {b for sheet in sheets for card in sheet.cards for b in card}
    beside = {
        place[design.position(number)]: place[design.position(teller)]
        for number, teller in design.declines.items()
    }
    laid |= set(beside.values())
    sheets += [Sheet(((b,),)) for b in range(len(design.blocks)) if b not in laid]
    sheets.sort(key=lambda sheet: min(list_places(design, sheet)))
    return [_put_beside(sheet, beside) for sheet in sheets]


def _put_beside(sheet: Sheet, beside: Mapping[int, int]) -> Sheet:
    """Put what tells whether a number is missing on the number's card, behind it."""
    cards = tuple((*card, *(beside[b] for b in card if b in beside)) for card in sheet.cards)
    return replace(sheet, cards=cards)


def list_places(design: Design, sheet: Sheet) -> list[int]:
    """List the places of a sheet's questions, in the order in which they are asked."""
    return [p for card in sheet.cards for b in card for p in design.blocks[b].positions]


def _lay_section(
    design: Design, place: Mapping[int, int], index: int, section: Mapping[str, Any]
) -> Sheet:
    blocks = list(dict.fromkeys(place[design.position(name)] for name in section["questions"]))
    look = section.get("look", "list")
    condition = None
    if asked := section.get("only_if"):
        name = asked["question"]
        condition = (design.position(name), design.question(name).code(asked["answer"]))
    cards = ((b,) for b in blocks) if look == "list" else (tuple(blocks),)
    return Sheet(tuple(cards), look, index, condition)
