"""The papers' data: the real ones where they are at hand, made-up ones in their shape elsewhere."""

from __future__ import annotations

import pytest
from support import stand_ins

from confide.papers import data
from confide.papers.split_people import load_people


@pytest.fixture
def real_data():
    """Skip where the papers' own data are not on this machine."""
    try:
        for each in data.DATA_SETS.values():
            data.find(each)
    except data.DataMissingError as absent:
        pytest.skip(str(absent))


@pytest.fixture
def made_up_data(monkeypatch, tmp_path):
    """A folder of small made-up data sets that pass for the papers'."""
    load_people.cache_clear()
    folder = tmp_path / "data"
    folder.mkdir()
    yield stand_ins.put_in_place(monkeypatch, folder)
    load_people.cache_clear()
