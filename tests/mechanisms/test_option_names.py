"""A personal or forced distribution names its options as reports and queries do."""

from __future__ import annotations

import pytest

import confide as cf

HALF = {"yes": "1/4", "no": "3/4"}


def design_with(personal, kind=cf.UnrelatedQuestion, questions=("cheated",)):
    group = cf.Group(questions, kind("1/2", personal))
    return cf.Design([cf.YesNo(name) for name in questions], [group])


@pytest.mark.parametrize("kind", [cf.UnrelatedQuestion, cf.ForcedResponse])
@pytest.mark.parametrize(
    "written",
    [{"YES": "1/4", "No": "3/4"}, {1: "1/4", 0: "3/4"}, {"1": "1/4", "0": "3/4"},
     {True: "1/4", False: "3/4"}],
)  # fmt: skip
def test_a_yes_no_option_may_be_written_as_in_reports(kind, written):
    design = design_with({"cheated": written}, kind)
    assert design == design_with({"cheated": HALF}, kind)
    assert design.fingerprint == design_with({"cheated": HALF}, kind).fingerprint


def test_a_joint_distribution_is_read_the_same_way():
    questions = ("cheated", "drugs")
    read = design_with({("YES", 0): "1/4", (0, "no"): "3/4"}, questions=questions)
    assert read == design_with({("yes", "no"): "1/4", ("no", "no"): "3/4"}, questions=questions)


def test_a_whole_number_option_may_be_written_out():
    group = cf.Group(["siblings"], cf.UnrelatedQuestion("1/2", {"siblings": {"0.0": 0.5, 1: 0.5}}))
    design = cf.Design([cf.Choice("siblings", [0, 1, 2])], [group])
    assert set(design.groups[0].mechanism.personal["siblings"]) == {"0", "1"}


@pytest.mark.parametrize(
    ("personal", "message"),
    [
        ({"cheated": {"yes": "1/4", "YES": "1/4", "no": "1/2"}}, "every option once"),
        ({("yes",): "1/4", ("1",): "1/4", ("no",): "1/2"}, "every option once"),
        ({"cheated": {"yes": "1/4", "perhaps": "3/4"}}, "names the option 'perhaps'"),
        ({("yes", "no"): "1/4", ("no", "no"): "3/4"}, "1 options in each cell"),
    ],
)
def test_an_option_named_twice_or_of_no_question_is_refused(personal, message):
    with pytest.raises(cf.DesignError, match=message):
        design_with(personal)
