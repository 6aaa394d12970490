"""Exact distributions: probabilities that sum to one and that a browser can draw with integers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor

from confide.errors import DesignError
from confide.mechanisms.probability import (
    LARGEST_DENOMINATOR,
    Probability,
    common_denominator,
    float_precision,
    least_common_denominator,
    read_written,
)

_SUM_TOLERANCE = Fraction(1, 10**9)


def read_distribution(
    given: Sequence[Probability], what: str, reach: int = LARGEST_DENOMINATOR
) -> list[Fraction]:
    """Read probabilities that sum to one, with a common denominator within reach.

    Each is read as `read_probability` reads it. Where that does not do, because of floats that were
    rounded, what was written exactly stays, and the floats become multiples of one fraction
    that make the sum exactly one: each moves by less than that fraction, and none that is possible
    becomes impossible. A sum that is off by more than rounding is refused.

    >>> read_distribution([1 / 3, 1 / 3, 1 / 3], "personal")
    [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)]
    >>> sum(read_distribution([0.12345678901234, 0.87654321098766], "personal"))
    Fraction(1, 1)
    """
    return read_distributions([given], [what], reach)[0]


def read_distributions(
    given: Sequence[Sequence[Probability]], what: Sequence[str], reach: int = LARGEST_DENOMINATOR
) -> list[list[Fraction]]:
    """Read several distributions whose probabilities share one denominator within reach."""
    read = [[read_written(p, name) for p in row] for row, name in zip(given, what, strict=True)]
    kept = common_denominator((p for row in read for p, written in row if written), what[0])
    rounded = [p for row in read for p, written in row if not written]
    if not rounded or least_common_denominator(rounded, reach, kept) is not None:
        exact = [[p for p, _ in row] for row in read]
        if all(sum(row) == 1 for row in exact):
            return exact
    denominator = kept * max(1, reach // kept)
    return [
        _share_out(numbers, row, denominator, name)
        for numbers, row, name in zip(given, read, what, strict=True)
    ]


def _share_out(
    given: Sequence[Probability],
    read: Sequence[tuple[Fraction, bool]],
    denominator: int,
    what: str,
) -> list[Fraction]:
    """Make a distribution's rounded floats multiples of 1/denominator that sum to what is left."""
    free = [i for i, (_, written) in enumerate(read) if not written]
    wanted = {i: max(Fraction(float(given[i])), Fraction()) for i in free}
    rest = 1 - sum(p for p, written in read if written)
    rounding = sum(Fraction(float(float_precision(given[i]).eps)) for i in free)
    total = sum(wanted.values(), Fraction())
    if abs(total - rest) > max(_SUM_TOLERANCE if free else 0, 4 * rounding):
        given_sum = total + 1 - rest
        raise DesignError(f"{what} must sum to 1. It sums to {_format_sum(given_sum)}.")
    if not free:
        return [p for p, _ in read]
    possible = [i for i in free if read[i][0]]
    left = int(rest * denominator)
    scaled = {i: wanted[i] / total * left for i in possible}
    whole = {i: max(1, floor(scaled[i])) for i in possible}
    # what rounding down left over goes where most was cut off
    for i in sorted(possible, key=lambda i: whole[i] - scaled[i])[: max(0, left - _sum(whole))]:
        whole[i] += 1
    if possible:  # and what small probabilities were given comes from the largest
        whole[max(possible, key=lambda i: whole[i])] += left - _sum(whole)
    if _sum(whole) != left or any(count < 1 for count in whole.values()):
        raise DesignError(
            f"{what} holds probabilities too small for a browser to draw them exactly: the least "
            f"is 1/{denominator}. Use larger ones, or write fractions."
        )
    return [
        Fraction(whole.get(i, 0), denominator) if i in wanted else p
        for i, (p, _) in enumerate(read)
    ]


def _sum(counts: dict[int, int]) -> int:
    return sum(counts.values())


def _format_sum(total: Fraction) -> str:
    """Format a sum as people read it: a fraction where that is short, else a decimal."""
    return str(total) if total.denominator <= LARGEST_DENOMINATOR else f"{float(total):.10g}"
