"""How often the 95 % interval of a share covers the truth, case by case: make coverage.

The share is that of an event among all people or among a sub-population, or that of people about
whom a model is right. Each case draws 2,000 surveys (report counts, not people) and asks of each
whether the score test accepts the true share: that is whether the interval holds it. One yes-no
question alone has no more than n + 1 surveys, so there the coverage is a sum over all of them.
Where others do not cover 93 to 98 %, ten times as many tell the case from bad luck. For the
intervals of the likelihood see likelihood_map.py.

The table goes to docs/pictures/coverage.csv, the picture beside it.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

import confide as cf
from confide.arrays import Array, Codes
from confide.crowd._score_test import Sample, ScoreTest
from confide.estimators.table_channel import TableChannel
from confide.estimators.weight_moments import MadeUpMoments, PointMoments, WeightMoments

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
SURVEYS = 2_000
SIZES = (30, 100, 300, 1_000, 5_000)
SHARES = (0.0, 0.01, 0.1, 0.5)
TRUTHS = (0.55, 0.7, 0.9)
GROUPS = (1, 2, 4)
MECHANISMS = ("related", "unrelated", "forced", "choice")
ACCURACIES = (0.6, 0.8, 0.95)
OTHERS = 0.3
"""The share of each other answer; of the sub-population too."""
LEVEL, LEAST, MOST = 0.95, 0.93, 0.98
"""What an interval is called, and what it should cover."""
WIDE = 0.5
"""What a longer interval is called."""
AGAIN = 10
"""So many times as many surveys are drawn where 2,000 came out below or above."""
DOUBTFUL = ("below 93 %", "above")
"""What a case may come out as by bad luck."""
_WIDTHS = 50  # surveys whose intervals' widths are averaged
_APART = 1 / 25  # of an interval's width: nearer values are the same survey result
_NEVER = 1e-12  # surveys that are less likely are left out of a sum
_ROUNDING = 1e-9
_FEW = 0.01  # of the surveys: too few to tell where the limit of their intervals could lie


@dataclass(frozen=True)
class Case:
    """One case: so many questions with a group each, of which all have the answer asked for."""

    n: int
    share: float
    truth: float
    groups: int
    mechanism: str
    people: str

    @property
    def names(self) -> list[str]:
        """The questions; the sub-population shares the first one's answer, a model predicts it."""
        disguised = [f"q{i}" for i in range(5 if self.people == "model" else self.groups)]
        return ["clear", *disguised] if self.clear else disguised

    @property
    def clear(self) -> bool:
        """Whether the sub-population is known by a question in the clear."""
        return self.people == "sub" and self.groups == 1

    @property
    def within(self) -> dict[str, int]:
        """The sub-population."""
        return {self.names[0]: 1} if self.people == "sub" else {}

    @property
    def design(self) -> cf.Design:
        """The design."""
        options = {"choice": ["no", "yes", "other"]}
        questions: list[cf.YesNo | cf.Choice] = [
            cf.Choice(name, options["choice"])
            if self.mechanism == "choice" and name != "clear"
            else cf.YesNo(name)
            for name in self.names
        ]
        disguised = [name for name in self.names if name != "clear"]
        parts = [disguised[i :: self.groups] for i in range(self.groups)]
        return cf.Design(questions, [cf.Group(part, self._disguise(part)) for part in parts])

    def _disguise(self, names: list[str]) -> cf.mechanisms.Mechanism:
        truth = str(self.truth)
        if self.mechanism == "related":
            return cf.RelatedQuestion(truth)
        if self.mechanism == "choice":
            return cf.RandomizedChoice(truth)
        if self.mechanism == "forced":
            return cf.ForcedResponse(truth, {name: {"yes": 0.5, "no": 0.5} for name in names})
        return cf.UnrelatedQuestion(truth, {name: {"yes": 0.05, "no": 0.95} for name in names})


def list_cases() -> Iterator[Case]:
    """Every case of the map."""
    for people, mechanism, groups, truth, share, n in product(
        ("all", "sub"), MECHANISMS, GROUPS, TRUTHS, SHARES, SIZES
    ):
        yield Case(n, share, truth, groups, mechanism, people)
    for mechanism, groups, truth, share, n in product(
        ("related", "unrelated"), GROUPS, TRUTHS, ACCURACIES, SIZES
    ):
        yield Case(n, share, truth, groups, mechanism, "model")


def make_truth(case: Case, shape: tuple[int, ...]) -> Array:
    """The true table: the event has the wanted share among its people, others are independent."""
    if case.people == "model":
        right = mark_right(shape)
        likely = [make_truth(replace(case, people="all", share=0.2), shape[1:])] * shape[0]
        return np.stack(likely) * np.where(right, case.share, 1 - case.share)
    table = np.ones(())
    for size in shape:
        others = (1 - OTHERS) / (size - 1)
        table = np.multiply.outer(table, [others, OTHERS, *[others] * (size - 2)])
    event = (1,) * len(shape)
    inside = np.zeros(shape, bool)
    inside[tuple(case.within.values())] = True
    total = table[inside].sum()
    rest = inside & (np.arange(table.size).reshape(shape) != np.ravel_multi_index(event, shape))
    table[rest] *= (1 - case.share) * total / table[rest].sum()
    table[event] = case.share * total
    return table


def mark_right(shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Where a model is right that looks at all questions but the first, which it predicts."""
    answer, first, *others = np.indices(shape)
    return np.asarray(answer == (first ^ np.minimum.reduce(others)))


class _SurveyMoments(WeightMoments):
    """The moments of many surveys at once."""

    def __init__(self, shares: Array, a: Array, b: Array) -> None:
        super().__init__()
        self._shares, self._a, self._b = shares, a, b

    def _compute(self, i: int, j: int) -> Array:
        return np.asarray(self._shares @ (self._a**i * self._b**j))


def list_surveys(case: Case, surveys: int, seed: int) -> tuple[Codes, Array]:
    """The different surveys that were drawn, or all there are of a yes-no question; their chances.

    A survey is how often each report came.
    """
    reported = report_shares(case)
    if len(reported) == 2:
        yes = np.arange(case.n + 1)
        chances = binom.pmf(yes, case.n, reported[1])
        counts = np.stack([case.n - yes, yes], axis=1)
        return counts[chances > _NEVER], chances[chances > _NEVER]
    drawn = draw_surveys(case, surveys, seed)
    counts, often = np.unique(drawn, axis=0, return_counts=True)
    return counts, often / surveys


def draw_surveys(case: Case, surveys: int, seed: int) -> Codes:
    """Draw surveys: (surveys, possible reports)."""
    return np.random.default_rng(seed).multinomial(case.n, report_shares(case), surveys)


def report_shares(case: Case) -> Array:
    """The share of every possible report among many."""
    channel = TableChannel(case.design, case.names)
    reported = channel.apply(make_truth(case, channel.shape)).ravel().clip(0)
    return np.asarray(reported / reported.sum())


def weigh_reports(case: Case) -> tuple[Array, Array]:
    """What each report counts in the inverse estimate of the event, and of all people meant."""
    channel = TableChannel(case.design, case.names)
    event, inside = np.zeros(channel.shape), np.zeros(channel.shape)
    event[mark_right(channel.shape) if case.people == "model" else (1,) * len(case.names)] = 1
    inside[tuple(case.within.values())] = 1
    return channel.weights(event).ravel(), channel.weights(inside).ravel()


def make_test(case: Case, counts: Codes) -> tuple[ScoreTest, NDArray[np.bool_]]:
    """The score tests of surveys, of all that are not refused, and which these are."""
    a, b = weigh_reports(case)
    known = counts @ b > 0  # nobody in there, as far as the reports tell: refused
    made_up: WeightMoments = MadeUpMoments(case.design, dict.fromkeys(case.names, 1), case.within)
    if case.people == "model":
        channel = TableChannel(case.design, case.names)
        right = mark_right(channel.shape)
        people = right / right.sum() / 2 + ~right / (~right).sum() / 2
        made_up = PointMoments(channel.apply(people).ravel(), a, b)
    observed = _SurveyMoments(counts[known] / case.n, a, b)
    sample = Sample(observed, made_up, case.n)
    if case.people == "model":
        sample = sample.stretch_by_tails(observed.moment(1, 0) / observed.moment(0, 1))
    return ScoreTest([sample], np.ones(1)), known


def measure(case: Case, surveys: int = SURVEYS, seed: int = 7) -> dict[str, object]:
    """The coverage of a case, its intervals' mean width, and how often it was refused."""
    counts, chances = list_surveys(case, surveys, seed)
    exact = counts.shape[1] == 2
    test, known = make_test(case, counts)
    some, _ = make_test(case, draw_surveys(case, _WIDTHS, seed))
    low, high = some.ends(LEVEL)
    width = round(float((high - low).mean()), 3)
    left = chances[known] / chances[known].sum()
    covered = round_share(float(left @ test.accepts(np.asarray(case.share), LEVEL)))
    off = covered < LEAST or (covered > MOST and width <= WIDE)
    if off and surveys == SURVEYS and not exact:
        return measure(case, AGAIN * surveys, seed + 1)
    return {
        **asdict(case),
        "coverage": covered,
        "surveys": "all" if exact else surveys,
        "width": width,
        "refused": round(float(chances[~known].sum()), 4),
        "verdict": judge(covered, width, find_least(case, counts, chances, width)),
    }


def round_share(share: float) -> float:
    """Round a share to four digits: up where it lies between two, whatever the processor made."""
    return round(share + _ROUNDING, 4)


def find_least(case: Case, counts: Codes | Array, chances: Array, width: float) -> float:
    """The least that an interval could cover which covers the 95 % that it is called.

    Its limit may lie between any two estimates, and may be another for every number of reports that
    say to be inside: they alone are the survey of a sub-population. Numbers with few of the surveys
    tell nothing, and count as if they could be covered 95 %.
    """
    a, b = weigh_reports(case)
    known = counts @ b > 0
    counts, chances = counts[known], chances[known] / chances[known].sum()
    values = ((counts @ a / (counts @ b)).clip(0, 1) / (_APART * width)).round()
    inside, few = np.zeros(len(counts)), 0.0
    if case.within:
        shape = TableChannel(case.design, case.names).shape
        inside = counts.reshape(len(counts), shape[0], -1)[:, 1].sum(axis=1)
        few = _FEW
    least = 0.0
    for number in np.unique(inside):
        here = inside == number
        _, place = np.unique(values[here], return_inverse=True)
        total = float(chances[here].sum())
        below = np.cumsum(np.bincount(place, chances[here])) / total
        sides = np.concatenate([below, 1 - below])
        reached = float(sides[sides >= LEVEL - _ROUNDING].min())
        least += total * (reached if total >= few else LEVEL)
    return least


def judge(covered: float, width: float, least: float) -> str:
    """Say how well an interval covers and, where it does too often, why."""
    if covered < LEAST:
        return DOUBTFUL[0]
    if covered <= MOST:
        return "93 to 98 %"
    if width > WIDE:
        return "above, wide: the reports tell little"
    if least > MOST:
        return "above: whole numbers of reports"
    return DOUBTFUL[1]


def write_table(name: str, rows: list[dict[str, object]]) -> None:
    """Write a table as CSV beside the pictures."""
    with (FOLDER / name).open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def draw_picture(name: str, rows: list[dict[str, object]]) -> None:
    """Draw the map: one square per case, blue where it covers 93 to 98 %."""
    import altair as alt

    colours = {
        DOUBTFUL[0]: "#d73027",
        "93 to 98 %": "#4575b4",
        DOUBTFUL[1]: "#74add1",
        "above: whole numbers of reports": "#fee090",
        "above, wide: the reports tell little": "#e0e0e0",
    }

    named = [
        {**row, "case": f"{row['mechanism']}, θ = {row['truth']}, {row['people']}"} for row in rows
    ]
    chart = (
        alt.Chart(alt.Data(values=named))
        .mark_rect(stroke="white")
        .encode(
            alt.X("n:O", title="reports"),
            alt.Y("share:O", title=None),
            alt.Color(
                "verdict:N",
                title="how often it covers; rows: the share, columns: the number of reports",
                scale=alt.Scale(domain=list(colours), range=list(colours.values())),
                legend=alt.Legend(labelLimit=400, titleLimit=600, orient="top", columns=2),
            ),
        )
        .properties(width=130, height=alt.Step(13))
        .facet(
            column=alt.Column("groups:O", title="groups"),
            row=alt.Row(
                "case:N",
                title=None,
                header=alt.Header(
                    labelAngle=0, labelAlign="left", labelOrient="right", labelFontSize=12
                ),
            ),
        )
        .resolve_scale(y="independent")
    )
    chart.save(FOLDER / name)


def report(name: str, rows: list[dict[str, object]]) -> None:
    """Write the table and the picture, and say what is not within 93–98 %."""
    write_table(f"{name}.csv", rows)
    draw_picture(f"{name}.svg", rows)
    found = Counter(row["verdict"] for row in rows)
    print(f"{len(rows)} cases: " + "; ".join(f"{n} {verdict}" for verdict, n in found.items()))
    for row in sorted(rows, key=lambda row: str(row["coverage"])):
        if row["verdict"] in DOUBTFUL:
            print(row)


def main() -> None:
    """Measure every case."""
    argparse.ArgumentParser(description=__doc__.partition("\n")[0]).parse_args()
    report("coverage", [measure(case) for case in list_cases()])


if __name__ == "__main__":
    main()
