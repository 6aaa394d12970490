"""The example of section 4.1: six people, and the tree that tells their credit risk (Figure 3)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from confide.design import Choice, Design, Number
from confide.mining import DisguisedTreeClassifier
from confide.papers.cells import Cell, Row

PRINTED = pa.table(
    {
        "age": [23, 17, 43, 68, 32, 20],
        "salary": [50, 30, 40, 50, 70, 20],
        "risk": ["High", "High", "High", "Low", "Low", "High"],
    }
)
"""Figure 3(a); salaries in thousands."""

_DESIGN = Design(
    [
        Number("age", 0, 100, step=1),
        Number("salary", 0, 100, step=10),
        Choice("risk", ["High", "Low"]),
    ]
)


@dataclass(frozen=True)
class CreditRiskCell(Cell):
    """The tree of the six people in the clear, and what it says of each."""

    def measure(self, folder: Path | None) -> list[Row]:
        del folder  # needs no data
        tree = DisguisedTreeClassifier(_DESIGN, target="risk", criterion="gini", method="literal")
        tree.fit(PRINTED)
        told = tree.predict(PRINTED).tolist()
        people: list[Row] = [
            {"experiment": "credit risk", "person": number, **person, "told": each}
            for number, (person, each) in enumerate(zip(PRINTED.to_pylist(), told, strict=True))
        ]
        lines: list[Row] = [
            {"experiment": "credit risk tree", "line": number, "text": line.partition(" (n ")[0]}
            for number, line in enumerate(tree.text().splitlines())
        ]
        return people + lines
