"""Learning as a paper does, as confide does by default, and as one would who knew no better.

Every accuracy figure has the same lines:

- ``original``: the learner on the true answers, which nobody has;
- ``paper``: the paper's method on the reports;
- ``control``: the same learner on the reports as they are, as if they were true. What the paper's
  method does not do better than this was not gained by it;
- ``confide``: confide's default learner on the same reports.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import process_time
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Codes
from confide.crowd import Crowd, Estimate
from confide.design import Design, YesNo
from confide.mining import DisguisedNaiveBayes, DisguisedTreeClassifier
from confide.papers.cells import Row
from confide.papers.run_table import settle
from confide.papers.split_people import SplitPeople

Way = Literal["original", "paper", "control", "confide"]
WAYS: tuple[Way, ...] = ("original", "paper", "control", "confide")
QUICK_WAYS: tuple[Way, ...] = ("paper", "control")
"""What every repeat runs; the original is the same in all of them, the default is slow."""

Learner = Callable[..., Any]
"""Makes an unfitted classifier from a design and a target."""
LEARNERS: dict[str, Learner] = {
    "ID3": partial(DisguisedTreeClassifier, criterion="entropy"),
    "CART": partial(DisguisedTreeClassifier, criterion="gini"),
    "naive Bayes": DisguisedNaiveBayes,
}
"""The papers' learning algorithms."""


class LearnedModel(Protocol):
    """What is asked of something that was learned."""

    def predict(self, X: Any) -> NDArray[Any]: ...
    def score_disguised(self, reports: Any, *, personal: Any = None) -> Estimate: ...


Score = Callable[[LearnedModel, Codes], Estimate]
"""Estimates a model's accuracy from disguised test people."""


@dataclass(frozen=True)
class OneClass:
    """A model that predicts one class: ID3's leaf where only one class has a positive count.

    Close to θ = ½ the estimated share of a class is often negative, and the tree ends at its root.
    """

    code: int
    design: Design
    target: str

    def predict(self, X: Codes) -> Codes:
        """The one class, for every row."""
        return np.full(len(X), self.code)

    def score_disguised(self, reports: Any, *, personal: Any = None) -> Estimate:  # noqa: ARG002
        """Estimate the share of that class from disguised reports; nothing else is needed."""
        crowd = Crowd(self.design, reports)
        return crowd.proportion({self.target: self.code}, method="inverse")


def learn(way: Way, algorithm: str, design: Design, target: str, reports: Codes) -> LearnedModel:
    """Learn to predict the target from reports in one of the ways."""
    make = LEARNERS[algorithm]
    if way == "confide":
        return make(design, target).fit(reports)
    if way != "paper":
        return make(Design(design.questions), target, method="literal").fit(reports)
    crowd = Crowd(design, reports)
    shares = crowd.table([target], method="inverse").values
    if np.count_nonzero(shares > 0) < 2:
        return OneClass(int(shares.argmax()), design, target)
    return make(design, target, method="literal").fit(crowd)


def measure(
    way: Way,
    algorithm: str,
    people: SplitPeople,
    design: Design,
    seed: int,
    *,
    score: Score | None = None,
    on_training: bool = False,
) -> Row:
    """Disguise, learn in one of the ways, and test on true answers.

    Parameters
    ----------
    way, algorithm : str
        How, and what, to learn.
    people : SplitPeople
        Those to learn from and to test on.
    design : Design
        How they are disguised.
    seed : int
        Where chance starts. Ways with the same seed see the same reports.
    score : callable, optional
        How the accuracy is also estimated, from the disguised test people.
    on_training : bool
        Whether the accuracy is also measured on the true answers of those learned from.
    """
    start = process_time()
    clear = people.train if way == "original" else design.disguise(people.train, seed=seed)
    model = learn(way, algorithm, design, people.target, clear)
    row: Row = {
        "algorithm": algorithm,
        "method": way,
        "seed": seed,
        "fingerprint": design.fingerprint,
        "accuracy": measure_accuracy(model, people.test),
        "estimated_accuracy": None,
        "standard_error": None,
    }
    if on_training:
        row["training_accuracy"] = measure_accuracy(model, people.train)
    if score is not None:
        # another stream than that of the training reports
        estimate = score(model, design.disguise(people.test, seed=seed + 1))
        row |= {
            "estimated_accuracy": settle(estimate.value),
            "standard_error": settle(estimate.standard_error),
        }
    return {**row, "seconds": round(process_time() - start, 4)}


def score_plainly(model: LearnedModel, reports: Codes) -> Estimate:
    """Estimate the accuracy from disguised test people alone."""
    return model.score_disguised(reports)


def measure_accuracy(model: LearnedModel, answers: Codes) -> float:
    """The share of true answers whose class, the last column, is predicted."""
    return float(np.mean(model.predict(answers[:, :-1]) == answers[:, -1]))


def measure_original(algorithm: str, people: SplitPeople) -> Row:
    """Learn from the true answers and test on others: the papers' original accuracy."""
    design = Design([YesNo(name) for name in people.names])
    row = measure("original", algorithm, people, design, 0)
    return {**row, "trained": len(people.train), "tested": len(people.test)}
