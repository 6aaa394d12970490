"""Results that any dataframe library reads, as they can be written as an Arrow table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from html import escape
from itertools import islice
from typing import Any, TypeAlias

import pyarrow as pa

from confide.crowd.decimals import format_decimals
from confide.extras import PandasFrame, explain_missing

PolarsFrame: TypeAlias = Any
"""A frame of Polars."""

_SHOWN = 40  # rows


class ArrowRows(ABC):
    """A tidy result: one row per estimate, ready for every library that reads Arrow."""

    @abstractmethod
    def to_arrow(self) -> pa.Table:
        """The rows as an Arrow table."""

    def to_pandas(self) -> PandasFrame:
        """The rows as a pandas frame."""
        with explain_missing("pandas", "to_pandas"):
            return self.to_arrow().to_pandas()

    def to_polars(self) -> PolarsFrame:
        """The rows as a Polars frame."""
        with explain_missing("polars", "to_polars"):
            import polars as pl

            return pl.from_arrow(self.to_arrow())

    def _repr_html_(self) -> str:
        """The rows as notebooks show them, with their notes if there are any."""
        table = self.to_arrow()
        names, columns = table.column_names, [c.to_pylist() for c in table.slice(0, _SHOWN).columns]
        if any(notes := list(islice(self._notes(), _SHOWN))):
            names, columns = [*names, "note"], [*columns, notes]
        return write_html_table(names, zip(*columns, strict=True), table.num_rows - _SHOWN)

    def _notes(self) -> Iterable[str]:
        """What printing says of each row in words, or "": of a share that it is outside 0 to 1."""
        return ()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)


def write_html_table(names: Sequence[str], rows: Iterable[Sequence[object]], left: int = 0) -> str:
    """Write rows as a table of HTML, and how many more are left out.

    >>> write_html_table(["n"], [["<1"]])
    '<table><thead><tr><th>n</th></tr></thead><tbody><tr><td>&lt;1</td></tr></tbody></table>'
    """
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_write(cell))}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    more = f"<caption>… {left:,} more rows</caption>" if left > 0 else ""
    return f"<table>{more}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _write(cell: object) -> str:
    """Write a cell: numbers to three decimals, what is not known as a dash."""
    if cell is None:
        return "–"
    return format_decimals(cell) if isinstance(cell, float) else str(cell)
