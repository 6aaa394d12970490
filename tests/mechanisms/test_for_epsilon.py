"""A mechanism made for an epsilon gives away that much, and never more."""

from __future__ import annotations

import pytest

import confide as cf

EPSILONS = [0.05, 0.5, 1.0, 2.0, 5.0]


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("options", [2, 3, 10])
@pytest.mark.parametrize("kind", [cf.RelatedQuestion, cf.RandomizedChoice])
def test_it_gives_away_epsilon_and_no_more(kind, options, epsilon):
    asked = [cf.Choice("colour", [str(i) for i in range(options)])]
    found = kind.for_epsilon(epsilon, options).epsilon(asked)
    assert epsilon - 0.003 < found <= epsilon


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_a_birthday_for_an_epsilon_gives_it_away_and_no_more(epsilon):
    found = cf.Crosswise.for_epsilon(epsilon).epsilon([cf.YesNo("cheated")])
    assert epsilon - 0.003 < found <= epsilon


@pytest.mark.parametrize("epsilon", [0, -1, float("inf"), float("nan"), 100])
def test_an_epsilon_that_no_coin_has_is_refused(epsilon):
    with pytest.raises(cf.DesignError, match="epsilon must be above 0"):
        cf.RelatedQuestion.for_epsilon(epsilon)
