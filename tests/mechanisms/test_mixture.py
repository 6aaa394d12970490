"""The algebra of mixtures against plain matrices."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from support.designs import group_matrix, mechanisms, questions, sound
from support.properties import examples

from confide.mechanisms import Mixture


@st.composite
def groups(draw, most=3):
    asked = draw(questions(draw(st.integers(1, most))))
    mechanism = draw(mechanisms(asked))
    assume(sound(mechanism, asked))
    return mechanism, asked


@examples(150)
@given(groups())
def test_a_channel_is_the_matrix_of_its_definition_and_its_columns_sum_to_one(group):
    mechanism, asked = group
    matrix = mechanism.channel(asked).mixture.matrix()
    np.testing.assert_allclose(matrix, group_matrix(mechanism, asked), atol=1e-14)
    np.testing.assert_allclose(matrix.sum(axis=0), 1, atol=1e-12)


@examples(150)
@given(groups())
def test_the_inverse_undoes_the_channel(group):
    mechanism, asked = group
    both = mechanism.inverse(asked).matrix() @ mechanism.channel(asked).mixture.matrix()
    np.testing.assert_allclose(both, np.eye(len(both)), atol=1e-10)


@examples(150)
@given(groups())
def test_the_square_is_elementwise(group):
    mechanism, asked = group
    inverse = mechanism.inverse(asked)
    np.testing.assert_allclose(
        inverse.squared.matrix(), inverse.matrix() ** 2, rtol=1e-9, atol=1e-9
    )


@examples(100)
@given(groups(), st.data())
def test_leaving_questions_out_commutes_with_disguising_and_with_inverting(group, data):
    mechanism, asked = group
    keep = data.draw(st.lists(st.sampled_from(range(len(asked))), unique=True))
    sizes = [q.size for q in asked]
    truth = np.random.default_rng(0).random(sizes)
    drop = tuple(i for i in range(len(asked)) if i not in keep)
    order = [sorted(keep).index(k) for k in keep]
    smaller = truth.sum(axis=drop).transpose(order)
    channel = mechanism.channel(asked).mixture
    whole = channel.apply(truth, range(len(asked))).sum(axis=drop).transpose(order)
    np.testing.assert_allclose(channel.marginal(keep).apply(smaller, range(len(keep))), whole)
    back = mechanism.inverse(asked, keep).apply(whole, range(len(keep)))
    np.testing.assert_allclose(back, smaller, atol=1e-9)


@examples(60)
@given(groups())
def test_applying_along_axes_equals_multiplying_the_flat_table(group):
    mechanism, asked = group
    sizes = [q.size for q in asked]
    table = np.random.default_rng(1).random([*sizes, 2])
    for mixture in (mechanism.channel(asked).mixture, mechanism.inverse(asked).transposed):
        flat = mixture.matrix() @ table.reshape(-1, 2)
        found = mixture.apply(table, range(len(sizes)))
        np.testing.assert_allclose(found.reshape(-1, 2), flat, atol=1e-9)


def test_the_identity_changes_nothing():
    table = np.arange(6.0).reshape(2, 3)
    np.testing.assert_array_equal(Mixture.identity([2, 3]).apply(table, [0, 1]), table)
