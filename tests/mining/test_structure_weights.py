"""Clusters and networks of people who were drawn with weights, in strata and in clusters."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from support.designs import whole_matrix

import confide as cf
from confide.estimators.bootstrap import draw_reports_again
from confide.mining.clusters.cluster_fit import fit_clusters, measure_errors
from confide.mining.clusters.number import choose_number
from confide.mining.network.graph import Graph
from confide.mining.network.network_fit import ReportTables, fit_network, measure_covariance

NAMES = ["a", "b", "c", "d"]
DESIGN = cf.Design(
    [cf.YesNo(name) for name in NAMES],
    [cf.Group(["a", "b"], cf.RelatedQuestion("4/5")), cf.Group(["c"], cf.RelatedQuestion("4/5"))],
)
CHAIN = Graph(((), (0,), (1,), ()))
LEARNERS = {
    "clusters": lambda design: cf.DisguisedClusters(design, 2, surveys=1),
    "network": lambda design: cf.DisguisedNetwork(design, surveys=1),
}


def draw_people(rows, seed, share=0.5):
    """A chain a → b → c of answers, and d; of so many people d is yes."""
    chance = np.random.default_rng(seed).random((4, rows))
    a = chance[0] < 0.4
    b = chance[1] < np.where(a, 0.8, 0.2)
    c = chance[2] < np.where(b, 0.8, 0.2)
    return np.stack([a, b, c, chance[3] < share], axis=1).astype(int)


def disguise(answers, seed, **columns):
    frame = pd.DataFrame(DESIGN.disguise(answers, seed=seed), columns=NAMES)
    return frame.assign(**columns)


@pytest.fixture(scope="module")
def reports():
    found = disguise(draw_people(600, 1), 2)
    return found.assign(w=1 + 3 * found["d"], school=np.arange(600) % 20, age=20 + found["d"])


@pytest.mark.slow
@pytest.mark.parametrize("learner", LEARNERS)
def test_sample_weight_is_the_weight_of_a_crowd(reports, learner):
    model = LEARNERS[learner](DESIGN)
    expected = model.fit(cf.Crowd(DESIGN, reports, weights="w"))._write_learned()
    assert model.fit(reports[NAMES], sample_weight=reports["w"])._write_learned() == expected
    assert model.n_ == 600
    array = reports[NAMES].to_numpy()
    assert model.fit(array, sample_weight=list(reports["w"]))._write_learned() == expected
    with pytest.raises(cf.ModelError, match="600 numbers of at least 0, one per row"):
        model.fit(array, sample_weight=np.ones(3))


@pytest.mark.slow
@pytest.mark.parametrize("learner", LEARNERS)
def test_equal_weights_change_nothing_but_errors_that_the_sample_gives(reports, learner):
    model = LEARNERS[learner](DESIGN)
    plain = model.fit(reports[NAMES])._write_learned()
    even = model.fit(reports[NAMES], sample_weight=np.full(600, 7.0))._write_learned()
    for one, other in zip(even["tables"], plain["tables"], strict=True):
        np.testing.assert_allclose(one, other, atol=1e-8)
    assert even.get("score") == pytest.approx(plain.get("score"), abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("learner", LEARNERS)
def test_numbers_are_left_out_with_weights_too(reports, learner):
    asked = cf.Design([*DESIGN.questions, cf.Number("age", 16, 80)], DESIGN.groups)
    rows = [*NAMES, "age"]
    found = LEARNERS[learner](asked).fit(reports[rows], sample_weight=reports["w"])
    expected = LEARNERS[learner](DESIGN).fit(reports[NAMES], sample_weight=reports["w"])
    assert found._write_learned() == expected._write_learned()


def test_the_fits_are_where_the_weighted_likelihood_is_highest(reports):
    """The oracle: Σ weight · log M p through the whole matrix, with the people of the prior."""
    counts = cf.Counts.of(DESIGN, reports, weights="w")
    matrix, _ = whole_matrix(DESIGN)
    weights = counts.table(NAMES).ravel() * counts.effective_n / counts.n
    assert counts.effective_n == pytest.approx(reports["w"].sum() ** 2 / (reports["w"] ** 2).sum())

    def check(rows, join):
        def log_posterior(odds):
            chances = 1 / (1 + np.exp(-odds))
            prior = (np.log(chances) + np.log(1 - chances)) @ sizes / 2
            return weights @ np.log(matrix @ join(chances).ravel()) + prior

        odds = np.concatenate([np.log(table[:, 1] / table[:, 0]) for table in rows])
        # one person is added to each row of a table, and one to each cluster
        sizes = np.ones(len(odds)) + (np.arange(len(odds)) == 0) * (len(rows) > len(NAMES))
        step = 1e-4
        for unit in step * np.eye(len(odds)):
            slope = (log_posterior(odds + unit) - log_posterior(odds - unit)) / (2 * step)
            assert abs(slope) < 1e-4

    tables = fit_network(ReportTables.of([counts], NAMES), CHAIN).tables

    def join_chain(chances):
        a, b, c, d = (np.stack([1 - p, p], axis=1) for p in np.split(chances, [1, 3, 5]))
        return np.einsum("a,ab,bc,d->abcd", a[0], b, c, d[0])

    check(tables, join_chain)
    mixture = fit_clusters([counts], 2).mixture

    def join_clusters(chances):
        share, *parts = (np.stack([1 - p, p], axis=1) for p in np.split(chances, [1, 3, 5, 7]))
        return np.einsum("k,ka,kb,kc,kd->abcd", share[0], *parts)

    check([mixture.weights[None], *mixture.tables], join_clusters)


def check_errors(surveys, truth, ask):
    """How many of its standard errors each log odds deviates, over many surveys (root of mean)."""
    scores = []
    for batch in surveys:
        found, errors = ask(batch)
        scores.append((np.log(found / (1 - found)) - np.log(truth / (1 - truth))) / errors)
    return np.sqrt(np.square(scores).mean(axis=0))


def ask_network(batch):
    reports = ReportTables.of([batch], NAMES)
    fitted = fit_network(reports, CHAIN)
    found = np.concatenate([table[:, 1] for table in fitted.tables])
    return found, np.sqrt(np.diag(measure_covariance(reports, fitted)))


TRUE = np.array([0.4, 0.2, 0.8, 0.2, 0.8, 0.5])
SURVEYS = 40
NEAR = 3 / np.sqrt(2 * SURVEYS)


@pytest.mark.slow
@pytest.mark.statistical
def test_errors_of_a_network_are_those_of_weights_that_differ():
    """Weights of 1 to 9 at random: deviations are 1 ± 3 of 1/√(2·40) standard errors."""
    draw = np.random.default_rng(1)
    surveys = [
        disguise(draw_people(2_500, seed), seed, w=draw.choice([1.0, 9.0], 2_500))
        for seed in range(SURVEYS)
    ]
    counted = [cf.Counts.of(DESIGN, survey, weights="w") for survey in surveys]
    assert np.abs(check_errors(counted, TRUE, ask_network) - 1).max() < NEAR


@pytest.mark.slow
@pytest.mark.statistical
def test_errors_of_a_network_count_that_people_of_one_household_answer_alike():
    """Four people who answer alike tell less than four: the twin, which does not know it, errs."""
    surveys = []
    for seed in range(SURVEYS):
        homes = np.repeat(np.arange(500), 4)
        surveys.append(disguise(draw_people(500, seed)[homes], seed, home=homes))
    known = [cf.Counts.of(DESIGN, survey, clusters="home") for survey in surveys]
    unknown = [cf.Counts.of(DESIGN, survey) for survey in surveys]
    assert np.abs(check_errors(known, TRUE, ask_network) - 1).max() < NEAR
    assert check_errors(unknown, TRUE, ask_network).max() > 1 + NEAR


def ask_clusters(batch):
    fitted = fit_clusters([batch], 2)
    (_, errors), tables = measure_errors([batch], fitted)
    shares = [fitted.mixture.weights[1:], *(table[:, 1] for table in fitted.mixture.tables)]
    spread = [np.array([errors]), *(table[:, 1] for table in tables)]
    found = np.concatenate(shares)
    return found, np.concatenate(spread) / (found * (1 - found))


@pytest.mark.slow
@pytest.mark.statistical
def test_errors_of_clusters_are_those_of_people_drawn_by_weight():
    """A third is in B. Who is asked depends on d, which goes with B; the weights say how."""
    inside, outside = np.array([0.8, 0.8, 0.7, 0.9]), np.array([0.1, 0.2, 0.1, 0.3])
    truth = np.array([1 / 3, *np.stack([outside, inside], axis=1).ravel()])
    counted, plain = [], []
    for seed in range(SURVEYS):
        draw = np.random.default_rng(seed)
        kind = draw.random(9_000) < 1 / 3
        answers = (draw.random((9_000, 4)) < np.where(kind[:, None], inside, outside)).astype(int)
        asked = draw.random(9_000) < np.where(answers[:, 3] == 1, 0.1, 0.5)
        survey = disguise(answers[asked], seed).assign(w=np.where(answers[asked, 3] == 1, 10, 2))
        counted.append(cf.Counts.of(DESIGN, survey, weights="w"))
        plain.append(cf.Counts.of(DESIGN, survey))
    found = check_errors(counted, truth, ask_clusters)
    assert np.abs(found - 1).max() < NEAR
    assert check_errors(plain[:5], truth, ask_clusters).max() > 3  # the sample is not the people


@pytest.mark.slow
def test_the_number_of_clusters_is_chosen_by_weight():
    """Half of the sample, but a hundredth of the people, are of a second kind."""
    draw = np.random.default_rng(1)
    kind = np.arange(1_200) % 2
    answers = (draw.random((1_200, 4)) < np.where(kind[:, None] == 1, 0.85, 0.15)).astype(int)
    survey = disguise(answers, 1, w=np.where(kind == 1, 1.0, 99.0))
    assert choose_number([cf.Counts.of(DESIGN, survey)])[0] == 2
    assert choose_number([cf.Counts.of(DESIGN, survey, weights="w")])[0] == 1


def test_redrawn_surveys_vary_as_much_as_weights_make_them():
    """Of 400, the share of d varies as that of effective_n reports does (± 4 of 1/√(2·400))."""
    draw = np.random.default_rng(1)
    survey = disguise(draw_people(800, 1), 1, w=draw.choice([1.0, 30.0], 800, p=[0.9, 0.1]))
    counts = cf.Counts.of(DESIGN, survey, weights="w")
    assert counts.effective_n < 300
    again = [draw_reports_again([counts], draw)[0] for _ in range(400)]
    shares = [batch.table(["d"])[1] / batch.n for batch in again]
    share = counts.table(["d"])[1] / counts.n
    expected = np.sqrt(share * (1 - share) / counts.effective_n)
    assert np.std(shares) == pytest.approx(expected, rel=4 / np.sqrt(800))
    assert np.mean(shares) == pytest.approx(share, abs=4 * expected / 20)


def test_a_part_of_a_sample_is_a_sample(reports):
    counts = cf.Counts.of(DESIGN, reports, weights="w", strata="age", clusters="school")
    whole = counts.subset(counts.reports)
    numbers = counts.patterns.T.astype(float)
    np.testing.assert_allclose(whole.drawn.covariance(numbers), counts.drawn.covariance(numbers))
    first = np.where((counts.drawn.strata == 1) & (counts.drawn.clusters > 20), counts.reports, 0)
    part = counts.subset(first)
    assert part.n == first.sum() < counts.n
    assert np.isfinite(part.drawn.covariance(part.patterns.T.astype(float))).all()
    kept = first > 0
    assert part.drawn.weights.sum() == pytest.approx(counts.drawn.weights[kept].sum())
    half = counts.subset(counts.reports // 2)
    alike = (counts.reports // 2 > 0, half.drawn.weights / half.reports)
    means = counts.drawn.weights / counts.reports
    np.testing.assert_allclose(alike[1], means[alike[0]])


def test_where_few_weights_are_nearly_all_there_is_too_little_to_learn_from(reports):
    heavy = np.r_[1e9, np.ones(599)]
    for learner in LEARNERS.values():
        with pytest.raises(
            cf.ModelError, match="600 reports, by their weights as good as 1, are too"
        ):
            learner(DESIGN).fit(reports[NAMES], sample_weight=heavy)
    some = np.r_[np.full(30, 1e6), np.ones(570)]
    with pytest.raises(cf.ModelError, match="as good as 30, are too few to choose the number"):
        cf.DisguisedClusters(DESIGN).fit(reports[NAMES], sample_weight=some)
