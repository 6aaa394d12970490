"""Prints the rows of some cells of every paper, without their seconds, on made-up data.

python tests/support/cells_measured.py
"""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from confide.papers import data
from confide.papers.agrawal_srikant_2000.experiment import ShapeCell, TreeCell
from confide.papers.cell_runner import run_cells
from confide.papers.data_sets import ADULT, VOTING, hash_rows, write_rows
from confide.papers.du_zhan_2003 import experiment as du_zhan
from confide.papers.four_group import experiment as four
from confide.papers.learning_ways import WAYS
from confide.papers.multi_group import experiment as multi
from confide.papers.surveys import experiment as surveys
from support.stand_ins import make_rows

PEOPLE, FEW = 1_500, 250
CELLS = [
    *(du_zhan.AccuracyCell("median", PEOPLE, truth, 0, WAYS[1:]) for truth in (".51", ".7")),
    # with few people for a test, some accuracy is estimated as exactly 1, but for rounding
    *(
        multi.AccuracyCell("voting", "median", FEW, "disguised", 1, truth, repeat)
        for truth in (".3", ".4", ".6")
        for repeat in range(50)
    ),
    du_zhan.ToldCell("median", PEOPLE, 1, ".7"),
    *(
        four.AccuracyCell(scope, "median", PEOPLE, groups, ".7", 0, WAYS[1:])
        for scope, groups in zip(four.SCOPES, (2, 4), strict=True)
    ),
    four.PrivacyCell("median", PEOPLE, 3, ".6", 0),
    surveys.AccuracyCell("adult", "unrelated", "median", PEOPLE, ".4", 0, WAYS[1:]),
    surveys.MiningCell("adult", "median", PEOPLE, ".7", 0),
    TreeCell(2, "gaussian", 0.5, 0, 1_500),
    TreeCell(1, "uniform", 1.0, 0, 3_000, ("auto",)),
    *(ShapeCell("triangles", "gaussian", procedure, 5_000) for procedure in ("em", "squarem")),
]


def main() -> None:
    """Measure the cells and print their rows."""
    with tempfile.TemporaryDirectory() as folder:
        for real, people in ((ADULT, PEOPLE), (VOTING, FEW)):
            rows = make_rows(real, people)
            data.DATA_SETS[real.name] = replace(real, rows=people, sha256=hash_rows(rows))
            (Path(folder) / f"{real.name}.csv").write_bytes(write_rows(rows))
        found = [row for _, each in run_cells(CELLS, Path(folder), 1) for row in each]
    for row in found:
        row.pop("seconds", None)
    print(json.dumps(found))  # noqa: T201


if __name__ == "__main__":
    main()
