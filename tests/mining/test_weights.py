"""Models of a crowd with weights are those of rows repeated, and its errors those of the sample."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import confide as cf

NAMES = ["y", "a", "b", "c"]
DESIGN = cf.Design(
    [cf.YesNo(name) for name in NAMES],
    [cf.Group(["y", "a"], cf.RelatedQuestion("4/5")), cf.Group(["b"], cf.RelatedQuestion("3/4"))],
)


@pytest.fixture(scope="module")
def reports():
    draw = np.random.default_rng(1)
    answers = draw.integers(0, 2, (900, 4))
    answers[:, 0] = np.where(draw.random(900) < 0.8, answers[:, 1] | answers[:, 2], answers[:, 0])
    found = pd.DataFrame(DESIGN.disguise(answers, seed=2), columns=NAMES)
    return found.assign(w=1 + 3 * found["c"], school=np.arange(900) % 30)


@pytest.fixture(scope="module")
def repeated(reports):
    return reports.loc[np.repeat(reports.index, reports["w"])]


def weigh(reports, **columns):
    return cf.Crowd(DESIGN, reports, weights="w", **columns)


def test_naive_bayes_learns_from_weights_as_from_rows_repeated(reports, repeated):
    model = cf.DisguisedNaiveBayes(DESIGN, "y", method="literal")
    expected = model.fit(repeated).likelihood_, model.prior_
    found = model.fit(weigh(reports, clusters="school")).likelihood_, model.prior_
    for one, other in zip(found[0], expected[0], strict=True):
        np.testing.assert_allclose(one, other, atol=1e-9)
    np.testing.assert_allclose(found[1], expected[1], atol=1e-9)


def test_a_tree_learns_from_weights_as_from_rows_repeated(reports, repeated):
    tree = cf.DisguisedTreeClassifier(DESIGN, "y", method="literal", max_depth=3)
    expected = tree.fit(repeated).tree_
    found = tree.fit(weigh(reports)).tree_
    np.testing.assert_array_equal(found.question, expected.question)
    np.testing.assert_allclose(found.shares, expected.shares, atol=1e-9)
    assert (tree.node_shares_[1:, 1] > 0).all()  # the root is everybody


@pytest.mark.slow
def test_rules_and_scores_take_weights_and_have_the_errors_of_the_sample(reports, repeated):
    rules = cf.DisguisedRules(DESIGN, min_support=0.15)
    expected = {repr(r.antecedent) + repr(r.consequent): r for r in rules.fit(repeated).rules_}
    found = rules.fit(weigh(reports, clusters="school")).rules_
    assert len(found) == len(expected) > 0
    for rule in found:
        same = expected[repr(rule.antecedent) + repr(rule.consequent)]
        for name in ("support", "confidence", "lift"):
            assert getattr(rule, name).value == pytest.approx(getattr(same, name).value, abs=1e-9)
    tree = cf.DisguisedTreeClassifier(DESIGN, "y", method="literal", max_depth=2).fit(repeated)
    score = tree.score_disguised(weigh(reports))
    naive = tree.score_disguised(repeated)
    assert score.value == pytest.approx(naive.value, abs=1e-9)
    assert score.standard_error > 1.2 * naive.standard_error
    evaluated = tree.evaluate_disguised(weigh(reports))
    assert evaluated.log_loss.value == pytest.approx(
        tree.evaluate_disguised(repeated).log_loss.value, abs=1e-9
    )


@pytest.mark.slow
def test_the_default_method_learns_of_the_population_not_of_the_sample():
    """Half of the sample has c, but only a tenth of the population: there y goes with a."""
    draw = np.random.default_rng(3)
    answers = draw.integers(0, 2, (6_000, 4))
    answers[:, 0] = np.where(answers[:, 3] == 1, 1 - answers[:, 1], answers[:, 1])
    found = pd.DataFrame(DESIGN.disguise(answers, seed=4), columns=NAMES)
    found["w"] = np.where(found["c"] == 1, 1.0, 9.0)
    for learner in (cf.DisguisedNaiveBayes, cf.DisguisedTreeClassifier):
        model = learner(DESIGN, "y").fit(weigh(found))
        plain = learner(DESIGN, "y").fit(found)
        truth = answers[answers[:, 3] == 0][:500]
        assert (model.predict(truth[:, 1:]) == truth[:, 0]).mean() > 0.95
        assert plain.n_ == model.n_ == 6_000
    shares = model.tree_.shares[0]
    crowd = weigh(found)
    assert shares[1] / shares.sum() == pytest.approx(crowd.proportion({"y": "yes"}).value, abs=0.05)


@pytest.mark.parametrize("learner", [cf.DisguisedNaiveBayes, cf.DisguisedTreeClassifier])
def test_the_default_method_takes_weights_in_a_survey_too_wide_to_fit_at_once(learner, monkeypatch):
    """Who says yes was asked four times as often: half of those asked, one in five of all."""
    monkeypatch.setattr("confide.mining.joint.wide_surveys._BEGUN", 1_000)
    names = ["y", *(f"q{i}" for i in range(7))]
    design = cf.Design([cf.YesNo(n) for n in names], [cf.Group(names, cf.RelatedQuestion("4/5"))])
    chance = np.random.default_rng(1)
    answers = (chance.random((4_000, 8)) < [0.5, 0.5, *[0.3] * 6]).astype(int)
    answers[:, 0] = answers[:, 1]
    weights = np.where(answers[:, 1], 1.0, 4.0) * chance.uniform(0.9, 1.1, 4_000)
    model = learner(design, "y").fit(design.disguise(answers, seed=2), sample_weight=weights)
    shares = model.prior_ if learner is cf.DisguisedNaiveBayes else model.tree_.shares[0]
    assert shares[1] / shares.sum() == pytest.approx(0.2, abs=0.05)


def test_what_deals_people_into_folds_takes_no_weights(reports):
    model = cf.DisguisedTreeClassifier(DESIGN, "y", method="literal")
    with pytest.raises(cf.QueryError, match="no weights, strata or clusters: cross-validation"):
        cf.cross_validate_disguised(model, weigh(reports))
    for prune in ("reduced-error", "cost-complexity"):
        with pytest.raises(cf.QueryError, match=f'prune="{prune}".* prune by "mdl"'):
            model.set_params(prune=prune).fit(weigh(reports))
    assert model.set_params(prune="mdl").fit(weigh(reports)).n_ == len(reports)


HOLDERS = {
    "pandas": lambda frame: frame,
    "polars": pl.from_pandas,
    "pyarrow": pa.Table.from_pandas,
    "an array": lambda frame: frame.to_numpy(),
    "an array of objects": lambda frame: frame.to_numpy().astype(object),
}


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("learner", [cf.DisguisedNaiveBayes, cf.DisguisedTreeClassifier])
def test_sample_weight_is_the_weight_of_a_crowd(reports, learner, holder):
    model = learner(DESIGN, "y", method="literal")
    expected = model.fit(weigh(reports))._write_learned()
    w = reports["w"].to_numpy()
    held = HOLDERS[holder](reports[NAMES])
    assert model.fit(held, sample_weight=w)._write_learned() == expected
    np.testing.assert_array_equal(model.classes_, model.fit(held).classes_)
    X = HOLDERS[holder](reports[NAMES[1:]])
    assert model.fit(X, reports["y"], sample_weight=list(w))._write_learned() == expected


@pytest.mark.slow
def test_sample_weight_of_the_default_method_and_of_rules_is_that_of_a_crowd(reports):
    few = reports.iloc[:150]
    model = cf.DisguisedNaiveBayes(DESIGN, "y")
    expected = model.fit(weigh(few))._write_learned()
    assert model.fit(few[NAMES], sample_weight=few["w"])._write_learned() == expected
    rules = cf.DisguisedRules(DESIGN, min_support=0.2, max_length=2)
    expected = list(map(repr, rules.fit(weigh(few)).rules_))
    assert list(map(repr, rules.fit(few[NAMES], sample_weight=few["w"]).rules_)) == expected


def test_a_question_may_be_called_as_the_weights_are_and_a_row_of_weight_0_is_none(reports):
    names = {"c": "sample_weight"}
    asked = cf.Design([cf.YesNo(names.get(name, name)) for name in NAMES], DESIGN.groups)
    model = cf.DisguisedNaiveBayes(asked, "y", method="literal")
    renamed = reports[NAMES].rename(columns=names)
    some = np.where(np.arange(900) < 300, 0, reports["w"])
    found = model.fit(renamed, sample_weight=some)._write_learned()
    assert model.n_ == 600
    kept = reports.iloc[300:].rename(columns=names)
    crowd = cf.Crowd(asked, kept, weights="w")
    assert model.fit(crowd)._write_learned() == found


@pytest.mark.parametrize("learner", [cf.DisguisedNaiveBayes, cf.DisguisedTreeClassifier])
def test_without_a_design_a_row_counts_as_often_as_its_weight_says(learner):
    draw = np.random.default_rng(5)
    X = np.round(draw.normal(size=(60, 3)), 1)
    y, w = (X[:, 0] + draw.normal(size=60) > 0).astype(int), draw.integers(0, 4, 60)
    X[:, 2] = draw.integers(0, 5, 60)
    repeated = learner().fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    weighed = learner().fit(X, y, sample_weight=w)
    np.testing.assert_allclose(weighed.predict_proba(X), repeated.predict_proba(X), atol=1e-12)
    assert weighed.n_ == repeated.n_ == w.sum()
    many = draw.normal(size=(500, 1))  # more values than there are intervals
    above = many[:, 0] > 1
    model = learner().fit(many, above, sample_weight=np.where(above, 20.0, 1.0))
    assert model.score(many, above) > 0.98
    alike = learner().fit(many, above, sample_weight=np.full(500, 2.0))
    assert (alike.predict(many) == learner().fit(many, above).predict(many)).all()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda r: {"X": weigh(r)}, "rows of reports: a dataframe or an array"),
        (lambda _: {"X": "reports.parquet"}, "rows of reports: a dataframe or an array"),
        (lambda r: {"X": pl.from_pandas(r).lazy()}, "rows of reports: a dataframe or an array"),
        (lambda _: {"sample_weight": np.ones(3)}, "900 numbers of at least 0, one per row"),
        (lambda _: {"sample_weight": np.ones((900, 1))}, "900 numbers of at least 0"),
        (lambda _: {"sample_weight": ["law"] * 900}, "Some are no numbers"),
        (lambda _: {"sample_weight": -np.ones(900)}, "900 are negative, infinite or missing"),
        (lambda _: {"sample_weight": [*np.ones(899), np.nan]}, "1 are negative, infinite or"),
        (lambda _: {"sample_weight": np.zeros(900)}, "zero in all rows"),
    ],
)
def test_weights_that_cannot_be_are_one_line(reports, change, said):
    given = {"X": reports[NAMES], "sample_weight": np.ones(900)} | change(reports)
    with pytest.raises(cf.ModelError, match=said) as caught:
        cf.DisguisedTreeClassifier(DESIGN, "y", method="literal").fit(**given)
    assert "law" not in str(caught.value)


def test_what_takes_no_weights_says_so():
    noisy = cf.Design(
        [cf.YesNo("y"), cf.Number("age", 16, 80)], [cf.Group(["age"], cf.UniformNoise(5))]
    )
    draw = np.random.default_rng(1)
    people = pd.DataFrame({"y": draw.integers(0, 2, 200), "age": draw.uniform(16, 80, 200)})
    found = noisy.disguise(people, seed=1)
    with pytest.raises(cf.QueryError, match="takes no others"):
        cf.DisguisedTreeClassifier(noisy, "y").fit(found, sample_weight=np.ones(200))
    for prune in ("reduced-error", "cost-complexity"):
        tree = cf.DisguisedTreeClassifier(prune=prune)
        with pytest.raises(cf.ModelError, match="needs reports to test on"):
            tree.fit(people[["age"]], people["y"], sample_weight=np.ones(200))
