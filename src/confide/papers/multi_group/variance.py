"""The variance of the accuracy in two parts: of the coins, and of how the attributes are dealt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, variance

from confide.papers.cells import Row

_FEWEST = 2


@dataclass(frozen=True)
class VarianceParts:
    """The parts of a variance.

    Parameters
    ----------
    within : float
        The variance of the coins: between repeats of the same partition.
    between : float
        The variance of the partitions' expected accuracies. Estimated without bias, it may be
        slightly negative where there is none.
    """

    within: float
    between: float


def split_variance(rows: Sequence[Row]) -> VarianceParts | None:
    """Split the variance of accuracies by partition; None where repeats are too few.

    One-way analysis of variance with random effects: within = the mean of the partitions' own
    variances; between = the variance of their means less within divided by the repeats of each.
    """
    found: dict[object, list[float]] = {}
    for row in rows:
        accuracy = row["accuracy"]
        assert isinstance(accuracy, int | float)
        found.setdefault(row["partition"], []).append(accuracy)
    parts = [values for values in found.values() if len(values) >= _FEWEST]
    if not parts:
        return None
    within = fmean(variance(values) for values in parts)
    if len(parts) < _FEWEST:
        return VarianceParts(within, 0.0)
    each = fmean(len(values) for values in parts)
    return VarianceParts(within, variance(fmean(values) for values in parts) - within / each)
