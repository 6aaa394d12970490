"""Designs found by search: the largest truths that keep the posterior."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from support.designs import group_matrix

import confide as cf

QUESTIONS = [cf.YesNo("a"), cf.YesNo("b"), cf.Choice("c", ["x", "y", "z"])]
PRIOR = {"a": 0.1, "b": 0.3, "c": {"x": 0.6, "y": 0.3, "z": 0.1}}
DESIGN = cf.Design(
    QUESTIONS,
    [cf.Group(["a", "b"], cf.RelatedQuestion(0.7)), cf.Group(["c"], cf.RandomizedChoice(0.6))],
)


def largest_posterior(design, name, code):
    """By brute force: over all reports of a question's group, Bayes' theorem."""
    group = next(group for group in design.groups if name in group.questions)
    asked = [design.question(each) for each in group.questions]
    shares = np.ones(())
    for question in asked:
        given = PRIOR[question.name]
        margin = [1 - given, given] if question.size == 2 else list(given.values())
        shares = np.multiply.outer(shares, margin)
    joint = group_matrix(group.mechanism, asked) * shares.ravel()
    wanted = np.indices(shares.shape)[group.questions.index(name)].ravel() == code
    return (joint[:, wanted].sum(axis=1) / joint.sum(axis=1)).max()


def keeps(design, bound):
    sensitive = [("a", 1), ("b", 1), ("c", 1), ("c", 2)]
    sensitive += [("c", 0)] if bound > 0.6 else []  # else x is likelier before any report
    return all(largest_posterior(design, *each) <= bound + 1e-12 for each in sensitive)


@pytest.mark.slow
@pytest.mark.parametrize(("bound", "groupings"), [(0.5, 1), (0.9, 2)])
def test_a_design_that_is_found_keeps_the_posterior_and_with_a_hundredth_more_does_not(
    bound, groupings
):
    plan = cf.plan(DESIGN, 1000, PRIOR, largest_posterior=bound)
    ways = [prospect.variant for prospect in plan.prospects if prospect.variant.searched]
    found = {variant.design.fingerprint: variant.design for variant in ways}
    assert len(found) == groupings  # a shared coin tells too much for the smaller bound
    for design in found.values():
        assert keeps(design, bound)
        for group in design.groups:
            truth = group.mechanism.coin + Fraction(1, 100)
            more = cf.Group(group.questions, group.mechanism.with_truth(truth))
            others = [each for each in design.groups if each is not group]
            assert not keeps(cf.Design(QUESTIONS, [*others, more]), bound)


@pytest.mark.slow
def test_the_design_that_is_chosen_has_the_smallest_largest_error():
    plan = cf.plan(DESIGN, 1000, PRIOR, largest_posterior=0.9)
    worst = {}
    for prospect in plan.prospects:
        if prospect.variant.searched:
            errors = worst.setdefault(prospect.variant.design.fingerprint, [])
            errors.append(prospect.standard_error)
    assert len(worst) == 2
    best = min(worst, key=lambda each: max(worst[each]))
    assert plan.choose().fingerprint == best


def test_a_posterior_that_an_answer_has_before_any_report_cannot_be_kept():
    with pytest.raises(cf.QueryError, match=r"no truth keeps every posterior to 0\.05"):
        cf.plan(DESIGN, 1000, PRIOR, largest_posterior=0.05)


def test_without_a_search_nothing_is_chosen():
    with pytest.raises(cf.QueryError, match="give largest_posterior"):
        cf.plan(DESIGN, 1000).choose()


def test_a_mechanism_without_a_truth_stays_if_it_keeps_the_posterior():
    design = cf.Design([cf.YesNo("a")], [cf.Group(["a"], cf.Crosswise("1/4"))])
    assert cf.plan(design, 1000, {"a": 0.1}, largest_posterior=0.5).choose() == design
    with pytest.raises(cf.QueryError, match="no truth to be changed"):
        cf.plan(design, 1000, {"a": 0.1}, largest_posterior=0.2)
