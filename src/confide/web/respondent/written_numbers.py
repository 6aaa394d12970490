"""Numbers as people write them in the page's language, and which ones a question takes."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from itertools import count, islice, takewhile
from typing import Any

_LONG = 10_000  # shorter numbers, such as years, are not broken up


def written(number: float, texts: Mapping[str, str]) -> str:
    """A number with the marks of a language.

    >>> written(10_000, {"decimal_mark": ".", "group_mark": ","})
    '10,000'
    >>> written(-1234567.5, {"decimal_mark": ",", "group_mark": "."}), written(2024, {})
    ('-1.234.567,5', '2024')
    """
    exact = Decimal(int(number) if number == int(number) else f"{number:.12g}")
    text = f"{exact:,f}" if abs(exact) >= _LONG else f"{exact:f}"
    marks = {",": texts.get("group_mark", ","), ".": texts.get("decimal_mark", ".")}
    return "".join(marks.get(sign, sign) for sign in text)


def hint(asked: Any, texts: Mapping[str, str]) -> str:
    """Say which numbers a question takes: its range, and its steps where it has some."""
    values = {"low": written(asked.low, texts), "high": written(asked.high, texts)}
    if asked.step is None:
        return texts["range"].format(**values)
    if asked.step == 1 and asked.low == int(asked.low):
        return texts["range_whole"].format(**values)
    end = asked.high + asked.step / 2
    points = takewhile(lambda point: point < end, (asked.low + k * asked.step for k in count()))
    first = [written(point, texts) for point in islice(points, 4)]
    listed = "; ".join(first) if len(first) < 4 else "; ".join(first[:3]) + " …"
    step = written(asked.step, texts)
    return texts["range_steps"].format(**values, step=step, first=listed)


def keyboard(asked: Any) -> str:
    """The keys that a telephone offers for a number: those for numbers alone have no minus."""
    if asked.low < 0:
        return "text"
    whole = asked.step is not None and asked.step == int(asked.step) and asked.low == int(asked.low)
    return "numeric" if whole else "decimal"
