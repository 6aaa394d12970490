"""What a model of compliance found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa

from confide.crowd import Estimate
from confide.crowd.arrow_rows import ArrowRows
from confide.crowd.estimate import format_decimals, format_p_value

_COLUMNS = pa.schema(
    {
        "kind": pa.string(),
        "value": pa.float64(),
        "standard_error": pa.float64(),
        "low": pa.float64(),
        "high": pa.float64(),
    }
)


@dataclass(frozen=True)
class Fit:
    """How well a model fits: G² against what came in, its degrees of freedom and p-value.

    A share that the reports press against 0 counts as one degree of freedom more. With none left
    the model fits anything, and the p-value is 1. Where people were not drawn alike G² is divided
    by the design effect (Rao and Scott 1984).
    """

    g2: float
    degrees: int
    p_value: float

    def __str__(self) -> str:
        freedom = f"{self.degrees} degree{'' if self.degrees == 1 else 's'} of freedom"
        return f"G² = {self.g2:.2f} with {freedom}, {format_p_value(self.p_value)}"


@dataclass(frozen=True, repr=False)
class ComplianceShares(ArrowRows):
    """The shares of a model of compliance, found or foreseen."""

    share: Estimate | None
    bound: tuple[float, float]
    kinds: Mapping[str, Estimate]

    def to_arrow(self) -> pa.Table:
        """The share of yes, if it can be told, and that of every kind, as an Arrow table."""
        rows = [{"kind": name, **each.to_dict()} for name, each in self._told().items()]
        return pa.Table.from_pylist(rows, schema=_COLUMNS)

    def _told(self) -> dict[str, Estimate]:
        """The shares that can be told, the share of yes first."""
        yes = {} if self.share is None else {"share of yes": self.share}
        return {**yes, **self.kinds}

    def _notes(self) -> Iterator[str]:
        return (each.note for each in self._told().values())

    def _lines(self) -> list[str]:
        """The shares in words; a bound is left out where it is the share that is told."""
        low, high = map(format_decimals, self.bound)
        said = "cannot be told" if self.share is None else str(self.share)
        bound = "" if low == high and self.share is not None else f"; between {low} and {high}"
        kinds = [f"{name}: {share}" for name, share in self.kinds.items()]
        return [f"share of yes: {said}{bound}", *kinds]


@dataclass(frozen=True, repr=False)
class ComplianceResult(ComplianceShares):
    """What a model of compliance found.

    Parameters
    ----------
    share : Estimate or None
        The share whose true answer is yes, as the model has it; None where the designs cannot tell
        it, and only the bound is left.
    bound : pair of float
        The lowest and highest share that fit the reports as well, whatever those who do not comply
        would truly have said. Chance is not counted in it.
    kinds : mapping of names to Estimate
        The share of every kind of people that the designs can tell.
    fit : Fit
        How well the model fits.

    Notes
    -----
    Shares are maximum likelihood estimates and stay between 0 and 1, and so do their intervals, by
    the profile likelihood, judged by surveys drawn again. Standard errors come from the
    information, or as the people were drawn, and say little where a share is 0.
    """

    fit: Fit

    def to_dict(self) -> dict[str, object]:
        """The result as plain values."""
        return {
            "share": None if self.share is None else self.share.to_dict(),
            "bound": list(self.bound),
            "kinds": {name: kind.to_dict() for name, kind in self.kinds.items()},
            "fit": {"g2": self.fit.g2, "degrees": self.fit.degrees, "p_value": self.fit.p_value},
        }

    def __repr__(self) -> str:
        return "\n  ".join([*self._lines(), f"fit: {self.fit}"])
