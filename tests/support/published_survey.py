"""The published survey in Nigeria, where it is at hand: it is no part of this repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def find_nigeria():
    """The path of nigeria.csv; skips the test where there is none."""
    beside = Path(__file__).parents[2].parent
    folders = [
        os.environ.get("CONFIDE_DATA"),
        beside / "shared/data",
        beside.parent / "shared/data",
    ]
    for folder in filter(None, folders):
        if (path := Path(folder) / "rr" / "nigeria.csv").exists():
            return path
    pytest.skip("nigeria.csv is not at hand: set CONFIDE_DATA to the folder that holds rr/")
