"""The papers' three data sets, made binary as the papers' experiments need them.

The files come from the UCI Machine Learning Repository and are not part of this package. They are
looked for in the folder that the environment variable ``CONFIDE_DATA`` names, else in
``shared/data/uci`` beside the checkout.

The papers split each attribute "from the median point of its range". Of the readings tried, this
one gives naive Bayes on Adult the .82 of `surveys` Figure 7: a number is 1 above its median; a
category is 1 from the middle of its list in ``adult.names`` on; "?" takes the last place.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Codes
from confide.errors import ConfideError

Bits = NDArray[np.uint8]


class BinaryData(NamedTuple):
    """A data set of yes-no attributes and a yes-no class."""

    names: tuple[str, ...]
    X: Bits
    y: Bits


class DataMissingError(ConfideError):
    """The data files are not on this machine."""


def find_folder() -> Path:
    """Find the folder with the data files."""
    named = os.environ.get("CONFIDE_DATA")
    beside = Path(__file__).parents[4] / "shared" / "data" / "uci"
    place = Path(named) if named else beside
    if not place.is_dir():
        raise DataMissingError(
            "the UCI data files are not here. Download adult, breast-cancer-wisconsin and "
            "house-votes-84 from archive.ics.uci.edu and name their folder in CONFIDE_DATA."
        )
    return place


def load_adult() -> BinaryData:
    """Adult: 48,842 people, 14 attributes; the class is an income above 50,000 dollars.

    The 32,561 training records come first; the papers use the first 10,000.
    """
    rows = _read_rows("adult.data") + _read_rows("adult.test")
    domains = _read_adult_domains()
    columns = list(zip(*rows, strict=True))
    bits = [
        _is_above_median(np.array(column, dtype=float))
        if domain is None
        else _is_late(column, domain)
        for column, domain in zip(columns, domains.values(), strict=False)
    ]
    income = np.array([label.startswith(">50K") for label in columns[-1]], dtype=np.uint8)
    return BinaryData(tuple(domains), np.stack(bits, axis=1), income)


def load_breast_cancer() -> BinaryData:
    """Breast-Cancer Wisconsin: 699 samples, 9 attributes; the class is malignant.

    The tenth attribute in the papers' count is the sample's code number, which says nothing.
    """
    names = (
        *("clump_thickness", "cell_size", "cell_shape", "adhesion", "epithelial_size"),
        *("bare_nuclei", "chromatin", "nucleoli", "mitoses"),
    )
    rows = _read_rows("breast-cancer-wisconsin.data")
    columns = list(zip(*rows, strict=True))
    bits = [
        _is_above_median(np.array([11 if value == "?" else int(value) for value in column]))
        for column in columns[1:-1]
    ]
    malignant = np.array([label == "4" for label in columns[-1]], dtype=np.uint8)
    return BinaryData(names, np.stack(bits, axis=1), malignant)


def load_voting() -> BinaryData:
    """Congressional-Voting 1984: 435 members, 16 votes, 1 for yea; the class is democrat.

    A member who did not vote ("?") did not vote yea.
    """
    names = (
        *("handicapped_infants", "water_project", "budget_resolution", "physician_fee_freeze"),
        *("el_salvador_aid", "religious_groups", "satellite_test_ban", "nicaraguan_contras"),
        *("mx_missile", "immigration", "synfuels_cutback", "education_spending"),
        *("superfund_sue", "crime", "duty_free_exports", "south_africa_export"),
    )
    rows = _read_rows("house-votes-84.data")
    votes = np.array([[vote == "y" for vote in row[1:]] for row in rows], dtype=np.uint8)
    democrat = np.array([row[0] == "democrat" for row in rows], dtype=np.uint8)
    return BinaryData(names, votes, democrat)


def _read_rows(name: str) -> list[list[str]]:
    lines = (find_folder() / name).read_text(encoding="ascii").splitlines()
    return [
        [cell.strip() for cell in line.split(",")]
        for line in lines
        if line.strip() and not line.startswith("|")
    ]


def _read_adult_domains() -> dict[str, list[str] | None]:
    """Each attribute's categories in the order of ``adult.names``; None for a number."""
    lines = (find_folder() / "adult.names").read_text(encoding="ascii").splitlines()
    domains: dict[str, list[str] | None] = {}
    for line in lines:
        if ":" in line and not line.startswith("|"):
            name, values = line.rstrip(" .").split(":")
            categories = [value.strip() for value in values.split(",")]
            known = None if categories == ["continuous"] else [*categories, "?"]
            domains[name.replace("-", "_")] = known
    return domains


def _is_above_median(values: Codes) -> Bits:
    return (values > np.median(values)).astype(np.uint8)


def _is_late(column: tuple[str, ...], domain: list[str]) -> Bits:
    """Whether a category stands at or past the middle of its list; "?" counts if it occurs."""
    place = {category: code for code, category in enumerate(domain)}
    codes = np.array([place[category] for category in column])
    return (codes >= codes.max() / 2).astype(np.uint8)
