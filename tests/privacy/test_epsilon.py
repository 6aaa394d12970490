"""Epsilon against its definition, for random mechanisms and designs."""

from __future__ import annotations

from math import inf, log

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from support.designs import designs, group_matrix, mechanisms, questions
from support.properties import examples

import confide as cf


def brute_epsilon(matrix):
    """The largest log-ratio within a row, by looking at every pair of entries."""
    worst = 0.0
    for row in matrix:
        for a in row:
            for b in row:
                if a > 0:
                    worst = max(worst, inf if b == 0 else log(a / b))
    return worst


@st.composite
def asked_mechanisms(draw):
    asked = draw(questions(draw(st.integers(1, 3))))
    return draw(mechanisms(asked)), asked


@pytest.mark.slow
@examples(120)
@given(asked_mechanisms())
def test_a_mechanisms_formula_is_the_largest_log_ratio_of_its_channel(case):
    mechanism, asked = case
    try:
        mechanism.check(asked)
    except cf.DesignError:
        assume(False)
    expected = brute_epsilon(group_matrix(mechanism, asked))
    assert mechanism.epsilon(asked) == pytest.approx(expected, abs=1e-9)


@examples(60)
@given(designs(most_questions=4))
def test_a_person_loses_the_sum_over_the_groups(design):
    p = cf.privacy.of(design)
    expected = [
        brute_epsilon(group_matrix(g.mechanism, [design.question(n) for n in g.questions]))
        for g in design.groups
    ]
    assert [group.epsilon for group in p.groups] == pytest.approx(expected)
    assert p.epsilon == pytest.approx(sum(expected) if expected else inf)


@examples(60)
@given(designs(most_questions=4))
def test_a_question_loses_what_its_group_loses_and_alone_never_more(design):
    p = cf.privacy.of(design)
    for group in p.groups:
        matrix = group_matrix(group.mechanism, group.block.questions)
        sizes = [q.size for q in group.block.questions]
        for place, question in enumerate(group.questions):
            assert question.epsilon == group.epsilon
            drop = tuple(i for i in range(len(sizes)) if i != place)
            alone = matrix.reshape(*sizes, *sizes).sum(axis=drop)
            # any other answers will do: the channel of one question does not depend on them
            keep = [0] * len(sizes)
            keep[place] = slice(None)
            alone = alone[(slice(None), *keep)]
            np.testing.assert_allclose(question.matrix, alone, atol=1e-12)
            assert question.epsilon_alone == pytest.approx(brute_epsilon(alone), abs=1e-9)
            assert question.epsilon_alone <= group.epsilon + 1e-9


def test_a_question_in_the_clear_is_known():
    design = cf.Design(
        [cf.YesNo("cheated"), cf.YesNo("clear")],
        [cf.Group(["cheated"], cf.RelatedQuestion(0.75))],
    )
    p = cf.privacy.of(design)
    assert p.question("clear").epsilon == inf
    assert p.clear == ("clear",)
    assert p.epsilon == pytest.approx(log(3))  # of what is disguised


def test_where_nothing_is_disguised_epsilon_is_infinite_not_zero():
    p = cf.privacy.of(cf.Design([cf.YesNo("a")]))
    assert p.epsilon == inf
    assert p.sentences()[1:] == ["Nothing is disguised: a report gives every answer away."]


def test_anything_but_a_design_is_refused():
    with pytest.raises(cf.QueryError, match="takes a Design"):
        cf.privacy.of("survey.toml")


def test_an_unknown_question_is_refused():
    with pytest.raises(cf.QueryError, match="no question 'b'"):
        cf.privacy.of(cf.Design([cf.YesNo("a")])).question("b")
