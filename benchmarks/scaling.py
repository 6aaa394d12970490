"""Cost against people, questions and groups, and what 10^10 reports on a cluster would take.

make scaling                                      some minutes: docs/pictures/scaling.csv and .svg,
                                                  and their words in docs/howto/move-to-a-cluster.md
python benchmarks/scaling.py --small --into DIR   a trial: seconds
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from measuring import measure_best_seconds
from run import describe_machine
from sklearn.tree import DecisionTreeClassifier

import confide as cf

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
PAGE = FOLDER.parent / "howto" / "move-to-a-cluster.md"
_BEGIN, _END = "<!-- from make scaling -->\n", "<!-- end of make scaling -->\n"
PEOPLE = (10_000, 30_000, 100_000, 300_000, 1_000_000)
QUESTIONS = (5, 10, 20, 40, 60)
GROUPS = (1, 2, 3, 5, 15)
DEPTH = 6
_PEER = "scikit-learn's tree on clear answers"
_IN_PLACE = "literal tree, reports in place"
Row = dict[str, object]

TEXT = """\
![Processor time against people, questions and groups](../pictures/scaling.svg)

Both axes are logarithms; times are processor time, of all threads together. Measured on {machine}.

| on this machine | |
| --- | --- |
| a pass over reports in place in Parquet | {per_value:.0f} ns of processor time for a value |
| a value in the file | {bytes_per_value:.2f} bytes |
| literal tree of depth {depth} from {most:,} reports × 15 | {ratio:.2f} × {peer} |

With these, 10^10 reports of 60 yes-no questions and a literal tree of depth {depth} are {passes}
passes over 6 · 10^11 values, {terabytes:.1f} terabytes read in each, and {hours:.0f} hours of one
core in all, or {minutes:.0f} minutes of a hundred, and what Spark takes to hand over the rows.
"""


def main() -> None:
    """Measure, and write the table, the picture and the text."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--small", action="store_true", help="only see that everything runs")
    parser.add_argument("--into", type=Path, help="the folder; the page then stays as it is")
    options = parser.parse_args()
    fewer, folder = (1_000, options.into) if options.small else (1, options.into or FOLDER)
    rows = measure_all(fewer)
    write_table(folder, rows)
    draw_picture(folder, rows)
    print(text := describe(rows))
    if options.into is None:
        write_page(text)


def measure_all(fewer: int) -> list[Row]:
    """Measure every size, so many times smaller in people."""
    rows: list[Row] = []
    for axis, people, questions, groups in list_sizes(fewer):
        with TemporaryDirectory() as folder:
            case = Case(Path(folder), people, questions, groups)
            for work, do in case.list_work().items():
                rounds = 1 if people >= 300_000 / fewer else 3
                (seconds,) = measure_best_seconds(rounds, do, clock=process_time)
                rows.append(
                    {"axis": axis, "people": people, "questions": questions, "groups": groups}
                    | {"work": work, "seconds": round(seconds, 4), "bytes": case.size}
                )
    return rows


def write_page(text: str) -> None:
    """Put the text into the page, in the place of what was there."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(_BEGIN)
    _, _, after = rest.partition(_END)
    PAGE.write_text(f"{before}{_BEGIN}{text}{_END}{after}", encoding="utf-8")


def list_sizes(fewer: int) -> Iterator[tuple[str, int, int, int]]:
    """Each axis alone, the others as they are in the middle."""
    yield from (("people", people // fewer, 15, 3) for people in PEOPLE if people > 20 * fewer)
    yield from (("questions", 100_000 // fewer, questions, 3) for questions in QUESTIONS)
    yield from (("groups", 100_000 // fewer, 15, groups) for groups in GROUPS)


class Case:
    """A survey of some size: answers in the clear, reports in memory and in a file."""

    def __init__(self, folder: Path, people: int, questions: int, groups: int) -> None:
        names = [f"q{i:02}" for i in range(questions)]
        mechanism = cf.RelatedQuestion("4/5")
        self._design = cf.Design(
            [cf.YesNo(name) for name in names],
            [cf.Group(names[group::groups], mechanism) for group in range(groups)],
        )
        chance = np.random.default_rng(1)
        leaning = chance.random((people, 1), dtype=np.float32)
        answers = chance.random((people, questions), dtype=np.float32) < leaning
        self._answers = answers.view(np.int8)
        reports = self._design.disguise(self._answers, seed=2)
        self._path = folder / "reports.parquet"
        pq.write_table(pa.table(dict(zip(names, reports.T, strict=True))), self._path)
        self.size = self._path.stat().st_size

    def list_work(self) -> dict[str, Callable[[], object]]:
        """What is measured, all of it from the file."""
        design, path, target = self._design, self._path, self._design.names[0]

        def grow(reports: object) -> object:
            tree = cf.DisguisedTreeClassifier(design, target, method="literal", max_depth=DEPTH)
            return tree.fit(reports)

        def grow_clear() -> object:
            X, y = self._answers[:, 1:].astype(np.float32), self._answers[:, 0]
            return DecisionTreeClassifier(criterion="entropy", max_depth=DEPTH).fit(X, y)

        return {
            "count": lambda: cf.Counts.of(design, path),
            "literal tree": lambda: grow(path),
            _IN_PLACE: lambda: grow(cf.ReportsInPlace(design, path)),
            "default naive Bayes": lambda: cf.DisguisedNaiveBayes(design, target).fit(path),
            _PEER: grow_clear,
        }


def write_table(folder: Path, rows: list[Row]) -> None:
    """Write what was measured as CSV."""
    with (folder / "scaling.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def draw_picture(folder: Path, rows: list[Row]) -> None:
    """Draw seconds against each axis, both as logarithms."""
    import altair as alt

    scale = alt.Scale(type="log")
    charts = [
        alt.Chart(alt.Data(values=[row for row in rows if row["axis"] == axis]))
        .mark_line(point=True)
        .encode(
            alt.X(f"{axis}:Q", scale=scale, title=axis),
            alt.Y("seconds:Q", scale=scale, title="seconds of processor time"),
            alt.Color("work:N", title=None),
        )
        .properties(width=220, height=260)
        for axis in ("people", "questions", "groups")
    ]
    alt.hconcat(*charts).save(folder / "scaling.svg")


def describe(rows: list[Row]) -> str:
    """Say what the measured constants are, and what follows for a cluster."""
    of_people = [row for row in rows if row["axis"] == "people"]
    most = max(int(str(row["people"])) for row in of_people)
    found = {row["work"]: row for row in of_people if row["people"] == most}
    seconds = {work: float(str(row["seconds"])) for work, row in found.items()}
    passes = DEPTH + 1
    per_value = seconds[_IN_PLACE] / (most * 15 * passes)
    hours = 1e10 * 60 * passes * per_value / 3600
    bytes_per_value = int(str(found[_IN_PLACE]["bytes"])) / (most * 15)
    return TEXT.format(
        machine=describe_machine(),
        per_value=per_value * 1e9,
        bytes_per_value=bytes_per_value,
        most=most,
        ratio=seconds["literal tree"] / max(seconds[_PEER], 1e-9),
        peer=_PEER,
        depth=DEPTH,
        passes=passes,
        terabytes=1e10 * 60 * bytes_per_value / 1e12,
        hours=hours,
        minutes=hours * 60 / 100,
    )


if __name__ == "__main__":
    main()
