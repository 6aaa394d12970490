"""Reports for other programs, always with the design beside them."""

from __future__ import annotations

import re
import tempfile
import zipfile
from importlib.util import find_spec
from itertools import compress, count
from pathlib import Path

import numpy as np
import pyarrow as pa

from confide.arrays import Values
from confide.counts.counts import FINGERPRINT
from confide.counts.headings import DISGUISED
from confide.counts.spreadsheet_formulas import escape_formulas
from confide.errors import QueryError
from confide.extras import explain_missing
from confide.files import Json
from confide.reports.records import find_readable
from confide.reports.report_store import ReportStore
from confide.surveys.field import Field
from confide.surveys.questionnaire import Questionnaire
from confide.web.admin.export_readme import name_column, write_readme

_SPSS_NAME = re.compile(
    r"(?!(?:all|and|by|eq|ge|gt|le|lt|ne|not|or|to|with)$)[a-z]\w{0,59}", re.A | re.I
)
KINDS = ("csv", "parquet", "sav")
"""What reports can be exported as; sav is the file of SPSS."""


def list_offered_kinds() -> tuple[str, ...]:
    """List what reports can be exported as on this machine: SPSS takes packages of its own."""
    return KINDS if all(map(find_spec, ("pandas", "pyreadstat"))) else KINDS[:-1]


def write_export(questionnaire: Questionnaire, store: ReportStore, kind: str, path: Path) -> None:
    """Write all reports that can be read, the design and a README into one ZIP file."""
    if kind not in KINDS:
        raise QueryError(f"reports can be exported as {', '.join(KINDS)}. Got {kind[:20]!r}.")
    records = store.read_records()
    fits = find_readable(questionnaire, records)
    table = questionnaire.table(b"".join(compress(records, fits)))
    damaged = len(records) - len(table)
    with tempfile.TemporaryDirectory() as folder:
        reports = Path(folder) / f"reports.{kind}"
        _WRITERS[kind](questionnaire, table, reports)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
            archive.write(reports, reports.name)
            archive.writestr("design.json", questionnaire.design.canonical_json())
            archive.writestr(
                "README.txt", write_readme(questionnaire, reports.name, len(table), damaged)
            )


def _name_columns(questionnaire: Questionnaire) -> list[str]:
    return [name_column(questionnaire, field) for field in questionnaire.fields]


def _write_csv(questionnaire: Questionnaire, table: pa.Table, path: Path) -> None:
    import pyarrow.csv

    plain = [
        _decode_texts(f, table.column(f.name)) if f.finite else table.column(f.name)
        for f in questionnaire.fields
    ]
    names = _name_columns(questionnaire)
    safe = escape_formulas(names)
    pyarrow.csv.write_csv(pa.table(plain, names=[safe[name] for name in names]), path)


def _decode_texts(field: Field, column: pa.ChunkedArray) -> pa.Array:
    """An option's text for each report, as a CSV file can hold it."""
    held = escape_formulas(field.question.labels)
    indices = column.combine_chunks().indices
    return pa.DictionaryArray.from_arrays(indices, pa.array(held.values())).dictionary_decode()


def _write_parquet(questionnaire: Questionnaire, table: pa.Table, path: Path) -> None:
    import pyarrow.parquet

    metadata = {
        FINGERPRINT: questionnaire.design.fingerprint.encode(),
        b"confide.design": questionnaire.design.canonical_json().encode(),
    }
    named = table.rename_columns(_name_columns(questionnaire)).replace_schema_metadata(metadata)
    pyarrow.parquet.write_table(named, path)


def _write_sav(questionnaire: Questionnaire, table: pa.Table, path: Path) -> None:
    """Codes with value labels; names that SPSS cannot take are numbered, and kept as labels."""
    with explain_missing("confide[spss]", "an SPSS file"):
        import pandas
        import pyreadstat

    columns: Json = {}
    labels: list[str | None] = []
    values: dict[str, dict[int | float, str]] = {}
    measures: dict[str, str] = {}
    names = _name_columns(questionnaire)
    taken = {name.lower() for name in names if _SPSS_NAME.fullmatch(name)}
    for i, (field, name) in enumerate(zip(questionnaire.fields, names, strict=True), 1):
        if not _SPSS_NAME.fullmatch(name) or name.lower() in columns:
            end = DISGUISED if field.disguised else ""
            name = next(n for n in (f"q{i}{'_' * k}{end}" for k in count()) if n not in taken)
        taken.add(name.lower())
        column = table.column(field.name).combine_chunks()
        columns[name] = _code_values(field, column) if field.finite else column.to_numpy()
        labels.append(_write_label(field))
        measures[name] = _choose_measure(field)
        if field.finite:
            values[name] = dict(zip(_list_codes(field), field.question.labels, strict=True))
    pyreadstat.write_sav(
        pandas.DataFrame(columns),
        str(path),
        file_label=f"confide {questionnaire.design.fingerprint}"[:64],
        column_labels=labels,
        variable_value_labels=values,
        variable_measure=measures,
    )


def _list_codes(field: Field) -> list[int]:
    """The numbers that SPSS holds for the options: their codes if these are numbers, or from 0."""
    codes = field.options.stored
    numbers = [code for code in codes if isinstance(code, int)]
    coded = codes != field.options.options and len(numbers) == len(codes)
    return numbers if coded else list(range(len(codes)))


def _code_values(field: Field, column: pa.DictionaryArray) -> Values:
    return np.array(_list_codes(field))[column.indices.to_numpy()]


def _write_label(field: Field) -> str:
    """The question as SPSS shows it; that it is disguised comes first, where no cut can hide it."""
    text = str(field.question.text or field.name)
    return f"disguised: {text}" if field.disguised else text


def _choose_measure(field: Field) -> str:
    """Whether a column's values have an order, or distances."""
    if field.finite:
        return "ordinal" if field.question.ordered else "nominal"
    return "scale" if field.edges is None else "ordinal"


_WRITERS = {"csv": _write_csv, "parquet": _write_parquet, "sav": _write_sav}
