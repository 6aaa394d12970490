"""Run every benchmark, print one table, and keep it.

make bench                                    all of it: some minutes
python benchmarks/run.py --small --into DIR   a trial without the peers: seconds
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import collect_export
import collect_invited
import collect_load
import counting
import disguise_and_estimate
import disguise_to_parquet
import full_table
import importing
import many_questions
import mining_grid
import mining_tree
import numbers_trees
import spark_counting
import wide_survey
from measuring import SMALL, Result, Size

BENCHMARKS = (
    *(disguise_and_estimate, full_table, counting, importing, mining_tree, mining_grid),
    *(
        spark_counting,
        wide_survey,
        many_questions,
        disguise_to_parquet,
        numbers_trees,
        collect_load,
        collect_invited,
        collect_export,
    ),
)
PACKAGES = (
    *("confide", "numpy", "scipy", "scikit-learn", "pyarrow", "duckdb", "narwhals", "pyspark"),
    *("pure-ldp", "multi-freq-ldpy"),
)

README = """\
# Benchmarks

Ratios, taken side by side in one run, the best of several rounds each. `make bench` repeats it: it
installs confide and the peers in an environment of their own (`.bench-venv`, versions in
`constraints.txt`), prints this table and writes this file and `results.json`.

{table}

- confide draws from the operating system's secure source throughout; all others here use an
  ordinary pseudo-random generator.
- What runs in one thread (disguising, estimating, the full table, a tree, the papers' experiments)
  is given in processor time, the system's part included; counting and importing by the wall.
- A tree's time is that of counting the reports, undoing the disguise and growing; scikit-learn
  grows to the same depth on the clear answers, as the 32-bit floats that it works on. The papers'
  experiments disguise, learn and test; their time is that of each of two cores.
- By default a tree's fits are carried to their end, as they were not when its target was set: then
  it gave up after twenty steps, and from 100,000 reports on learned less than from fewer. It also
  learns from the papers' trees, ten times each.
- The peers disguise one answer at a time; they are timed on {peer_answers:,} answers and scaled.
- Reports on the web are durable: each is acknowledged after it is on disk. Server, database and
  senders share the machine, all by the wall.
- The memory is the peak resident size of a fresh process.
- What the web app does when it is killed, fuzzed or cut off from its disk is shown by tests: see
  [faults.md](faults.md).

Taken on {machine}. When the run began, {waiting:.1f} processes were running or waiting on
average: with more than there are cores, times by the wall are longer than the machine's own.
"""


def main() -> None:
    """Run all benchmarks; print the table and write it to the folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--small", action="store_true", help="only see that everything runs")
    parser.add_argument("--into", type=Path, default=Path(__file__).parent, help="the folder")
    options = parser.parse_args()
    size = SMALL if options.small else Size()
    waiting = os.getloadavg()[0]
    results = [result for benchmark in BENCHMARKS for result in benchmark.measure(size)]
    table = write_table(results)
    print(table)
    text = README.format(
        table=table, peer_answers=size.peer_answers, machine=describe_machine(), waiting=waiting
    )
    (options.into / "README.md").write_text(text, encoding="utf-8")
    kept = {
        "machine": describe_machine(),
        "waiting": waiting,
        "results": [asdict(result) for result in results],
    }
    (options.into / "results.json").write_text(
        json.dumps(kept, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
    )


def write_table(results: list[Result]) -> str:
    """The results as a Markdown table."""
    rows = [
        ["what", "confide", "beside", "found", "target", ""],
        ["---"] * 6,
        *(
            [r.what, r.confide, r.beside, r.shown, r.target, "met" if r.met else "**missed**"]
            for r in results
        ),
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def describe_machine() -> str:
    """The machine in general terms, and the versions that ran."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)
    versions = ", ".join(f"{name} {found}" for name in PACKAGES if (found := _read_version(name)))
    return (
        f"{os.cpu_count()} cores ({_read_processor()}), {memory:.0f} GiB of memory, "
        f"{platform.system()}, Python {platform.python_version()}; {versions}"
    )


def _read_processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def _read_version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


if __name__ == "__main__":
    main()
