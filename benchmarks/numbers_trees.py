"""Trees and reconstructions on numbers with noise, beside scikit-learn on the clear numbers.

python benchmarks/numbers_trees.py    the default's accuracy on the paper's functions: half an hour
"""

from __future__ import annotations

from time import process_time
from typing import Any

import numpy as np
from measuring import Result, Size, best_seconds, duration
from sklearn.tree import DecisionTreeClassifier

import confide as cf
from confide.crowd.likelihood import Observed
from confide.crowd.reconstruction import reconstruct
from confide.experiments import number_trees, synthetic

CELLS = (("uniform", 1.0), ("gaussian", 1.0), ("uniform", 2.0))
AT_MOST = {"by-class": 2, "local": 10}
INTERVALS = 100
LONGEST = 0.1


def measure(size: Size) -> list[Result]:
    """The paper's trees and its reconstruction."""
    return [*_trees(size), _reconstruction(size)]


def _trees(size: Size) -> list[Result]:
    """Function 2, where scikit-learn is done soonest; confide counts and reconstructs as well."""
    n = size.answers // 10
    people = synthetic.generate(2, n, seed=1, balanced=True)
    design = synthetic.design(1.0)
    reports = design.disguise(people, seed=1)
    clear, groups = people.drop(columns="group").to_numpy(), people["group"]

    def ours(method: str) -> cf.DisguisedTreeClassifier:
        return number_trees.learned(method, reports, design)

    leaves = {method: max(2, len(ours(method).tree_.leaves)) for method in AT_MOST}

    def theirs(most: int) -> DecisionTreeClassifier:
        return DecisionTreeClassifier(max_leaf_nodes=most).fit(clear, groups)

    results = []
    for method, most in AT_MOST.items():
        time, beside = best_seconds(
            min(size.rounds, 3),
            lambda m=method: ours(m),
            lambda m=method: theirs(leaves[m]),
            clock=process_time,
        )
        results.append(
            Result(
                what=f"a tree from {n:,} reports of 9 noisy numbers, {method}",
                confide=duration(time),
                beside=f"scikit-learn on the clear numbers, as many leaves: {duration(beside)}",
                found=time / beside,
                shown=f"{time / beside:.2f} × its time",
                target=f"≤ {most} ×",
                met=time <= most * beside,
            )
        )
    return results


def _reconstruction(size: Size) -> Result:
    """By the paper's procedure, from reports that are counted already."""
    fewer, *_, most = sizes = (size.answers // 100, size.answers)
    tables = [_counted(n) for n in sizes]
    first, last = best_seconds(
        size.rounds, *(lambda t=t: reconstruct([t], "em") for t in tables), clock=process_time
    )
    return Result(
        what=f"reconstruct {most:,} counted reports into {INTERVALS} intervals",
        confide=duration(last),
        beside=f"{fewer:,} reports: {duration(first)}",
        found=last,
        shown=duration(last),
        target=f"< {LONGEST} s",
        met=last < LONGEST,
    )


def _counted(n: int) -> Observed:
    design = cf.Design([cf.Number("x", 0, 1)], [cf.Group(["x"], cf.UniformNoise(0.5))])
    values = np.random.default_rng(1).beta(2, 3, n)
    counts = cf.Counts.of(design, design.disguise(values, seed=2))
    return Observed.of(counts, ["x"], {"x": INTERVALS})


def accuracies(n: int, repeats: int) -> list[dict[str, Any]]:
    """The mean accuracy of the default on 5,000 clear test people."""
    rows = []
    for function in synthetic.FUNCTIONS:
        for noise, privacy in CELLS:
            found = [
                number_trees.accuracy(
                    number_trees.tree("auto", function, privacy, noise, n=n, seed=seed),
                    function,
                    seed=seed + 1000,
                )
                for seed in range(repeats)
            ]
            what = f"function {function}, {noise} noise, privacy {privacy:.0%}: accuracy"
            rows.append({"what": what, "value": float(np.mean(found))})
    return rows


if __name__ == "__main__":
    for row in accuracies(100_000, 10):
        print(f"{row['value']:8.3f}  {row['what']}")
