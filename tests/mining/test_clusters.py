"""Clusters from disguised reports, on people whose clusters are known."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pyarrow as pa
import pytest
from sklearn.exceptions import NotFittedError
from support.designs import whole_matrix
from support.numbers_shown import flips

import confide as cf
from confide.estimators.latent_classes import TrainingReports, climb_to_peak
from confide.estimators.product_mixture import ProductMixture
from confide.mining.clusters import cluster_fit as fitting
from confide.mining.clusters.cluster_fit import fit_clusters, measure_errors
from confide.mining.clusters.number import choose_number

PROFILES = np.array([[0.1] * 6, [0.8] * 3 + [0.7] * 3, [0.85] * 3 + [0.15] * 3])
SHARES = np.array([0.5, 0.3, 0.2])


def people(clusters, rows, seed):
    """People of so many clusters, and the cluster of each."""
    generator = np.random.default_rng(seed)
    shares = SHARES[:clusters] / SHARES[:clusters].sum()
    cluster = generator.choice(clusters, rows, p=shares)
    return (generator.random((rows, 6)) < PROFILES[cluster]).astype(int), cluster


@pytest.fixture(scope="module")
def fitted():
    design = flips(0.8, 6, 2)
    answers, _ = people(2, 3_000, 1)
    reports = design.disguise(answers, seed=2)
    return cf.DisguisedClusters(design, 2, surveys=3).fit(reports)


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize(("clusters", "truth", "groups"), [(1, 0.75, 6), (3, 0.8, 2)])
def test_held_out_reports_tell_how_many_clusters_there_are(clusters, truth, groups):
    design = flips(truth, 6, groups)
    answers, _ = people(clusters, 2_500, 3)
    chosen, tried = choose_number([cf.Counts.of(design, design.disguise(answers, seed=4))])
    assert chosen == clusters
    assert [each.clusters for each in tried] == list(range(1, clusters + 3))


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("drawn", [0, fitting._DRAWN])
def test_five_clusters_are_fitted_as_well_as_from_the_truth(drawn, monkeypatch):
    """The twin: without starts that are drawn some fits end on a peak that is far too low."""
    monkeypatch.setattr(fitting, "_DRAWN", drawn)
    design, shares = flips(0.7, 10, 1), np.array([0.3, 0.25, 0.2, 0.15, 0.1])
    short = []
    for seed in range(6):
        generator = np.random.default_rng(seed)
        profiles = np.where(generator.random((5, 10)) < 0.5, 0.12, 0.88)
        answers = generator.random((2_500, 10)) < profiles[generator.choice(5, 2_500, p=shares)]
        batches = [cf.Counts.of(design, design.disguise(answers, seed=seed + 100))]
        tables = tuple(np.stack([1 - p, p], axis=1) for p in profiles.T)
        best = climb_to_peak(TrainingReports.of(batches), ProductMixture(shares, tables))
        short.append(best.log_likelihood - fit_clusters(batches, 5).log_likelihood)
    assert (max(short) < 1) == (drawn > 0)


@pytest.mark.slow
@pytest.mark.statistical
def test_fitted_to_its_own_reports_more_clusters_always_look_better():
    """The twin: the likelihood of the reports that were fitted would choose too many."""
    design = flips(0.75, 6, 6)
    answers, _ = people(1, 2_000, 3)
    batches = [cf.Counts.of(design, design.disguise(answers, seed=4))]
    logs = [fit_clusters(batches, clusters).log_likelihood for clusters in (1, 2, 3)]
    assert logs[0] < logs[1] < logs[2]


@pytest.mark.slow
@pytest.mark.statistical
def test_profiles_and_their_intervals_hold_the_truth():
    """95 % intervals cover 90.5 to 99.5 % of 210 numbers (three standard errors of 1.5 %)."""
    design = flips(0.8, 6, 2)
    shares = SHARES[:2] / SHARES[:2].sum()
    covered = []
    for seed in range(15):
        answers, _ = people(2, 1_000, seed)
        model = _describe(design, design.disguise(answers, seed=seed))
        for place, (share, profile) in enumerate(zip(shares, PROFILES, strict=False)):
            cluster = model.clusters_[place]
            estimates = [cluster.share, *(a["yes"] for a in cluster.answers.values())]
            for estimate, true in zip(estimates, [share, *profile], strict=True):
                low, high = estimate.interval()
                covered.append(low <= true <= high)
    assert 0.905 <= np.mean(covered) <= 0.995


@pytest.mark.slow
def test_with_three_clusters_no_interval_is_called_95_percent():
    """They were not shown to cover: some surveys lead to other clusters altogether."""
    design = flips(0.8, 6, 2)
    answers, _ = people(3, 600, 1)
    model = cf.DisguisedClusters(design, 3, surveys=1).fit(design.disguise(answers, seed=1))
    assert "95 %" not in repr(model)
    assert "standard error" in repr(model)
    for cluster in model.clusters_:
        assert cluster.share.known_interval() is None
        assert cluster.share.to_dict()["low"] is None
        assert cluster.share.standard_error > 0


def _describe(design, reports):
    """A model without redrawn surveys, which do not matter here."""
    model = cf.DisguisedClusters(design, 2)
    batches = [cf.Counts.of(design, reports)]
    model.design_, model.n_ = design, batches[0].n
    found = fit_clusters(batches, 2)
    model._describe(found.mixture, measure_errors(batches, found), np.ones(2))
    return model


@pytest.mark.slow
def test_errors_are_those_of_the_likelihood_written_out():
    """The oracle: the whole matrix of the channel, and the Hessian of Σ n log Mp by differences."""
    design = flips(0.8, 3, 1)
    answers = np.random.default_rng(1).random((2_000, 3)) < 0.5
    answers[:1_200] = answers[:1_200, :1]  # two kinds: alike, and at random
    counts = cf.Counts.of(design, design.disguise(answers.astype(int), seed=1))
    found = fit_clusters([counts], 2)
    weights, tables = measure_errors([counts], found)
    matrix, _ = whole_matrix(design)
    reported = counts.table(design.names).ravel()

    def log_posterior(odds):
        chances = 1 / (1 + np.exp(-odds))
        shares, prior = np.array([1 - chances[0], chances[0]]), np.log([chances[0], 1 - chances[0]])
        yes = chances[1:].reshape(3, 2)
        joint = [
            sum(
                shares[k] * np.prod([yes[i, k] if cell[i] else 1 - yes[i, k] for i in range(3)])
                for k in range(2)
            )
            for cell in product((0, 1), repeat=3)
        ]
        smooth = prior.sum() + (np.log(yes) + np.log(1 - yes)).sum() / 2
        return reported @ np.log(matrix @ joint) + smooth

    mixture = found.mixture
    yes = np.concatenate([mixture.weights[1:], *(table[:, 1] for table in mixture.tables)])
    odds, step = np.log(yes / (1 - yes)), 1e-3 * np.eye(7)
    hessian = [
        [
            sum(a * b * log_posterior(odds + a * u + b * v) for a in (1, -1) for b in (1, -1))
            / 4e-6
            for v in step
        ]
        for u in step
    ]
    variance = np.diag(np.linalg.inv(-np.array(hessian)))
    expected = np.sqrt(variance) * yes * (1 - yes)
    got = np.concatenate([weights[1:], *(table[:, 1] for table in tables)])
    np.testing.assert_allclose(got, expected, rtol=1e-3)


@pytest.mark.slow
@pytest.mark.statistical
def test_clear_answers_are_labelled_as_well_as_the_true_profiles_label_them(fitted):
    answers, cluster = people(2, 5_000, 9)
    labels = np.where(fitted.predict(answers) == "A", 0, 1)
    shares = SHARES[:2] / SHARES[:2].sum()
    tables = tuple(np.stack([1 - p, p], axis=1) for p in PROFILES[:2].T)
    best = ProductMixture(shares, (*tables, np.eye(2))).predict_last(list(answers.T))
    right, possible = (labels == cluster).mean(), (best.argmax(axis=1) == cluster).mean()
    assert right > possible - 0.02
    np.testing.assert_allclose(fitted.predict_proba(answers).sum(axis=1), 1)


@pytest.mark.slow
def test_clusters_are_stable_only_where_there_are_any(fitted):
    assert min(cluster.stability for cluster in fitted.clusters_) > 0.75
    design = flips(0.75, 6, 6)
    noise = np.random.default_rng(1).integers(0, 2, (1_000, 6))
    found = cf.DisguisedClusters(design, 3, surveys=3).fit(design.disguise(noise, seed=1))
    assert min(cluster.stability for cluster in found.clusters_) < 0.6


@pytest.mark.slow
def test_the_order_is_by_size_whatever_the_order_of_the_reports(fitted):
    shares = [cluster.share.value for cluster in fitted.clusters_]
    assert shares == sorted(shares, reverse=True)
    design = flips(0.8, 6, 2)
    answers, _ = people(2, 3_000, 1)
    reports = design.disguise(answers, seed=2)[::-1]
    again = cf.DisguisedClusters(design, 2, surveys=3).fit(reports)
    assert repr(again) == repr(fitted)


@pytest.mark.slow
def test_a_file_keeps_everything(fitted, tmp_path):
    fitted.save(tmp_path / "clusters.json")
    loaded = cf.load_model(tmp_path / "clusters.json")
    assert repr(loaded) == repr(fitted)
    answers, _ = people(2, 50, 4)
    np.testing.assert_array_equal(loaded.predict_proba(answers), fitted.predict_proba(answers))
    assert len(json.dumps(fitted.plot().to_dict())) > 1_000


@pytest.mark.slow
def test_numbers_take_no_part_and_words_are_kept():
    towns = cf.Choice("town", ["Bern", "Rome"])
    questions = [cf.YesNo("a"), cf.Number("age", 16, 80), towns, cf.YesNo("b")]
    design = cf.Design(questions, [cf.Group(["a"], cf.RelatedQuestion(0.8))])
    generator = np.random.default_rng(1)
    a = generator.integers(0, 2, 500)
    town, age = np.array(["Bern", "Rome"])[a], generator.uniform(18, 70, 500)
    answers = pa.table({"a": a, "age": age, "town": town, "b": a})
    model = cf.DisguisedClusters(design, 2, surveys=1).fit(design.disguise(answers, seed=1))
    assert list(model.clusters_[0].answers) == ["a", "town", "b"]
    assert set(model.clusters_[0].answers["town"]) == {"Bern", "Rome"}
    assert set(model.predict(answers)) <= {"A", "B"}


def test_whole_numbers_may_be_numpys(tmp_path):
    design = flips(0.8, 6, 2)
    reports = design.disguise(people(2, 200, 1)[0], seed=1)
    plain, given = (
        cf.DisguisedClusters(design, kind(2), surveys=kind(1)).fit(reports)
        for kind in (int, np.int64)
    )
    assert repr(given) == repr(plain)
    given.save(tmp_path / "clusters.json")
    assert cf.load_model(tmp_path / "clusters.json").get_params() == plain.get_params()


def test_bad_input_is_one_line():
    design = flips(0.8, 6, 2)
    reports = design.disguise(people(2, 20, 1)[0], seed=1)
    for given, words in (
        (21, "at most the number of reports, 20. Got 21"),
        (0, "n_clusters must be a whole number of at least 1"),
        (2.5, "n_clusters must be a whole number"),
        (None, "20 reports are too few to choose the number of clusters"),
    ):
        with pytest.raises(cf.ModelError, match=words) as error:
            cf.DisguisedClusters(design, given).fit(reports)
        assert "\n" not in str(error.value)
    with pytest.raises(cf.ModelError, match="at most 26"):
        cf.DisguisedClusters(design, 27).fit(design.disguise(people(2, 40, 1)[0], seed=1))
    alone = cf.Design([cf.YesNo("a"), cf.Number("age", 16, 80)])
    with pytest.raises(cf.ModelError, match="at least 2 yes-no or choice questions"):
        cf.DisguisedClusters(alone, 2).fit(np.array([[1, 20]]))


@pytest.mark.slow
@pytest.mark.parametrize(("questions", "told"), [(2, 1), (3, 2), (4, 3)])
def test_no_more_clusters_are_sought_than_the_questions_can_tell(questions, told):
    """Two answers that go together come from many pairs of clusters: one is as good as another."""
    design = flips(0.8, questions, 1)
    same = np.random.default_rng(1).integers(0, 2, (2_000, 1))
    reports = design.disguise(np.tile(same, questions), seed=2)
    with pytest.raises(cf.ModelError, match=f"to {questions} questions tells more than {told} clu"):
        cf.DisguisedClusters(design, told + 1).fit(reports)
    model = cf.DisguisedClusters(design, surveys=1).fit(reports)
    assert len(model.clusters_) == min(told, 2) and len(model.tried_) <= told


def test_clusters_that_were_not_fitted_say_so():
    with pytest.raises(NotFittedError, match="not fitted yet"):
        cf.DisguisedClusters(flips(0.8, 6, 2)).predict(np.ones((1, 6), int))


@pytest.mark.parametrize("rows", [30, 60])
def test_few_reports_that_are_all_alike_give_wide_intervals_and_no_failure(rows):
    design = flips(0.75, 6, 6)
    model = cf.DisguisedClusters(design, 2, surveys=1).fit(np.ones((rows, 6), int))
    for cluster, answer in product(model.clusters_, design.names):
        low, high = cluster.answers[answer]["yes"].interval()
        assert 0 <= low <= high <= 1 and np.isfinite([low, high]).all()


@pytest.mark.slow
@pytest.mark.statistical
def test_errors_from_a_sample_of_very_many_reports_are_nearly_those_of_all(monkeypatch):
    """A sample of 1,000 of 3,000: each error within a quarter of what all reports give."""
    design = flips(0.8, 6, 2)
    batches = [cf.Counts.of(design, design.disguise(people(2, 3_000, 1)[0], seed=2))]
    found = fit_clusters(batches, 2)
    whole = np.concatenate([table[:, 1] for table in measure_errors(batches, found)[1]])
    monkeypatch.setattr(fitting, "LARGEST_SAMPLE", 1_000)
    part = np.concatenate([table[:, 1] for table in measure_errors(batches, found)[1]])
    assert np.abs(part / whole - 1).max() < 0.25
    np.testing.assert_allclose(  # the fit itself is to all reports, wherever it started
        np.concatenate(fit_clusters(batches, 2).mixture.tables),
        np.concatenate(found.mixture.tables),
        atol=1e-6,
    )
