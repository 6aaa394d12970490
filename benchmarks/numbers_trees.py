"""Trees and reconstructions on numbers with noise: accuracy, and time beside scikit-learn's."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

import confide as cf
from confide.experiments import number_trees, synthetic

CELLS = (("uniform", 1.0), ("gaussian", 1.0), ("uniform", 2.0))


def run(n: int = 100_000, repeats: int = 10) -> list[dict[str, Any]]:
    """Measure all of section 5: one row a number."""
    return [*accuracies(n, repeats), *tree_times(n), *reconstruction_time(10 * n)]


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


def tree_times(n: int) -> list[dict[str, Any]]:
    """How many times longer each method takes than scikit-learn on the clear data."""
    people = synthetic.generate(2, n, seed=1, balanced=True)
    design = synthetic.design(1.0)
    reports = design.disguise(people, seed=1)
    rows = []
    for method in ("by-class", "local", "auto"):
        model = cf.DisguisedTreeClassifier(design, "group", criterion="gini", method=method)
        seconds = _seconds(lambda model=model: model.fit(reports))
        leaves = len(model.tree_.leaves)
        peer = DecisionTreeClassifier(max_leaf_nodes=max(leaves, 2))
        clear = people.drop(columns="group").to_numpy()
        peers = _seconds(lambda peer=peer, clear=clear: peer.fit(clear, people["group"]))
        rows.append({"what": f"{method}: times scikit-learn's time", "value": seconds / peers})
    return rows


def reconstruction_time(n: int) -> list[dict[str, Any]]:
    """Seconds to reconstruct counted reports into 100 intervals, by the paper's procedure."""
    from confide.crowd.likelihood import Observed
    from confide.crowd.reconstruction import reconstruct

    design = cf.Design([cf.Number("x", 0, 1)], [cf.Group(["x"], cf.UniformNoise(0.5))])
    values = np.random.default_rng(1).beta(2, 3, n)
    observed = Observed.of(cf.Counts.of(design, design.disguise(values, seed=2)), ["x"], {"x": 100})
    seconds = _seconds(lambda: reconstruct([observed], "em"))
    return [{"what": f"{n:,} reports into 100 intervals: seconds", "value": seconds}]


def _seconds(work: Any) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    for row in run():
        print(f"{row['value']:8.3f}  {row['what']}")
