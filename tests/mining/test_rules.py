"""Rules against brute force, and what noise may not lose."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from support.designs import designs, labelled, random_codes, whole_matrix
from support.properties import examples

import confide as cf


def naive_weights(design, codes):
    """For an event, every record's own weight."""
    matrix, order = whole_matrix(design)
    sizes = [design.question(name).size for name in order]
    rows = np.ravel_multi_index([codes[:, design.position(n)] for n in order], sizes)
    cells = np.stack(np.unravel_index(np.arange(len(matrix)), sizes), axis=1)
    per_record = np.linalg.inv(matrix)[:, rows]

    def weights(event):
        inside = np.all([cells[:, order.index(q)] == c for q, c in event.items()], axis=0)
        return inside.astype(float) @ per_record

    return weights


def ratio(top, bottom):
    """A ratio of means and its error from the linearised records."""
    value = top.mean() / bottom.mean()
    return value, ((top - value * bottom) / bottom.mean()).std() / np.sqrt(len(top))


@pytest.mark.slow
@examples(15)
@given(designs(most_questions=4), st.integers(0, 2**31))
def test_itemsets_and_rules_are_those_of_brute_force(design, seed):
    assume(len(design.names) > 1)
    codes = random_codes(design, 150, seed)
    found = cf.DisguisedRules(design, min_support=0.1537, min_confidence=0.6137, max_length=3)
    found.fit(labelled(design, codes))
    weights = naive_weights(design, codes)
    crowd = cf.Crowd(design, labelled(design, codes))
    upper, rules = {}, {}
    for length in (1, 2, 3):
        for questions in combinations(design.names, length):
            for cell in product(*(range(design.question(q).size) for q in questions)):
                event = dict(zip(questions, cell, strict=True))
                w = weights(event)
                parts = combinations(event.items(), length - 1)
                if length > 1 and not all(frozenset(p) in upper for p in parts):
                    continue
                values = {q: design.question(q).values[c] for q, c in event.items()}
                if max(w.mean(), crowd.proportion(values).interval(0.9)[1]) < 0.1537:
                    continue
                upper[frozenset(event.items())] = w
    for items, w in upper.items():
        for size in range(1, len(items)):
            for left in map(frozenset, combinations(sorted(items), size)):
                sides = upper[left].mean(), upper[items - left].mean()
                if min(w.mean(), *sides) >= 0.1537 and w.mean() >= 0.6137 * sides[0]:
                    rules[left, items - left] = w

    def coded(values):
        return frozenset((q, design.question(q).code(v)) for q, v in values.items())

    assert {coded(i.items) for i in found.itemsets_} == set(upper)
    assert {(coded(r.antecedent), coded(r.consequent)) for r in found.rules_} == set(rules)
    for rule in found.rules_[:5]:
        left, right = coded(rule.antecedent), coded(rule.consequent)
        both, first, second = (weights(dict(e)) for e in (left | right, left, right))
        value, error = ratio(both, first)
        assert rule.confidence.value == pytest.approx(value, abs=1e-8)
        among = crowd.given(rule.antecedent).proportion(rule.consequent)
        assert rule.confidence.interval() == pytest.approx(among.interval(), abs=1e-12)
        if not all(0 < each.mean() < 1 for each in (both, first, second)) or not 0 < value < 1:
            continue  # the nearest possible share may imply a larger error, which is then stated
        assert rule.confidence.standard_error == pytest.approx(error, abs=1e-8)
        lift = value / second.mean()
        linear = lift * (both / both.mean() - first / first.mean() - second / second.mean())
        assert rule.lift.value == pytest.approx(lift, abs=1e-7)
        error = linear.std() / np.sqrt(len(codes))
        assert rule.lift.standard_error == pytest.approx(error, rel=1e-6)


@pytest.mark.slow
@pytest.mark.statistical
def test_a_frequent_set_is_seldom_lost_to_noise():
    """Its support is exactly the threshold: by estimates alone half of the runs would lose it."""
    names = ["a", "b", "c"]
    groups = [cf.Group([n], cf.RelatedQuestion("7/10")) for n in names]
    design = cf.Design([cf.YesNo(n) for n in names], groups)
    people = [[1, 1, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1], [0, 0, 0]]
    answers = np.repeat(people, [200, 150, 150, 150, 350], axis=0)
    wanted = {"a": "yes", "b": "yes", "c": "yes"}
    kept = 0
    for seed in range(60):
        rules = cf.DisguisedRules(design, min_support=0.2).fit(design.disguise(answers, seed=seed))
        kept += any(itemset.items == wanted for itemset in rules.itemsets_)
    assert kept >= 52  # expected .95 of 60 = 57, standard error 1.7


@pytest.mark.parametrize(
    "wrong", [{"min_support": 0}, {"min_confidence": 1.5}, {"max_length": 1}, {"level": 1.0}]
)
def test_thresholds_out_of_range_are_refused(wrong):
    design = cf.Design([cf.YesNo("a"), cf.YesNo("b")])
    with pytest.raises(cf.ModelError, match=next(iter(wrong))):
        cf.DisguisedRules(design, **wrong).fit(np.array([[0, 1], [1, 1]]))


def test_one_question_makes_no_rules():
    design = cf.Design([cf.YesNo("a"), cf.Number("age", 1, 9)])
    with pytest.raises(cf.ModelError, match="at least two"):
        cf.DisguisedRules(design).fit(np.array([[0, 1], [1, 2]]))


def test_rules_are_a_table_for_other_programs():
    design = cf.Design([cf.YesNo("a"), cf.YesNo("b")])
    rules = cf.DisguisedRules(design).fit(np.array([[1, 1]] * 8 + [[0, 0]] * 2))
    table = rules.to_arrow()
    assert table.num_rows == len(rules.rules_) > 0
    assert table["antecedent"][0].as_py() == "a = no" or "b" in table["antecedent"][0].as_py()


def test_a_pool_by_precision_gives_itemsets_and_rules_the_same_supports():
    generator = np.random.default_rng(1)
    answers = generator.integers(0, 2, (600, 3))
    answers[:, 1] |= answers[:, 0]
    names = ["a", "b", "c"]
    crowds = []
    for theta, part in ((0.8, answers[:300]), (0.6, answers[300:])):
        group = cf.Group(names, cf.RelatedQuestion(theta))
        design = cf.Design([cf.YesNo(name) for name in names], [group])
        crowds.append(cf.Crowd(design, design.disguise(part, seed=1)))
    pool = cf.Crowd.pool(crowds, by="precision")
    found = cf.DisguisedRules(pool.design, min_support=0.2).fit(pool)
    supports = {frozenset(i.items.items()): i.support.value for i in found.itemsets_}
    assert found.rules_
    for rule in found.rules_:
        items = frozenset({**rule.antecedent, **rule.consequent}.items())
        assert rule.support.value == pytest.approx(supports[items])


def test_a_support_at_the_threshold_reaches_it():
    design = cf.Design([cf.YesNo("a"), cf.YesNo("b")])
    answers = np.repeat([[1, 1], [0, 0]], [3, 7], axis=0)
    found = cf.DisguisedRules(design, min_support=0.1 + 0.2, min_confidence=1).fit(answers)
    assert any(rule.antecedent == {"a": "yes"} for rule in found.rules_)


def test_intervals_are_those_of_the_crowds_shares():
    """Among 60 people ± 1.96 standard errors would leave [0, 1]."""
    design = cf.Design(
        [cf.YesNo("a"), cf.YesNo("b")], [cf.Group(["a", "b"], cf.RelatedQuestion("9/10"))]
    )
    answers = np.repeat([[1, 1], [0, 0], [0, 1]], [10, 45, 5], axis=0)
    crowd = cf.Crowd(design, design.disguise(answers, seed=1))
    rules = cf.DisguisedRules(design, min_support=0.05).fit(crowd)
    (rule,) = (r for r in rules.rules_ if r.antecedent == {"a": "yes"} and "b" in r.consequent)
    share, among = (
        crowd.proportion({"b": "yes"}),
        crowd.given({"a": "yes"}).proportion({"b": "yes"}),
    )
    assert rule.support.interval() == pytest.approx(
        crowd.proportion({"a": "yes", "b": "yes"}).interval()
    )
    assert rule.confidence.interval() == pytest.approx(among.interval(), abs=1e-12)
    assert rule.lift.interval() == pytest.approx((among / share).interval())
    assert rule.confidence.value + 1.96 * rule.confidence.standard_error > 1
    low, high = rule.confidence.interval()
    assert 0 <= low < rule.confidence.value and high <= 1
    assert "lift_low" in rules.to_arrow().column_names


def find_wide_rules(rows=2_000, questions=25, **given):
    """Rules among many questions that all lean the same way, with a coin each or three."""
    names = [f"q{i:02}" for i in range(questions)]
    generator = np.random.default_rng(3)
    answers = generator.random((rows, questions)) < generator.random((rows, 1))
    groups = [cf.Group(names[g::3], cf.RelatedQuestion("4/5")) for g in range(3)]
    design = cf.Design([cf.YesNo(name) for name in names], groups)
    crowd = cf.Crowd(design, design.disguise(answers, seed=1))
    return crowd, cf.DisguisedRules(design, **given).fit(crowd)


@pytest.mark.slow
def test_a_level_is_one_pass_over_the_reports(monkeypatch):
    """However many sets of questions are in it, and however many rules come out."""
    from confide.crowd import _set_tables
    from confide.estimators import event_weights

    passes, tabulate = [], _set_tables.tabulate_sets
    monkeypatch.setattr(
        _set_tables,
        "tabulate_sets",
        lambda counts, sets: passes.append(len(sets)) or tabulate(counts, sets),
    )
    monkeypatch.setattr(event_weights, "_term_weights", None)  # one weight per report
    _, found = find_wide_rules()
    assert passes == [25, 300, 2_300]
    assert len(found.rules_) > 10_000


@pytest.mark.slow
def test_rules_of_many_questions_are_the_crowds_shares():
    crowd, found = find_wide_rules()
    for place in range(0, len(found.rules_), len(found.rules_) // 20):
        rule = found.rules_[place]
        among = crowd.given(rule.antecedent).proportion(rule.consequent)
        both = crowd.proportion({**rule.antecedent, **rule.consequent})
        lift = among / crowd.proportion(rule.consequent)
        for ours, theirs in ((rule.support, both), (rule.confidence, among), (rule.lift, lift)):
            assert ours.value == pytest.approx(theirs.value, abs=1e-10)
            assert ours.standard_error == pytest.approx(theirs.standard_error, abs=1e-10)
            assert ours.interval() == pytest.approx(theirs.interval(), abs=1e-10)
        moved = rule.lift - rule.confidence
        assert moved.standard_error == pytest.approx((lift - among).standard_error, abs=1e-10)


def test_rules_as_confident_as_each_other_stay_in_the_order_of_their_questions():
    """Rounding, which differs between processors, does not decide on their order."""
    names = ["a", "b", "c", "d"]
    design = cf.Design([cf.YesNo(n) for n in names], [cf.Group(names, cf.RelatedQuestion("4/5"))])
    answers = np.repeat([[1, 1, 1, 1], [0, 0, 0, 0]], [40, 60], axis=0)
    rules = cf.DisguisedRules(design, max_length=2).fit(answers).rules_
    sides = [(*rule.antecedent, *rule.consequent) for rule in rules]
    assert sides == [
        side for pair in combinations(names, 2) for side in (pair, pair[::-1], pair, pair[::-1])
    ]
