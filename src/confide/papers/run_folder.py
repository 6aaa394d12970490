"""The folder of a run: what is finished is on disk, and is never run again.

``cells.jsonl`` has one line for each finished cell, appended as it finishes; a line that was cut
off, by a full disk or a pulled plug, is dropped and its cell run again. ``run.json`` says which
version of confide made the folder.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Self

from confide._version import __version__
from confide.errors import ConfideError
from confide.files import read_json, write_atomically
from confide.papers.cells import Cell, Row

_RUN = "run.json"
_CELLS = "cells.jsonl"


class RunFolder:
    """A folder that finished cells are written to, opened with ``with``.

    Parameters
    ----------
    path : Path
        The folder; it is made if it is not there.
    paper : str
        The paper whose cells it holds.
    """

    def __init__(self, path: Path, paper: str) -> None:
        self.path, self._paper = path, paper
        self.finished: dict[str, list[Row]] = {}
        self._file: FileIO

    def __enter__(self) -> Self:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._check_origin()
            self._file = (self.path / _CELLS).open("ab", buffering=0)
        except OSError as error:
            raise ConfideError(f"cannot write {self.path}: {error.strerror}.") from None
        self._read_finished()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._file.close()

    def _check_origin(self) -> None:
        """Refuse a folder of another paper, of another version, or of something else."""
        made_by = {"paper": self._paper, "confide": __version__}
        if not any(self.path.iterdir()):
            with write_atomically(self.path / _RUN) as temporary:
                temporary.write_text(json.dumps(made_by, indent=2) + "\n", encoding="utf-8")
            return
        try:
            found = read_json((self.path / _RUN).read_text(encoding="utf-8"))
            same = {key: found[key] for key in made_by}
        except (OSError, ValueError, KeyError, TypeError):
            raise ConfideError(
                f"{self.path} holds something else than a run of confide reproduce. Give another "
                "folder with -o."
            ) from None
        if same != made_by:
            raise ConfideError(
                f"{self.path} was made by confide {same['confide']} for {same['paper']}; this is "
                f"confide {__version__} and {self._paper}. Give another folder with -o."
            )

    def _read_finished(self) -> None:
        """Read the finished cells; drop a last line that was cut off."""
        whole = 0
        for line in (self.path / _CELLS).read_bytes().splitlines(keepends=True):
            try:
                cell, rows = _read_line(line)
            except ValueError:
                break
            self.finished[cell] = rows
            whole += len(line)
        self._file.truncate(whole)

    def keep(self, cell: Cell, rows: list[Row]) -> None:
        """Write a finished cell to the disk."""
        left = (json.dumps({"cell": cell.key, "rows": rows}, allow_nan=False) + "\n").encode()
        whole = os.fstat(self._file.fileno()).st_size
        try:
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            self._file.truncate(whole)
            raise ConfideError(
                f"cannot write {self.path}: {error.strerror}. What is finished is kept: make room "
                "and run the same command again."
            ) from None
        self.finished[cell.key] = rows

    def list_rows(self, cells: Sequence[Cell]) -> list[Row]:
        """The rows of some cells, in the cells' order whatever the order they finished in."""
        return [row for cell in cells for row in self.finished.get(cell.key, [])]


def _read_line(line: bytes) -> tuple[str, list[Row]]:
    """A line's cell and rows; a ValueError says that it is not whole."""
    if not line.endswith(b"\n"):
        raise ValueError("cut off")
    found = read_json(line.decode())
    return found["cell"], found["rows"]
