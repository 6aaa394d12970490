"""Figures 5 and 6 of `agrawal-srikant-2000`: trees on synthetic people, algorithm by algorithm."""

from __future__ import annotations

from typing import Any

from confide.design import Design, Number
from confide.experiments import synthetic
from confide.mining import DisguisedTreeClassifier

ALGORITHMS = ("original", "randomized", "global", "by-class", "local", "auto")
"""The paper's two baselines, its three algorithms, and ours."""


def tree(
    algorithm: str, function: int, privacy: float, noise: str, *, n: int, seed: int
) -> DisguisedTreeClassifier:
    """Learn who is in group A from n people, by one of the `ALGORITHMS`.

    "original" learns from clear data; "randomized" takes disguised reports for clear ones.
    """
    people = synthetic.generate(function, n, seed=seed, balanced=True)
    design = synthetic.design(privacy, noise)
    clear = Design(design.questions)
    if algorithm == "original":
        return DisguisedTreeClassifier(clear, "group", criterion="gini").fit(people)
    reports = design.disguise(people, seed=seed)
    if algorithm == "randomized":
        return DisguisedTreeClassifier(clear, "group", criterion="gini").fit(
            _within_range(clear, reports)
        )
    method: Any = algorithm
    return DisguisedTreeClassifier(design, "group", criterion="gini", method=method).fit(reports)


def accuracy(model: DisguisedTreeClassifier, function: int, *, n: int = 5000, seed: int) -> float:
    """The share of clear test people whose group is told."""
    people = synthetic.generate(function, n, seed=seed, balanced=True)
    predicted = model.predict(people.drop(columns="group"))
    return float((predicted == people["group"].to_numpy()).mean())


def _within_range(design: Design, reports: Any) -> Any:
    """Reports moved to the nearest number that could be an answer."""
    limits = {q.name: (q.low, q.high) for q in design.questions if isinstance(q, Number)}
    return reports.assign(
        **{name: reports[name].clip(low, high) for name, (low, high) in limits.items()}
    )
