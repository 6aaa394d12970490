"""Values as people write them ↔ the codes that the algebra counts.

A yes-no value is 1/0, True/False or "yes"/"no"; a choice is its option. They come back in the kind
they came in, except that a question with "prefer not to say" always comes back in words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from confide.design.questions import PREFER_NOT, Finite, YesNo

Codes = NDArray[Any]

UNKNOWN = -1
"""The code of a value outside the question's domain."""
MISSING = -2
"""The code of no value at all."""


@dataclass(frozen=True)
class Coded:
    """A column as codes, with the dtype in which its values came."""

    codes: Codes
    dtype: np.dtype[Any] | None
    """numpy's for numbers and truth values, None for texts."""

    def count(self, code: int) -> int:
        """How many values have a code."""
        return int(np.count_nonzero(self.codes == code)) if self.codes.dtype.kind == "i" else 0


def encode(question: Finite, column: Any) -> Coded:
    """Turn a numpy array or an arrow column into option codes.

    A value outside the domain becomes `UNKNOWN`, an absent one the option "prefer not to say" or,
    where the question has none, `MISSING`.
    """
    values = np.asarray(column) if _numeric(column) else column
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
        coded = Coded(_encode_numbers(question, values), values.dtype)
    else:
        coded = Coded(_encode_texts(question, values), None)
    if PREFER_NOT in question.options and coded.count(MISSING):
        coded.codes[coded.codes == MISSING] = question.size - 1
    return coded


def _numeric(column: Any) -> bool:
    if isinstance(column, np.ndarray):
        return column.dtype.kind in "biuf"
    kind = column.type
    return bool(
        pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
    )


def _encode_numbers(question: Finite, values: NDArray[Any]) -> Codes:
    if isinstance(question, YesNo):
        if values.dtype.kind == "b":
            return values.view(np.uint8)
        first, last = 0, 1
    else:
        given = [o for o in question.options if isinstance(o, int)]
        if not given:
            return _encode_texts(question, _as_words(values))
        first, last = min(given), max(given)
        if given != list(range(first, last + 1)):
            return _searched(np.array(given), values)
    if not values.size or (values.min() >= first and values.max() <= last and _whole(values)):
        return (values - first).astype(np.min_scalar_type(last - first), copy=False)
    codes = np.where((values >= first) & (values <= last), values - first, UNKNOWN)
    codes = np.where(codes == np.floor(codes), codes, UNKNOWN)
    return np.where(_absent(values), MISSING, codes).astype(np.int64)


def _whole(values: NDArray[Any]) -> bool:
    return values.dtype.kind in "iu" or bool((values == np.floor(values)).all())


def _absent(values: NDArray[Any]) -> NDArray[np.bool_]:
    return np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), bool)


def _searched(options: NDArray[Any], values: NDArray[Any]) -> Codes:
    """Codes of whole-number options that are not consecutive."""
    order = np.argsort(options)
    place = np.searchsorted(options, values, sorter=order).clip(max=len(options) - 1)
    codes = order[place]
    codes = np.where(options[codes] == values, codes, UNKNOWN)
    return np.where(_absent(values), MISSING, codes)


def _as_words(values: NDArray[Any]) -> pa.Array:
    """Numbers as texts, for options that look like numbers; 1.0 is "1"."""
    absent = _absent(values)
    whole = values.dtype.kind == "f" and _whole(values[~absent])
    numbers = np.where(absent, 0, values).astype(np.int64) if whole else values
    return pc.if_else(pa.array(absent), None, pc.cast(pa.array(numbers), pa.string()))


def _encode_texts(question: Finite, column: Any) -> Codes:
    texts = _texts(column)
    words = _words(question)
    if isinstance(question, YesNo):
        texts = pc.utf8_lower(texts)
    found = pc.index_in(texts, value_set=pa.array(list(words)))
    codes = np.array([*words.values(), UNKNOWN])[
        pc.fill_null(found, len(words)).to_numpy(zero_copy_only=False)
    ]
    absent = pc.or_kleene(pc.is_null(texts), pc.equal(texts, "")).to_numpy(zero_copy_only=False)
    codes[absent.astype(bool)] = MISSING
    return np.asarray(codes)


def _texts(column: Any) -> Any:
    """Any column of texts as an arrow array."""
    if isinstance(column, np.ndarray):
        column = pa.array(
            [None if v is None or v != v else str(v) for v in column.tolist()], pa.string()
        )
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    return pc.cast(column, pa.string())


def _words(question: Finite) -> dict[str, int]:
    """Every text that stands for an option, with its code."""
    words = {label: code for code, label in enumerate(question.labels)}
    if isinstance(question, YesNo):
        words |= {"false": 0, "true": 1, "0": 0, "1": 1}
    return words


def decode(question: Finite, coded: Coded) -> Any:
    """Turn codes back into values of the kind they came in."""
    codes, dtype = coded.codes, coded.dtype
    if dtype is not None and PREFER_NOT not in question.options:
        if isinstance(question, YesNo):
            return codes.astype(dtype, copy=False)
        if all(isinstance(option, int) for option in question.options):
            options = np.array(question.options)
            if (options == np.arange(len(options))).all():
                return codes.astype(dtype, copy=False)
            return options.astype(dtype)[codes]
    return pa.array(question.labels).take(pa.array(codes))


def encode_number(column: Any) -> NDArray[np.float64]:
    """Turn a column into numbers; what is absent or no number becomes NaN."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "biuf":
        return column.astype(float)
    texts = column if isinstance(column, np.ndarray) else column.to_pylist()
    return np.array([_float(value) for value in texts], dtype=float)


def _float(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return float("nan")
