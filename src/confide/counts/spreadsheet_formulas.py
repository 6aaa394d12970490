"""Texts that a spreadsheet would run as formulas, made safe in CSV files."""

from __future__ import annotations

import re
from collections.abc import Iterable

_FORMULA = re.compile(r"(?![+-]?\d+(\.\d+)?$)[=+\-@\t\r\n＝＋－＠]")


def escape_formulas(texts: Iterable[str]) -> dict[str, str]:
    """Give each text as a CSV file holds it: an apostrophe stands before what would be run.

    Where that is itself one of the texts, one more apostrophe stands before it, so that no two are
    held alike. Numbers stay numbers.

    >>> escape_formulas(["law", "=1+1", "-3", "@me", "'@me"])
    {'law': 'law', '=1+1': "'=1+1", '-3': '-3', '@me': "''@me", "'@me": "'@me"}
    """
    given = list(texts)
    held = dict(zip(given, given, strict=True))
    for text in filter(_FORMULA.match, given):
        held[text] = "'" + text
        while held[text] in given:
            held[text] = "'" + held[text]
    return held
