"""Numbers that people may prefer not to say: which designs ask for them, and what is disguised."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.missing_numbers import make
from support.properties import examples

import confide as cf
from confide.errors import AnswersError, DesignError

# What is disguised.


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "texts", "array"])
def test_a_missing_number_is_disguised_as_the_middle_and_said_to_be_missing(kind):
    """With certainty in the clear, in every kind of table, with and without its own column."""
    design = make(clear=True)
    frames = {
        "pandas": pd.DataFrame({"drinks": [1, None, 7], "smokes": [0, 1, 1]}),
        "polars": pl.DataFrame({"smokes": [0, 1, 1], "drinks": [1, None, 7]}),
        "arrow": pa.table({"drinks": [1, None, 7], "smokes": [0, 1, 1], "no_drinks": [0, 1, 0]}),
        "texts": pa.table({"drinks": ["1", "prefer not to say", "7"], "smokes": [0, 1, 1]}),
        "array": np.array([[1, 0, 0], [np.nan, 1, 1], [7, 0, 1]]),
    }
    reports = design.disguise(frames[kind])
    if kind != "array":
        reports = np.stack([np.asarray(reports[name]) for name in design.names], axis=1)
    assert np.asarray(reports, float).tolist() == [[1, 0, 0], [4, 1, 1], [7, 0, 1]]


def test_who_gives_a_number_and_who_does_not_send_reports_of_the_same_shape():
    design, everybody = make(), 2000
    columns = {"smokes": [0] * everybody}
    for drinks in ([None] * everybody, [4] * everybody):
        frame = pd.DataFrame({"drinks": pd.array(drinks, "Float64"), **columns})
        reports = design.disguise(frame, seed=3)
        assert reports.notna().all().all()
        assert (reports["no_drinks"].mean() > 0.5) == (drinks[0] is None)
    # the same draws: what stands for a missing number is disguised as if it had been answered
    pairs = [
        design.disguise(pd.DataFrame({"drinks": pd.array([d], "Float64"), "smokes": [0]}), seed=9)
        for d in (None, 4)
    ]
    assert pairs[0]["drinks"].tolist() == pairs[1]["drinks"].tolist()


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        ({"drinks": [1, None], "no_drinks": ["no", "no"]}, "'no_drinks' tells whether 'drinks'"),
        ({"drinks": [1, 2], "no_drinks": ["no", "yes"]}, "wrong in 1 of 2 answers"),
        ({"drinks": ["1", "often"]}, "no number from 0 to 8 in 1 of 2"),
        ({"drinks": [1, 9]}, "no number from 0 to 8"),
        ({"no_drinks": [0, 1]}, "no column 'drinks'"),
        ({"drinks": [1, None], "no_drinks": ["no", None]}, "is empty in 1 of 2"),
    ],
)
def test_answers_that_disagree_or_are_no_numbers_are_refused(frame, said):
    with pytest.raises(AnswersError, match=said) as caught:
        make().disguise(pd.DataFrame({**frame, "smokes": [0, 1]}))
    assert "\n" not in str(caught.value) and "often" not in str(caught.value)


def test_prefer_not_to_say_as_an_option_of_all_others_leaves_the_teller_alone():
    design = make().with_missing_option()
    assert [question.size for question in design.questions] == [9, 2, 3]


# Which designs are sound, and how they are named.

NUMBER = cf.Number("drinks", 0, 8, step=1, missing="no_drinks")
NOISE, FLIP = cf.LaplaceNoise(2), cf.RelatedQuestion("3/4")


@pytest.mark.parametrize(
    ("questions", "groups", "said"),
    [
        ([NUMBER], [], "must name a question of the survey answered by yes or no alone"),
        ([NUMBER, cf.Choice("no_drinks", ["a", "b"])], [], "yes or no alone"),
        ([NUMBER, cf.YesNo("no_drinks", missing="option")], [], "yes or no alone"),
        (
            [NUMBER, cf.YesNo("no_drinks"), cf.Number("beers", 0, 3, missing="no_drinks")],
            [],
            "two numbers name 'no_drinks'",
        ),
        (
            [NUMBER, cf.YesNo("no_drinks")],
            [cf.Group(["drinks"], NOISE)],
            "Chance disguises 'drinks' and not 'no_drinks'",
        ),
        (
            [NUMBER, cf.YesNo("no_drinks")],
            [cf.Group(["no_drinks"], FLIP)],
            "Chance disguises 'no_drinks' and not 'drinks'",
        ),
        (
            [NUMBER, cf.YesNo("no_drinks")],
            [cf.Group(["drinks"], cf.Intervals([-0.5, 3.5, 8.5])), cf.Group(["no_drinks"], FLIP)],
            "Chance disguises 'no_drinks' and not 'drinks'",
        ),
        (
            [NUMBER, cf.YesNo("no_drinks"), cf.YesNo("smokes")],
            [cf.Group(["drinks"], NOISE), cf.Group(["no_drinks", "smokes"], FLIP)],
            "alone in its group",
        ),
    ],
)
def test_a_design_that_would_tell_who_gave_none_is_refused_in_one_line(questions, groups, said):
    with pytest.raises(DesignError, match=said) as caught:
        cf.Design(questions, groups)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("missing", ["", 3, ["a", "b"]])
def test_a_number_names_one_question(missing):
    with pytest.raises(DesignError, match="missing of question 'drinks' must be"):
        cf.Number("drinks", 0, 8, missing=missing)


def test_designs_without_missing_numbers_keep_their_fingerprints():
    design = cf.Design([cf.Number("age", 16, 80, "How old?", "years", step=1)])
    assert design.canonical_json() == (
        '{"question":[{"high":80,"kind":"number","low":16,"name":"age","step":1,'
        '"text":"How old?","unit":"years"}]}'
    )
    assert cf.Design([NUMBER, cf.YesNo("no_drinks")]).fingerprint != (
        cf.Design([cf.Number("drinks", 0, 8, step=1), cf.YesNo("no_drinks")]).fingerprint
    )


@pytest.mark.parametrize("name", ["survey.toml", "survey.json", "survey.xlsx", "surveyjs"])
def test_every_format_gives_the_design_back(tmp_path, name):
    design = make()
    if name == "surveyjs":
        form = design.to_surveyjs()
        assert [e["isRequired"] for e in form["pages"][0]["elements"]] == [False, True, True]
        assert cf.Design.from_surveyjs(form) == design
        return
    design.save(tmp_path / name)
    assert cf.Design.load(tmp_path / name) == design


def test_a_part_with_the_number_has_what_tells_whether_it_is_missing():
    assert make().only(["drinks"]).names == ("drinks", "no_drinks")
    assert make().only(["no_drinks", "smokes"]).names == ("no_drinks", "smokes")


@examples(30)
@given(low=st.integers(-50, 50), steps=st.integers(1, 300), step=st.sampled_from([0.1, 0.5, 1, 7]))
def test_the_stand_in_is_a_possible_number_no_further_than_half_the_range(low, steps, step):
    number = cf.Number("x", low, round(low + steps * step, 6), step=step)
    places = (number.stand_in - number.low) / step
    assert abs(places - round(places)) < 1e-9
    assert max(number.stand_in - number.low, number.high - number.stand_in) <= (
        (number.high - number.low + step) / 2 + 1e-9
    )
