"""The experiments of section 5, and Figure 7's comparison of the two models."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from math import sqrt
from pathlib import Path

import numpy as np

from confide import privacy
from confide.arrays import Codes
from confide.crowd import Estimate
from confide.design import Design, Group, YesNo
from confide.mechanisms import UnrelatedQuestion
from confide.papers.cells import Cell, Row, Scale, derive_seed
from confide.papers.learning_ways import (
    QUICK_WAYS,
    LearnedModel,
    OneClass,
    Score,
    Way,
    measure,
)
from confide.papers.original_cell import OriginalCell
from confide.papers.readings import READINGS
from confide.papers.run_table import settle
from confide.papers.split_people import FIRST, build_related_design, load_people
from confide.papers.surveys.recoverability import measure_after_mining

DATA = ("adult", "breast-cancer")
TRUTHS = (".05", ".1", ".2", ".3", ".4", ".5", ".6", ".7", ".8", ".9", "1")
"""As printed, without 0, where there is nothing to invert."""
UNRELATED_TOO = (".51",)
"""Figure 7 has it besides."""
RELATED = (".1", ".4", ".51", ".6", ".7", ".8", ".9")
"""Figure 7, and two θ below one half for section 6.1."""
PREVALENCES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
PRIVACY_TRUTHS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Of Figure 6."""
_MINED = 5
"""Rules are mined in so many repeats."""
_QUICK, _QUICK_TRUTHS = 1_000, (".3", ".7")

NOTES = (
    "W_y = 0.5: each personal answer is a fair coin of its own, also the personal class.",
    "The paper says “Adult” and not how much of it. The first 10,000 records give the printed "
    "means and come near its variances; all 48,842 give variances of a tenth of those.",
    "The data are divided once, 80 % and 20 %, and the disguise is repeated.",
    "No smoothing: P(a ∧ v) and P(v) are the estimates themselves, a negative one counts as zero. "
    "Where only one class has a positive estimate, that class is predicted.",
    "θ = 0 is left out: every report is then a personal answer and equation (1) has no solution "
    "for P(A). What the paper draws there it does not say.",
    "Section 4.1 prints (1 − θ)(1 − W_y) for Pr(R = 1 | O = 0) in its first component; by the "
    "definition it is (1 − θ)·W_y, as here. At W_y = 0.5 both agree.",
    "REC (section 4.2) is taken from the rules of two attributes that confide rules mines from the "
    "disguised data with its defaults (support 0.1, confidence 0.5); a rule not found adds "
    "nothing.",
    "P(Y(cc)) of section 3.4: every test respondent tells whether the classifier is right about "
    "personal answers drawn for that.",
)


@lru_cache(maxsize=64)
def build_unrelated_design(names: tuple[str, ...], truth: str) -> Design:
    """All questions in one group, each with a fair coin as its personal question."""
    personal = {name: {"yes": "1/2", "no": "1/2"} for name in names}
    group = Group(list(names), UnrelatedQuestion(truth, personal))
    return Design([YesNo(name) for name in names], [group])


def build_design(model: str, names: tuple[str, ...], truth: str) -> Design:
    """The design of one of the two models."""
    if model == "related":
        return build_related_design(names, (names,), truth)
    return build_unrelated_design(names, truth)


@dataclass(frozen=True)
class AccuracyCell(Cell):
    """One data set, model and θ, once."""

    data: str
    model: str
    reading: str
    people: int
    truth: str
    repeat: int
    ways: tuple[Way, ...] = QUICK_WAYS

    @property
    def cost(self) -> float:
        large = self.data == "adult"
        return (2.5 if large else 0.5) if "confide" in self.ways else (0.02 if large else 0.01)

    def measure(self, folder: Path | None) -> list[Row]:
        people = load_people(self.data, self.reading, folder, self.people)
        design = build_design(self.model, people.names, self.truth)
        seed = derive_seed("surveys", self.data, self.model, self.truth, self.repeat)
        settings: Row = {
            "experiment": "accuracy",
            "data": self.data,
            "model": self.model,
            "reading": self.reading,
            "truth": float(self.truth),
            "groups": 1,
            "repeat": self.repeat,
        }
        scores: dict[Way, Score] = {}
        if self.model == "unrelated":
            scores["paper"] = partial(score_with_personal, seed=seed + 2)
        return [
            settings | measure(way, "naive Bayes", people, design, seed, score=scores.get(way))
            for way in self.ways
        ]


def score_with_personal(model: LearnedModel, reports: Codes, *, seed: int) -> Estimate:
    """Score as section 3.4: every respondent also tests the model on personal answers."""
    if isinstance(model, OneClass):
        return model.score_disguised(reports)
    personal = np.random.default_rng(seed).integers(0, 2, reports.shape)
    n = len(reports)
    right = float(np.mean(model.predict(personal[:, :-1]) == personal[:, -1]))
    told = Estimate(right, sqrt(right * (1 - right) / n), n)
    return model.score_disguised(reports, personal=told)


@dataclass(frozen=True)
class EntryCell(Cell):
    """PSE(PRE) of one entry (Figure 6)."""

    prevalence: float
    truth: float

    def measure(self, folder: Path | None) -> list[Row]:
        del folder  # needs no data
        value = privacy.single_entry(prevalence=self.prevalence, truth=self.truth, personal=0.5)
        return [
            {
                "experiment": "single entry",
                "prevalence": self.prevalence,
                "truth": self.truth,
                "single_entry": settle(value),
            }
        ]


@dataclass(frozen=True)
class MiningCell(Cell):
    """PSE after mining: the rules found in disguised people, and what they recover."""

    data: str
    reading: str
    people: int
    truth: str
    repeat: int

    @property
    def cost(self) -> float:
        return 0.6

    def measure(self, folder: Path | None) -> list[Row]:
        people = load_people(self.data, self.reading, folder, self.people)
        design = build_unrelated_design(people.names, self.truth)
        seed = derive_seed("surveys", self.data, "unrelated", self.truth, self.repeat)
        reports = design.disguise(people.train, seed=seed)
        return [
            {
                "experiment": "after mining",
                "data": self.data,
                "reading": self.reading,
                "truth": float(self.truth),
                "repeat": self.repeat,
                "seed": seed,
                "fingerprint": design.fingerprint,
                **measure_after_mining(design, reports),
            }
        ]


def list_cells(scale: Scale) -> list[Cell]:
    """All cells of the paper."""
    n = _QUICK if scale.quick else FIRST
    reading = scale.reading
    settings = [
        *((data, "unrelated", truth) for data in DATA for truth in TRUTHS),
        *(("adult", "unrelated", truth) for truth in UNRELATED_TOO),
        *(("adult", "related", truth) for truth in RELATED),
    ]
    slow = [s for s in settings if s[2] in _QUICK_TRUTHS] if scale.quick else settings
    mined = min(scale.default_repeats, _MINED)

    def runs(
        settings: list[tuple[str, str, str]], repeats: int, *ways: tuple[Way, ...]
    ) -> list[Cell]:
        return [
            AccuracyCell(data, model, reading, n, truth, repeat, *ways)
            for repeat in range(repeats)
            for data, model, truth in settings
        ]

    return [
        *(OriginalCell("naive Bayes", data, each, n) for data in DATA for each in READINGS),
        *(EntryCell(share, truth) for share in PREVALENCES for truth in PRIVACY_TRUTHS),
        *runs(settings, scale.repeats),
        *(
            MiningCell(data, reading, n, truth, repeat)
            for repeat in range(mined)
            for data in DATA
            for truth in (_QUICK_TRUTHS if scale.quick else TRUTHS)
        ),
        *runs(slow, scale.default_repeats, ("confide",)),
    ]
