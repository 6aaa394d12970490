"""Trees and reconstructions on numbers with noise, beside scikit-learn on the clear numbers.

python benchmarks/numbers_trees.py    the default's accuracy on the paper's functions: 15 minutes
"""

from __future__ import annotations

from time import process_time
from typing import Any

import numpy as np
from measuring import Result, Size, format_duration, measure_best_seconds
from rich.progress import track
from sklearn.tree import DecisionTreeClassifier

import confide as cf
from confide.estimators.expectation_maximisation import ReportedTable
from confide.estimators.reconstruction import reconstruct
from confide.papers.agrawal_srikant_2000 import synthetic, tree_experiments
from confide.papers.agrawal_srikant_2000.experiment import TreeCell
from confide.papers.cell_runner import run_cells

CELLS = (("uniform", 1.0), ("gaussian", 1.0), ("uniform", 2.0))
AT_MOST = {"by-class": 2, "local": 10}
INTERVALS = 100
LONGEST = 0.1
FIRST_SEED = 700
CORES = 2


def measure(size: Size) -> list[Result]:
    """The paper's trees and its reconstruction."""
    return [*_measure_trees(size), _measure_reconstruction(size)]


def _measure_trees(size: Size) -> list[Result]:
    """Function 2, where scikit-learn is done soonest; confide counts and reconstructs as well."""
    n = size.answers // 10
    people = synthetic.generate(2, n, seed=1, balanced=True)
    design = synthetic.build_design(1.0)
    reports = design.disguise(people, seed=1)
    clear, groups = people.drop(columns="group").to_numpy(), people["group"]

    def grow_ours(method: str) -> cf.DisguisedTreeClassifier:
        return tree_experiments.learn(method, reports, design)

    leaves = {method: max(2, len(grow_ours(method).tree_.leaves)) for method in AT_MOST}

    def grow_theirs(most: int) -> DecisionTreeClassifier:
        return DecisionTreeClassifier(max_leaf_nodes=most).fit(clear, groups)

    results = []
    for method, most in AT_MOST.items():
        time, beside = measure_best_seconds(
            min(size.rounds, 3),
            lambda m=method: grow_ours(m),
            lambda m=method: grow_theirs(leaves[m]),
            clock=process_time,
        )
        results.append(
            Result(
                what=f"a tree from {n:,} reports of 9 noisy numbers, {method}",
                confide=format_duration(time),
                beside=f"scikit-learn on the clear numbers, as many leaves: "
                f"{format_duration(beside)}",
                found=time / beside,
                shown=f"{time / beside:.2f} × its time",
                target=f"≤ {most} ×",
                met=time <= most * beside,
            )
        )
    return results


def _measure_reconstruction(size: Size) -> Result:
    """By the paper's procedure, from reports that are counted already."""
    fewer, *_, most = sizes = (size.answers // 100, size.answers)
    tables = [_count_reports(n) for n in sizes]
    first, last = measure_best_seconds(
        size.rounds, *(lambda t=t: reconstruct([t], "em") for t in tables), clock=process_time
    )
    return Result(
        what=f"reconstruct {most:,} counted reports into {INTERVALS} intervals",
        confide=format_duration(last),
        beside=f"{fewer:,} reports: {format_duration(first)}",
        found=last,
        shown=format_duration(last),
        target=f"< {LONGEST} s",
        met=last < LONGEST,
    )


def _count_reports(n: int) -> ReportedTable:
    design = cf.Design([cf.Number("x", 0, 1)], [cf.Group(["x"], cf.UniformNoise(0.5))])
    values = np.random.default_rng(1).beta(2, 3, n)
    counts = cf.Counts.of(design, design.disguise(values, seed=2))
    return ReportedTable.of(counts, ["x"], {"x": INTERVALS})


def write_accuracies(people: int = 100_000, repeats: int = 10) -> str:
    """Write the default's accuracy on 5,000 clear test people as Markdown, one line per disguise.

    The seeds are not those with which its constants were chosen.
    """
    cells = [
        TreeCell(function, noise, privacy, FIRST_SEED + i, people, ("auto",))
        for function in synthetic.FUNCTIONS
        for noise, privacy in CELLS
        for i in range(repeats)
    ]
    found: dict[tuple[Any, ...], list[float]] = {}
    for cell, rows in track(run_cells(cells, None, CORES), "Growing trees", total=len(cells)):
        settings = (cell.noise, cell.privacy, cell.function)
        found.setdefault(settings, []).extend(row["accuracy"] for row in rows)
    lines = [
        ["disguise", *(f"F{function}" for function in synthetic.FUNCTIONS)],
        ["---"] * (1 + len(synthetic.FUNCTIONS)),
    ]
    for noise, privacy in CELLS:
        each = [found[noise, privacy, function] for function in synthetic.FUNCTIONS]
        lines.append([f"{noise}, privacy {privacy:.0%}", *map(_format_mean, each)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _format_mean(values: list[float]) -> str:
    error = np.std(values, ddof=1) / len(values) ** 0.5 if len(values) > 1 else np.nan
    return f"{np.mean(values):.3f} ± {error:.3f}"


if __name__ == "__main__":
    print(write_accuracies())
