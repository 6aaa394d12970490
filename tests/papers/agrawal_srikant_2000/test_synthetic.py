"""The synthetic people of `agrawal-srikant-2000`, against Tables 2 and 3 read row by row."""

from __future__ import annotations

import pytest

import confide as cf
from confide.papers.agrawal_srikant_2000 import synthetic


def in_group_a(function, row):
    """Table 3, one person at a time."""
    age, salary, level = row.age, row.salary / 1000, row.elevel
    if function == 1:
        return age < 40 or age >= 60
    if function == 2:
        low = 50 if age < 40 else 75 if age < 60 else 25
        return low <= salary <= low + 50
    if function == 3:
        bands = (
            {0: 25, 1: 25, 2: 50, 3: 50}
            if age < 40
            else {1: 50, 2: 50, 3: 50, 4: 75}
            if age < 60
            else {1: 25, 2: 50, 3: 50, 4: 50}
        )
        return level in bands and bands[level] <= salary <= bands[level] + 50
    spare = 0.67 * (row.salary + row.commission) - 0.2 * row.loan - 10_000
    if function == 5:
        spare += 0.2 * 0.1 * row.hvalue * max(row.hyears - 20, 0)
    return spare > 0


@pytest.mark.parametrize("function", synthetic.FUNCTIONS)
def test_groups_follow_table_3(function):
    people = synthetic.generate(function, 2000, seed=function)
    expected = ["A" if in_group_a(function, row) else "B" for row in people.itertuples()]
    assert people["group"].tolist() == expected
    assert set(expected) == {"A", "B"}


def test_attributes_follow_table_2():
    people = synthetic.generate(1, 20_000, seed=1)
    for question in synthetic.ATTRIBUTES:
        column = people[question.name]
        assert question.low <= column.min()
        assert column.max() <= question.high
        assert column.max() - column.min() > 0.98 * (question.high - question.low)
    rich = people["salary"] >= 75_000
    assert (people["commission"][rich] == 0).all()
    assert people["commission"][~rich].min() >= 10_000
    per_zipcode = people["hvalue"] / people["zipcode"]
    assert per_zipcode.between(50_000, 150_000).all()


@pytest.mark.parametrize("function", synthetic.FUNCTIONS)
def test_balanced_people_are_equally_many_in_both_groups(function):
    people = synthetic.generate(function, 501, seed=3, balanced=True)
    assert people["group"].value_counts().to_dict() == {"A": 251, "B": 250}


def test_the_same_seed_gives_the_same_people():
    assert synthetic.generate(2, 50, seed=4).equals(synthetic.generate(2, 50, seed=4))
    assert not synthetic.generate(2, 50, seed=4).equals(synthetic.generate(2, 50, seed=5))


def test_people_and_their_noise_are_independent_even_with_the_same_seed():
    people = synthetic.generate(1, 20_000, seed=7)
    noise = synthetic.build_design(1.0).disguise(people, seed=7)["salary"] - people["salary"]
    assert abs(noise.corr(people["salary"])) < 4 / 20_000**0.5


@pytest.mark.parametrize("noise", ["gaussian", cf.GaussianNoise])
def test_the_design_disguises_all_nine_attributes_and_tells_the_group(noise):
    design = synthetic.build_design(0.5, noise)
    people = synthetic.generate(1, 100, seed=1)
    reports = design.disguise(people, seed=1)
    assert (reports["group"] == people["group"]).all()
    assert len(design.groups) == 9
    for group in design.groups:
        question = design.question(group.questions[0])
        assert isinstance(group.mechanism, cf.GaussianNoise)
        assert group.mechanism.width(0.95) == pytest.approx((question.high - question.low) / 2)
        assert (reports[question.name] != people[question.name]).mean() > 0.2


def test_whole_numbers_are_clear_where_the_noise_could_not_move_them():
    design = synthetic.build_design(0.1)
    assert {name for group in design.groups for name in group.questions} == set(design.names) - {
        "elevel",
        "zipcode",
        "group",
    }


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: synthetic.generate(6, 10), "function must be one of"),
        (lambda: synthetic.generate(1, 0), "n must be at least 1"),
        (
            lambda: synthetic.build_design(1.0, "loud"),
            "noise must be one of gaussian, laplace, uniform",
        ),
        (lambda: synthetic.build_design(0.0), "privacy must be a positive number"),
    ],
)
def test_what_makes_no_sense_is_refused(call, words):
    with pytest.raises(cf.ConfideError, match=words):
        call()
