"""What whole reports give away on real records: the Adult data of the papers."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest
from support.mixtures import known_crowd

import confide as cf
from confide.papers import data
from confide.privacy.exposure import measure_exposure


@cache
def adult():
    """The training records: fourteen yes-no attributes and the income."""
    try:
        found = data.load_adult()
    except data.DataMissingError as error:
        pytest.skip(str(error))
    answers = np.column_stack([found.X, found.y])[:32_561].astype(int)
    return [*found.names, "income"], answers


def design_of(groups, truth):
    names, _ = adult()
    return cf.Design(
        [cf.YesNo(name) for name in names],
        [cf.Group(names[first::groups], cf.RelatedQuestion(truth)) for first in range(groups)],
    )


def coins_told(population, design, reports, answers, truth):
    """The share of records all of whose coins the adversary tells, by trying every combination."""
    blocks = [list(block.positions) for block in design.blocks]
    coins = np.stack([(reports[:, b] == answers[:, b]).all(axis=1) for b in blocks], axis=1)
    best, told = np.full(len(reports), -1.0), np.zeros_like(coins)
    for guess in product([True, False], repeat=len(blocks)):
        supposed = reports.copy()
        for block, true in zip(blocks, guess, strict=True):
            if not true:
                supposed[:, block] = 1 - supposed[:, block]
        odds = np.prod([truth if true else 1 - truth for true in guess])
        chance = odds * np.sum(
            [
                weight
                * np.prod(
                    [population.shares[n][k][supposed[:, i]] for i, n in enumerate(design.names)],
                    axis=0,
                )
                for k, weight in enumerate(population.mixture.weights)
            ],
            axis=0,
        )
        told[chance > best] = guess
        best = np.maximum(best, chance)
    return (told == coins).all(axis=1).mean()


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize(
    ("groups", "truth", "least"),
    [(1, 0.55, 0.998), (2, 0.6, 0.94), (3, 0.6, 0.86), (4, 0.6, 0.73)],
)
def test_the_statement_says_how_many_coins_the_records_give_away(groups, truth, least):
    """Fitted to disguised reports alone, it is within 0.05 of what it tells on real records."""
    _, answers = adult()
    design = design_of(groups, truth)
    reports = design.disguise(answers, seed=1)
    statement = cf.privacy.of(design, crowd=cf.Crowd(design, reports))
    told = coins_told(statement.population, design, reports, answers, truth)
    assert told > least
    assert statement.exposure.all_coins.mean == pytest.approx(told, abs=0.05)
    assert told > truth**groups + 0.3  # θ alone overstates the protection


@pytest.mark.slow
@pytest.mark.statistical
def test_a_naive_bayes_crowd_by_income_tells_the_coins_of_nearly_all_records():
    """The crowd as naive Bayes with the income as the class, known from true records."""
    names, answers = adult()
    rich = answers[:, -1] == 1
    kinds = [answers[~rich], answers[rich]]
    yes = np.array([(each.sum(axis=0) + 0.5) / (len(each) + 1) for each in kinds])
    shares = {n: np.stack([1 - yes[:, i], yes[:, i]], axis=1) for i, n in enumerate(names)}
    weights = np.array([1 - rich.mean(), rich.mean()])
    population = known_crowd(weights, shares, "naive Bayes")
    found = {
        groups: measure_exposure(design_of(groups, 0.6), population).all_coins.mean
        for groups in (1, 2, 3, 4)
    }
    assert found[1] > 0.998
    assert found[1] > found[2] > 0.94 > found[3] > 0.85 > found[4] > 0.75
