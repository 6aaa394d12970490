"""What a report gives away about an event, against a search through all reports."""

from __future__ import annotations

from math import inf, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.crowds import crowds
from support.designs import designs, whole_matrix
from support.properties import examples

import confide as cf
from confide.planning.disclosure import measure_disclosure, measure_epsilon


@examples(60)
@given(designs(most_questions=4), st.data())
def test_the_most_telling_report_is_the_one_that_a_search_finds(design, data):
    prevalence, truth = data.draw(crowds(design))
    names = data.draw(st.lists(st.sampled_from(design.names), min_size=1, unique=True))
    event = {name: data.draw(st.sampled_from(design.question(name).labels)) for name in names}
    odds, prior = searched(design, event, truth)
    found = measure_disclosure(design, event, prevalence)
    assert found.odds_ratio == pytest.approx(odds * (1 - prior) / prior, rel=1e-6)
    assert found.posterior == pytest.approx(odds / (1 + odds) if odds < inf else 1)


def searched(design, event, truth):
    """The largest odds of an event over all reports of its groups, and its prior probability.

    Reports of other groups are summed out: they count as not seen.
    """
    matrix, order = whole_matrix(design)
    truth = truth.transpose([design.names.index(name) for name in order])
    within = truth.copy()
    for axis, name in enumerate(order):
        if name in event:
            other = np.arange(truth.shape[axis]) != design.question(name).code(event[name])
            np.moveaxis(within, axis, 0)[other] = 0
    groups = [[*group.questions] for group in design.groups]
    seen = {n for group in groups if set(group) & set(event) for n in group} | set(event)
    unseen = tuple(axis for axis, name in enumerate(order) if name not in seen)
    yes, no = (
        (matrix @ part.ravel()).reshape(truth.shape).sum(axis=unseen)
        for part in (within, truth - within)
    )
    odds = [
        y / n if n > 1e-15 else inf
        for y, n in zip(yes.ravel(), no.ravel(), strict=True)
        if y > 1e-15
    ]
    return max(odds), within.sum()


def test_answers_that_always_agree_tell_nothing_about_their_coin():
    design = cf.Design(
        [cf.YesNo("cheated"), cf.YesNo("drugs")],
        [cf.Group(["cheated", "drugs"], cf.RelatedQuestion(0.75))],
    )
    agreeing = {("yes", "yes"): 0.1, ("no", "no"): 0.9}
    found = measure_disclosure(design, {"cheated": "yes"}, agreeing)
    assert found.odds_ratio == pytest.approx(3)
    # Were they independent, a report of yes and no would be far more telling.
    apart = measure_disclosure(design, {"cheated": "yes"}, {"cheated": 0.1, "drugs": 0.1})
    assert apart.odds_ratio == pytest.approx(3 * 9)


def test_a_group_of_forty_questions_is_read_as_one_report():
    names = [f"q{i}" for i in range(40)]
    design = cf.Design(
        [cf.YesNo(name) for name in names], [cf.Group(names, cf.RelatedQuestion(0.6))]
    )
    found = measure_disclosure(design, {"q0": "yes"}, dict.fromkeys(names, 0.1))
    # Thirty-nine noes speak for the truth by nine to one each.
    assert found.odds_ratio == pytest.approx(0.6 / 0.4 * 9.0**39)
    small = measure_disclosure(design, {"q0": "yes"}, None)
    assert small.odds_ratio == pytest.approx(1.5)  # evenly split, they say nothing about the coin


def test_a_joint_too_large_to_search_is_said_to_be_so():
    names = [f"q{i}" for i in range(17)]
    cells = {("yes",) * 17: "1/2", ("no",) * 17: "1/2"}
    design = cf.Design(
        [cf.YesNo(name) for name in names], [cf.Group(names, cf.UnrelatedQuestion(0.6, cells))]
    )
    assert measure_disclosure(design, {"q0": "yes"}, None) is None


def test_the_losses_of_groups_add_up_and_a_clear_question_loses_everything():
    questions = [cf.YesNo("cheated"), cf.YesNo("drugs"), cf.YesNo("theft")]
    design = cf.Design(
        questions,
        [
            cf.Group(["cheated"], cf.RelatedQuestion(0.75)),
            cf.Group(["drugs"], cf.RelatedQuestion(0.6)),
        ],
    )
    assert measure_epsilon(design, ["cheated"]) == pytest.approx(log(3))
    assert measure_epsilon(design, ["drugs", "cheated"]) == pytest.approx(log(3) + log(1.5))
    assert measure_epsilon(design, ["theft"]) == inf
    assert measure_disclosure(design, {"theft": "yes"}, None).posterior == 1
