"""A range of a number: from one number to below another."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf

DESIGN = cf.Design(
    [cf.YesNo("a"), cf.Number("age", 16, 80, step=1)],
    [cf.Group(["a"], cf.RelatedQuestion("3/4"))],
)
AGES = np.random.default_rng(1).integers(16, 81, 900)
REPORTED = np.random.default_rng(2).random(900) < 0.4
CROWD = cf.Crowd(DESIGN, cf.Counts.gather(DESIGN, [REPORTED.astype(int), AGES - 16]))


@pytest.mark.parametrize("ends", [(18, 25), (16, 17), (40, 81), (0, 200)])
def test_a_range_holds_the_numbers_from_its_first_to_below_its_second(ends):
    inside = (ends[0] <= AGES) & (ends[1] > AGES)
    assert CROWD.proportion({"age": ends}).value == pytest.approx(inside.mean())
    weights = np.where(REPORTED, 1.5, -0.5) * inside
    found = CROWD.proportion({"age": ends, "a": "yes"})
    assert found.value == pytest.approx(weights.mean())
    assert found.standard_error == pytest.approx(weights.std() / 30)
    low, high = found.interval()
    assert low <= found.value <= high


def test_a_range_within_a_sub_population_is_a_share_of_it():
    weights = np.where(REPORTED, 1.5, -0.5)
    found = CROWD.given({"a": "yes"}).proportion({"age": (18, 40)})
    assert found.value == pytest.approx(weights @ ((AGES >= 18) & (AGES < 40)) / weights.sum())


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ((25, 18), "the lower first"),
        ((18,), "two numbers"),
        (("18", "25"), "two numbers"),
        ((18.25, 25), "cuts"),
        ((90, 95), "lies between"),
    ],
)
def test_a_range_that_is_none_is_refused(ends, said):
    with pytest.raises(cf.QueryError, match=said):
        CROWD.proportion({"age": ends})


def test_a_range_of_a_question_that_is_no_number_is_refused():
    with pytest.raises(cf.QueryError, match="no number"):
        CROWD.proportion({"a": (0, 1)})


def test_people_are_chosen_by_a_range():
    inside = (AGES >= 18) & (AGES < 40)
    weights = np.where(REPORTED, 1.5, -0.5)
    young = CROWD.given({"age": (18, 40)})
    share = young.proportion({"a": "yes"})
    assert share.value == pytest.approx(weights[inside].mean())
    assert share.n == inside.sum() and share.total == 900
    assert young.within == {"age": "18 to 39"}
    assert CROWD.given({"age": (0, 200)}).proportion({"a": "yes"}) == CROWD.proportion({"a": "yes"})
    both = CROWD.given({"a": "yes"}).given({"age": (18, 40)})
    assert both.share == pytest.approx((weights * inside).mean())
    likely = young.proportion({"a": "yes"}, method="likelihood")
    assert likely.value == pytest.approx(share.value, abs=1e-6)
    with pytest.raises(cf.QueryError, match="fixed in this sub-population"):
        young.table(["age"])


def test_two_ranges_of_one_crowd_are_compared_by_their_covariance():
    yes = {"a": "yes"}
    first, second = {"age": (16, 40)}, {"age": (30, 81)}  # which overlap
    weights = np.where(REPORTED, 1.5, -0.5)
    moved = []
    for low, high in (first["age"], second["age"]):
        inside = (low <= AGES) & (high > AGES)
        moved.append(inside * (weights - weights[inside].mean()) / inside.mean())
    found = CROWD.difference(yes, first, second)
    assert found.standard_error == pytest.approx(np.std(moved[0] - moved[1]) / 30)
    assert found.standard_error < np.hypot(np.std(moved[0]), np.std(moved[1])) / 30
    assert found.n == 900


def test_a_cut_makes_the_rows_of_a_table():
    table = CROWD.table([cf.cut("age", [18, 25, 40]), "a"])
    assert table.questions == ("age", "a")
    codes, weights = np.digitize(AGES, [18, 25, 40]), np.where(REPORTED, 1.5, -0.5)
    for k, label in enumerate(["16 to 17", "18 to 24", "25 to 39", "40 to 80"]):
        cell = table[{"age": label, "a": "yes"}]
        each = weights * (codes == k)
        assert cell.value == pytest.approx(each.mean())
        assert cell.standard_error == pytest.approx(each.std() / 30)
    whole = CROWD.proportion({"age": (18, 25), "a": "yes"})
    assert (table[{"age": "18 to 24", "a": "yes"}] - whole).standard_error == pytest.approx(
        0, abs=1e-9
    )
    likely = CROWD.table(["a", cf.cut("age", [18, 25, 40])], method="likelihood")
    assert likely.values.sum() == pytest.approx(1)


@pytest.mark.slow
def test_all_pairs_are_compared_and_their_p_values_corrected():
    found = CROWD.compare({"a": "yes"}, cf.cut("age", [30, 50]))
    assert found.pairs == (
        ("16 to 29", "30 to 49"),
        ("16 to 29", "50 to 80"),
        ("30 to 49", "50 to 80"),
    )
    single = CROWD.difference({"a": "yes"}, {"age": (16, 30)}, {"age": (30, 50)})
    assert found.differences[0] == single
    raw = [each.p_value(0.0) for each in found.differences]
    assert max(found.p_values) <= 1 and all(
        c >= r for c, r in zip(found.p_values, raw, strict=True)
    )
    assert min(found.p_values) == pytest.approx(min(1, 3 * min(raw)))
    assert found.to_arrow().column_names[-1] == "p_value"


@pytest.mark.parametrize(
    ("edges", "said"),
    [
        ([25, 18], "rising"),
        ([], "rising"),
        ([90], "lies between"),
        ([18.25], "cuts"),
        (["18"], "rising"),
    ],
)
def test_a_cut_that_is_none_is_refused(edges, said):
    with pytest.raises(cf.QueryError, match=said):
        CROWD.table([cf.cut("age", edges)])


def test_a_number_with_noise_is_not_cut():
    noisy = cf.Design([cf.Number("x", 0, 9, step=1)], [cf.Group(["x"], cf.UniformNoise(3))])
    crowd = cf.Crowd(noisy, noisy.disguise(np.arange(10.0).repeat(9), seed=1))
    with pytest.raises(cf.QueryError, match="asked in the clear"):
        crowd.given({"x": (2, 5)})
    with pytest.raises(cf.QueryError, match="asked in the clear"):
        crowd.table([cf.cut("x", [5])])


def test_a_number_that_a_condition_fixes_is_not_cut_again():
    with pytest.raises(cf.QueryError, match="'age' is fixed in this sub-population"):
        CROWD.given({"age": (30, 50)}).table(["a", cf.cut("age", [40])])


@pytest.mark.parametrize("edges", [(18, 80), (16, 18), (18, 18.1), cf.cut("age", [18, 25])])
def test_what_cuts_an_interval_in_two_is_named_with_the_ends_beside_it(edges):
    design = cf.Design([cf.Number("age", 16, 80)])  # in a hundred intervals of 0.64
    crowd = cf.Crowd(design, cf.Counts.of(design, np.linspace(16, 80, 50)))
    said = "18 cuts '17.92 to 18.56' in two.* at 17.92 or 18.56"
    with pytest.raises(cf.QueryError, match=said):
        crowd.given({"age": edges}) if isinstance(edges, tuple) else crowd.table([edges])


def test_a_range_is_as_likely_as_its_row_in_a_table_that_is_cut():
    table = CROWD.table(["a", cf.cut("age", [18, 40])], method="likelihood")
    found = CROWD.proportion({"a": "yes", "age": (18, 40)}, method="likelihood")
    wanted = table[{"a": "yes", "age": "18 to 39"}]
    assert (found.value, found.interval()) == (wanted.value, wanted.interval())
    assert CROWD.proportion({"age": (0, 200)}, method="likelihood").value == 1


def test_a_range_stands_beside_noise():
    design = cf.Design(
        [*DESIGN.questions, cf.Number("hours", 0, 59, step=1)],
        [*DESIGN.groups, cf.Group(["hours"], cf.UniformNoise(10))],
    )
    hours = np.where(AGES < 40, 10.0, 50.0)
    crowd = cf.Crowd(design, design.disguise(np.column_stack([REPORTED, AGES, hours]), seed=7))
    table = crowd.table([cf.cut("age", [40]), "hours"])
    found = crowd.proportion({"age": (16, 40), "hours": "6 to 11"})
    assert found.value == pytest.approx(table[{"age": "16 to 39", "hours": "6 to 11"}].value)
    assert found.value > 0.7 * (AGES < 40).mean()


def test_a_cut_may_name_the_ends_of_the_range():
    design = cf.Design([cf.Number("x", 0, 10)])
    crowd = cf.Crowd(design, np.linspace(0, 10, 40))
    whole = crowd.table([cf.cut("x", [0, 5, 10])])
    assert [row[0] for row in whole.rows()] == ["0 to 5", "5 to 10"]
    assert whole.values.tolist() == [0.5, 0.5]
    with pytest.raises(cf.QueryError, match=r"is cut by numbers in there. Got \[10\]"):
        crowd.table([cf.cut("x", [10])])
    assert len(CROWD.table([cf.cut("age", [16, 40, 80])]).values) == 3  # 80 is a step of its own


def test_a_number_is_cut_once_in_a_table():
    with pytest.raises(cf.QueryError, match="questions, each once"):
        CROWD.table([cf.cut("age", [40]), cf.cut("age", [30])])
