"""How the papers' attributes become yes-no: what "the median point of the range" may mean.

The papers "split the value of each attribute from the median point of the range" and do not say
what they do with missing values. The reading "median" is the one chosen: of those tried it gives
naive Bayes on Adult the .82 of `surveys` Figure 7. The others show how much hangs on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array
from confide.errors import ConfideError, show
from confide.papers.data_sets import MISSING, Attribute, DataSet, Rows

Bits = NDArray[np.uint8]


class BinaryData(NamedTuple):
    """A data set of yes-no attributes and a yes-no class."""

    names: tuple[str, ...]
    X: Bits
    y: Bits


@dataclass(frozen=True)
class Reading:
    """One reading of what the papers leave open.

    Parameters
    ----------
    text : str
        What it says.
    mid_range : bool
        Whether a number is cut in the middle between its smallest and largest value, not at its
        median.
    median_category : bool
        Whether categories are cut at the median of their places, not in the middle of their list.
    missing : str
        What happens to a missing value: it takes the "last" place after all others, the place of
        the "commonest" value, or its record is left "out".
    """

    text: str
    mid_range: bool = False
    median_category: bool = False
    missing: str = "last"


READINGS = {
    "median": Reading(
        "a number is 1 above its median, a category from the middle of its list on; what is "
        "missing takes the last place (of a vote: is not a yea)"
    ),
    "mid-range": Reading(
        "a number is 1 above the middle between its smallest and largest value", mid_range=True
    ),
    "median-category": Reading(
        "a category is 1 above the median of the categories' places", median_category=True
    ),
    "commonest": Reading("what is missing takes the commonest value", missing="commonest"),
    "complete": Reading("records with a missing value are left out", missing="out"),
}
"""The readings by name, the chosen one first."""


def find_reading(name: str) -> Reading:
    """Find a reading by its name."""
    if name not in READINGS:
        raise ConfideError(f"a reading is one of {', '.join(READINGS)}. Got {show(name)}.")
    return READINGS[name]


def make_binary(data_set: DataSet, rows: Rows, reading: str = "median") -> BinaryData:
    """Make every attribute and the class of a data set yes-no."""
    chosen = find_reading(reading)
    if chosen.missing == "out":
        rows = [row for row in rows if MISSING not in row]
    columns = list(zip(*rows, strict=True))
    bits = [
        _cut(attribute, np.array(column), chosen)
        for attribute, column in zip(data_set.attributes, columns[:-1], strict=True)
    ]
    classes = (np.array(columns[-1]) == data_set.classes[1]).astype(np.uint8)
    names = tuple(attribute.name for attribute in data_set.attributes)
    return BinaryData(names, np.stack(bits, axis=1), classes)


def _cut(attribute: Attribute, column: NDArray[np.str_], reading: Reading) -> Bits:
    """Cut one attribute in two."""
    if reading.missing == "commonest":
        column = _fill(column)
    if attribute.yes is not None:
        return (column == attribute.yes).astype(np.uint8)
    if attribute.categories is None:
        values = np.where(column == MISSING, "inf", column).astype(float)
        known = values[np.isfinite(values)]
        cut = (known.min() + known.max()) / 2 if reading.mid_range else np.median(values)
        return (values > cut).astype(np.uint8)
    places = {category: place for place, category in enumerate((*attribute.categories, MISSING))}
    codes: Array = np.array([places[category] for category in column.tolist()], dtype=float)
    if reading.median_category:
        return (codes > np.median(codes)).astype(np.uint8)
    return (codes >= codes.max() / 2).astype(np.uint8)


def _fill(column: NDArray[np.str_]) -> NDArray[np.str_]:
    """Put the commonest value, the first of equals, where one is missing."""
    values, counts = np.unique(column[column != MISSING], return_counts=True)
    return np.where(column == MISSING, values[counts.argmax()], column)
