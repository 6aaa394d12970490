"""The cells of an XLSForm workbook: checked by `pyxform`, read and written by `openpyxl`."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, time
from io import BytesIO
from typing import TYPE_CHECKING
from zipfile import ZipFile

from confide.errors import DesignError
from confide.extras import explain_missing
from confide.files import Json

if TYPE_CHECKING:
    from openpyxl.worksheet._read_only import ReadOnlyWorksheet

Row = Json
"""The cells that are not empty, by column."""
Rows = list[tuple[str, Row]]
"""Each row with its place, such as "sheet survey, row 2"."""

_LARGEST_CONTENT = 1 << 25
_MOST_COLUMNS = 200
_MOST_ROWS = 10_000
_MOST_EMPTY_ROWS = 60  # after which pyxform looks no further either


def read_workbook(content: bytes) -> dict[str, Rows]:
    """Read the rows of every sheet of a sound XLSForm in one language."""
    with explain_missing("confide[forms]", "reading an XLSForm"):
        from pyxform.xls2xform import convert

    sheets = read_sheets(content, _name_column)
    with _refusing_damage():
        convert(content, file_type=".xlsx")
    return sheets


def read_sheets(content: bytes, name_column: Callable[[object], str]) -> dict[str, Rows]:
    """Read the rows of every sheet of a workbook, sound as an XLSForm or not."""
    with explain_missing("confide[forms]", "reading an XLSForm"):
        from openpyxl import load_workbook
    with _refusing_damage():
        with ZipFile(BytesIO(content)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > _LARGEST_CONTENT:
                raise ValueError("it unpacks to more than 32 MiB")
        book = load_workbook(BytesIO(content), read_only=True, data_only=True)
        # in full, before pyxform, which takes minutes for very many rows
        return {
            sheet.title.strip().lower(): list(_read_rows(sheet, name_column))
            for sheet in book.worksheets
        }


@contextmanager
def _refusing_damage() -> Iterator[None]:
    """Turn whatever a damaged workbook raises into one clear line."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of styles and menus, which say nothing to a form
            yield
    except DesignError:
        raise
    except Exception as error:  # a damaged workbook can raise anything
        reason = " ".join(str(error).split()) or type(error).__name__
        raise DesignError(f"it is not a sound XLSForm: {reason}") from None


def _read_rows(
    sheet: ReadOnlyWorksheet, name_column: Callable[[object], str]
) -> Iterator[tuple[str, Row]]:
    title = sheet.title.lower()
    columns = [name_column(head) for head in next(sheet.iter_rows(max_row=1, values_only=True), ())]
    if any(columns[_MOST_COLUMNS:]):
        raise DesignError(f"sheet {title} has more than {_MOST_COLUMNS} columns.")
    cells = sheet.iter_rows(min_row=2, max_col=_MOST_COLUMNS, values_only=True)
    empty = 0
    for number, values in enumerate(cells, 2):
        if number > _MOST_ROWS:
            raise DesignError(f"sheet {title} has more than {_MOST_ROWS:,} rows.")
        place, row = f"sheet {title}, row {number}", {}
        for column, value in zip(columns, values, strict=False):
            if value is None or not column or not str(value).strip():
                continue
            if column in row:
                raise DesignError(
                    f"{place} has several columns {column}. A design has one language: keep one."
                )
            row[column] = _drop_midnight(value)
        empty = 0 if row else empty + 1
        if row:
            yield place, row
        elif empty > _MOST_EMPTY_ROWS:
            return


def _drop_midnight(value: object) -> object:
    """Give a day as people read it; workbooks hold every day as its midnight.

    >>> _drop_midnight(datetime(2020, 5, 17)), _drop_midnight(datetime(2020, 5, 17, 8, 30))
    ('2020-05-17', datetime.datetime(2020, 5, 17, 8, 30))
    """
    if isinstance(value, datetime) and value.time() == time.min:
        return value.date().isoformat()
    return value


def _name_column(head: object) -> str:
    """Give a column's name in lower case; of label and hint also without the language.

    >>> [_name_column(head) for head in ("List Name", "label::English (en)", "bind::relevant")]
    ['list_name', 'label', 'bind::relevant']
    """
    name = "_".join(str(head or "").lower().split())
    base = name.partition("::")[0]
    return base if base in ("label", "hint") else name


def write_workbook(sheets: dict[str, list[Row]]) -> bytes:
    """Write sheets of rows; texts stay texts, even where a spreadsheet would see a formula."""
    with explain_missing("confide[forms]", "writing an XLSForm"):
        from openpyxl import Workbook
        from openpyxl.utils.exceptions import IllegalCharacterError
    book = Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        columns = list(dict.fromkeys(column for row in rows for column in row))
        sheet.append(columns)
        for number, row in enumerate(rows, 2):
            for column, value in row.items():
                cell = sheet.cell(number, columns.index(column) + 1)
                try:
                    cell.value = value
                except IllegalCharacterError:
                    raise DesignError(
                        f"a workbook holds no control characters: see {column} of "
                        f"{row.get('name', title)!r}."
                    ) from None
                if isinstance(value, str):
                    cell.data_type = "s"
    written = BytesIO()
    book.save(written)
    return written.getvalue()
