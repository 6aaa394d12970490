"""The plan as people meet it: printed, as data, as a picture."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from math import inf

import numpy as np
import polars as pl
import pytest

import confide as cf
from confide.planning import respondents_needed, standard_error

QUESTIONS = [
    cf.YesNo("cheated"),
    cf.YesNo("drugs"),
    cf.Choice("faculty", ["arts", "law", "science"]),
    cf.Number("age", 16, 80),
]
PAIR = {"cheated": "yes", "drugs": "yes"}


@pytest.fixture(scope="module")
def design():
    groups = [
        cf.Group(["cheated", "drugs"], cf.RelatedQuestion("3/4")),
        cf.Group(["faculty"], cf.RandomizedChoice(0.6)),
        cf.Group(["age"], cf.UniformNoise(10)),
    ]
    return cf.Design(QUESTIONS, groups)


@pytest.fixture(scope="module")
def plan(design):
    prevalence = {"cheated": 0.1, "faculty": {"arts": 0.2, "law": 0.5, "science": 0.3}}
    return cf.plan(design, 2000, prevalence, margin=0.03, events=[PAIR])


def test_every_disguised_question_and_every_named_pair_is_planned_for(plan):
    events = list(dict.fromkeys(prospect.event for prospect in plan.prospects))
    assert events == [
        "cheated = yes",
        "drugs = yes",
        "faculty = law",  # the option that is hardest to estimate
        "cheated = yes and drugs = yes",
    ]


def test_the_first_row_of_an_event_is_what_asking_directly_would_give(plan):
    direct = plan.prospects[0]
    assert direct.variant.grouping == "direct"
    assert direct.standard_error == pytest.approx((0.1 * 0.9 / 2000) ** 0.5)
    assert (direct.epsilon, direct.person_epsilon) == (inf, inf)
    assert (direct.disclosure.posterior, direct.disclosure.odds_ratio) == (1, inf)


def test_a_row_says_what_the_functions_say_about_its_design(plan):
    for prospect in plan.prospects:
        if prospect.event == "cheated = yes and drugs = yes":
            design = prospect.variant.design
            assert prospect.prevalence == pytest.approx(0.05)
            error = standard_error(design, PAIR, {"cheated": 0.1}, 2000)
            assert prospect.standard_error == pytest.approx(error)
            needed = respondents_needed(design, PAIR, {"cheated": 0.1}, 0.03)
            assert prospect.respondents_needed == needed


def test_the_design_as_it_is_stands_once_an_event_and_can_be_told(plan, design):
    own = [prospect for prospect in plan.prospects if prospect.variant.own]
    assert len(own) == 4
    assert all(prospect.variant.design == design for prospect in own)


def test_a_row_tells_the_truth_of_the_groups_that_hold_its_event(plan):
    own = {prospect.event: prospect.truth for prospect in plan.prospects if prospect.variant.own}
    assert own["cheated = yes and drugs = yes"] == Fraction(3, 4)
    assert own["faculty = law"] == Fraction(3, 5)


def test_the_plan_is_data_for_json_and_for_any_dataframe(plan):
    written = json.loads(json.dumps(plan.to_dict(), allow_nan=False))
    assert len(written["rows"]) == len(plan)
    assert written["rows"][0]["epsilon"] == "infinite"
    assert written["rows"][0]["event"] == "cheated = yes"
    frame = pl.DataFrame(plan)
    assert frame.height == len(plan)
    assert frame["epsilon"][0] == inf
    assert plan.to_pandas()["respondents_needed"][0] == written["rows"][0]["respondents_needed"]


def test_without_a_margin_nobody_is_counted(design):
    plan = cf.plan(design, 500)
    assert plan.to_arrow()["respondents_needed"].null_count == len(plan)
    assert "needed" not in repr(plan)


def test_printed_it_names_every_event_and_what_it_takes_for_granted(plan):
    text = repr(plan)
    for prospect in plan.prospects:
        assert prospect.event in text
    assert "needed: the respondents for ± 0.03" in text
    assert "independent" in text
    assert "as designed *" in text
    assert max(map(len, text.splitlines())) <= 100


def test_printed_losses_are_never_smaller_than_they_are(plan):
    from confide.planning.printing import _loss

    for prospect in plan.prospects:
        if prospect.epsilon < inf:
            assert float(_loss(prospect.epsilon, 2)) >= prospect.epsilon - 1e-6


def test_a_design_that_hides_nothing_has_nothing_to_plan():
    clear = cf.Design([cf.YesNo("cheated")])
    with pytest.raises(cf.QueryError, match="nothing to compare"):
        cf.plan(clear, 1000)
    assert len(cf.plan(clear, 1000, events=[{"cheated": "yes"}])) == 1


@pytest.mark.parametrize("share", [0, 1])
def test_an_event_that_cannot_or_must_happen_is_refused(design, share):
    with pytest.raises(cf.QueryError, match=f"cheated = yes is assumed to have the share {share}"):
        cf.plan(design, 1000, {"cheated": share})


def test_a_truth_that_would_say_nothing_is_refused(design):
    with pytest.raises(cf.DesignError, match="must differ from 1/2"):
        cf.plan(design, 1000, truths=[0.5])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "start"),
    [("plan.png", b"\x89PNG"), ("plan.svg", b"<svg"), ("plan.html", b"<!DOCTYPE")],
)
def test_the_chart_is_drawn_into_a_file(plan, tmp_path, name, start):
    plan.save(tmp_path / name)
    drawn = (tmp_path / name).read_bytes()
    assert drawn.lstrip().startswith(start)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    if name == "plan.svg":
        for words in ("asked directly", "more private", "percentage points", "each alone"):
            assert words in drawn.decode()
    if name == "plan.html":
        assert b'src="http' not in drawn  # the page asks no server for anything


@pytest.mark.slow
def test_the_chart_shows_epsilon_where_it_is_finite_and_the_posterior_where_not(plan):
    assert "posterior" in axes(plan)
    alone = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion(0.75))])
    assert "epsilon" in axes(cf.plan(alone, 1000))
    assert "points" in axes(cf.plan(cf.Design(QUESTIONS), 1000, events=[PAIR]))


def axes(plan):
    layers = plan.plot().to_dict()["spec"]["layer"]
    return {
        layer["encoding"][axis].get("field")
        for layer in layers
        for axis in ("x", "y")
        if axis in layer["encoding"]
    }


def test_another_kind_of_picture_is_refused(plan, tmp_path):
    with pytest.raises(cf.ConfideError, match=r"must end in \.svg, \.png, \.html\. Got plan\.bmp"):
        plan.save(tmp_path / "plan.bmp")


def test_without_altair_the_way_to_get_it_is_told(plan, monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(cf.ConfideError, match=r'pip install "confide\[plot\]"'):
        plan.plot()


JOINT = {("yes", "no", 0): 0.1, ("no", "yes", 1): 0.2, ("no", "no", 1): 0.7}


def mixed():
    questions = [cf.YesNo("a"), cf.YesNo("b"), cf.Number("n", 0, 1, step=1)]
    return cf.Design(questions, [cf.Group(["a", "b"], cf.RelatedQuestion(0.75))])


@pytest.mark.parametrize("as_array", [False, True])
def test_a_plan_and_a_privacy_statement_take_the_same_joint(as_array):
    design, joint = mixed(), JOINT
    if as_array:
        joint = np.zeros((2, 2, 2))
        for (a, b, n), share in JOINT.items():
            joint[int(a == "yes"), int(b == "yes"), n] = share
    population = cf.privacy.of(design, joint).population
    (direct, *_) = cf.plan(design, 1000, joint, events=[{"a": "no", "b": "yes"}]).prospects[-2:]
    assert population.margin("a")[1] == pytest.approx(0.1)
    assert direct.prevalence == pytest.approx(0.2)


@pytest.mark.parametrize("read", [cf.privacy.of, lambda d, joint: cf.plan(d, 100, joint)])
@pytest.mark.parametrize(
    ("joint", "message"),
    [
        ({("a", "b"): {("yes", "no"): 1}}, "in the order a, b, n, such as"),
        ({("yes", "no"): 1}, "3 options a combination"),
        ({("yes", "no", 0): 0.4}, "must sum to 1"),
        ({("yes", "maybe", 0): 1}, "no option 'maybe'"),
        ({("yes", "no", 0): "half"}, "must be made of numbers"),
        ({}, None),
    ],
)
def test_both_refuse_the_same_joints(read, joint, message):
    if message is None:
        assert read(mixed(), joint)
        return
    with pytest.raises(cf.QueryError, match=message):
        read(mixed(), joint)


def test_a_joint_of_sixty_questions_is_read_by_both():
    names = [f"q{i}" for i in range(60)]
    groups = [cf.Group([name], cf.RelatedQuestion(0.75)) for name in names]
    design = cf.Design([cf.YesNo(name) for name in names], groups)
    joint = {("yes",) * 60: 0.25, ("no",) * 60: 0.75}
    assert cf.privacy.of(design, joint).population.margin("q7")[1] == 0.25
    assert cf.plan(design, 100, joint, truths=[]).prospects[0].prevalence == 0.25


def test_no_row_is_told_twice():
    questions = [cf.YesNo("a"), cf.YesNo("b"), cf.Choice("c", ["x", "y", "z"])]
    groups = [
        cf.Group(["a", "b"], cf.RelatedQuestion(0.7)),
        cf.Group(["c"], cf.RelatedQuestion(0.8)),
    ]
    events = [{"a": "yes"}, {"a": 1}, {"a": "yes", "c": "x"}, {"c": "x", "a": 1}]
    plan = cf.plan(cf.Design(questions, groups), 500, events=events, truths=[0.7, "7/10", 0.8])
    told = [(row["event"], row["grouping"], row["truth"]) for row in plan.rows()]
    assert len(told) == len(set(told))
    own = [row["event"] for row in plan.rows() if row["own"]]
    assert sorted(own) == ["a = yes", "a = yes and c = x", "b = yes", "c = x"]


def test_level_is_the_one_word_for_confidence():
    design = cf.Design([cf.YesNo("a")], [cf.Group(["a"], cf.RelatedQuestion(0.75))])
    asked = (design, {"a": "yes"}, {"a": 0.1}, 500)
    found = [cf.planning.power(*asked, level=level) for level in (0.99, 0.95, 0.9)]
    assert found == sorted(found) and found[1] == cf.planning.power(*asked)
    with pytest.raises(cf.QueryError, match="level must be above 0"):
        cf.planning.power(*asked, level=1)


def test_two_groups_are_compared_by_the_questions_that_are_named():
    design = cf.Design(
        [cf.YesNo("cheated"), cf.YesNo("drugs")],
        [cf.Group([name], cf.RelatedQuestion(0.8)) for name in ("cheated", "drugs")],
    )
    found = cf.plan(design, 500, {"drugs": 0.3}, compare={"cheated": 0.2}, truths=[])
    assert {prospect.event for prospect in found.prospects} == {"cheated = yes"}
    pair = {"cheated": "yes", "drugs": "yes"}
    both = cf.plan(design, 500, {"drugs": 0.3}, compare={"cheated": 0.2}, truths=[], events=[pair])
    (said,) = {p.assumed for p in both.prospects if "drugs" in p.event}
    assert "0.15 and 0.06" in said  # drugs are as frequent in the second group: 0.2 of 0.3
    with pytest.raises(cf.QueryError, match="significance must be above 0"):
        cf.plan(design, 500, significance=0)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"prevalence": 0.1}, r'by question, such as \{"cheated": 0.1\}'),
        ({"means": {"cheated": (0.5, 0.1)}}, "cheated is no number"),
        ({"means": {"age": 40}}, r"its mean and its deviation, such as \(40, 12\)"),
    ],
)
def test_what_a_plan_cannot_read_is_one_line(options, said):
    personal = cf.UnrelatedQuestion("0.7", {"cheated": {"yes": 0.2, "no": 0.8}})
    asked = [cf.YesNo("cheated"), cf.Number("age", 16, 80)]
    with pytest.raises(cf.QueryError, match=said):
        cf.plan(cf.Design(asked, [cf.Group(["cheated"], personal)]), 1000, **options)


def test_the_mean_of_a_number_that_may_be_missing_is_planned_with_any_mechanism():
    forced = cf.ForcedResponse("0.8", {"none": {"yes": 0.5, "no": 0.5}})
    design = cf.Design(
        [cf.Number("income", 0, 100, step=1, missing="none"), cf.YesNo("none")],
        [cf.Group(["income"], cf.LaplaceNoise(5)), cf.Group(["none"], forced)],
    )
    plan = cf.plan(design, 1000, {"none": 0.1}, means={"income": (40, 12)}, truths=[0.6])
    errors = [each.standard_error for each in plan.prospects if each.prevalence is None]
    assert len(errors) == 3 and errors[0] == min(errors)
