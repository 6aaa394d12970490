"""How far accuracies estimated from disguised test people are off, beside what they state.

The stated variance of an estimate is that of the disguise and of who was drawn for testing.
Compared with the true accuracy of the same test people only the disguise is chance: with p their
true accuracy and n their number, its part is the stated variance less p(1 − p)/n.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean

from confide.papers.cells import Row
from confide.papers.claims import Finding, NotRun, decide
from confide.papers.figures import Values

_LEAST_ERROR = 1e-4
"""Less than this is the rounding of stored numbers: at θ = 0 and 1 nothing is left to chance."""


def list_errors(rows: Sequence[Row], tested: int, by: tuple[str, ...] = ("truth",)) -> Values:
    """Root mean square of errors made and stated, for each setting, as a chart takes them."""
    settings: dict[tuple[object, ...], list[tuple[float, float]]] = {}
    for row in rows:
        if row.get("estimated_accuracy") is not None:
            settings.setdefault(tuple(row[name] for name in by), []).append(_errors(row, tested))
    return [
        {
            **dict(zip(by, key, strict=True)),
            "which": which,
            "error": round(sqrt(fmean(pair[place] ** 2 for pair in pairs)), 6),
            "repeats": len(pairs),
        }
        for key, pairs in settings.items()
        for place, which in enumerate(("error made", "error stated"))
    ]


def _errors(row: Row, tested: int) -> tuple[float, float]:
    """The error that an estimate made, and the one that it states of the disguise."""
    true, estimated = _read(row, "accuracy"), _read(row, "estimated_accuracy")
    stated = _read(row, "standard_error") ** 2 - true * (1 - true) / tested
    return estimated - true, sqrt(max(stated, 0.0))


def _read(row: Row, name: str) -> float:
    value = row[name]
    assert isinstance(value, int | float)
    return float(value)


def check_errors(rows: Sequence[Row], tested: int, figure: str) -> Finding:
    """Check that estimates are right on average, and as far off as they state."""
    found = [_errors(row, tested) for row in rows if row.get("estimated_accuracy") is not None]
    scaled = [made / stated for made, stated in found if stated > _LEAST_ERROR]
    if len(scaled) < 2:
        raise NotRun("no accuracy was estimated from disguised test people in this run.")
    mean, spread = fmean(scaled), sqrt(fmean(z**2 for z in scaled))
    slack = 3 / sqrt(len(scaled))
    return decide(
        abs(mean) <= slack and abs(spread - 1) <= slack,
        f"{len(scaled):,} estimates are off by {mean:+.2f} stated standard errors on average, and "
        f"by {spread:.2f} of them as root mean square (1 is as stated; ± {slack:.2f} is chance).",
        figure,
    )
