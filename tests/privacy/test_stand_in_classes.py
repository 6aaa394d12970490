"""What a report gives away of a number that may be missing, against every case on a small grid."""

from math import inf, isinf

import numpy as np
import pytest
from support.missing_numbers import draw, make

import confide as cf
from confide.errors import QueryError

NOISES = [cf.LaplaceNoise(1), cf.UniformNoise(3), cf.GaussianNoise(1)]


def list_truths(design):
    """Every true answer: a number that was given, or none, with P(both reports | it)."""
    number, told = (design.block(name).mixture.matrix() for name in ("drinks", "no_drinks"))
    given = [np.outer(number[:, code], told[:, 0]) for code in range(9)]
    return given, np.outer(number[:, 4], told[:, 1])


@pytest.mark.parametrize("share", [0.5, 0.2])
@pytest.mark.parametrize("noise", NOISES)
def test_the_best_guess_whether_it_is_missing_uses_both_reports(noise, share):
    design = make(noise)
    given, none = list_truths(design)
    gave, missing = (1 - share) * sum(given) / 9, share * none
    right = np.maximum(gave, missing).sum()
    statement = cf.privacy.of(design, {"no_drinks": share})
    found = statement.exposure
    assert found.answers["no_drinks"].mean == pytest.approx(right)
    numbers = np.stack([(1 - share) * each / 9 for each in given])
    numbers[4] += missing
    assert found.answers["drinks"].mean == pytest.approx(numbers.max(axis=0).sum())
    alone = max(share, 1 - share, 0.75)
    assert right > alone + 0.01  # what the mutant says that holds both for independent


@pytest.mark.parametrize("noise", NOISES)
def test_no_two_answers_are_told_apart_better_than_epsilon_says(noise):
    design = make(noise)
    given, none = list_truths(design)
    every = [*given, none]
    with np.errstate(divide="ignore", invalid="ignore"):
        losses = [np.nanmax(np.abs(np.log(a / b))) for a in every for b in every]
        about_missing = max(np.nanmax(np.abs(np.log(none / each))) for each in given)
    statement = cf.privacy.of(design)
    for name in ("drinks", "no_drinks"):
        assert statement.epsilon_of(name) >= max(losses) - 1e-9
    assert statement.epsilon_of("smokes") == statement.question("smokes").epsilon
    own = statement.question("no_drinks").epsilon
    assert about_missing > own + 0.3  # its own report alone would say too little
    rows = {row[0]: row[2] for row in statement.rows()}
    assert rows["no_drinks"] == rows["drinks"]
    assert isinf(statement.epsilon_of("drinks")) == (max(losses) == inf)


def test_bounded_noise_is_said_to_tell_that_a_number_was_given():
    told = "tell for certain that the number was given"
    assert any(told in said for said in cf.privacy.of(make(cf.UniformNoise(3))).sentences())
    assert not any(told in said for said in cf.privacy.of(make()).sentences())
    assert not any("is missing" in said for said in cf.privacy.of(make(clear=True)).sentences())


def test_what_is_certain_agrees_with_every_report_on_the_grid():
    for width in (1, 2, 3, 4, 5):
        given, none = list_truths(make(cf.UniformNoise(width)))
        certain = ((none == 0) & (sum(given) > 0)).any()
        said = " ".join(cf.privacy.of(make(cf.UniformNoise(width))).sentences())
        assert ("for certain that the number was given" in said) == certain


@pytest.mark.slow
def test_an_adversary_who_has_the_reports_is_not_better_than_the_statement_says():
    """The classes fitted to 6,000 reports know who gave none as well as the true crowd does."""
    design, rows = make(cf.LaplaceNoise(1)), draw(6000, 1)
    crowd = cf.Crowd(design, design.disguise(rows, seed=1))
    statement = cf.privacy.of(design, crowd)
    given, none = list_truths(design)
    drinks = rows[rows[:, 1] == 0, 0].astype(int)
    gave = sum(each * (drinks == code).sum() for code, each in enumerate(given)) / len(rows)
    right = np.maximum(gave, none * (rows[:, 1] == 1).mean()).sum()
    assert statement.guess_from_report("no_drinks") > right - 0.02
    assert right > 0.75 + 0.05


def test_a_joint_crowd_with_a_number_beside_a_missing_one_has_the_stand_in():
    design = make().only(["drinks"])
    joint = np.zeros((9, 2))
    joint[[1, 7], [0, 1]] = 0.5  # a 7 that was not given is a 4
    found = cf.privacy.of(design, joint).population
    assert found.margin("drinks").tolist() == [0, 0.5, 0, 0, 0.5, 0, 0, 0, 0]


def test_so_many_numbers_that_their_cases_are_too_many_are_refused_in_one_line():
    names = [f"n{i}" for i in range(11)]
    numbers = [cf.Number(name, 0, 3, step=1, missing=f"no_{name}") for name in names]
    tellers = [cf.YesNo(f"no_{name}") for name in names]
    groups = [cf.Group([name], cf.LaplaceNoise(1)) for name in names]
    groups += [cf.Group([f"no_{name}"], cf.RelatedQuestion("3/4")) for name in names]
    with pytest.raises(QueryError, match="more than 1,024 kinds of people") as caught:
        cf.privacy.of(cf.Design([*numbers, *tellers], groups))
    assert "\n" not in str(caught.value)
