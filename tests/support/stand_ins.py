"""Small made-up data sets in the shape of the papers' three, for tests without the real ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from confide.papers import data
from confide.papers.data_sets import ADULT, BREAST_CANCER, MISSING, VOTING, hash_rows, write_rows

PEOPLE = {"adult": 500, "breast-cancer": 120, "voting": 120}


def make_rows(data_set, n, seed=1):
    """Rows whose attributes lean with the class; one value in fifty is missing."""
    chance = np.random.default_rng(seed)
    rows = []
    for _ in range(n):
        yes = chance.random() < 0.4
        row = []
        for attribute in data_set.attributes:
            lean = 0.7 if yes else 0.3
            high = chance.random() < lean
            if chance.random() < 0.02:
                row.append(MISSING)
            elif attribute.categories is None:
                row.append(str(int(chance.integers(5, 9) if high else chance.integers(1, 6))))
            else:
                k = len(attribute.categories)
                place = chance.integers(k // 2, k) if high else chance.integers(0, (k + 1) // 2)
                row.append(attribute.categories[int(place)])
        rows.append((*row, data_set.classes[int(yes)]))
    return rows


def put_in_place(monkeypatch, folder):
    """Put stand-ins for all three into a folder and let them pass for the real ones."""
    for real in (ADULT, BREAST_CANCER, VOTING):
        rows = make_rows(real, PEOPLE[real.name])
        stand_in = replace(real, rows=len(rows), sha256=hash_rows(rows))
        (folder / f"{real.name}.csv").write_bytes(write_rows(rows))
        monkeypatch.setitem(data.DATA_SETS, real.name, stand_in)
    monkeypatch.setenv("CONFIDE_DATA", str(folder))
    return folder
