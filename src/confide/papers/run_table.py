"""The table of all runs: written for others, and summarised for figures and claims."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isnan, sqrt
from pathlib import Path
from statistics import fmean, variance

import pyarrow as pa

from confide.files import write_atomically
from confide.papers.cells import Row

DIGITS = 9
"""So many digits behind the point are kept: the last ones depend on the processor."""
_HAIR = 1e-12


def settle(value: float) -> float | None:
    """A number as it is stored: what is not known is empty, the last digits are rounded.

    A hair is added, since many shares end with a 5 just behind the last digit: whether that is
    rounded up would depend on the processor.

    >>> settle(0.1 + 0.2), settle(float("nan"))
    (0.3, None)
    >>> settle(0.6728515625), settle(0.6728515625 - 1e-15)
    (0.672851563, 0.672851563)
    """
    return None if isnan(value) else round(float(value) + _HAIR, DIGITS)


def write_table(rows: Sequence[Row], folder: Path) -> None:
    """Write the rows as ``runs.parquet`` and ``runs.csv``."""
    from pyarrow import csv, parquet

    names = list(dict.fromkeys(name for row in rows for name in row))
    table = pa.table({name: [row.get(name) for row in rows] for name in names})
    with write_atomically(folder / "runs.parquet") as temporary:
        parquet.write_table(table, temporary)
    with write_atomically(folder / "runs.csv") as temporary:
        csv.write_csv(table, temporary)


@dataclass(frozen=True)
class Repeats:
    """The repeats of one setting.

    Parameters
    ----------
    mean, variance : float
        Of the repeats; the variance of a single one is not known.
    n : int
        How many repeats there are.
    """

    mean: float
    variance: float
    n: int

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return sqrt(self.variance / self.n)


def summarise(values: Iterable[float]) -> Repeats:
    """Summarise the repeats of one setting by their mean and variance.

    >>> summarise([0.5, 0.75])
    Repeats(mean=0.625, variance=0.03125, n=2)
    """
    given = list(values)
    spread = variance(given) if len(given) > 1 else float("nan")
    return Repeats(round(fmean(given), DIGITS), round(spread, 2 * DIGITS), len(given))


def select(rows: Iterable[Row], **where: object) -> list[Row]:
    """The rows with these values.

    >>> select([{"truth": 0.7, "repeat": 1}, {"truth": 0.6, "repeat": 1}], truth=0.6)
    [{'truth': 0.6, 'repeat': 1}]
    """
    return [row for row in rows if all(row.get(name) == value for name, value in where.items())]


def group(
    rows: Iterable[Row], by: Sequence[str], value: str = "accuracy"
) -> dict[tuple[object, ...], Repeats]:
    """Summarise a column for each combination of others; what is empty does not count."""
    found: dict[tuple[object, ...], list[float]] = {}
    for row in rows:
        number = row.get(value)
        if isinstance(number, int | float):
            found.setdefault(tuple(row.get(name) for name in by), []).append(number)
    return {key: summarise(values) for key, values in found.items()}


def average(rows: Iterable[Row], value: str = "accuracy", /, **where: object) -> Repeats | None:
    """Summarise a column over the rows with these values; None where there are none."""
    return group(select(rows, **where), (), value).get(())
