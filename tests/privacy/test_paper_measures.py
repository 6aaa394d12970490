"""The measures of `surveys` section 4 against direct sums over their definitions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confide as cf

PROBABILITIES = st.floats(0.01, 0.99)


def direct_sum(wa, theta, wy):
    """Σ over original and reported value of P(o)·P(r|o)·P(not o|r), from the joint table."""
    joint = {
        (o, r): (wa if o else 1 - wa) * (theta * (o == r) + (1 - theta) * (wy if r else 1 - wy))
        for o in (0, 1)
        for r in (0, 1)
    }
    total = 0.0
    for o, r in joint:
        other = joint[1 - o, r] / (joint[0, r] + joint[1, r])
        total += joint[o, r] * other
    return total


def printed(wa, theta, wy):
    """The paper's four printed components, slip and all."""
    yes, no = theta + (1 - theta) * wy, theta + (1 - theta) * (1 - wy)
    slip = (1 - theta) * (1 - wy)
    one = wa * yes * slip * (1 - wa) / (yes * wa + slip * (1 - wa))
    two = wa * slip * no * (1 - wa) / (no * (1 - wa) + slip * wa)
    three = (1 - wa) * (1 - theta) * wy * yes * wa / (yes * wa + (1 - theta) * wy * (1 - wa))
    return one + two + three + two


@given(PROBABILITIES, PROBABILITIES, PROBABILITIES)
def test_a_single_entry_is_the_direct_sum_over_the_joint_distribution(wa, theta, wy):
    found = cf.privacy.single_entry(prevalence=wa, truth=theta, personal=wy)
    assert found == pytest.approx(direct_sum(wa, theta, wy), abs=1e-12)


def test_the_definition_and_the_print_part_where_the_readme_of_the_papers_says():
    assert cf.privacy.single_entry(prevalence=0.3, truth=0.5, personal=0.3) == pytest.approx(0.315)
    assert printed(0.3, 0.5, 0.3) == pytest.approx(0.355, abs=5e-4)
    at_half = cf.privacy.single_entry(prevalence=0.3, truth=0.5, personal=0.5)
    assert printed(0.3, 0.5, 0.5) == pytest.approx(at_half)


def test_full_disclosure_is_no_privacy_and_no_disclosure_the_most():
    """Figure 6: 0 at θ = 1, rising as θ falls, symmetric around W_a = 1/2."""
    by_truth = [
        cf.privacy.single_entry(prevalence=0.3, truth=t, personal=0.5)
        for t in (1.0, 0.8, 0.5, 0.2, 0.0)
    ]
    assert by_truth[0] == pytest.approx(0)
    assert by_truth == sorted(by_truth)
    assert by_truth[-1] == pytest.approx(2 * 0.3 * 0.7)
    mirrored = cf.privacy.single_entry(prevalence=0.7, truth=0.8, personal=0.5)
    assert mirrored == pytest.approx(by_truth[1])


def test_a_question_of_a_design_has_the_same_single_entry():
    mechanism = cf.UnrelatedQuestion(0.6, {"a": {"yes": 0.2, "no": 0.8}})
    question = cf.privacy.of(cf.Design([cf.YesNo("a")], [cf.Group(["a"], mechanism)])).question("a")
    expected = cf.privacy.single_entry(prevalence=0.3, truth=0.6, personal=0.2)
    assert question.single_entry(0.3) == pytest.approx(expected)


@given(PROBABILITIES, PROBABILITIES, PROBABILITIES)
def test_recovery_with_known_preconditions_is_one_whatever_the_population(a, b, c):
    assert cf.privacy.recovery_known([1 - a, a], [[1 - b, b], [1 - c, c]]) == pytest.approx(1)


def test_recovery_is_the_sum_the_paper_prints():
    a1 = 0.25
    rules = {(1, 1): 0.8, (1, 0): 0.6, (0, 1): 0.4, (0, 0): 0.3}
    expected = sum((a1 if a else 1 - a1) * confidence for (a, _), confidence in rules.items())
    table = [[rules[a, b] for b in (0, 1)] for a in (0, 1)]
    assert cf.privacy.recovery_known([1 - a1, a1], table) == pytest.approx(expected)


def test_recovery_from_reports_is_the_printed_sum_and_can_exceed_one():
    confidence = np.array([[0.7, 0.3], [0.1, 0.9]])
    correct = np.array([0.95, 0.8])
    expected = 0.0
    for a in (0, 1):
        for b in (0, 1):
            expected += confidence[a, b] * correct[b]
    found = cf.privacy.recovery_unknown(confidence, correct)
    assert found == pytest.approx(expected)
    assert found > 1


def test_the_least_entry_of_a_group_is_its_smallest_privacy_after_mining():
    personal = {"a": {"yes": 0.5, "no": 0.5}, "b": {"yes": 0.1, "no": 0.9}}
    design = cf.Design(
        [cf.YesNo("a"), cf.YesNo("b")], [cf.Group(["a", "b"], cf.UnrelatedQuestion(0.6, personal))]
    )
    group = cf.privacy.of(design).groups[0]
    before = {
        "a": cf.privacy.single_entry(prevalence=0.3, truth=0.6, personal=0.5),
        "b": cf.privacy.single_entry(prevalence=0.2, truth=0.6, personal=0.1),
    }
    priors = {"a": 0.3, "b": 0.2}
    assert group.least_entry(priors) == pytest.approx(min(before.values()))
    recovery = {"a": 0.5, "b": 0.1}
    after = min(before[name] - recovery[name] for name in before)
    assert group.least_entry(priors, recovery) == pytest.approx(after)
    assert after < 0  # as the definition allows


@pytest.mark.parametrize("bad", [{"prevalence": 1.2}, {"truth": -0.1}, {"personal": "half"}])
def test_what_is_no_probability_is_refused(bad):
    given_values = {"prevalence": 0.3, "truth": 0.7, "personal": 0.5} | bad
    with pytest.raises(cf.QueryError, match="must be a probability"):
        cf.privacy.single_entry(**given_values)


def test_rules_of_the_wrong_shape_are_refused():
    with pytest.raises(cf.QueryError, match="confidence must be a table"):
        cf.privacy.recovery_known([0.5, 0.5], [[0.5, 0.5]])
    with pytest.raises(cf.QueryError, match="confidence must be a table"):
        cf.privacy.recovery_unknown([0.5, 0.5], [0.9, 0.8])
    with pytest.raises(cf.QueryError, match="correct must give"):
        cf.privacy.recovery_unknown([[0.5, 0.5]], [0.9])


@dataclass(frozen=True)
class MadeUpRule:
    antecedent: dict
    consequent: dict
    confidence: float


def test_recovery_is_taken_from_mined_rules():
    """The printed sums by hand: the largest REC over the preconditions of each question counts."""
    design = cf.Design(
        [cf.YesNo("a"), cf.YesNo("b"), cf.Choice("town", ["Bern", "Rome", "Oslo"])],
        [
            cf.Group(
                ["a", "b"],
                cf.UnrelatedQuestion(
                    "3/4", personal={"a": {"yes": 0.5, "no": 0.5}, "b": {"yes": 0.5, "no": 0.5}}
                ),
            )
        ],
    )
    crowd = {"a": 0.4, "b": 0.2, "town": {"Bern": 0.5, "Rome": 0.3, "Oslo": 0.2}}
    rules = [
        MadeUpRule({"a": "yes"}, {"b": "yes"}, 0.6),
        MadeUpRule({"a": "no"}, {"b": "no"}, 1.2),  # estimated outside 0 to 1
        MadeUpRule({"town": "Rome"}, {"a": "yes"}, 0.9),
        MadeUpRule({"a": "yes", "town": "Oslo"}, {"b": "yes"}, 0.7),
        MadeUpRule({"a": "yes"}, {"b": "yes", "town": "Rome"}, 0.9),  # of two entries: not counted
    ]
    found = cf.privacy.of(design, crowd=crowd, rules=rules)
    through = 0.75 + 0.25 * 0.5
    right = {
        "yes": 0.2 * through / (0.2 * through + 0.8 * (1 - through)),
        "no": 0.8 * through / (0.8 * through + 0.2 * (1 - through)),
    }
    assert found.recovery["b"] == pytest.approx(0.6 * right["yes"] + 1.0 * right["no"])
    assert found.recovery["a"] == pytest.approx(0.3 * 0.9)  # scenario I: the town is known
    before = cf.privacy.of(design, crowd=crowd)
    assert before.recovery == {}
    for name in ("a", "b"):
        change = before.entries[name] - found.entries[name]
        assert change == pytest.approx(found.recovery[name])
    assert found.least_entry == min(found.entries.values()) < before.least_entry
    assert found.to_dict()["questions"][1]["recovery"] == found.recovery["b"]
    for none, said in ((cf.DisguisedRules(design), "Got DisguisedRules"), (["a"], "Got str among")):
        with pytest.raises(cf.QueryError, match=said):
            cf.privacy.of(design, rules=none)
    strange = cf.privacy.of(design, rules=[MadeUpRule({"x": 1}, {"a": 1}, 0.5)])
    with pytest.raises(cf.QueryError, match="x"):
        assert strange.recovery
