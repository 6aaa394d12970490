"""Trees and naive Bayes beside a number of which most people's lie near one end of its range."""

import json

import duckdb
import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_val_score

import confide as cf
from confide.design.finer_number import list_places

DESIGN = cf.Design(
    [cf.YesNo("poor"), cf.Number("wealth", 0, 200_000), cf.Number("age", 16, 80, step=1)],
    [cf.Group(["poor"], cf.RelatedQuestion("9/10"))],
    title="wealth",
)
LEARNERS = [cf.DisguisedTreeClassifier, cf.DisguisedNaiveBayes]


def draw(n, seed):
    """Whoever has less than the median is poor."""
    chance = np.random.default_rng(seed)
    wealth = np.minimum(np.exp(chance.normal(6.1, 1.5, n)), 200_000)
    people = {"poor": wealth < np.exp(6.1), "wealth": wealth, "age": chance.integers(16, 81, n)}
    return pd.DataFrame(people).astype({"poor": int})


PEOPLE, OTHERS = draw(2_000, 1), draw(2_000, 2)
REPORTS, TESTS = DESIGN.disguise(PEOPLE, seed=3), DESIGN.disguise(OTHERS, seed=4)


def measure(model):
    right = model.predict(OTHERS[["wealth", "age"]]) == OTHERS["poor"]
    return float(right.mean())


@pytest.mark.parametrize("method", ["auto", "literal"])
@pytest.mark.parametrize("learner", LEARNERS)
def test_a_number_is_cut_where_people_are_and_scored_so(learner, method, tmp_path):
    model = learner(DESIGN, "poor", method=method).fit(REPORTS)
    true = measure(model)
    assert true > 0.95
    for tests in (TESTS, cf.Crowd(DESIGN, TESTS)):
        found = model.score_disguised(tests)
        assert abs(found.value - true) < 4 * found.standard_error
    assert model.evaluate_disguised(TESTS).accuracy.value == pytest.approx(found.value)
    assert model.importances_disguised(TESTS)["wealth"].value > 0.3
    # the twin learns from counts, which hold the number by a hundred even intervals
    held = learner(DESIGN, "poor", method=method).fit(cf.Counts.of(DESIGN, REPORTS))
    assert measure(held) < 0.75
    model.save(tmp_path / "model.json")
    loaded = cf.load_model(tmp_path / "model.json")
    assert (loaded.predict(OTHERS) == model.predict(OTHERS)).all()
    assert loaded.score_disguised(TESTS).value == found.value
    edges = {each["name"]: each.get("edges") for each in loaded.predictor()["questions"]}
    assert min(abs(np.array(edges["wealth"]) - np.exp(6.1))) < 20


@pytest.mark.parametrize("learner", LEARNERS)
def test_counts_that_hold_less_than_a_model_knows_are_refused_in_one_line(learner, tmp_path):
    model = learner(DESIGN, "poor").fit(REPORTS)
    counts = cf.Counts.of(DESIGN, TESTS)
    counts.save(tmp_path / "counts.parquet")
    for held in (counts, tmp_path / "counts.parquet", cf.Crowd(DESIGN, counts)):
        with pytest.raises(cf.ConfideError, match="hold wealth by wider intervals") as refused:
            model.score_disguised(held)
        assert "\n" not in str(refused.value)
    coarse = learner(DESIGN, "poor").fit(counts)  # which both can score
    assert coarse.score_disguised(counts).value == coarse.score_disguised(TESTS).value


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("kind", ["parquet", "duckdb"])
def test_reports_in_place_give_the_same_model(learner, kind, tmp_path):
    path = tmp_path / "reports.parquet"
    REPORTS.astype({"poor": int}).to_parquet(path)
    held = str(path) if kind == "parquet" else duckdb.connect().read_parquet(str(path))
    model = learner(DESIGN, "poor", method="literal").fit(cf.ReportsInPlace(DESIGN, held))
    counted = learner(DESIGN, "poor", method="literal").fit(REPORTS)
    assert model.design_ == counted.design_
    np.testing.assert_allclose(
        model.predict_proba(OTHERS), counted.predict_proba(OTHERS), atol=1e-9
    )
    assert model.score_disguised(TESTS).value == pytest.approx(counted.score_disguised(TESTS).value)


def test_folds_are_cut_at_the_same_places():
    found = cf.cross_validate_disguised(cf.DisguisedNaiveBayes(DESIGN, "poor"), REPORTS, folds=3)
    assert found.accuracy.value > 0.9
    score = cross_val_score(
        cf.DisguisedNaiveBayes(DESIGN, "poor"),
        REPORTS[["wealth", "age"]],
        REPORTS["poor"],
        cv=3,
        scoring=cf.disguised_scorer(DESIGN),
    )
    assert score.mean() > 0.9


@pytest.mark.parametrize(("n", "least", "most"), [(200, 5, 10), (2_000, 15, 20), (20_000, 90, 100)])
def test_few_reports_are_not_cut_to_pieces(n, least, most):
    """A hundred reports in each part: with ten, the chances of each would be those of noise."""
    crowd = cf.Crowd(DESIGN, DESIGN.disguise(draw(n, 6), seed=7)).tell_apart()
    assert least <= len(list_places(crowd.design)) <= most


def test_a_tree_names_cuts_that_people_can_read():
    tree = cf.DisguisedTreeClassifier(DESIGN, "poor", max_depth=1).fit(REPORTS)
    (cut,) = {line.split()[2].rstrip(":") for line in tree.text().splitlines()[1:]}
    assert len(cut) <= 4
    assert abs(float(cut) - np.exp(6.1)) < 20


def test_the_browser_predicts_what_the_model_does():
    model = cf.DisguisedTreeClassifier(DESIGN, "poor", max_depth=2).fit(REPORTS)
    described = json.loads(json.dumps(model.predictor()))
    (wealth,) = [each for each in described["questions"] if each["name"] == "wealth"]
    inner = model.design_.question("wealth").grid.array[1:-1]
    np.testing.assert_allclose(wealth["edges"], inner, rtol=1e-6)


def test_a_pool_of_surveys_is_cut_alike():
    other = cf.Design(DESIGN.questions, [cf.Group(["poor"], cf.RelatedQuestion("4/5"))])
    pooled = cf.Crowd.pool(
        [cf.Crowd(DESIGN, REPORTS), cf.Crowd(other, other.disguise(OTHERS, seed=5))]
    )
    model = cf.DisguisedTreeClassifier(DESIGN, "poor").fit(pooled)
    assert measure(model) > 0.95
    assert len(list_places(pooled.tell_apart().design)) <= 40  # and not as many for each survey
    assert model.design_.fingerprint == DESIGN.fingerprint
    assert model.score_disguised(pooled).value > 0.9
