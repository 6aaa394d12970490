"""Scores on disguised test reports against the papers' construction, and against the truth."""

from __future__ import annotations

import pickle
import tracemalloc
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import binomtest
from support.designs import chance, designs, labelled, random_codes, whole_matrix
from support.properties import examples

import confide as cf

SEEDS = st.integers(0, 2**31)


def fitted(design, codes, kind="tree"):
    target = design.names[0]
    if kind == "bayes":
        return cf.DisguisedNaiveBayes(design, target, method="literal").fit(labelled(design, codes))
    model = cf.DisguisedTreeClassifier(design, target, method="literal")
    return model.fit(labelled(design, codes))


def predicted(model, design, codes):
    """The predicted class codes of rows of codes."""
    labels = model.predict(labelled(design, codes))
    question = design.question(design.names[0])
    return np.array([question.labels.index(str(label)) for label in labels])


def trained(design, seed, kind):
    try:
        return fitted(design, random_codes(design, 150, seed), kind)
    except cf.ModelError:
        assume(False)


@pytest.mark.slow
@examples(40)
@given(
    st.integers(1, 4),
    st.sampled_from(["1/10", "3/10", "7/10", "9/10"]),
    st.sampled_from(["with a group", "own group", "clear"]),
    SEEDS,
    st.sampled_from(["tree", "bayes"]),
)
def test_the_score_equals_feeding_every_orientation_and_solving(groups, theta, label, seed, kind):
    names = [f"q{i}" for i in range(5)]
    features = names[1:]
    parts = [features[i::groups] for i in range(groups)]
    if label == "with a group":
        parts[0] = [names[0], *parts[0]]
    if label == "own group":
        parts.append([names[0]])
    design = cf.Design(
        [cf.YesNo(name) for name in names],
        [cf.Group(part, cf.RelatedQuestion(theta)) for part in parts],
    )
    model = trained(design, seed, kind)
    tested = random_codes(design, 90, seed + 1)
    truth, observed = float(design.groups[0].mechanism.truth), []
    turns = list(product([0, 1], repeat=len(parts)))
    for turn in turns:
        turned = tested.copy()
        for part, flip in zip(parts, turn, strict=True):
            if flip:
                places = [design.position(name) for name in part]
                turned[:, places] = 1 - turned[:, places]
        observed.append((predicted(model, design, turned) == turned[:, 0]).mean())
    matrix = [
        [
            np.prod([truth if a == b else 1 - truth for a, b in zip(r, t, strict=True)])
            for t in turns
        ]
        for r in turns
    ]
    expected = np.linalg.solve(matrix, observed)[0]
    assert model.score_disguised(labelled(design, tested)).value == pytest.approx(
        expected, abs=1e-10
    )


@pytest.mark.slow
@examples(40)
@given(designs(most_questions=4), SEEDS, st.sampled_from(["tree", "bayes"]))
def test_every_score_equals_the_mean_of_the_records_own_weights(design, seed, kind):
    assume(len(design.names) > 1)
    model = trained(design, seed, kind)
    tested = random_codes(design, 70, seed + 1)
    matrix, order = whole_matrix(design)
    sizes = [design.question(name).size for name in order]
    cells = np.stack(np.unravel_index(np.arange(len(matrix)), sizes), axis=1)
    truths = cells[:, [order.index(name) for name in design.names]]
    labels = predicted(model, design, truths)
    rows = np.ravel_multi_index([tested[:, design.position(n)] for n in order], sizes)
    per_record = np.linalg.inv(matrix)[:, rows]

    def naive(values):
        weights = values @ per_record
        return weights.mean(), weights.std() / np.sqrt(len(tested))

    def agrees(found, value, error):
        assert found.value == pytest.approx(value, abs=1e-8)
        if 0 < value < 1 and error > 1e-9:
            assert found.standard_error**2 == pytest.approx(error**2, rel=1e-7, abs=1e-12)
        else:  # the nearest possible share implies more: no share is exact
            assert found.standard_error >= error - 1e-9

    reports = labelled(design, tested)
    score = model.score_disguised(reports)
    found = model.evaluate_disguised(reports)
    value, error = naive((labels == truths[:, 0]).astype(float))
    for each in (score, found.accuracy):
        agrees(each, value, error)
    k = sizes[order.index(design.names[0])]
    for true, said in product(range(k), range(k)):
        value, error = naive(((labels == said) & (truths[:, 0] == true)).astype(float))
        agrees(found.confusion[true][said], value, error)
    chances = model.predict_proba(labelled(design, truths))[np.arange(len(truths)), truths[:, 0]]
    value, error = naive(-np.log(chances.clip(np.finfo(float).eps)))
    assert found.log_loss.value == pytest.approx(value, abs=1e-8)
    assert found.log_loss.standard_error == pytest.approx(error, abs=1e-8)
    # A ratio's error is that of the mean of its linearised records.
    hit, all_ = ((labels == 0) & (truths[:, 0] == 0)).astype(float), (truths[:, 0] == 0) * 1.0
    if naive(all_)[0] > 0.05:
        recall = naive(hit)[0] / naive(all_)[0]
        agrees(found.recall[0], recall, naive((hit - recall * all_) / naive(all_)[0])[1])


@pytest.fixture
def unrelated():
    names = ["q0", "q1", "q2"]
    personal = {name: {"yes": "1/4", "no": "3/4"} for name in names}
    group = cf.Group(names, cf.UnrelatedQuestion("3/5", personal))
    return cf.Design([cf.YesNo(name) for name in names], [group])


def test_the_personal_answers_own_score_may_be_computed_or_given(unrelated):
    model = fitted(unrelated, random_codes(unrelated, 400, 1))
    tested = random_codes(unrelated, 300, 2)
    reports = labelled(unrelated, tested)
    cells = np.array(list(product([0, 1], repeat=3)))
    odds = np.prod(np.where(cells == 1, 0.25, 0.75), axis=1)
    personal = float(odds @ (predicted(model, unrelated, cells) == cells[:, 0]))
    right = (predicted(model, unrelated, tested) == tested[:, 0]).mean()
    expected = (right - 0.4 * personal) / 0.6  # surveys, section 3.4
    assert model.score_disguised(reports).value == pytest.approx(expected, abs=1e-10)
    given_ = model.score_disguised(reports, personal=personal)
    assert given_.value == pytest.approx(expected, abs=1e-10)
    assert given_.standard_error == pytest.approx(
        model.score_disguised(reports).standard_error, rel=1e-3
    )
    unsure = model.score_disguised(reports, personal=cf.Estimate(personal, 0.1, 300))
    assert unsure.standard_error == pytest.approx(
        np.hypot(given_.standard_error, 0.4 / 0.6 * 0.1), abs=1e-10
    )


def test_a_personal_score_is_refused_where_it_means_nothing():
    design = cf.Design(
        [cf.YesNo("q0"), cf.YesNo("q1")], [cf.Group(["q0"], cf.RelatedQuestion(0.8))]
    )
    model = fitted(design, random_codes(design, 200, 1))
    with pytest.raises(cf.ModelError, match="UnrelatedQuestion"):
        model.score_disguised(labelled(design, random_codes(design, 20, 2)), personal=0.5)


def coverage(believed, repeats=400, rows=400):
    """How often the 95 % interval holds the true accuracy; the learner may believe a wrong θ."""
    names = [f"q{i}" for i in range(4)]
    made, thought = (
        cf.Design(
            [cf.YesNo(n) for n in names],
            [
                cf.Group(names[:2], cf.RelatedQuestion(theta)),
                cf.Group(names[2:], cf.RelatedQuestion(theta)),
            ],
        )
        for theta in ("3/4", believed)
    )
    generator = np.random.default_rng(8)

    def people(count):
        y = generator.random(count) < 0.4
        noisy = generator.random((count, 3)) < 0.25
        return np.column_stack([y, noisy ^ y[:, None]]).astype(int)

    model = cf.DisguisedTreeClassifier(made, "q0", method="literal", max_depth=2)
    model.fit(made.disguise(people(4000), seed=1))
    many = people(400_000)
    accuracy = (model.predict(many[:, 1:]) == many[:, 0]).mean()
    model.design_ = thought
    inside = 0
    for repeat in range(repeats):
        low, high = model.score_disguised(made.disguise(people(rows), seed=repeat + 10)).interval()
        inside += low <= accuracy <= high
    return inside / repeats


@pytest.mark.slow
@pytest.mark.statistical
def test_the_interval_of_the_score_covers_the_true_accuracy():
    # 400 repeats: the standard error of a coverage of .95 is .011; three of them are allowed.
    assert coverage("3/4") == pytest.approx(0.95, abs=0.033)


@pytest.mark.statistical
def test_a_wrong_truth_is_caught_by_the_coverage():
    assert coverage("9/10", repeats=100, rows=4000) < 0.5


@pytest.mark.slow
@examples(25)
@given(designs(most_questions=4), SEEDS)
def test_scores_from_patterns_and_from_regions_equal_those_from_the_table(design, seed):
    assume(len(design.names) > 1)
    model = trained(design, seed, "tree")
    reports = labelled(design, random_codes(design, 60, seed + 1))
    whole = model.evaluate_disguised(reports)
    for parts in (1 << 22, 0):  # origins written out, then regions
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("confide.mining.linear_means.DENSE_CELLS", 1)
            patched.setattr("confide.mining.linear_means.MOST_PARTS", parts)
            part = model.evaluate_disguised(reports)
            score = model.score_disguised(reports)
        assert score.value == pytest.approx(whole.accuracy.value, abs=1e-8)
        assert part.log_loss.value == pytest.approx(whole.log_loss.value, abs=1e-7)
        for one, other in zip(sum(part.confusion, ()), sum(whole.confusion, ()), strict=True):
            assert one.value == pytest.approx(other.value, abs=1e-8)
            if 0 < one.value < 1 and one.standard_error > 1e-6:
                assert one.standard_error == pytest.approx(other.standard_error, abs=1e-8)


def test_a_large_survey_is_scored_by_the_questions_that_the_tree_uses():
    names = [f"q{i}" for i in range(40)]
    design = cf.Design(
        [cf.YesNo(n) for n in names],
        [cf.Group([n], cf.RelatedQuestion("9/10")) for n in names],
    )
    generator = np.random.default_rng(4)
    answers = generator.integers(0, 2, (3000, 40))
    answers[:, 0] = answers[:, 7] | answers[:, 11]
    reports = design.disguise(answers, seed=5)
    tree = cf.DisguisedTreeClassifier(design, "q0", method="literal", max_depth=2).fit(reports)
    assert set(tree.used_) >= {"q7", "q11"}
    low, high = tree.score_disguised(design.disguise(answers, seed=6)).interval(0.9999)
    assert low <= 1.0 <= high


def test_what_a_model_never_says_is_certain():
    """Nobody is predicted to say yes, so all who say no are recognised, whoever they are."""
    design = cf.Design([cf.YesNo("a"), cf.YesNo("b")], [cf.Group(["a"], cf.RelatedQuestion("3/4"))])
    answers = np.stack([np.arange(3_000) % 5 == 0, np.arange(3_000) % 2], axis=1).astype(int)
    reports = design.disguise(answers, seed=1)
    found = cf.DisguisedTreeClassifier(design, "a").fit(reports).evaluate_disguised(reports)
    for share, certain in (
        (found.recall[0], 1.0),
        (found.recall[1], 0.0),
        (found.confusion[0][1], 0.0),
        (found.confusion[1][1], 0.0),
    ):
        assert (share.value, share.standard_error) == (certain, 0.0)
        assert share.interval() == (certain, certain)
    assert found.accuracy.standard_error > 0.01


def test_a_tree_of_many_regions_is_scored_within_the_memory_of_its_confusion_matrix():
    names = [f"q{i}" for i in range(30)]
    design = cf.Design(
        [cf.Choice(name, list("abcde")) for name in names],
        [cf.Group([name], cf.RandomizedChoice(0.9)) for name in names],
    )
    chance = np.random.default_rng(3)
    reports = cf.Crowd(design, np.array(list("abcde"))[chance.integers(0, 5, (4_000, 30))])
    tree = cf.DisguisedTreeClassifier(design, "q0", method="literal", max_depth=3).fit(reports)
    assert len(tree.used_) > 10 and len(tree.tree_) > 100
    tracemalloc.start()
    try:
        tree.evaluate_disguised(reports)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    table = 8 * 4_000 * 26  # a column for each cell of the confusion matrix, and one for the loss
    assert peak < 30 * table


def score_hardly(groups, truth, rows):
    """A model of five questions, scored on so few reports that the score hardly tells."""
    names = [f"q{i}" for i in range(6)]
    parts = [names[g::groups] for g in range(groups)]
    design = cf.Design(
        [cf.YesNo(name) for name in names],
        [cf.Group(part, cf.RelatedQuestion(truth)) for part in parts],
    )
    model = cf.DisguisedNaiveBayes(design, "q0", method="literal")
    model.fit(design.disguise(random_codes(design, 300, 1), seed=2))
    return model, cf.Crowd(design, design.disguise(random_codes(design, rows, 3), seed=4))


@pytest.mark.slow
@pytest.mark.parametrize("truths", [1 << 13, 60], ids=["whole table", "possible truths"])
def test_beside_an_accuracy_that_hardly_tells_stands_the_most_likely_one(truths, monkeypatch):
    """The oracle: the share of right cells in the likelihood's own table of the answers."""
    monkeypatch.setattr("confide.mining.likely_accuracy._MOST_TRUTHS", truths)
    model, crowd = score_hardly(1, "0.55", 30)  # two truths behind each of thirty reports
    score = model.score_disguised(crowd)
    assert score.standard_error > 0.25
    table = crowd.table([*model.used_, "q0"], method="likelihood").values
    cells = np.argwhere(table >= 0)
    right = model.predict(cells[:, :-1]) == cells[:, -1]
    assert score.likely == pytest.approx(table.ravel()[right].sum(), abs=1e-6)
    assert repr(score).endswith(f"; most likely {score.likely:.3f}")
    assert repr(model.evaluate_disguised(crowd).accuracy) == repr(score)
    assert pickle.loads(pickle.dumps(score)).likely == score.likely


def test_an_accuracy_that_tells_stands_alone():
    model, crowd = score_hardly(1, "0.9", 200)
    assert type(model.score_disguised(crowd)) is cf.Estimate


def test_what_hardly_tells_prints_no_nan_and_no_more_people_than_reports():
    model, crowd = score_hardly(6, "0.55", 30)
    found = model.evaluate_disguised(crowd)
    assert any(np.isnan(each.value) for each in found.precision)
    assert "nan" not in repr(found) and "– (the reports show nobody" in repr(found)
    assert all(each.n <= 30 for each in (*found.precision, *found.recall))
    assert 0 <= found.accuracy.likely <= 1


def test_the_report_of_an_evaluation_names_every_number():
    design = cf.Design([cf.YesNo("q0"), cf.YesNo("q1")])
    model = fitted(design, random_codes(design, 100, 1))
    text = repr(model.evaluate_disguised(labelled(design, random_codes(design, 50, 2))))
    for word in ("accuracy", "balanced accuracy", "log loss", "yes: precision", "no: recall"):
        assert word in text


def test_the_channel_of_the_oracle_is_the_mechanism_s(unrelated):
    """The oracle that this file leans on is itself right about a known case."""
    mechanism = unrelated.groups[0].mechanism
    asked = [unrelated.question(name) for name in unrelated.names]
    assert chance(mechanism, asked, (1, 1, 1), (1, 1, 1)) == pytest.approx(0.6 + 0.4 / 64)


def test_the_interval_of_a_score_is_near_wilsons_where_nothing_is_disguised():
    """And 50 right of 50 are not taken for certain."""
    design = cf.Design([cf.YesNo("q0"), cf.YesNo("q1")])
    model = fitted(design, np.repeat([[0, 0], [1, 1]], 50, axis=0))
    for right, wrong in ((186, 14), (50, 0)):
        tested = np.repeat(
            [[1, 1], [0, 0], [0, 1]], [right // 2, right - right // 2, wrong], axis=0
        )
        low, high = model.score_disguised(labelled(design, tested)).interval()
        expected = binomtest(right, right + wrong).proportion_ci(0.95, method="wilson")
        assert low == pytest.approx(expected.low, abs=0.02)
        assert high == pytest.approx(expected.high, abs=0.02)
        assert low < 1
