"""Numbers as people write them in the page's language, and which ones a question takes."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from itertools import count, islice, takewhile

from confide.design import Number

_LONG = 10_000  # shorter numbers, such as years, are not broken up


def write_number(number: float, texts: Mapping[str, str]) -> str:
    """Write a number with the marks of a language.

    >>> write_number(10_000, {"decimal_mark": ".", "group_mark": ","})
    '10,000'
    >>> write_number(-1234567.5, {"decimal_mark": ",", "group_mark": "."}), write_number(2024, {})
    ('-1.234.567,5', '2024')
    """
    exact = Decimal(int(number) if number == int(number) else f"{number:.12g}")
    text = f"{exact:,f}" if abs(exact) >= _LONG else f"{exact:f}"
    marks = {",": texts.get("group_mark", ","), ".": texts.get("decimal_mark", ".")}
    return "".join(marks.get(sign, sign) for sign in text)


def write_hint(question: Number, texts: Mapping[str, str]) -> str:
    """Say which numbers a question takes: its range, and its steps where it has some."""
    values = {"low": write_number(question.low, texts), "high": write_number(question.high, texts)}
    if question.step is None:
        return texts["range"].format(**values)
    if question.step == 1 and question.low == int(question.low):
        return texts["range_whole"].format(**values)
    end = question.high + question.step / 2
    points = takewhile(
        lambda point: point < end, (question.low + k * question.step for k in count())
    )
    first = [write_number(point, texts) for point in islice(points, 4)]
    listed = "; ".join(first) if len(first) < 4 else "; ".join(first[:3]) + " …"
    step = write_number(question.step, texts)
    return texts["range_steps"].format(**values, step=step, first=listed)


def choose_keyboard(question: Number) -> str:
    """Choose the keys that a telephone offers for a number: the numeric ones have no minus."""
    if question.low < 0:
        return "text"
    whole = (
        question.step is not None
        and question.step == int(question.step)
        and question.low == int(question.low)
    )
    return "numeric" if whole else "decimal"
