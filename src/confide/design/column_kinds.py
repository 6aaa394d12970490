"""The kind in which a column has its values, and the labels that go with it.

The column's type decides, never the values in it; only files of texts, such as CSV, have no types:
there all the values decide together. A yes-no question's labels are "no" and "yes" in a column of
texts, 0 and 1 in one of numbers, False and True in one of truth values; a choice's are its options,
in a column of texts written out, or its codes in one of numbers. Where no column is known, as in
the web app's store, the labels are the options as the design has them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

import numpy as np

from confide.arrays import Codes, DType
from confide.design.questions import Finite, Option, YesNo

Kind = Literal["texts", "numbers", "truth values"]
KINDS = get_args(Kind)


def labels_of(question: Finite, kind: Kind | None) -> Codes:
    """A question's values by code, in the kind of its column.

    >>> labels_of(YesNo("cheated"), "texts"), labels_of(YesNo("cheated"), "truth values")
    (array(['no', 'yes'], dtype='<U3'), array([False,  True]))
    """
    numbers = as_numbers(question)
    if kind is None:
        return np.array(question.options)
    if kind == "texts" or not all(isinstance(option, int) for option in numbers):
        return np.array(question.labels)
    if kind == "truth values" and numbers == (0, 1):
        return np.array([False, True])
    return np.array(numbers)


def as_numbers(question: Finite) -> tuple[Option, ...]:
    """The options as tables hold them, with 0 and 1 for no and yes."""
    return (0, 1, *question.options[2:]) if isinstance(question, YesNo) else question.stored


def find_kind(dtype: DType | None) -> Kind:
    """The kind of a column that numpy holds in a dtype; None stands for texts."""
    if dtype is None:
        return "texts"
    return "truth values" if dtype.kind == "b" else "numbers"


def find_written_kind(values: Iterable[str | None]) -> Kind:
    """The kind of a column of a file without types, from all that is written in it.

    >>> find_written_kind(["1", "0", "1.0", ""]), find_written_kind(["True", "false"])
    ('numbers', 'truth values')
    >>> find_written_kind(["1", "yes"])
    'texts'
    """
    words = {value.lower() for value in values if value}
    if words and words <= {"true", "false"}:
        return "truth values"
    return "numbers" if words and all(map(_is_number, words)) else "texts"


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def common_kind(kinds: Iterable[Kind | None]) -> Kind | None:
    """The kind that several columns share; None, and so the design's own, where they differ."""
    different = set(kinds)
    return different.pop() if len(different) == 1 else None
