"""Questions put to a crowd, and questions it must refuse."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import confide as cf

DESIGN = cf.Design(
    [
        cf.YesNo("cheated"),
        cf.YesNo("drugs"),
        cf.Choice("faculty", ["arts", "law", "science"]),
        cf.Number("age", 16, 80),
    ],
    groups=[cf.Group(["cheated", "drugs"], cf.RelatedQuestion(truth="3/4"))],
)


def answers(n, seed=0):
    generator = np.random.default_rng(seed)
    cheated = generator.random(n) < 0.3
    return pa.table(
        {
            "cheated": cheated,
            "drugs": cheated & (generator.random(n) < 0.5),
            "faculty": generator.choice(["arts", "law", "science"], n),
            "age": generator.uniform(16, 80, n),
        }
    )


@pytest.fixture(scope="module")
def crowd():
    return cf.Crowd(DESIGN, DESIGN.disguise(answers(20_000), seed=1))


def test_the_interface_of_the_design_document_works(crowd):
    estimate = crowd.proportion({"cheated": "yes", "faculty": "law"})
    assert abs(estimate.value - 0.1) < 4 * estimate.standard_error
    table = crowd.table(["cheated", "faculty"], method="inverse")
    assert table.values.shape == (2, 3)
    assert table.values.sum() == pytest.approx(1)
    cell = table[{"cheated": 1, "faculty": "law"}]
    assert cell.value == pytest.approx(estimate.value)
    assert cell.standard_error == pytest.approx(estimate.standard_error)
    histogram = crowd.distribution("age")
    assert histogram.shares.sum() == pytest.approx(1)
    assert histogram.mean.value == pytest.approx(48, abs=0.5)
    assert histogram.quantile(0.5).value == pytest.approx(48, abs=1)


def test_a_table_is_tidy_for_every_library(crowd):
    table = crowd.table(["cheated", "faculty"])
    arrow = pa.table(table)
    assert arrow.column_names == ["cheated", "faculty", "share", "standard_error", "low", "high"]
    assert len(arrow) == len(table) == 6
    assert list(table.to_pandas()["faculty"][:3]) == ["arts", "law", "science"]
    assert "± " in repr(table)


def test_yes_no_values_may_be_written_in_any_of_their_ways(crowd):
    for value in ("yes", 1, True, np.int64(1), np.True_):
        assert crowd.proportion({"cheated": value}) == crowd.proportion({"cheated": "yes"})


def test_shares_of_sub_populations_add_up(crowd):
    parts = [crowd.given({"faculty": f}) for f in ("arts", "law", "science")]
    total = sum(p.share * p.proportion({"cheated": "yes"}).value for p in parts)
    assert total == pytest.approx(crowd.proportion({"cheated": "yes"}).value)
    assert parts[0].n == crowd.n
    assert "faculty = arts" in repr(parts[0])


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda c: c.proportion({"cheeted": "yes"}), "no question 'cheeted'"),
        (lambda c: c.proportion({"cheated": "perhaps"}), "no option 'perhaps'"),
        (lambda c: c.proportion({"age": 99}), "between 16 and 80"),
        (lambda c: c.proportion({}), "say which answers"),
        (lambda c: c.proportion("cheated"), "say which answers"),
        (lambda c: c.table([]), "needs questions"),
        (lambda c: c.table(["cheated", "cheated"]), "each once"),
        (lambda c: c.table(["cheated"], method="guess"), "inverse"),
        (lambda c: c.given({"cheated": 1}).given({"cheated": 0}), "another value"),
        (lambda c: c.given({"cheated": 1}).table(["cheated"]), "fixed"),
        (lambda c: c.weighted("chated"), "no question"),
        (lambda c: c.weighted("cheated", "drogs"), "no question 'drogs'"),
        (lambda c: c.distribution("faculty"), "no number"),
    ],
)
def test_a_question_it_cannot_answer_gets_one_clear_line(crowd, ask, message):
    with pytest.raises(cf.QueryError, match=message) as caught:
        ask(crowd)
    assert "\n" not in str(caught.value)


def forty(groups, n=100_000):
    """Forty yes-no questions in so many groups of neighbours, and their true answers."""
    names = [f"q{i}" for i in range(40)]
    each = 40 // groups
    parts = [names[i * each : (i + 1) * each] for i in range(groups - 1)]
    parts.append(names[(groups - 1) * each :])
    design = cf.Design(
        [cf.YesNo(name) for name in names],
        [cf.Group(part, cf.RelatedQuestion(0.8)) for part in parts],
    )
    generator = np.random.default_rng(groups)
    kinds = generator.random((2, 40))
    latent = generator.integers(0, 2, n)
    return design, (generator.random((n, 40)) < kinds[latent]).astype(np.uint8)


@pytest.mark.statistical
@pytest.mark.parametrize("groups", [1, 3, 40])
def test_forty_questions_work_in_any_number_of_groups(groups):
    """Estimates within 4.5 standard errors of the truth, dense and deep in a path."""
    design, truth = forty(groups)
    crowd = cf.Crowd(design, design.disguise(truth, seed=2))
    pair = crowd.table(["q0", "q39"])
    expected = np.bincount(truth[:, 0] * 2 + truth[:, 39], minlength=4).reshape(2, 2) / len(truth)
    assert np.all(np.abs(pair.values - expected) < 4.5 * pair.standard_errors)
    node = crowd.given({"q1": 1, "q20": 0})
    inside = (truth[:, 1] == 1) & (truth[:, 20] == 0)
    found = node.proportion({"q39": 1})
    assert abs(found.value - truth[inside, 39].mean()) < 4.5 * found.standard_error
    crossed = node.cross("q39", ["q0", "q2"])
    assert crossed["q0"].sum() == pytest.approx(node.share, abs=1e-9)
    joint = np.mean(inside & (truth[:, 39] == 1) & (truth[:, 2] == 1))
    assert abs(crossed["q2"][1, 1] - joint) < 0.03


def test_forty_questions_in_one_group_train_a_model_and_in_forty_say_what_to_do():
    design, truth = forty(1, n=3_000)
    X, y, weight = cf.Crowd(design, design.disguise(truth, seed=2)).weighted("q0")
    assert X.shape[1] == 39
    assert weight.sum() == pytest.approx(3_000)
    assert set(y) == {0, 1}  # as in the reports
    design, truth = forty(40, n=3_000)
    crowd = cf.Crowd(design, design.disguise(truth, seed=2))
    with pytest.raises(cf.QueryError, match="fewer questions"):
        crowd.weighted("q0")
    X, _, _ = crowd.weighted("q0", questions=["q1", "q2"])
    assert X.shape == (4, 2) or X.shape[1] == 2


def test_a_sub_population_that_nobody_is_in_is_named():
    design = cf.Design([cf.YesNo("a"), cf.Choice("f", ["x", "y", "z"])])
    crowd = cf.Crowd(design, pa.table({"a": ["yes", "no"] * 10, "f": ["x", "y"] * 10}))
    for method in ("inverse", "likelihood"):
        with pytest.raises(cf.QueryError, match="nobody has the true answers"):
            crowd.given({"f": "z"}).table(["a"], method=method)


def test_questions_called_like_a_column_of_numbers_keep_their_answers():
    design = cf.Design([cf.YesNo("share"), cf.YesNo("low")])
    table = cf.Crowd(design, np.array([[1, 0], [0, 1], [1, 1]])).table(["share", "low"])
    assert table.to_arrow().column_names == [
        "share",
        "low",
        "share_",
        "standard_error",
        "low_",
        "high",
    ]
    assert table.to_arrow()["share"].to_pylist() == ["no", "no", "yes", "yes"]


def test_a_synthetic_population_has_possible_numbers():
    design = cf.Design([cf.Number("age", 16, 80, step=1), cf.Number("rent", 0, 990, step=10)])
    answers = pa.table({"age": [17, 40, 41], "rent": [10, 500, 990]})
    drawn = cf.Crowd(design, answers).sample(200, seed=1)
    for name in design.names:  # each number has an interval of its own here
        assert set(drawn[name].to_pylist()) == set(map(float, answers[name].to_pylist()))


def test_synthetic_numbers_that_share_an_interval_are_all_of_its_numbers():
    """Of 5,001 possible numbers the last interval holds three, up to the end of the range."""
    design = cf.Design([cf.Number("z", 0, 5000, step=1)])
    drawn = cf.Crowd(design, pa.table({"z": [5000] * 10})).sample(200, seed=1)
    assert set(drawn["z"].to_pylist()) == {4998, 4999, 5000}


def test_a_number_between_the_possible_ones_is_refused():
    design = cf.Design([cf.Number("age", 16, 80, step=1)])
    crowd = cf.Crowd(design, np.array([[20], [30]]))
    with pytest.raises(cf.QueryError, match="age goes from 16 in steps of 1"):
        crowd.proportion({"age": 20.5})


def test_hidden_reports_and_reports_of_another_survey_are_refused():
    design = cf.Design([cf.YesNo("a")], [cf.Group(["a"], cf.RelatedQuestion(0.75))])
    with pytest.raises(cf.ReportsError, match="masked"):
        cf.Crowd(design, np.ma.array([[1], [0]], mask=[[0], [1]]))
    with pytest.raises(cf.AnswersError, match="masked"):
        design.disguise(np.ma.array([[1], [0]], mask=[[0], [1]]))
    with pytest.raises(cf.DesignError, match="seed must be a whole number"):
        design.disguise(np.array([1, 0]), seed=-1)
    table = pa.table({"a": ["yes", "no"]}).replace_schema_metadata({b"confide.fingerprint": b"x"})
    with pytest.raises(cf.ReportsError, match=r"fingerprint|another design"):
        cf.Crowd(design, table)


def test_far_apart_codes_take_no_more_room_than_near_ones():
    design = cf.Design([cf.Choice("c", [5, 2**53])])
    assert cf.Counts.of(design, np.array([2**53, 5, 5], np.uint64)).table(["c"]).tolist() == [2, 1]


def test_an_estimate_gives_itself_as_plain_values_with_its_interval():
    estimate = cf.Estimate(0.25, 0.01, 400)
    low, high = estimate.interval()
    assert estimate.to_dict() == {
        "value": 0.25,
        "standard_error": 0.01,
        "n": 400,
        "low": low,
        "high": high,
    }


@pytest.mark.parametrize("where", ["yes", ("yes", "no"), {"a": "yes"}, {"a": 1, "b": 1, "c": 1}])
def test_a_cell_that_is_not_named_by_its_questions_is_refused(where):
    design = cf.Design([cf.YesNo("a"), cf.YesNo("b")])
    table = cf.Crowd(design, np.array([[1, 1], [0, 1]])).table(["a", "b"])
    with pytest.raises(cf.QueryError, match="an answer to each of a, b"):
        table[where]
