"""The intervals of likelihood tables: the profile likelihood, judged by surveys drawn again."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import binom
from support.coverage import Case, likelihood_map

import confide as cf
from confide.estimators import profile_likelihood
from confide.estimators.expectation_maximisation import ReportedTable, maximise_likelihood
from confide.estimators.interior_point import maximise_together
from confide.estimators.profile_likelihood import Profile, write_matrix
from confide.estimators.table_channel import TableChannel

CORNERS = [
    Case(30, 0.5, 0.55, 4, "unrelated", "all"),
    Case(30, 0.1, 0.9, 2, "unrelated", "all"),
    Case(30, 0.01, 0.7, 2, "forced", "sub"),
]


def make_crowd(truth, questions, answers):
    names = [f"q{i}" for i in range(questions)]
    design = cf.Design(
        [cf.YesNo(name) for name in names],
        [cf.Group([name], cf.RelatedQuestion(truth)) for name in names],
    )
    return cf.Crowd(design, design.disguise(np.asarray(answers), seed=1))


@pytest.mark.slow
def test_many_tables_at_once_are_the_most_likely_ones_one_by_one():
    crowd = make_crowd(0.7, 3, np.random.default_rng(2).random((200, 3)) < 0.2)
    (counts,) = crowd.counts
    table = ReportedTable.of(counts, crowd.design.names)
    own = np.rint(table.shares.ravel() * table.n)
    found, _ = maximise_together(write_matrix(table.channel), np.stack([own, own[::-1]]))
    np.testing.assert_allclose(found[0], maximise_likelihood([table]).ravel(), atol=1e-6)
    np.testing.assert_allclose(found.sum(axis=1), 1)


@pytest.mark.parametrize(("within", "cell"), [((), 3), ((1,), 3), ((0,), 0)])
def test_the_cost_of_a_share_is_the_one_that_a_general_optimiser_finds(within, cell):
    channel = TableChannel(make_crowd(0.75, 2, [[0, 1]] * 9).design, ["q0", "q1"])
    counts = np.array([40.0, 21, 18, 9])
    profile = Profile.of([(channel, counts)], within)
    matrix = write_matrix(channel)

    def fall_short(truth):
        return -counts @ np.log(np.maximum(matrix @ truth, 1e-12))

    def fit(*constraints):
        whole = {"type": "eq", "fun": lambda p: p.sum() - 1}
        start = np.full(4, 0.25)
        bounds = [(0, 1)] * 4
        return minimize(
            fall_short, start, bounds=bounds, constraints=[whole, *constraints], tol=1e-12
        ).fun

    for share in (0.05, 0.4, 0.9):
        fixed = {
            "type": "eq",
            "fun": lambda p, s=share: p[cell] - s * p[profile.inside].sum(),
        }
        assert profile.cost(cell, share) == pytest.approx(2 * (fit(fixed) - fit()), abs=1e-4)


def test_far_from_every_bound_the_interval_is_where_the_cost_is_that_of_chi_square():
    crowd = make_crowd(0.8, 1, np.repeat([1, 0], [600, 1400])[:, None])
    share = crowd.proportion({"q0": "yes"}, method="likelihood")
    (counts,) = crowd.counts
    table = ReportedTable.of(counts, ["q0"])
    profile = Profile.of([(table.channel, table.shares * table.n)], ())
    for end in share.interval():
        assert profile.cost(1, end) == pytest.approx(1.96**2, rel=0.05)
    score = crowd.proportion({"q0": "yes"}).interval()
    np.testing.assert_allclose(share.interval(), score, atol=0.003)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "yes", "apart"), [(40, 2, 0.05), (3000, 900, 0.005)])
def test_the_p_value_of_an_end_is_what_the_interval_leaves_out(n, yes, apart):
    """With few reports several surveys cost the same, so a p-value has steps."""
    crowd = make_crowd(0.8, 1, np.repeat([1, 0], [yes, n - yes])[:, None])
    share = crowd.proportion({"q0": "yes"}, method="likelihood")
    for level in (0.9, 0.95, 0.99):
        assert share.p_value(share.interval(level)[1]) == pytest.approx(1 - level, abs=apart)
    assert share.p_value(share.value) > 0.9


@pytest.mark.slow
@pytest.mark.parametrize("truth", [0.51, 0.9])
@pytest.mark.parametrize(("n", "yes"), [(1, 1), (30, 0), (30, 30), (400_000, 4)])
def test_in_the_corners_the_interval_stays_within_zero_and_one_and_holds_its_value(truth, n, yes):
    crowd = make_crowd(truth, 1, np.repeat([1, 0], [yes, n - yes])[:, None])
    share = crowd.proportion({"q0": "yes"}, method="likelihood")
    low, high = share.interval()
    assert 0 <= low <= share.value <= high <= 1
    assert high - low > 0.5 / n
    wide = share.interval(0.99)
    assert wide[0] <= low and wide[1] >= high


def draw_surveys(case, surveys):
    judge = likelihood_map.Judge.of(case)
    counts, _ = judge.list_surveys(surveys, seed=3)
    return judge, counts


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("case", CORNERS, ids=str)
def test_the_interval_covers_where_shares_are_near_zero(case):
    """400 surveys: the coverage has a standard error of 1.1 points."""
    assert likelihood_map.measure(case, 400, seed=3)["coverage"] >= 0.95 - 3 * 0.011


@pytest.mark.slow
@pytest.mark.statistical
def test_chi_square_taken_for_granted_would_be_caught():
    """The twin of the corners above."""
    judge, counts = draw_surveys(CORNERS[0], 200)
    profiles = [Profile.of([(judge.channel, row)], ()) for row in counts]
    assert np.mean([each.cost(judge.cell, 0.5) <= 1.96**2 for each in profiles]) < 0.9


@pytest.mark.slow
@pytest.mark.statistical
def test_costs_that_hardly_differ_count_as_the_same(monkeypatch):
    """1,000 surveys: a standard error of 0.9 points or less. The twin takes every difference."""
    judge = likelihood_map.Judge.of(Case(30, 0.01, 0.75, 4, "unrelated", "all"))
    counts, chances = judge.list_surveys(1_000, seed=3)
    assert 0.935 < chances @ judge.find_covered(counts) < 0.98
    monkeypatch.setattr(Profile, "alike", 0.0)
    assert chances @ judge.find_covered(counts) < 0.925


@pytest.mark.parametrize(
    ("n", "share", "truth", "mechanism", "same", "covered"),
    [(30, 0.1, 0.9, "related", 1.0, 0.9854), (30, 0.1, 0.7, "unrelated", 0.5, 0.919)],
)
def test_of_surveys_that_cost_the_same_part_counts(
    monkeypatch, n, share, truth, mechanism, same, covered
):
    """The twins count all, or half as a mid-p does, and cover more than 98 % and less than 93."""
    case = Case(n, share, truth, 1, mechanism, "all")
    part = likelihood_map.measure(case)["coverage"]
    assert part >= 0.93 and (same < 1 or part <= 0.98)
    monkeypatch.setattr(profile_likelihood, "SAME", same)
    monkeypatch.setattr(likelihood_map, "_RARE", 10 - same + 1e-6)
    assert likelihood_map.measure(case)["coverage"] == pytest.approx(covered, abs=0.001)


@pytest.mark.parametrize("level", [0.01, 0.2, 0.95])
def test_what_costs_nothing_is_never_rare(level):
    """Not even where all surveys cost the same, of which only part counts."""
    for drawn in (np.zeros(199), np.ones(199)):
        usual = profile_likelihood.UsualCosts(drawn, regular=False, alike=0.05)
        assert usual.share_beyond(0.0) == 1
        assert usual.find_rare_cost(level) >= 0


@pytest.mark.slow
@pytest.mark.parametrize("case", [*CORNERS, Case(300, 0.5, 0.9, 2, "choice", "sub")], ids=str)
def test_the_map_judges_a_survey_as_its_interval_does(case):
    """It fits surveys together, and stops drawing when the answer is sure."""
    judge, counts = draw_surveys(case, 30)

    def hold(row):
        profile = Profile.of([(judge.channel, row)], tuple(case.within.values()))
        usual = profile.usual_costs(judge.cell, case.share).find_rare_cost(0.95)
        return profile.cost(judge.cell, case.share) <= usual + 1e-5

    assert judge.find_covered(counts).tolist() == [hold(row) for row in counts]


LATTICES = [
    Case(30, 0.1, 0.9, 1, "unrelated", "all"),
    Case(50, 0.1, 1.0, 1, "forced", "all"),
    Case(30, 0.01, 0.9, 2, "unrelated", "all"),
]


@pytest.mark.slow
@pytest.mark.parametrize("case", LATTICES, ids=str)
def test_the_interval_holds_what_the_test_accepts(case):
    """With few reports a cost is the rare one for a range of shares: the end is beyond them."""
    judge, counts = draw_surveys(case, 40)
    event, wrong = dict.fromkeys(case.names, "yes"), 0
    for row, accepted in zip(counts, judge.find_covered(counts), strict=True):
        table = row.reshape(judge.channel.shape).astype(np.int64)
        cells = np.argwhere(table)
        reports = cf.Counts(case.design, cells, table[tuple(cells.T)])
        share = cf.Crowd(case.design, reports).proportion(event, method="likelihood")
        low, high = share.interval()
        wrong += accepted != (low <= case.share <= high)
    assert wrong <= 1  # where the truth is as near to an end as it was looked for


def test_one_report_of_each_kind_tells_next_to_nothing():
    crowd = cf.Crowd(cf.Design([cf.YesNo("q")]), np.array([0, 1]))
    low, high = crowd.proportion({"q": "yes"}, method="likelihood").interval()
    assert low < 0.05 and high > 0.95


@pytest.mark.slow
@pytest.mark.parametrize("options", [[2], [3], [2, 3], [4, 4]], ids=str)
@pytest.mark.parametrize("n", [1, 2, 200])
def test_a_table_in_the_clear_has_intervals_too(options, n):
    """Truths that no report tells apart once a share is fixed at 1 stopped the fit."""
    names = [f"q{i}" for i in range(len(options))]
    questions = [
        cf.Choice(name, [f"o{j}" for j in range(size)])
        for name, size in zip(names, options, strict=True)
    ]
    codes = np.random.default_rng(1).integers(0, options, (n, len(options)))
    answers = np.char.add("o", codes.astype(str))
    table = cf.Crowd(cf.Design(questions), answers).table(names, method="likelihood").to_pandas()
    assert (table["low"] <= table["share"]).all() and (table["share"] <= table["high"]).all()
    assert (table["high"] - table["low"] > 0.5 / n).all()


@pytest.mark.statistical
def test_one_question_is_judged_by_even_steps_not_by_199_draws(monkeypatch):
    """The coverage is exact. The twin draws by one seed, and errs alike in every survey."""
    case = Case(5_000, 0.1, 0.55, 1, "related", "all")
    assert 0.94 < likelihood_map.measure(case)["coverage"] < 0.96

    def draw(n, chance):
        seeded = np.random.default_rng(20_000)
        return seeded.multinomial(n, [1 - chance, chance], 199)

    monkeypatch.setattr(profile_likelihood, "spread_surveys", draw)
    assert likelihood_map.measure(case)["coverage"] < 0.92


@pytest.mark.parametrize(("n", "chance"), [(1, 0.5), (30, 0.0), (30, 1.0), (400_000, 2e-5)])
def test_surveys_at_even_steps_are_quantiles_of_the_binomial(n, chance):
    steps = (np.arange(199) + 0.5) / 199
    found = profile_likelihood.spread_surveys(n, chance)
    np.testing.assert_array_equal(found[:, 1], binom.ppf(steps, n, chance))
    assert (found.sum(axis=1) == n).all()


def test_the_map_of_one_question_is_the_sum_over_all_surveys():
    case = Case(30, 0.1, 0.7, 1, "related", "all")
    exact = likelihood_map.measure(case)["coverage"]
    judge = likelihood_map.Judge.of(case)
    counts, chances = judge.list_surveys(1, seed=1)
    assert chances.sum() == pytest.approx(1)
    covered = dict(zip(counts[:, 1], judge.find_covered(counts), strict=True))
    drawn = np.random.default_rng(1).binomial(30, 0.1 * 0.7 + 0.9 * 0.3, 20_000)
    assert np.mean([covered[yes] for yes in drawn]) == pytest.approx(exact, abs=4 * 0.0016)


@pytest.mark.slow
def test_with_several_groups_it_is_narrower_than_the_score_interval():
    crowd = make_crowd(0.75, 4, np.random.default_rng(1).random((1000, 4)) < 0.2)
    event = {f"q{i}": "yes" for i in range(4)}
    score, profile = (crowd.proportion(event, method=m) for m in ("inverse", "likelihood"))
    assert np.diff(profile.interval()) < 0.5 * np.diff(score.interval())


@pytest.mark.slow
def test_tables_of_many_cells_and_drawn_samples_keep_the_score_interval():
    crowd = make_crowd(0.75, 5, np.random.default_rng(1).random((300, 5)) < 0.2)
    table = crowd.table(crowd.design.names, method="likelihood")
    low, high = table.interval()
    assert (low <= table.values).all() and (table.values <= high).all()
    assert type(table.intervals).__name__ == "ShareIntervals"
