"""Reports for other programs, always with the design beside them."""

from __future__ import annotations

import re
import tempfile
import zipfile
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow as pa

from confide.collect.form import Form
from confide.collect.store import Store
from confide.counts.counts import FINGERPRINT
from confide.errors import QueryError
from confide.extras import explain_missing

_SPSS_NAME = re.compile(
    r"(?!(?:all|and|by|eq|ge|gt|le|lt|ne|not|or|to|with)$)[a-z]\w{0,59}", re.A | re.I
)
KINDS = ("csv", "parquet", "sav")
"""What reports can be exported as; sav is the file of SPSS."""


def offered() -> tuple[str, ...]:
    """What reports can be exported as on this machine: SPSS takes packages that others do not."""
    return KINDS if all(map(find_spec, ("pandas", "pyreadstat"))) else KINDS[:-1]


def export(form: Form, store: Store, kind: str, path: Path) -> None:
    """Write all reports, and the design, into one ZIP file."""
    if kind not in KINDS:
        raise QueryError(f"reports can be exported as {', '.join(KINDS)}. Got {kind[:20]!r}.")
    table = form.table(store.all_records())
    with tempfile.TemporaryDirectory() as folder:
        reports = Path(folder) / f"reports.{kind}"
        _WRITERS[kind](form, table, reports)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
            archive.write(reports, reports.name)
            archive.writestr("design.json", form.design.canonical_json())


def _csv(form: Form, table: pa.Table, path: Path) -> None:
    import pyarrow.csv

    plain = [
        _decoded(table.column(f.name)) if f.finite else table.column(f.name) for f in form.fields
    ]
    pyarrow.csv.write_csv(pa.table(plain, names=table.column_names), path)


def _decoded(column: Any) -> Any:
    return column.combine_chunks().dictionary_decode()


def _parquet(form: Form, table: pa.Table, path: Path) -> None:
    import pyarrow.parquet

    metadata = {
        FINGERPRINT: form.design.fingerprint.encode(),
        b"confide.design": form.design.canonical_json().encode(),
    }
    pyarrow.parquet.write_table(table.replace_schema_metadata(metadata), path)


def _sav(form: Form, table: pa.Table, path: Path) -> None:
    """Codes with value labels; names that SPSS cannot take are numbered, and kept as labels."""
    with explain_missing("confide[spss]", "an SPSS file"):
        import pandas
        import pyreadstat

    columns: dict[str, Any] = {}
    labels: list[str | None] = []
    values: dict[str, dict[int | float, str]] = {}
    taken = {field.name.lower() for field in form.fields if _SPSS_NAME.fullmatch(field.name)}
    for i, field in enumerate(form.fields, 1):
        name = field.name
        if not _SPSS_NAME.fullmatch(name) or name.lower() in columns:
            name = next(n for n in (f"q{i}{'_' * k}" for k in count()) if n not in taken)
        taken.add(name.lower())
        column = table.column(field.name).combine_chunks()
        columns[name] = column.indices.to_numpy() if field.finite else column.to_numpy()
        labels.append(str(field.question.text or field.name))
        if field.finite:
            values[name] = dict(enumerate(field.question.labels))
    pyreadstat.write_sav(
        pandas.DataFrame(columns),
        str(path),
        file_label=f"confide {form.design.fingerprint}"[:64],
        column_labels=labels,
        variable_value_labels=values,
    )


_WRITERS = {"csv": _csv, "parquet": _parquet, "sav": _sav}
