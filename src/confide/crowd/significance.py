"""Tests of hypotheses about the true answers."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from confide.crowd.arrow_rows import ArrowRows
from confide.crowd.estimate import format_decimals, format_p_value


@dataclass(frozen=True)
class SignificanceTest(ArrowRows):
    """How well the reports agree with a hypothesis.

    Parameters
    ----------
    statistic : float
        How far the reports are from it; distributed as χ² where it is true.
    freedom : int
        The degrees of freedom of that χ².
    n : int
        The number of reports.
    residual : float, optional
        The degrees of freedom of the variances, where people were drawn by clusters or weights: the
        statistic is then distributed as Hotelling's T².

    Examples
    --------
    >>> SignificanceTest(7.815, 3, 1000)
    p = 0.050 (χ² = 7.815, 3 degrees of freedom, n = 1,000)
    """

    statistic: float
    freedom: int
    n: int
    residual: float | None = None

    @property
    def p_value(self) -> float:
        """How likely a statistic as large as this is, if the hypothesis is true."""
        from scipy.special import chdtrc, fdtrc

        if not self.freedom:
            return 1.0
        if self.residual is None:
            return float(chdtrc(self.freedom, self.statistic))
        left = self.residual - self.freedom + 1
        return float(
            fdtrc(self.freedom, left, self.statistic / self.freedom * left / self.residual)
        )

    def to_dict(self) -> dict[str, float]:
        """The test as plain values."""
        return {
            "statistic": self.statistic,
            "degrees_of_freedom": self.freedom,
            "p_value": self.p_value,
            "n": self.n,
        }

    def to_arrow(self) -> pa.Table:
        """The test as a table of one row."""
        return pa.Table.from_pylist([self.to_dict()])

    def __repr__(self) -> str:
        degrees = f"{self.freedom} degree{'' if self.freedom == 1 else 's'} of freedom"
        statistic = f"χ² = {format_decimals(self.statistic)}"
        return f"{format_p_value(self.p_value)} ({statistic}, {degrees}, n = {self.n:,})"
