"""The same survey disguised in other ways."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from support.designs import designs
from support.properties import examples

import confide as cf
from confide.planning.variants import AS_DESIGNED, DIRECT, EACH_ALONE, ONE_GROUP, list_variants

ASKED = [cf.YesNo("cheated"), cf.YesNo("drugs"), cf.Choice("faculty", ["arts", "law", "science"])]


def groupings(design, truths=()):
    return [(variant.grouping, variant.truth) for variant in list_variants(design, truths)]


def personal(name, yes):
    return {name: {"yes": yes, "no": 1 - yes}}


@examples(40)
@given(designs())
def test_a_variant_asks_the_same_and_disguises_the_same_questions(design):
    disguised = {name for group in design.groups for name in group.questions}
    found = list_variants(design, [0.55])
    assert sum(variant.own for variant in found) == 1
    for variant in found:
        assert variant.design.questions == design.questions
        if variant.grouping != DIRECT:
            assert {n for g in variant.design.groups for n in g.questions} == disguised
        if variant.own:
            assert variant.design == design


def test_related_questions_go_together_and_apart():
    design = cf.Design(
        ASKED,
        [
            cf.Group(["cheated"], cf.RelatedQuestion(0.75)),
            cf.Group(["drugs", "faculty"], cf.RelatedQuestion(0.75)),
        ],
    )
    own = Fraction(3, 4)
    assert groupings(design) == [
        (DIRECT, 1),
        (AS_DESIGNED, own),
        (ONE_GROUP, own),
        (EACH_ALONE, own),
    ]
    together = next(v for v in list_variants(design, []) if v.grouping == ONE_GROUP)
    assert together.design.groups == (
        cf.Group(["cheated", "drugs", "faculty"], cf.RelatedQuestion(0.75)),
    )


def test_groups_with_different_truths_go_together_only_at_a_common_one():
    design = cf.Design(
        ASKED,
        [
            cf.Group(["cheated"], cf.RelatedQuestion(0.75)),
            cf.Group(["drugs"], cf.RelatedQuestion(0.8)),
        ],
    )
    found = groupings(design, [0.6])
    assert (AS_DESIGNED, None) in found
    assert [truth for grouping, truth in found if grouping == ONE_GROUP] == [Fraction(3, 5)]


def test_unrelated_questions_bring_their_personal_answers_along():
    design = cf.Design(
        ASKED[:2],
        [
            cf.Group(["cheated"], cf.UnrelatedQuestion(0.5, personal("cheated", 0.25))),
            cf.Group(["drugs"], cf.UnrelatedQuestion(0.5, personal("drugs", 0.5))),
        ],
    )
    both = {**personal("cheated", 0.25), **personal("drugs", 0.5)}
    together = next(v for v in list_variants(design, []) if v.grouping == ONE_GROUP)
    assert together.design.groups == (
        cf.Group(["cheated", "drugs"], cf.UnrelatedQuestion(0.5, both)),
    )


def test_what_no_mechanism_disguises_together_is_not_put_together():
    joint = cf.UnrelatedQuestion(0.5, {("yes", "no"): 0.5, ("no", "yes"): 0.5})
    unlike = [
        [
            cf.Group(["cheated"], cf.RelatedQuestion(0.7)),
            cf.Group(["faculty"], cf.RandomizedChoice(0.7)),
        ],
        [cf.Group(["cheated", "drugs"], joint), cf.Group(["faculty"], cf.RelatedQuestion(0.5))],
        [
            cf.Group([name], cf.ChannelMatrix([[0.9, 0.2], [0.1, 0.8]]))
            for name in ("cheated", "drugs")
        ],
    ]
    for groups in unlike:
        assert ONE_GROUP not in dict(groupings(cf.Design(ASKED, groups), [0.6]))


def test_noise_on_a_number_stays_and_is_no_hindrance():
    design = cf.Design(
        [*ASKED[:2], cf.Number("age", 16, 80)],
        [
            cf.Group(["cheated"], cf.RelatedQuestion(0.7)),
            cf.Group(["age"], cf.UniformNoise(9)),
            cf.Group(["drugs"], cf.RelatedQuestion(0.7)),
        ],
    )
    found = list_variants(design, [0.6])
    assert [v.grouping for v in found] == [DIRECT, AS_DESIGNED, AS_DESIGNED, ONE_GROUP, ONE_GROUP]
    for variant in found[1:]:
        assert cf.Group(["age"], cf.UniformNoise(9)) in variant.design.groups
