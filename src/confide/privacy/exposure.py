"""What the whole report gives away to an adversary who knows the crowd.

θ is the adversary's chance only if the rest of the report tells nothing about the coin. It does:
a record whose opposite is rare in the crowd was most likely reported as it is. So here every coin
(truth or cover) and every answer gets its posterior given the *whole* report, by Bayes' rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

import numpy as np

from confide.arrays import Array, Codes
from confide.counts import report_sizes
from confide.design import Design
from confide.privacy.known_crowd import KnownCrowd
from confide.privacy.whole_report import WholeReport

_ENUMERATED = 1 << 12  # up to this many possible reports, all are looked at
MOST_DRAWN = 10_000
"""Beyond them so many reports are drawn: means are then within 0.01 (two standard errors)."""
_LARGEST_DRAW = 2_000_000  # numbers; of more than 200 questions fewer reports are drawn
_SEED = 20_000  # the same crowd and design give the same numbers


@dataclass(frozen=True, eq=False)
class Risk:
    """How surely an adversary is right, report by report.

    Parameters
    ----------
    values : array
        The probability that the best guess from each report is right.
    weights : array
        The probability of each report.
    """

    values: Array
    weights: Array

    @property
    def mean(self) -> float:
        """The Bayes vulnerability: how often the best guess is right, over all reports."""
        return min(float(self.values @ self.weights), 1.0)

    def share(self, at_least: float) -> float:
        """The share of people whose report lets the adversary be this sure, or surer."""
        return float(self.weights[self.values >= at_least - 1e-12].sum())

    def quantile(self, level: float) -> float:
        """The sureness that a share of the reports stays within."""
        order = np.argsort(self.values)
        below = np.cumsum(self.weights[order])
        place = np.searchsorted(below, level * below[-1] - 1e-12)
        return float(self.values[order][min(place, len(order) - 1)])


@dataclass(frozen=True, eq=False)
class Exposure:
    """The adversary's success from whole reports, knowing the crowd.

    Parameters
    ----------
    population : KnownCrowd
        The crowd as the adversary knows it.
    coins : tuple of Risk or None
        For each group, whether its report is the truth or the cover; None without a coin.
    all_coins : Risk or None
        All coins of a person at once; None where there are too many to try.
    answers : mapping from question to Risk
        Each single answer.
    answers_from_clear : mapping from question to Risk
        Each single answer from the answers in the clear alone, without a report of it.
    all_answers : Risk or None
        All answers of a person at once; None where there are too many to try.
    drawn : int or None
        How many reports were drawn; None if all possible ones were looked at.
    """

    population: KnownCrowd
    coins: tuple[Risk | None, ...]
    all_coins: Risk | None
    answers: Mapping[str, Risk]
    answers_from_clear: Mapping[str, Risk]
    all_answers: Risk | None
    drawn: int | None

    def guess_without_report(self, name: str) -> float:
        """How often the best guess at an answer is right where only the clear answers are known."""
        return max(self.answers_from_clear[name].mean, float(self.population.margin(name).max()))


def measure_exposure(design: Design, population: KnownCrowd) -> Exposure:
    """Look at every possible report, or at a sample of them, as the adversary would."""
    patterns, drawn = _choose_reports(design, population)
    seen = WholeReport(design, population, patterns)
    every = np.full(len(patterns), 1 / len(patterns)) if drawn else seen.chances
    kept = every > 0
    every = every[kept] / every.sum()

    def risk(values: Array) -> Risk:
        return Risk(values[kept].clip(0, 1), every)

    groups = range(len(design.groups))
    coins = tuple(risk(seen.coin_posterior(g)) if seen.has_coin(g) else None for g in groups)
    together = seen.all_coins()
    all_coins = None if together is None else risk(together)
    answers = {q.name: risk(seen.answer(q.name)) for q in design.questions}
    from_clear = {q.name: risk(seen.prior_from_clear(q.name).max(axis=1)) for q in design.questions}
    combined = seen.all_answers(together)
    all_answers = None if combined is None else risk(combined)
    return Exposure(population, coins, all_coins, answers, from_clear, all_answers, drawn)


def _choose_reports(design: Design, population: KnownCrowd) -> tuple[Codes, int | None]:
    """All possible reports, or drawn ones and how many they are."""
    sizes = report_sizes(design)
    if prod(sizes) <= _ENUMERATED:
        return np.stack([axis.ravel() for axis in np.indices(sizes)], axis=1), None
    drawn = min(MOST_DRAWN, max(_LARGEST_DRAW // len(sizes), 1_000))
    return _draw_reports(design, population, drawn), drawn


def _draw_reports(design: Design, population: KnownCrowd, size: int) -> Codes:
    """Draw people from the population, and the report of each."""
    generator = np.random.default_rng(_SEED)
    weights, shares = population.mixture.weights, population.shares
    classes = generator.choice(len(weights), size, p=weights)
    reports = np.empty((size, len(design.names)), np.int64)
    for block in design.blocks:
        branch = generator.choice(len(block.mixture.weights), size, p=block.mixture.weights)
        for position, factor in zip(block.positions, block.mixture.factors, strict=True):
            answers = _draw_columns(generator, shares[design.names[position]][classes])
            reports[:, position] = _draw_columns(generator, factor[branch, :, answers])
    return reports


def _draw_columns(generator: np.random.Generator, chances: Array) -> Codes:
    """Draw a column for each row of chances."""
    ends = chances.cumsum(axis=1)
    return np.asarray((generator.random((len(chances), 1)) * ends[:, -1:] > ends).sum(axis=1))
