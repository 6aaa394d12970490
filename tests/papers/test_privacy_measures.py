"""What an adversary gets from four attributes, and what rules recover, by plain enumeration."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import confide as cf
from confide.papers.four_group.adversary import count_joint, measure_adversary
from confide.papers.four_group.experiment import SCHEMES, SCOPES, deal, list_parts
from confide.papers.split_people import SplitPeople, build_related_design
from confide.papers.surveys.experiment import build_unrelated_design, score_with_personal
from confide.papers.surveys.recoverability import measure_after_mining

NAMES = ("a", "b", "c", "d", "y")


def make_people(n=600):
    chance = np.random.default_rng(2)
    y = (chance.random(n) < 0.3).astype(int)
    rest = [(chance.random(n) < np.where(y, p, 0.4)).astype(int) for p in (0.9, 0.7, 0.3, 0.5)]
    return SplitPeople(NAMES, np.column_stack([*rest, y]), np.column_stack([*rest, y])[:50])


def enumerate_adversary(joint, parts, theta):
    """Every truth, every coin, every report: the best guesses' chances, added up."""
    record, knowing, coins = {}, {}, {}
    for truth in product((0, 1), repeat=5):
        for coin in product((True, False), repeat=len(parts)):
            report = list(truth)
            chance = joint[truth]
            for part, true in zip(parts, coin, strict=True):
                chance *= theta if true else 1 - theta
                if not true:
                    for name in part:
                        report[NAMES.index(name)] = 1 - truth[NAMES.index(name)]
            report = tuple(report)
            record.setdefault(report, {}).setdefault(truth, []).append(chance)
            coins.setdefault(report, {}).setdefault(coin, []).append(chance)
            for place in range(4):
                key = (report, place, truth[place])
                knowing.setdefault(key, {}).setdefault(truth, []).append(chance)

    def best(table):
        return sum(max(sum(each) for each in guesses.values()) for guesses in table.values())

    return best(record), best(knowing) / 4, best(coins)


@pytest.mark.parametrize("groups", SCHEMES)
@pytest.mark.parametrize("truth", [".55", ".8", "1"])
def test_the_adversary_does_as_well_as_enumeration_says(groups, truth):
    people = make_people()
    dealt = {name: (name,) for name in "abcd"}
    parts = list_parts(groups, dealt)
    found = measure_adversary(build_related_design(NAMES, parts, truth), people)
    record, knowing, coins = enumerate_adversary(count_joint(people), parts, float(truth))
    assert found["record_told"] == pytest.approx(record)
    assert found["record_told_knowing_one"] == pytest.approx(knowing)
    assert found["coins_told"] == pytest.approx(coins)
    assert found["record_guessed"] <= found["record_told"] + 1e-9


def test_schemes_are_as_printed_and_choices_differ():
    people = SplitPeople((*"abcdefghijklmn", "y"), np.zeros((5, 15), int), np.zeros((2, 15), int))
    few, dealt = deal(people, SCOPES[0], 0)
    assert len(few.names) == 5
    assert few.target == "y"
    assert [len(part) for part in list_parts(3, dealt)] == [2, 1, 1]
    every, dealt = deal(people, SCOPES[1], 0)
    assert sorted(every.attributes) == list("abcdefghijklmn")
    assert sorted(len(part) for part in list_parts(4, dealt)) == [3, 3, 4, 4]
    assert len({deal(people, SCOPES[0], choice)[0].names for choice in range(10)}) > 5


def test_rec_is_the_printed_sum_over_the_rules_that_were_found():
    """Two attributes; a rule with too little support or confidence adds nothing."""
    chance = np.random.default_rng(5)
    first = (chance.random(20_000) < 0.5).astype(int)
    second = np.where(chance.random(20_000) < 0.9, first, 1 - first)
    design = build_unrelated_design(("a", "b"), ".8")
    reports = design.disguise(np.column_stack([first, second]), seed=1)
    found = measure_after_mining(design, reports)
    crowd = cf.Crowd(design, reports)
    rules = cf.DisguisedRules(design, max_length=2).fit(reports).rules_
    assert found["rules"] == len(rules) == 4  # no ⇒ no and yes ⇒ yes, both ways
    expected = []
    for right in ("a", "b"):
        share = crowd.proportion({right: "yes"}).value
        correct = {"yes": share * 0.9, "no": (1 - share) * 0.9}  # θ + (1 − θ)/2
        seen = {"yes": share * 0.9 + (1 - share) * 0.1, "no": (1 - share) * 0.9 + share * 0.1}
        ours = [rule for rule in rules if right in rule.consequent]
        expected.append(
            sum(
                rule.confidence.value * correct[value] / seen[value]
                for rule in ours
                for value in rule.consequent.values()
            )
        )
    assert found["largest_rec"] == pytest.approx(max(expected))
    assert found["least_pse_after"] < found["least_pse_before"]


@pytest.mark.statistical
def test_the_test_with_personal_answers_is_right_on_average():
    """200 scores of 500 people: their mean is within 4 of its standard errors of the truth."""
    people = make_people(2_000)
    tested = people.train[:500]
    design = build_unrelated_design(NAMES, ".6")
    model = cf.DisguisedNaiveBayes(design, "y", method="literal")
    model.fit(design.disguise(people.train, seed=1))
    truth = (model.predict(tested[:, :-1]) == tested[:, -1]).mean()
    scores = [
        score_with_personal(model, design.disguise(tested, seed=s), seed=1_000 + s).value
        for s in range(200)
    ]
    error = np.std(scores) / 200**0.5
    assert abs(np.mean(scores) - truth) < 4 * error
    assert abs(np.mean(scores) - (truth - 0.05)) > 4 * error  # a wrong truth would be caught
