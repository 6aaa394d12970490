"""What each mechanism says about itself with another truth or in other groups."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from support.designs import designs, group_matrix
from support.properties import examples

import confide as cf


@examples(40)
@given(designs())
def test_a_question_alone_is_disguised_as_it_was_in_its_group(design):
    for group in design.groups:
        asked = [design.question(name) for name in group.questions]
        whole = group_matrix(group.mechanism, asked)
        sizes = [question.size for question in asked]
        for place, alone in enumerate(group.mechanism.separate(asked)):
            others = tuple(axis for axis in range(len(asked)) if axis != place)
            table = whole.reshape(*sizes, *sizes).sum(axis=others)
            fixed = [slice(None) if axis == place else 0 for axis in range(len(asked))]
            np.testing.assert_allclose(
                group_matrix(alone, [asked[place]]), table[(slice(None), *fixed)], atol=1e-12
            )


def test_every_mechanism_with_a_truth_takes_another():
    half = {"cheated": {"yes": 0.5, "no": 0.5}}
    for mechanism in (
        cf.RelatedQuestion(0.75),
        cf.UnrelatedQuestion(0.75, half),
        cf.ForcedResponse(0.75, half),
        cf.RandomizedChoice(0.75),
    ):
        other = mechanism.with_truth("2/3")
        assert type(other) is type(mechanism)
        assert (mechanism.coin, other.coin) == (Fraction(3, 4), Fraction(2, 3))
        assert other.with_truth(0.75) == mechanism


def test_mechanisms_without_a_truth_stay_as_they_are():
    for mechanism in (cf.ChannelMatrix([[0.9, 0.2], [0.1, 0.8]]), cf.UniformNoise(5)):
        assert mechanism.coin is None
        assert mechanism.with_truth(0.6) is mechanism
