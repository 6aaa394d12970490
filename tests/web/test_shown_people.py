"""The people that results are about: what is told of them, and of whom nothing is."""

from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest

import confide as cf
from confide.errors import QueryError
from confide.surveys.page_settings import Page
from confide.surveys.survey import Survey
from confide.web.admin.bars import choose_joined
from confide.web.admin.cross_tables import estimate_cross_table
from confide.web.admin.results import estimate_question
from confide.web.admin.shown_people import ShownPeople, TooFewPeopleError, find_shown

FACULTIES = ["arts", "law", "science", "music"]
SHARES = (0.35, 0.3, 0.3, 0.05)


def design():
    questions = [
        cf.YesNo("cheated"),
        cf.Choice("faculty", FACULTIES),
        cf.Number("age", 16, 80, step=1),
        cf.Number("hours", 0, 60, step=1),
    ]
    groups = [
        cf.Group(["cheated"], cf.RelatedQuestion("4/5")),
        cf.Group(["hours"], cf.UniformNoise(8)),
    ]
    return cf.Design(questions, groups)


def answers(n, seed=1):
    generator = np.random.default_rng(seed)
    faculty = generator.choice(4, n, p=SHARES)
    age = np.clip(18 + generator.gamma(2, 4, n), 16, 80).astype(int)
    cheated = generator.random(n) < 0.1 + 0.2 * faculty
    hours = np.clip(generator.normal(30 + 5 * (faculty == 1), 6, n), 0, 60).round()
    return np.stack([cheated, faculty, age, hours], axis=1)


@pytest.fixture(scope="module")
def everybody():
    survey = Survey(design(), Page(minimum=50))
    columns = dict(zip(survey.design.names, answers(600).T, strict=True))
    columns["faculty"] = np.array(FACULTIES)[columns["faculty"].astype(int)]
    table = survey.design.disguise(pa.table(columns), seed=2)
    return ShownPeople(survey, cf.Counts.of(survey.design, table))


def test_a_group_is_the_crowds_sub_population(everybody):
    """Against the library, asked directly."""
    crowd = cf.Crowd(everybody.survey.design, everybody.counts)
    field = everybody.find_field("cheated")
    for text, where in (
        ("faculty=arts", {"faculty": "arts"}),
        ("age=21 to 25", {"age": (21, 26)}),
    ):
        found = estimate_question(everybody.given([text]), field)["rows"][1]
        expected = crowd.given(where).proportion({"cheated": "yes"})
        assert found["share"] == pytest.approx(expected.value)
        assert (found["low"], found["high"]) == pytest.approx(expected.interval())
        assert "reports" not in found  # whose they are is not known of every group
    age = estimate_question(everybody.given(["cheated=yes"]), everybody.find_field("age"))
    assert age["summary"]["mean"]["share"] == pytest.approx(
        crowd.mean("age", given={"cheated": "yes"}).value
    )


def test_two_answers_make_a_group(everybody):
    crowd = cf.Crowd(everybody.survey.design, everybody.counts)
    people = everybody.given(["faculty=arts", "age=21 to 25"])
    found = estimate_question(people, everybody.find_field("cheated"))["rows"][1]
    expected = crowd.given({"faculty": "arts", "age": (21, 26)}).proportion({"cheated": "yes"})
    assert found["share"] == pytest.approx(expected.value)


def test_nothing_is_said_of_a_few(everybody):
    with pytest.raises(TooFewPeopleError, match="fewer than 50 people"):
        everybody.given(["faculty=music"])
    with pytest.raises(TooFewPeopleError):
        everybody.given(["age=76 to 80"])
    with pytest.raises(TooFewPeopleError):
        everybody.given(["age=16 to 45"])  # all but a few
    with pytest.raises(TooFewPeopleError, match="below 50 reports"):
        ShownPeople(everybody.survey, everybody.counts.subset(everybody.counts.reports * 0 + 0))
    for wrong in ("faculty=medicine", "absent=yes", "hours=0 to 10", "faculty"):
        with pytest.raises(QueryError, match="question=answer"):
            everybody.given([wrong])
    with pytest.raises(QueryError, match="once"):
        everybody.given(["faculty=law", "faculty=arts"])


def test_what_is_left_of_the_whole_is_never_a_few(everybody):
    """All groups that are shown of a question, taken from everybody, leave none or enough."""
    sizes = np.bincount(answers(600)[:, 1].astype(int), minlength=4)
    assert 0 < sizes[3] < 50
    _, groups, shown = everybody.list_groups("faculty")
    left = sizes[[group.first for group, told in zip(groups, shown, strict=True) if not told]]
    assert left.sum() >= 50
    told = {group.first for group, each in zip(groups, shown, strict=True) if each}
    for code, label in enumerate(FACULTIES):
        if code in told:
            everybody.given([f"faculty={label}"])
        else:
            with pytest.raises(TooFewPeopleError):
                everybody.given([f"faculty={label}"])


@pytest.mark.parametrize("seed", range(20))
def test_hidden_parts_cannot_be_had_by_subtraction(seed):
    """By brute force: whatever shown parts are taken from the whole, none or enough are left."""
    generator = np.random.default_rng(seed)
    sizes = generator.integers(0, 120, generator.integers(1, 7)).astype(float)
    shown = np.flatnonzero(find_shown(sizes, 50, known=True))
    assert (sizes[shown] >= 50).all()
    for count in range(1, len(shown) + 1):
        for taken in combinations(shown, count):
            assert not 0 < sizes.sum() - sizes[list(taken)].sum() < 50


@pytest.mark.parametrize("of", ["rows", "columns", "all"])
def test_a_cross_table_is_of_rows_of_columns_or_of_all(everybody, of):
    crowd = cf.Crowd(everybody.survey.design, everybody.counts)
    found = estimate_cross_table(everybody, "faculty", "cheated", of)
    outer = "cheated" if of == "columns" else "faculty"
    for group in found["groups"]:
        if group["rows"] is None:
            continue
        for row in group["rows"]:
            here, there = {outer: group["answer"]}, {}
            there["faculty" if of == "columns" else "cheated"] = row["answer"]
            expected = (
                crowd.proportion({**here, **there})
                if of == "all"
                else crowd.given(here).proportion(there)
            )
            assert row["share"] == pytest.approx(expected.value)
            assert row["low"] == pytest.approx(expected.interval()[0])
    hidden = [group["answer"] for group in found["groups"] if group["rows"] is None]
    assert ("music" in hidden) == (of != "columns")


@pytest.mark.parametrize("of", ["rows", "columns", "all"])
def test_an_answer_that_nobody_gave_is_one_group_that_is_not_shown(of):
    survey = Survey(design().only(["cheated", "faculty"]), Page(minimum=20))
    reports = pa.table({"cheated": [0, 1] * 30, "faculty": ["arts"] * 60})
    people = ShownPeople(survey, cf.Counts.of(survey.design, reports))
    found = estimate_cross_table(people, "faculty", "cheated", of)
    shown = [group["answer"] for group in found["groups"] if group["rows"] is not None]
    assert shown == (["no", "yes"] if of == "columns" else ["arts"])


@pytest.mark.slow
def test_numbers_are_joined_until_enough_people_are_in_each_interval(everybody):
    found = estimate_cross_table(everybody, "age", "hours", "rows")
    ages = answers(600)[:, 2]
    for group in found["groups"]:
        low, high = map(int, group["answer"].split(" to "))
        assert group["people"] == ((ages >= low) & (ages <= high)).sum() >= 50
        assert sum(row["share"] for row in group["rows"]) == pytest.approx(1)
        assert all(row["low"] is None for row in group["rows"])  # noise has blurred them
    blurred = estimate_cross_table(everybody, "hours", "cheated", "rows")
    assert all(group["rows"] is None or group["people"] >= 50 for group in blurred["groups"])
    assert choose_joined(np.array([10.0, 10, 10]), 50) == [0]


def test_a_cross_table_of_one_question_or_of_a_given_one_is_refused(everybody):
    for row, column, of in (("age", "age", "rows"), ("age", "hours", "half")):
        with pytest.raises(QueryError):
            estimate_cross_table(everybody, row, column, of)
    with pytest.raises(QueryError, match="neither of them given"):
        estimate_cross_table(everybody.given(["faculty=arts"]), "faculty", "age", "rows")
