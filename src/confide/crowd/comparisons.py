"""Several differences at once, with what is true of all of them together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import pyarrow as pa

from confide.crowd.arrow_rows import ArrowRows
from confide.crowd.comparison import adjust_p_values
from confide.crowd.estimate import Estimate, Quantity, format_p_value


@dataclass(frozen=True, eq=False)
class Comparisons(ArrowRows):
    """The differences of all pairs of sub-populations.

    The p-values are corrected for being several (Holm 1979): if nothing differs, one of them is
    below 0.05 in at most 5 of 100 surveys. The intervals are each of its own.

    Parameters
    ----------
    pairs : tuple of (str, str)
        The first and the second sub-population of each difference.
    differences : tuple of Quantity
        The first one's share less the second one's.
    """

    pairs: tuple[tuple[str, str], ...]
    differences: tuple[Quantity, ...]

    @cached_property
    def p_values(self) -> list[float]:
        """The p-value of each difference against none, corrected for there being several."""
        return adjust_p_values([each.p_value(0.0) for each in self.differences])

    def to_arrow(self) -> pa.Table:
        """One row per pair, with the ends of the 95 % interval."""
        ends = [each.interval() for each in self.differences]
        return pa.table(
            {
                "first": [first for first, _ in self.pairs],
                "second": [second for _, second in self.pairs],
                "difference": [each.value for each in self.differences],
                "standard_error": [each.standard_error for each in self.differences],
                "low": [low for low, _ in ends],
                "high": [high for _, high in ends],
                "p_value": self.p_values,
            }
        )

    def __len__(self) -> int:
        return len(self.pairs)

    def __repr__(self) -> str:
        rows = [
            (f"{first} − {second}", repr(each), format_p_value(p))
            for (first, second), each, p in zip(
                self.pairs, self.differences, self.p_values, strict=True
            )
        ]
        widths = [max(len(row[i]) for row in rows) for i in range(2)]
        return "\n".join(f"{a:{widths[0]}}  {b:{widths[1]}}  {p}" for a, b, p in rows)


def compare_pairs(shares: dict[str, Estimate]) -> Comparisons:
    """Subtract the share of each sub-population from that of each other one before it."""
    pairs = tuple(combinations(shares, 2))
    return Comparisons(pairs, tuple(shares[first] - shares[second] for first, second in pairs))
