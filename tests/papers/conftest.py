"""The papers' own data, where they are at hand."""

from __future__ import annotations

import pytest

from confide.papers import data


@pytest.fixture
def real_data():
    """Skip where the papers' own data are not on this machine."""
    try:
        for each in data.DATA_SETS.values():
            data.find(each)
    except data.DataMissingError as absent:
        pytest.skip(str(absent))
