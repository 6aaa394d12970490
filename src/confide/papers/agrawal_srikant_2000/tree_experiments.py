"""Figures 5 and 6 of `agrawal-srikant-2000`: trees on synthetic people, algorithm by algorithm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from time import process_time
from typing import TYPE_CHECKING, cast

from confide.crowd import Crowd
from confide.design import Design, Number
from confide.mining import DisguisedTreeClassifier
from confide.mining.methods import Method
from confide.mining.trees.criteria import Criterion
from confide.papers.agrawal_srikant_2000 import synthetic
from confide.papers.cells import Row

if TYPE_CHECKING:
    import pandas as pd

ALGORITHMS = ("original", "randomized", "global", "by-class", "local", "auto")
"""The paper's two baselines, its three algorithms, and ours."""
OF_THE_PAPER = ALGORITHMS[:-1]
NOISES = ("uniform", "gaussian")
PRIVACIES = (0.1, 0.25, 0.5, 1.0, 1.5, 2.0)
"""From 10 to 200 % of a number's range, as in Figure 6."""

_TEST_PEOPLE = 5000
_TEST_SEEDS = 1000
"""The test people of a run have seeds of their own, from here on."""


def learn_tree(
    algorithm: str, function: int, privacy: float, noise: str, *, n: int, seed: int
) -> DisguisedTreeClassifier:
    """Learn who is in group A from n people, by one of the `ALGORITHMS`."""
    design = synthetic.build_design(privacy, noise)
    people = synthetic.generate(function, n, seed=seed, balanced=True)
    reports = people if algorithm == "original" else design.disguise(people, seed=seed)
    return learn(algorithm, reports, design)


def learn(algorithm: str, reports: pd.DataFrame | Crowd, design: Design) -> DisguisedTreeClassifier:
    """Learn from reports, "original" from clear data; "randomized" takes reports for clear data.

    Where nothing is corrected, the paper's algorithms are all the same.
    """
    method = cast(Method, algorithm)
    if algorithm in ("original", "randomized"):
        design, method = Design(design.questions), "by-class"
        reports = clip_to_range(design, reports)
    criterion: Criterion | None = "gini" if algorithm == "auto" else None
    return DisguisedTreeClassifier(design, "group", criterion=criterion, method=method).fit(reports)


def measure_accuracy(
    model: DisguisedTreeClassifier, function: int, *, n: int = _TEST_PEOPLE, seed: int
) -> float:
    """Measure the share of clear test people whose group is predicted."""
    people = _draw_people(function, n, seed)
    predicted = model.predict(people.drop(columns="group"))
    return float((predicted == people["group"].to_numpy()).mean())


def clip_to_range(design: Design, reports: pd.DataFrame) -> pd.DataFrame:
    """Move reports to the nearest number that could be an answer."""
    limits = {q.name: (q.low, q.high) for q in design.questions if isinstance(q, Number)}
    return reports.assign(
        **{name: reports[name].clip(low, high) for name, (low, high) in limits.items()}
    )


@dataclass(frozen=True)
class Run:
    """One run of the experiment: the same people and the same reports for all algorithms."""

    function: int
    noise: str
    privacy: float
    seed: int
    n: int

    def measure(self, algorithms: Sequence[str]) -> list[Row]:
        """Measure the accuracy of each algorithm, one row per algorithm."""
        design = synthetic.build_design(self.privacy, self.noise)
        reports = design.disguise(_draw_people(self.function, self.n, self.seed), seed=self.seed)
        counted = Crowd(design, reports)
        rows: list[Row] = []
        for algorithm in algorithms:
            start = process_time()
            if algorithm == "original":
                accuracy = _measure_original(self.function, self.n, self.seed)
            else:
                source = reports if algorithm == "randomized" else counted
                model = learn(algorithm, source, design)
                accuracy = _measure_on_fresh_people(model, self.function, self.seed)
            seconds = round(process_time() - start, 4)
            settings = {**asdict(self), "algorithm": algorithm, "fingerprint": design.fingerprint}
            rows.append({**settings, "accuracy": accuracy, "seconds": seconds})
        return rows


@lru_cache(maxsize=2)
def _draw_people(function: int, n: int, seed: int) -> pd.DataFrame:
    return synthetic.generate(function, n, seed=seed, balanced=True)


@lru_cache(maxsize=1)
def _measure_original(function: int, n: int, seed: int) -> float:
    """Measure on clear data, once for all noises."""
    people = _draw_people(function, n, seed)
    return _measure_on_fresh_people(
        learn("original", people, synthetic.build_design(1.0)), function, seed
    )


def _measure_on_fresh_people(model: DisguisedTreeClassifier, function: int, seed: int) -> float:
    return measure_accuracy(model, function, seed=seed + _TEST_SEEDS)
