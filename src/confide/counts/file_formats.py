"""The format of a file that holds a table, read from the end of its name."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

FileKind = Literal["CSV", "JSON", "Parquet", "Arrow"]

_KINDS: dict[str, FileKind] = {
    ".csv": "CSV",
    ".tsv": "CSV",
    ".json": "JSON",
    ".ndjson": "JSON",
    ".jsonl": "JSON",
    ".parquet": "Parquet",
    ".feather": "Arrow",
    ".arrow": "Arrow",
}
READABLE = ".parquet, .feather, .arrow, .csv, .tsv, .json or .ndjson, the last four also with .gz"
WRITABLE = ".parquet, .feather, .arrow, .csv or .tsv, the last two also with .gz"


@dataclass(frozen=True)
class FileFormat:
    """How a file holds a table.

    Parameters
    ----------
    kind : {"CSV", "JSON", "Parquet", "Arrow"}
        Its format.
    zipped : bool
        Whether the whole file is compressed by gzip.
    tabs : bool
        Whether its name says that tabs separate its columns.
    """

    kind: FileKind
    zipped: bool = False
    tabs: bool = False

    @classmethod
    def of(cls, path: Path) -> FileFormat | None:
        """The format that a file's name says, in capitals or not; None for any other.

        >>> FileFormat.of(Path("Reports.CSV.GZ"))
        FileFormat(kind='CSV', zipped=True, tabs=False)
        """
        ends = [end.lower() for end in path.suffixes]
        zipped = ends[-1:] == [".gz"]
        end = (ends[:-1] if zipped else ends)[-1:]
        kind = _KINDS.get(end[0]) if end else None
        if kind is None or (zipped and kind not in ("CSV", "JSON")):
            return None
        return cls(kind, zipped, end == [".tsv"])

    @property
    def compression(self) -> str:
        """The compression by the name that DuckDB has for it."""
        return "gzip" if self.zipped else "uncompressed"
