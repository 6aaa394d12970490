"""Equal designs, whatever held them: one fingerprint, the same reports, the same weights."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.properties import examples
from support.written_designs import written_designs

import confide as cf
from confide.design.plain_values import from_dict, to_dict
from confide.surveys.questionnaire import Questionnaire


def shuffled(value, random):
    """The same plain values, with every table's keys and a joint distribution's cells shuffled."""
    if isinstance(value, dict):
        keys = random.sample(list(value), len(value))
        return {key: shuffled(value[key], random) for key in keys}
    if isinstance(value, list) and value and isinstance(value[0], dict) and "options" in value[0]:
        return random.sample(value, len(value))
    return [shuffled(each, random) for each in value] if isinstance(value, list) else value


def turned(design, random):
    """The same design, made from shuffled parameters; questions and groups keep their order."""
    survey = to_dict(design)
    groups = [shuffled(group, random) for group in survey.get("group", [])]
    return from_dict({**survey, "group": groups})


def answers(design, rows=200):
    """Random answers to any questions."""
    generator = np.random.default_rng(1)
    columns = []
    for question in design.questions:
        if isinstance(question, cf.Number):
            steps = round((question.high - question.low) / question.step) if question.step else 8
            step = (question.high - question.low) / steps
            column = question.low + generator.integers(0, steps + 1, rows) * step
        else:
            column = np.array(question.labels, object)[generator.integers(0, question.size, rows)]
        columns.append(column)
    return np.stack([np.asarray(column, object) for column in columns]).T


def reports(design):
    return design.disguise(answers(design), seed=7).tolist()


def weights(design):
    return [
        block.channel.weights()
        for block in design.blocks
        if block.mechanism is not None and block.questions[0].grid is None
    ]


@pytest.mark.slow
@examples(60)
@given(written_designs(), st.randoms(use_true_random=False))
def test_shuffled_saved_and_loaded_a_design_gives_the_same_reports(
    tmp_path_factory, design, random
):
    folder = tmp_path_factory.getbasetemp()
    others = [turned(design, random)]
    for name in ("canonical.toml", "canonical.json"):
        others[0].save(folder / name)
        others.append(cf.Design.load(folder / name))
    for other in others:
        assert other == design
        assert other.fingerprint == design.fingerprint
        assert weights(other) == weights(design)
        assert reports(other) == reports(design)
        assert json.dumps(to_dict(other)) == json.dumps(to_dict(design))


CELLS = {("yes", "no"): "1/4", ("no", "yes"): "1/2", ("no", "no"): "1/4"}


def test_a_joint_distribution_in_another_order_gives_the_same_reports(tmp_path):
    asked = [cf.YesNo("a"), cf.YesNo("b")]
    made = [
        cf.Design(asked, [cf.Group(["a", "b"], cf.UnrelatedQuestion("1/2", dict(cells)))])
        for cells in (CELLS.items(), reversed(CELLS.items()))
    ]
    made[1].save(tmp_path / "turned.xlsx")
    made.append(cf.Design.load(tmp_path / "turned.xlsx"))
    made.append(cf.Design.from_surveyjs(made[1].to_surveyjs()))
    assert len({design.fingerprint for design in made}) == 1
    assert all(reports(design) == reports(made[0]) for design in made)
    assert all(Questionnaire(design).script() == Questionnaire(made[0]).script() for design in made)


def test_floats_are_rounded_alike_in_any_order():
    shares = dict(zip("abcdefg", np.random.default_rng(2).dirichlet(np.ones(7)), strict=True))
    mechanisms = [
        cf.ForcedResponse(2 / 3, {"q": dict(order)})
        for order in (shares.items(), reversed(shares.items()))
    ]
    assert mechanisms[0] == mechanisms[1]
    assert repr(mechanisms[0]) == repr(mechanisms[1])


ASKED = [cf.YesNo("a", missing="option"), cf.Choice("b", ["x", "y", "z"])]
SEPARATE = {"a": {"yes": "1/3", "no": "2/3"}, "b": {"x": "1/2", "z": "1/2"}}
JOINT = {("yes", "x"): "1/4", ("no", "z"): "3/4"}


@pytest.mark.parametrize(
    ("short", "long"),
    [
        (SEPARATE, {**SEPARATE, "b": {"y": 0, "z": "1/2", "x": 0.5}}),
        (SEPARATE, {**SEPARATE, "a": {"NO": "2/3", "YES": "1/3", "prefer not to say": "0/7"}}),
        (JOINT, {("YES", "y"): 0.0, **JOINT, ("no", "x"): "0"}),
        (JOINT, {("prefer not to say", "x"): 0, **JOINT}),
    ],
)
@pytest.mark.parametrize("kind", [cf.UnrelatedQuestion, cf.ForcedResponse])
def test_a_cell_of_probability_0_is_one_that_is_left_out(tmp_path, kind, short, long):
    made = [cf.Design(ASKED, [cf.Group(["a", "b"], kind("3/4", each))]) for each in (short, long)]
    made[1].save(tmp_path / "long.toml")
    made.append(cf.Design.load(tmp_path / "long.toml"))
    assert len({design.fingerprint for design in made}) == 1
    assert made[0] == made[1] == made[2]
    assert reports(made[0]) == reports(made[1])
    assert Questionnaire(made[0]).script() == Questionnaire(made[1]).script()


@pytest.mark.parametrize(
    "cover",
    [
        {**SEPARATE, "b": {"x": 1, "w": 0}},
        {**JOINT, ("yes", "w"): 0},
        {**JOINT, ("yes", "x", "x"): 0},
    ],
)
def test_a_misspelt_option_is_refused_even_with_probability_0(cover):
    with pytest.raises(cf.DesignError, match=r"names the option 'w'|2 options in each cell"):
        cf.Design(ASKED, [cf.Group(["a", "b"], cf.UnrelatedQuestion("3/4", cover))])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (cf.Intervals([-0.0, 5, 10]), cf.Intervals([0, 5.0, np.float64(10)])),
        (cf.UniformNoise(3), cf.UniformNoise(np.int64(3))),
        (
            cf.ChannelMatrix([[0.9, 0.2], [0.1, 0.8]]),
            cf.ChannelMatrix([["9/10", "1/5"], [".1", "4/5"]]),
        ),
    ],
    ids=lambda mechanism: mechanism.kind,
)
def test_equal_mechanisms_are_written_alike(one, other):
    assert one == other
    assert json.dumps(one.parameters()) == json.dumps(other.parameters())


def test_groups_in_another_order_are_another_design():
    """The order of groups is the order of the draws, so it is part of the fingerprint."""
    asked = [cf.YesNo("a"), cf.YesNo("b")]
    groups = [cf.Group([name], cf.RelatedQuestion("3/4")) for name in ("a", "b")]
    one, other = cf.Design(asked, groups), cf.Design(asked, groups[::-1])
    assert one != other and one.fingerprint != other.fingerprint
