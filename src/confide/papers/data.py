"""Where the papers' data lie: found, checked, downloaded where they are not.

The files come from the UCI Machine Learning Repository and are not part of this package. They are
looked for in the folder that is given (``--data``), in the one that the environment variable
``CONFIDE_DATA`` names, in ``shared/data/uci`` beside the checkout, and in the user's cache, as
UCI's own files or as the one that `download` writes.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from confide.errors import ConfideError, show
from confide.files import write_atomically
from confide.papers.data_sets import (
    ADULT,
    BREAST_CANCER,
    DATA_SETS,
    VOTING,
    DataSet,
    Rows,
    hash_rows,
    write_rows,
)
from confide.papers.readings import BinaryData, make_binary


class DataMissingError(ConfideError):
    """The data files are not on this machine."""


def load_adult(reading: str = "median") -> BinaryData:
    """Adult: 48,842 people, 14 attributes; the class is an income above 50,000 dollars.

    The 32,561 training records come first; the papers use the first 10,000.
    """
    return load(ADULT, reading)


def load_breast_cancer(reading: str = "median") -> BinaryData:
    """Breast-Cancer Wisconsin: 699 samples, 9 attributes; the class is malignant.

    The tenth attribute in the papers' count is the sample's code number, which says nothing.
    """
    return load(BREAST_CANCER, reading)


def load_voting(reading: str = "median") -> BinaryData:
    """Congressional-Voting 1984: 435 members, 16 votes, 1 for yea; the class is democrat."""
    return load(VOTING, reading)


def load(data_set: DataSet, reading: str = "median", folder: Path | None = None) -> BinaryData:
    """Load a data set as yes-no attributes, in one of the `READINGS`."""
    return _load(data_set, reading, find(data_set, folder))


@cache
def _load(data_set: DataSet, reading: str, place: Path) -> BinaryData:
    return make_binary(data_set, read(data_set, place), reading)


def find_data_set(name: str) -> DataSet:
    """Find a data set by its name."""
    if name not in DATA_SETS:
        raise ConfideError(f"there is data of {', '.join(DATA_SETS)}. Got {show(name)}.")
    return DATA_SETS[name]


def find(data_set: DataSet, folder: Path | None = None) -> Path:
    """Find the folder that has a data set."""
    places = _list_places(folder)
    for place in places:
        if (place / _name_kept_file(data_set)).is_file() or _has_files(data_set, place):
            return place
    raise DataMissingError(
        f"the data set {data_set.name} is not here. Put {' and '.join(data_set.files)} of "
        f"archive.ics.uci.edu into {places[-1]}, or into a folder that --data or CONFIDE_DATA "
        f"names; with a network, `confide data {data_set.name}` downloads it."
    )


def _list_places(folder: Path | None) -> list[Path]:
    """The folders that may have the data; one that is named must be there."""
    named = [Path(each) for each in (folder, os.environ.get("CONFIDE_DATA")) if each]
    for place in named:
        if not place.is_dir():
            raise DataMissingError(
                f"there is no folder {place}, which --data or CONFIDE_DATA names."
            )
    beside = Path(__file__).parents[4] / "shared" / "data" / "uci"
    return [*named, beside, find_cache()]


def find_cache() -> Path:
    """The user's own folder for data."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "confide" / "data"


def _name_kept_file(data_set: DataSet) -> str:
    return f"{data_set.name}.csv"


def _has_files(data_set: DataSet, place: Path) -> bool:
    return all((place / name).is_file() for name in data_set.files)


def read(data_set: DataSet, place: Path) -> Rows:
    """Read a data set from its folder and check it."""
    kept = place / _name_kept_file(data_set)
    files = [kept] if kept.is_file() else [place / name for name in data_set.files]
    try:
        lines = [line for file in files for line in file.read_text("ascii").splitlines()]
    except (OSError, UnicodeDecodeError):
        raise DataMissingError(f"cannot read {' and '.join(map(str, files))}.") from None
    cells = [
        tuple(cell.strip() for cell in line.split(","))
        for line in lines
        if line.strip() and not line.startswith("|")
    ]
    rows = cells if files == [kept] else [data_set.arrange(each) for each in cells]
    check(data_set, rows, str(place))
    return rows


def check(data_set: DataSet, rows: Rows, source: str) -> None:
    """Refuse rows that are not those of the papers."""
    if len(rows) != data_set.rows:
        raise DataMissingError(
            f"{data_set.name} from {source} has {len(rows):,} records; it must have "
            f"{data_set.rows:,}. Download it again."
        )
    if hash_rows(rows) != data_set.sha256:
        raise DataMissingError(
            f"{data_set.name} from {source} is not what the papers used: its SHA-256 is "
            f"{hash_rows(rows)[:12]}…, not {data_set.sha256[:12]}…. Download it again."
        )


def find_or_download(data_set: DataSet, folder: Path | None = None) -> Path:
    """Find the folder that has a data set; download it into the cache where none has it."""
    try:
        return find(data_set, folder)
    except DataMissingError as missing:
        if folder is not None and not folder.is_dir():
            raise
        from confide.papers.openml import fetch_rows

        rows = fetch_rows(data_set, missing)
    check(data_set, rows, "OpenML")
    place = find_cache()
    keep(data_set, rows, place)
    return place


def keep(data_set: DataSet, rows: Rows, place: Path) -> None:
    """Write rows into a folder, in the one form that is checked."""
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfideError(f"cannot write {place}: {error.strerror}.") from None
    with write_atomically(place / _name_kept_file(data_set)) as temporary:
        temporary.write_bytes(write_rows(rows))
