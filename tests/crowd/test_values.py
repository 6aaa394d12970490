"""One reading of a value: in reports, in queries, in priors and on the command line."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import confide as cf
from confide.design.coding import encode

QUESTIONS = [
    cf.YesNo("a"),
    cf.YesNo("a", missing="option"),
    cf.Choice("a", ["arts", "law"]),
    cf.Choice("a", ["1", "2", "10"]),
    cf.Choice("a", [1, 2, 10]),
    cf.Choice("a", [0, 1]),
]
VALUES = [
    *(
        "yes",
        "YES",
        "Yes",
        "no",
        "NO",
        "true",
        "TRUE",
        "False",
        "1",
        "0",
        "1.0",
        "0.0",
        "2",
        "10.0",
    ),
    *(1, 0, 2, 10, 1.0, 0.0, 2.0, 0.5, True, False, np.int8(1), np.float32(2), np.True_),
    *("arts", "ARTS", "law ", "prefer not to say", "Prefer not to say", "perhaps", ""),
]


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_a_query_reads_a_value_as_reports_do(question):
    for value in VALUES:
        held = np.array([value]) if not isinstance(value, str) else np.array([value], object)
        code = int(encode(question, held).codes[0])
        if value == "":
            continue  # nothing at all is no value to ask for
        try:
            asked = question.code(value)
        except cf.QueryError:
            asked = -1
        assert asked == code, value


def test_a_yes_in_capitals_is_a_yes_everywhere():
    design = cf.Design([cf.YesNo("a"), cf.YesNo("b")], [cf.Group(["a"], cf.RelatedQuestion("3/4"))])
    crowd = cf.Crowd(design, pa.table({"a": ["YES", "NO", "Yes", "no"], "b": ["NO", "YES"] * 2}))
    assert crowd.proportion({"a": "YES"}) == crowd.proportion({"a": 1})
    assert crowd.proportion({"a": "Yes"}, method="likelihood").value >= 0
    assert crowd.table(["a", "b"])[{"a": "TRUE", "b": "No"}].n == 4
    assert crowd.given({"b": "NO"}).within == {"b": "no"}
    posterior = cf.privacy.of(design).question("a").posterior({"YES": 0.2, "No": 0.8})
    assert posterior.after("YES") == posterior.after(True)


CLEAR = cf.Design([cf.Number("any", 0, 100), cf.Number("fine", 0, 9990, step=10), cf.YesNo("b")])
PEOPLE = pa.table({"any": [30.2, 30.7, 90.0], "fine": [50, 90, 500], "b": ["yes", "no", "yes"]})


@pytest.mark.parametrize("where", [{"any": 30}, {"any": 30.2}, {"fine": 50}, {"any": "30"}])
def test_a_number_that_shares_its_interval_is_refused_with_the_way_out(where):
    crowd = cf.Crowd(CLEAR, PEOPLE)
    (name,) = where
    asks = [
        lambda: crowd.proportion(where),
        lambda: crowd.proportion(where, method="likelihood"),
        lambda: crowd.given(where),
        lambda: crowd.table([name])[where],
        lambda: crowd.given({"b": "yes"}).proportion(where),
    ]
    for ask in asks:
        with pytest.raises(cf.QueryError, match=r"shares '.* to .*' .* distribution"):
            ask()


@pytest.mark.slow
def test_an_interval_is_asked_for_by_its_name():
    crowd = cf.Crowd(CLEAR, PEOPLE)
    assert crowd.proportion({"any": "30 to 31"}).value == pytest.approx(2 / 3)
    assert crowd.proportion({"fine": "0 to 90"}).value == pytest.approx(2 / 3)
    assert crowd.given({"any": "30 to 31"}).proportion({"b": "yes"}).value == pytest.approx(1 / 2)
    for row in crowd.table(["fine"]).rows():
        assert crowd.proportion({"fine": row[0]}) == row[1]
    with pytest.raises(cf.QueryError, match="number between 0 and 100"):
        crowd.proportion({"any": "30 to 32"})


def test_a_number_with_a_step_of_its_own_is_answered_also_as_text():
    design = cf.Design([cf.Number("age", 16, 80, step=1)])
    crowd = cf.Crowd(design, np.array([16, 16, 80]))
    assert crowd.proportion({"age": 16}) == crowd.proportion({"age": "16"})
    assert crowd.proportion({"age": 16.0}).value == pytest.approx(2 / 3)
    uneven = cf.Design([cf.Number("n", 0, 100, step=1)])  # two by two, and one alone
    assert cf.Crowd(uneven, np.array([100, 1])).proportion({"n": 100}).value == pytest.approx(0.5)


@pytest.mark.slow
def test_a_noisy_number_is_answered_only_where_the_reports_tell_it_apart():
    noisy = cf.Design(
        [cf.Number("age", 16, 80, step=1), cf.Number("clear", 0, 99, step=1), cf.YesNo("b")],
        [cf.Group(["age"], cf.UniformNoise(5))],
    )
    generator = np.random.default_rng(1)
    ages = generator.integers(16, 81, 2_000)
    answers = np.stack([ages, ages, ages % 2], axis=1)
    crowd = cf.Crowd(noisy, noisy.disguise(answers, seed=1))
    table = crowd.table(["age"])
    for where in ({"age": 30}, {"age": 30, "b": 1}):
        with pytest.raises(cf.QueryError, match="shares"):
            crowd.proportion(where)
    with pytest.raises(cf.QueryError, match="shares"):
        table[{"age": 30}]
    label, share = next(iter(table.rows()))
    assert " to " in label
    assert crowd.proportion({"age": label}) == share
    for name, asked in [("age", "b"), ("clear", "age")]:
        with pytest.raises(cf.QueryError, match="wider intervals than 30"):
            crowd.given({name: 30}).table([asked])
    few = cf.Design([cf.Number("n", 0, 5, step=1)], [cf.Group(["n"], cf.UniformNoise(2))])
    values = generator.integers(0, 6, 3_000)
    found = cf.Crowd(few, few.disguise(values, seed=2)).proportion({"n": 3})
    assert found.value == pytest.approx((values == 3).mean(), abs=0.1)


def test_a_word_that_is_no_option_is_refused_as_it_was_given():
    with pytest.raises(
        cf.QueryError, match=r"cheated has no option 'Ja'\. Its options are no, yes"
    ):
        cf.YesNo("cheated").code("Ja")


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (cf.crowd.estimate.Quantity(101_633.333, 1_275.9, 3_000), "101,633 ± 2,501"),
        (cf.crowd.estimate.Quantity(2_854.57, 43.8, 3_000), "2,854.6 ± 85.8"),
        (cf.crowd.estimate.Quantity(43.25, 0.3, 4_000), "43.250 ± 0.588"),
        (cf.crowd.estimate.Quantity(0.0004988, 5.2e-6, 3_000), "0.0004988 ± 0.0000102"),
        (cf.crowd.estimate.Quantity(0.25, 1e-17, 3_000), "0.250 ± 0.000"),
    ],
)
def test_a_number_is_written_as_far_as_its_error_tells_it(found, said):
    assert str(found).startswith(said)
