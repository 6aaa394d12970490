"""Values as people write them ↔ the codes that the algebra counts.

A yes-no value is 1/0, True/False or "yes"/"no"; a choice is its option. They come back in the kind
they came in, except that a question with "prefer not to say" always comes back in words.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from confide.arrays import Codes, DType
from confide.design.column_kinds import as_numbers
from confide.design.questions import Finite, YesNo
from confide.formats import PREFER_NOT

Column: TypeAlias = Codes | pa.Array
"""A column of a table: a numpy array, or arrow's."""

Frame: TypeAlias = nw.DataFrame[Any]
"""A dataframe in memory, of any library."""
Series: TypeAlias = nw.Series[Any]
"""A dataframe's column."""

UNKNOWN = -1
"""The code of a value outside the question's domain."""
MISSING = -2
"""The code of no value at all."""

_UNFIT = (pa.ArrowException, ArithmeticError, TypeError, ValueError)
"""What arrow raises for objects of several kinds, or of none that it knows."""


@dataclass(frozen=True)
class Coded:
    """A column as codes, with the dtype in which its values came."""

    codes: Codes
    dtype: DType | None
    """numpy's for numbers and truth values, None for texts."""
    categories: pa.DictionaryArray | None = None
    """The column itself where it has categories, which its values come back in."""
    stored: bool = False
    """Whether texts are the codes that tables hold for the options, and not the options."""

    def count(self, code: int) -> int:
        """How many values have a code."""
        return int(np.count_nonzero(self.codes == code)) if self.codes.dtype.kind == "i" else 0


def encode(question: Finite, column: Column) -> Coded:
    """Turn a numpy array or an arrow column into option codes.

    A value outside the domain becomes `UNKNOWN`, an absent one the option "prefer not to say" or,
    where the question has none, `MISSING`.
    """
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if isinstance(column, pa.DictionaryArray):
        return _encode_categories(question, column)
    values = _simplify(column)
    if isinstance(values, np.ndarray):
        coded = Coded(_encode_numbers(question, values), values.dtype)
    else:
        stored = _holds_codes(question, values)
        coded = Coded(_encode_texts(question, values), None, stored=stored)
    if PREFER_NOT in question.options and coded.count(MISSING):
        coded.codes[coded.codes == MISSING] = question.size - 1
    return coded


def _encode_categories(question: Finite, column: pa.DictionaryArray) -> Coded:
    """Encode the categories that occur, and every value by its category."""
    absent = len(column.dictionary)
    places = column.indices.fill_null(absent).to_numpy(zero_copy_only=False)
    occurs = np.zeros(absent + 1, bool)
    occurs[places] = True
    held = np.flatnonzero(occurs[:absent])
    kept = encode(question, column.dictionary.take(pa.array(held)))
    codes = np.full(absent + 1, MISSING, np.int8 if question.size < 1 << 7 else np.int32)
    codes[held] = kept.codes
    if PREFER_NOT in question.options:
        codes[absent] = question.size - 1
    return replace(kept, codes=codes[places], categories=column)


def series_values(series: Series) -> Column:
    """A dataframe's column as the numpy array or arrow column that `encode` reads."""
    kind = series.dtype
    if kind.is_numeric() or kind == nw.Boolean:
        return (series.cast(nw.Float64) if series.is_null().any() else series).to_numpy()
    if kind == nw.Object:
        return series.to_numpy()
    try:
        return series.to_arrow()
    except _UNFIT:  # categories of several kinds
        return series.to_numpy()


def _simplify(column: Column) -> Column:
    """Numbers and truth values as numpy, with NaN where there is none; all else as arrow."""
    if isinstance(column, np.ndarray):
        if column.dtype.kind in "biuf":
            return column
        column = _infer_kinds(column)
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    kind = column.type
    if pa.types.is_boolean(kind) and column.null_count:
        column = column.cast(pa.int8())
    if pa.types.is_decimal(kind):
        column = column.cast(pa.float64())
    plain = (pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean)
    if any(is_kind(column.type) for is_kind in plain):
        return column.to_numpy(zero_copy_only=False)
    return column


def _infer_kinds(objects: Codes) -> pa.Array:
    """Python objects as arrow; those of several kinds as texts."""
    try:
        return pa.array(objects, from_pandas=True)
    except _UNFIT:
        return pa.array([None if _is_none(v) else str(v) for v in objects.tolist()], pa.string())


def _is_none(value: object) -> bool:
    return (
        value is None
        or (isinstance(value, float) and value != value)
        or type(value).__name__ in ("NAType", "NaTType")  # pandas' own, which may not be installed
    )


def _encode_numbers(question: Finite, values: Codes) -> Codes:
    """Encode numbers or truth values: by a subtraction where the options are numbers in a row."""
    if values.dtype.kind == "b" and isinstance(question, YesNo):
        return values.view(np.uint8)
    given = [option for option in as_numbers(question) if isinstance(option, int)]
    if not given:  # options such as "1": arrow writes 1.0 so
        return _encode_texts(question, pa.array(values, from_pandas=True))
    first, last = given[0], given[-1]
    if (
        values.size
        and last - first + 1 == len(given)
        and given == list(range(first, last + 1))
        and (values.min() >= first and values.max() <= last and _are_whole(values))
    ):
        counted = values.astype(np.int64) - first if first else values
        return counted.astype(np.min_scalar_type(last - first), copy=False)
    return _find_codes(np.array(given), values)


def _are_whole(values: Codes) -> bool:
    return values.dtype.kind != "f" or bool((values == np.floor(values)).all())


def _find_absent(values: Codes) -> NDArray[np.bool_]:
    return np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), bool)


def _find_codes(options: Codes, values: Codes) -> Codes:
    """Codes of whole-number options, wherever they and the values lie."""
    order = np.argsort(options)
    place = np.searchsorted(options, values, sorter=order).clip(max=len(options) - 1)
    codes = order[place]
    codes = np.where(options[codes] == values, codes, UNKNOWN)
    return np.where(_find_absent(values), MISSING, codes)


def _encode_texts(question: Finite, column: Column) -> Codes:
    """Encode texts by the ways in which the options may be written."""
    texts = _write_out(column)
    if texts is None:
        return np.full(len(column), UNKNOWN)
    if isinstance(question, YesNo):
        texts = pc.utf8_lower(texts)
    words = question.spellings
    found = pc.index_in(texts, value_set=pa.array(list(words), pa.large_string()))
    codes = np.array([*words.values(), UNKNOWN], np.int32)[
        pc.fill_null(found, len(words)).to_numpy(zero_copy_only=False)
    ]
    absent = pc.fill_null(pc.equal(texts, ""), True).to_numpy(zero_copy_only=False)
    codes[absent] = MISSING
    return np.asarray(codes)


def _holds_codes(question: Finite, column: Column) -> bool:
    """Whether all texts of a column are codes of options, of a question that has codes."""
    if question.stored == question.options:
        return False
    texts = _write_out(column)
    codes = pa.array([*map(str, question.stored), "", None], pa.large_string())
    return texts is not None and bool(pc.all(pc.is_in(texts, value_set=codes)).as_py())


def _write_out(column: Column) -> pa.Array | None:
    """The values written out, or None for lists, structures and bytes that are no text."""
    try:
        return pc.cast(column, pa.large_string())
    except pa.ArrowException:
        return None


def decode(question: Finite, coded: Coded) -> Column:
    """Turn codes back into values of the kind they came in."""
    codes, dtype = coded.codes, coded.dtype
    if coded.categories is not None:
        return _decode_categories(question, coded)
    if dtype is not None and all(isinstance(option, int) for option in as_numbers(question)):
        options = np.array(as_numbers(question))
        fitting = options.astype(dtype)
        values = fitting if (fitting == options).all() else options
        if (options == np.arange(len(options))).all():
            return codes.astype(values.dtype, copy=False)
        return np.take(values, codes)
    return pa.array(_texts(question, coded)).take(pa.array(codes))


def _texts(question: Finite, coded: Coded) -> list[str]:
    """The options as texts of the kind in which they came."""
    return list(map(str, question.stored if coded.stored else question.options))


def _decode_categories(question: Finite, coded: Coded) -> pa.DictionaryArray:
    """Values in the categories of the column they came in, which get the options that they lack.

    Categories with an order keep it only if they lack none: nobody says where the new ones stand.
    """
    column = coded.categories
    assert column is not None
    held = encode(question, column.dictionary).codes.astype(np.int64)
    lacking = [code for code in range(question.size) if code not in held]
    known = column.dictionary
    if lacking:
        kind = pa.string() if isinstance(_simplify(known), np.ndarray) else known.type
        words = _texts(question, coded)
        added = pa.array([words[code] for code in lacking], kind)
        known = pa.concat_arrays([known.cast(kind), added])
    places = [*held.tolist(), *lacking]
    place = np.array([places.index(code) for code in range(question.size)], np.int32)
    ordered = column.type.ordered and not lacking
    return pa.DictionaryArray.from_arrays(pa.array(place[coded.codes]), known, ordered=ordered)


def find_absent(column: Column, *words: str) -> NDArray[np.bool_]:
    """Which values of a column are not there: neither number nor text, or one of these words."""
    values = _simplify(column)
    if isinstance(values, np.ndarray):
        return _find_absent(values)
    texts = _write_out(values)
    if texts is None:
        return np.zeros(len(values), bool)
    nothing = pa.array(["", *words, None], pa.large_string())
    empty = pc.is_in(pc.utf8_trim_whitespace(texts), value_set=nothing)
    return np.asarray(empty.to_numpy(zero_copy_only=False))


def encode_number(column: Column) -> Codes:
    """Turn a column into numbers; what is absent or no number becomes NaN."""
    values = _simplify(column)
    if isinstance(values, np.ndarray):
        return values
    texts = _write_out(values)
    if texts is None:
        return np.full(len(values), np.nan)
    return np.array([_read_float(text) for text in texts.to_pylist()], dtype=float)


def _read_float(text: str | None) -> float:
    try:
        return float(text) if text is not None else float("nan")
    except ValueError:
        return float("nan")
