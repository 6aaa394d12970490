"""A regression as a table, in text and in HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from math import isinf, isnan
from typing import TYPE_CHECKING

from confide.regression.notes import find_without_estimate

if TYPE_CHECKING:
    from confide.regression.result import RegressionResult

_TINY = 5e-5  # a standard error that four decimals do not show
HEADINGS = ("", "coef", "std err", "z", "P>|z|", "[0.025", "0.975]")


@dataclass(frozen=True)
class Summary:
    """The coefficients with their uncertainty, and what a reader must know beside them.

    Parameters
    ----------
    title : str
        What was fitted.
    facts : sequence of (name, value)
        The number of reports, the log-likelihood and the like.
    rows : sequence of texts
        One a parameter: name, coefficient, standard error, z, p-value, ends of the 95 % interval.
    notes : sequence of str
        Sentences below the table.
    """

    title: str
    facts: Sequence[tuple[str, str]]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str]

    def as_text(self) -> str:
        """The table in plain text."""
        table = [HEADINGS, *self.rows]
        widths = [max(len(row[i]) for row in table) for i in range(len(HEADINGS))]
        lines = [
            "  ".join(
                cell.rjust(width) if i else cell.ljust(width)
                for i, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in table
        ]
        rule = "─" * len(lines[0])
        facts = [f"{name}: {value}" for name, value in self.facts]
        return "\n".join([self.title, *facts, rule, lines[0], rule, *lines[1:], rule, *self.notes])

    def as_html(self) -> str:
        """The table in HTML."""
        head = "".join(f"<th>{escape(name)}</th>" for name in HEADINGS)
        body = "".join(
            "<tr>"
            + f'<th scope="row">{escape(row[0])}</th>'
            + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
            + "</tr>"
            for row in self.rows
        )
        facts = "<br>".join(f"{escape(name)}: {escape(value)}" for name, value in self.facts)
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        return (
            f"<table><caption>{escape(self.title)}<br>{facts}</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}"
        )

    def _repr_html_(self) -> str:
        return self.as_html()

    def __str__(self) -> str:
        return self.as_text()

    def __repr__(self) -> str:
        return self.as_text()


def summarise(result: RegressionResult) -> Summary:
    """Make the summary of a result."""
    ends = result.conf_int().to_numpy()
    columns = (result.params, result.bse, result.tvalues, result.pvalues)
    numbers = zip(*(column.to_numpy() for column in columns), *ends.T, strict=True)
    unknown = find_without_estimate(result)
    rows = [
        (name, *_write_row(values, name not in unknown))
        for name, values in zip(result.names, numbers, strict=True)
    ]
    kinds = {
        "nonrobust": "observed information",
        "opg": "outer product of the scores",
        "robust": "robust (sandwich)",
        "cluster": "robust, by clusters",
        "linearised": "linearised, as the sample was drawn",
        "jackknife": "jackknife",
        "bootstrap": "rescaled bootstrap",
    }
    facts = [
        ("reports", f"{result.nobs:,}"),
        ("log-likelihood", f"{result.llf:.3f}"),
        ("AIC", f"{result.aic:.3f}"),
        ("BIC", f"{result.bic:.3f}"),
        ("standard errors", kinds[result.cov_type]),
    ]
    title = f"Disguised regression ({result.family}): {result.model.formula.text}"
    return Summary(title, facts, rows, result.notes)


def _write_row(numbers: Sequence[float], known: bool) -> list[str]:
    """Write coefficient, standard error, z, p-value and ends; the first alone, if it means nothing.

    Where a standard error is tiny, as for a predictor in large numbers, powers of ten tell more.
    """
    coefficient, error, z, p_value, low, high = numbers
    if not known:
        return [_write(coefficient), "", "", "", "", ""]
    write = partial(_write, unit=error) if 0 < error < _TINY else _write
    return [write(coefficient), write(error), _write(z), _write(p_value), write(low), write(high)]


def _write(number: float, unit: float | None = None) -> str:
    """A number with four decimals, the same on every processor; nothing where there is none."""
    if isnan(number):
        return ""
    if isinf(number):
        return "∞" if number > 0 else "-∞"
    if unit is not None:
        return f"{round(number / unit, 8) * unit:.3e}"
    written = f"{round(number, 10):.4f}"
    return written.removeprefix("-") if float(written) == 0 else written
