"""Models of compliance give the literature's estimates, and the truth in simulation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import confide as cf
from confide.compliance import (
    anchor_question,
    cheating_detection,
    extended_crosswise,
    stochastic_lie_detector,
    two_sample_unrelated,
)
from confide.compliance.behaviours import fit_kinds
from confide.compliance.design_sample import DesignSample

YES = {"cheated": {"yes": 1}}
HALF = {"cheated": {"yes": "1/2", "no": "1/2"}}


def design_of(mechanism):
    return cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], mechanism)])


FORCED = [design_of(cf.ForcedResponse(t, YES)) for t in ("1/4", "3/4")]
WARNER = [design_of(cf.RelatedQuestion(t)) for t in ("1/4", "9/10")]
UNRELATED = [design_of(cf.UnrelatedQuestion(t, HALF)) for t in ("3/10", "8/10")]
CROSSWISE = [design_of(cf.Crosswise(p)) for p in ("1/4", "3/4")]


def crowds_of(designs, yes, n=10_000):
    """Crowds with so many reports of yes."""
    pairs = zip(designs, yes, strict=True)
    return [cf.Crowd(d, np.repeat([1, 0], [each, n - each])) for d, each in pairs]


def simulate(designs, answers, seed=0, **how):
    return [
        cf.Crowd(d, cf.simulate(d, answers, seed=seed + i, **how)) for i, d in enumerate(designs)
    ]


def near(estimate, true, errors=5):
    return abs(estimate.value - true) < errors * estimate.standard_error


def test_cheating_detection_is_the_papers_solution():
    a, b = 0.55, 0.30  # the reported shares of yes; forced yes with 3/4 and 1/4
    found = cheating_detection(crowds_of(FORCED, [5500, 3000]), "cheated")
    honest_no = (a - b) / (3 / 4 - 1 / 4)
    honest_yes = a - honest_no * 3 / 4
    expected = [honest_yes, honest_no, 1 - honest_yes - honest_no]
    np.testing.assert_allclose([k.value for k in found.kinds.values()], expected, atol=1e-7)
    variance = (a * (1 - a) + b * (1 - b)) / 10_000 / (1 / 2) ** 2
    assert found.kinds["honest no"].standard_error == pytest.approx(np.sqrt(variance), rel=1e-6)
    np.testing.assert_allclose(found.bound, (honest_yes, honest_yes + expected[2]), atol=1e-7)
    assert (found.fit.degrees, found.fit.p_value) == (0, 1.0)


def test_the_lie_detector_is_the_papers_solution():
    p, q, a, b = 1 / 4, 9 / 10, 0.60, 0.26
    found = stochastic_lie_detector(crowds_of(WARNER, [6000, 2600]), "cheated")
    no = (a * q - b * p) / ((1 - p) * q - (1 - q) * p)
    assert found.share.value == pytest.approx(1 - no, abs=1e-7)
    honest = (a - no * (1 - p)) / p
    assert found.kinds["honest yes"].value == pytest.approx(honest, abs=1e-7)


def test_two_unrelated_samples_are_the_papers_solution():
    a, b = 0.40, 0.30
    found = two_sample_unrelated(crowds_of(UNRELATED, [4000, 3000]), "cheated")
    matrix = np.array([[0.3, 0.7], [0.8, 0.2]])
    inverse = np.linalg.inv(matrix)
    share, personal = inverse @ [a, b]
    assert found.share.value == pytest.approx(share, abs=1e-7)
    assert found.kinds["personal yes"].value == pytest.approx(personal, abs=1e-7)
    variance = inverse[0] ** 2 @ [a * (1 - a) / 10_000, b * (1 - b) / 10_000]
    assert found.share.standard_error == pytest.approx(np.sqrt(variance), rel=1e-6)


def test_shares_are_where_a_fine_grid_finds_the_likelihood_highest():
    samples = [
        DesignSample(np.array([[0.7, 0.25, 1.0], [0.3, 0.75, 0.0]]), np.array([640.0, 360.0])),
        DesignSample(np.array([[0.1, 0.9, 1.0], [0.9, 0.1, 0.0]]), np.array([700.0, 300.0])),
    ]
    found = fit_kinds(samples).shares
    grid = np.linspace(0, 1, 401)
    a, b = (x.ravel() for x in np.meshgrid(grid, grid))
    inside = a + b <= 1
    shares = np.stack([a, b, 1 - a - b])[:, inside]
    with np.errstate(divide="ignore"):
        height = sum(s.counts @ np.log(s.behaviour @ shares) for s in samples)
    best = shares[:, height.argmax()]
    np.testing.assert_allclose(found, best, atol=0.005)


@pytest.mark.statistical
@pytest.mark.parametrize("refusing", [0.0, 0.3])
def test_those_who_refuse_are_found(refusing):
    """Within 5 standard errors; the twin without the model is further off."""
    answers = np.repeat([1, 0], [12_000, 28_000])
    crowds = simulate(FORCED, answers, refusing=refusing)
    found = cheating_detection(crowds, "cheated")
    assert near(found.kinds["honest yes"], 0.3 * (1 - refusing))
    if refusing:
        assert near(found.kinds["refuses"], refusing)
        low, high = found.bound
        assert low < 0.3 < high
        naive = [crowd.proportion({"cheated": "yes"}) for crowd in crowds]
        assert not all(near(each, 0.3) for each in naive)


@pytest.mark.statistical
def test_a_yes_who_lies_is_found():
    draw = np.random.default_rng(5)
    answers = np.repeat([1, 0], [12_000, 28_000])
    crowds = []
    for seed, design in enumerate(WARNER):
        reports = design.disguise(answers, seed=seed)
        lies = (answers == 1) & (draw.random(40_000) < 0.4)
        crowds.append(cf.Crowd(design, np.where(lies, 0, reports)))
    found = stochastic_lie_detector(crowds, "cheated")
    assert near(found.share, 0.3)
    assert near(found.kinds["yes who lies"], 0.12)


@pytest.mark.statistical
def test_the_extended_crosswise_model_notices_who_does_not_follow():
    answers = np.repeat([1, 0], [4_000, 16_000])
    honest = extended_crosswise(simulate(CROSSWISE, answers), "cheated")
    assert near(honest.share, 0.2)
    assert honest.fit.degrees == 1
    assert honest.fit.p_value > 0.001
    cheated = extended_crosswise(simulate(CROSSWISE, answers, refusing=0.1), "cheated")
    assert cheated.fit.p_value < 1e-6


@pytest.mark.statistical
def test_an_anchor_corrects_for_those_who_do_not_read():
    groups = [cf.Group([name], cf.Crosswise("1/5")) for name in ("cheated", "anchor")]
    design = cf.Design([cf.YesNo("cheated"), cf.YesNo("anchor")], groups)
    answers = pd.DataFrame({"cheated": np.repeat([1, 0], [8_000, 32_000]), "anchor": 0})
    crowd = cf.Crowd(design, cf.simulate(design, answers, inattentive=0.25, seed=3))
    found = anchor_question(crowd, "cheated", "anchor")
    assert near(found.share, 0.2)
    assert near(found.kinds["inattentive"], 0.25)
    assert found.fit.degrees == 1
    assert found.fit.p_value > 0.001
    assert not near(crowd.proportion({"cheated": "yes"}), 0.2)
    assert found.bound[0] < 0.2 < found.bound[1]


@pytest.mark.statistical
@pytest.mark.slow
def test_intervals_of_cheating_detection_cover():
    """400 pairs of surveys; the coverage's standard error is 1.1 points: within 4 of 95 %."""
    answers = np.repeat([1, 0], [600, 1_400])
    covered = 0
    for survey in range(400):
        found = cheating_detection(simulate(FORCED, answers, 2 * survey, refusing=0.2), "cheated")
        kind = found.kinds["refuses"]
        covered += abs(kind.value - 0.2) < 1.96 * kind.standard_error
    assert 0.91 < covered / 400 < 0.99


def test_what_designs_cannot_tell_has_a_bound():
    """One forced design, or the same twice: λ = y + n/2 with y + n + r = 1 leaves a line."""
    forced = design_of(cf.ForcedResponse("1/2", YES))
    for designs, yes in (([forced], [4000]), ([forced] * 2, [4000, 4000])):
        found = cheating_detection(crowds_of(designs, yes), "cheated")
        assert found.share is None and not found.kinds
        # at least 0, if n = 0.8; at most all who are not an honest no: n = 0 gives y = 0.4, r = 0.6
        np.testing.assert_allclose(found.bound, (0, 1), atol=1e-7)
        assert "cannot be told" in repr(found)
        lied = stochastic_lie_detector(crowds_of(designs, yes), "cheated")
        np.testing.assert_allclose(lied.bound, (0.2, 1), atol=1e-7)  # 1 − n, n from 0 to 0.8
    certain = cheating_detection(crowds_of([forced], [10_000]), "cheated")  # every report is yes
    assert "cannot be told; between 1.000 and 1.000" in repr(certain)
    with pytest.raises(cf.QueryError, match="UnrelatedQuestion designs"):
        two_sample_unrelated(crowds_of(WARNER, [5000, 5000]), "cheated")


def test_the_bound_of_one_unrelated_sample_is_what_any_personal_share_leaves():
    """λ = θπ + (1 − θ)π_Y with π_Y from 0 to 1."""
    design = design_of(cf.UnrelatedQuestion("3/5", HALF))
    found = two_sample_unrelated(crowds_of([design], [5000]), "cheated")
    assert found.share is None
    np.testing.assert_allclose(found.bound, ((0.5 - 0.4) / 0.6, 0.5 / 0.6), atol=1e-7)


def test_a_bound_is_what_a_fine_grid_of_shares_leaves():
    behaviour = np.array([[0.7, 0.25, 1.0], [0.3, 0.75, 0.0]])
    found = fit_kinds([DesignSample(behaviour, np.array([640.0, 360.0]))])
    grid = np.linspace(0, 1, 1001)
    a, b = (x.ravel() for x in np.meshgrid(grid, grid))
    fits = (a + b <= 1) & (np.abs(0.3 * a + 0.75 * b - 0.36) < 4e-4)
    low, high = found.bound([0], [0, 2])
    assert low == pytest.approx(a[fits].min(), abs=0.003)
    assert high == pytest.approx((1 - b)[fits].max(), abs=0.003)


SYMMETRIC = [
    design_of(cf.ForcedResponse(t, {"cheated": {"yes": y, "no": 1 - y}}))
    for t, y in ((0.5, 0.75), (0.75, 0.25))
]


def test_the_symmetric_form_is_the_papers_solution():
    """CDMsym: λ_i = π(1 − p_no,i) + β·p_yes,i, and the rest say no."""
    p_yes, p_no = np.array([0.375, 0.0625]), np.array([0.125, 0.1875])
    honest_yes, honest_no = np.linalg.solve(np.stack([1 - p_no, p_yes], axis=1), [0.35, 0.20])
    found = cheating_detection(crowds_of(SYMMETRIC, [3500, 2000]), "cheated")
    assert found.kinds["honest yes"].value == pytest.approx(honest_yes, abs=1e-7)
    assert found.kinds["honest no"].value == pytest.approx(honest_no, abs=1e-7)
    assert found.kinds["refuses"].value == pytest.approx(1 - honest_yes - honest_no, abs=1e-7)


LITERATURE = {
    # the probability of a report of yes, from the papers' own parameters
    "CDM": (cheating_detection, FORCED, lambda s, a, b: a + b * (3 / 4, 1 / 4)[s]),
    "CDMsym": (
        cheating_detection,
        SYMMETRIC,
        lambda s, a, b: a * (0.875, 0.8125)[s] + b * (0.375, 0.0625)[s],
    ),
    "SLD": (
        stochastic_lie_detector,
        WARNER,
        lambda s, a, b: a * (1 / 4, 9 / 10)[s] + b * (3 / 4, 1 / 10)[s],
    ),
    "extended crosswise": (
        extended_crosswise,
        CROSSWISE,
        lambda s, a, b: (a * (1 / 4, 3 / 4)[s] + (1 - a) * (3 / 4, 1 / 4)[s]) + 0 * b,
    ),
}


@pytest.mark.parametrize("name", LITERATURE)
def test_the_likelihood_of_a_paper_is_highest_where_its_model_says(name):
    """By brute force over a fine grid of the paper's two parameters: honest yes, honest no."""
    model, designs, chance = LITERATURE[name]
    yes, n = [450, 300], 1000
    found = model(crowds_of(designs, yes, n), "cheated")
    kinds = list(found.kinds.values())
    grid = np.linspace(0, 1, 1001)
    a, b = (x.ravel() for x in np.meshgrid(grid, grid))
    a, b = a[a + b <= 1], b[a + b <= 1]
    with np.errstate(divide="ignore"):
        height = sum(
            each * np.log(chance(s, a, b)) + (n - each) * np.log(1 - chance(s, a, b))
            for s, each in enumerate(yes)
        )
    best = height.argmax()
    value = found.share if name == "extended crosswise" else kinds[0]
    assert value.value == pytest.approx(a[best], abs=0.002)
    if name != "extended crosswise":
        assert kinds[1].value == pytest.approx(b[best], abs=0.002)
    seen = sum(each * np.log(each / n) + (n - each) * np.log(1 - each / n) for each in yes)
    assert found.fit.g2 == pytest.approx(2 * (seen - height[best]), abs=0.02)


PLANNED = {
    "CDM": (cheating_detection, FORCED, {"refusing": 0.2}),
    "SLD": (stochastic_lie_detector, WARNER, {"lying": 0.3}),
    "extended crosswise": (extended_crosswise, CROSSWISE, {"refusing": 0.05}),
}


def simulate_survey(design, n, draw, refusing=0.0, lying=0.0):
    answers = (draw.random(n) < 0.3).astype(int)
    reports = cf.simulate(design, answers, refusing=refusing, seed=draw)
    return cf.Crowd(design, np.where((answers == 1) & (draw.random(n) < lying), 0, reports))


@pytest.mark.statistical
@pytest.mark.slow
@pytest.mark.parametrize("name", PLANNED)
def test_a_plan_foresees_what_surveys_find(name):
    """150 pairs of surveys: the mean, its spread and how often the fit notices."""
    model, designs, how = PLANNED[name]
    n, repeats, draw = 1500, 150, np.random.default_rng(11)
    expected = cf.compliance.plan(model, designs, "cheated", 2 * n, 0.3, **how)
    found = [
        model([simulate_survey(design, n, draw, **how) for design in designs], "cheated")
        for _ in range(repeats)
    ]
    shares = np.array([each.share.value for each in found])
    error = expected.share.standard_error
    assert abs(shares.mean() - expected.share.value) < 4 * error / np.sqrt(repeats)
    assert abs(shares.std() / error - 1) < 4 / np.sqrt(2 * repeats)
    if expected.power is not None:
        noticed = np.mean([each.fit.p_value < 0.05 for each in found])
        assert abs(noticed - expected.power) < 4 * np.sqrt(0.25 / repeats)
        assert expected.power > 0.2
        nobody = cf.compliance.plan(model, designs, "cheated", 2 * n, 0.3)
        assert nobody.power == pytest.approx(0.05, abs=1e-6)


def test_a_plan_refuses_what_are_no_shares():
    with pytest.raises(cf.QueryError, match="together at most 1"):
        cf.compliance.plan(
            cheating_detection, FORCED, "cheated", 900, 0.3, refusing=0.6, inattentive=0.6
        )


def test_a_pooled_crowd_holds_both_designs():
    crowds = crowds_of(FORCED, [5500, 3000])
    pooled = cheating_detection([cf.Crowd.pool(crowds)], "cheated")
    assert pooled == cheating_detection(crowds, "cheated")


def test_the_interval_of_a_sensitivity_holds_where_few_report_yes():
    """Wilson's interval of the reports: the ends are where a binomial score test turns."""
    crowd = cf.Crowd(WARNER[1], np.repeat([1, 0], [4, 46]))
    low, high = crowd.sensitivity("cheated", (0, 0.2), points=2)[1].share.interval()
    assert low == 0
    reported = (0.1 + 0.8 * high) * 0.8
    assert abs(0.08 - reported) / np.sqrt(reported * (1 - reported) / 50) == pytest.approx(1.959964)


@pytest.mark.slow
def test_a_sensitivity_is_drawn():
    crowd = cf.Crowd(WARNER[1], np.repeat([1, 0], [400, 600]))
    drawn = crowd.sensitivity("cheated", refusing=(0, 0.3)).plot().to_dict()
    assert [layer["mark"]["type"] for layer in drawn["layer"]] == ["area", "area", "line"]


def test_sensitivity_undoes_exactly_what_refusing_does():
    design = WARNER[1]
    share, refusing = 0.3, 0.2
    yes = round(100_000 * (1 - refusing) * (share * 0.9 + (1 - share) * 0.1))
    crowd = cf.Crowd(design, np.repeat([1, 0], [yes, 100_000 - yes]))
    points = crowd.sensitivity("cheated", (0, 0.4), points=5)
    assert [point.refusing for point in points] == pytest.approx([0, 0.1, 0.2, 0.3, 0.4])
    assert points[2].share.value == pytest.approx(share, abs=1e-5)
    assert points[0].share.value == pytest.approx(crowd.proportion({"cheated": "yes"}).value)
    assert points[2].low == pytest.approx(0.8 * share, abs=1e-5)
    assert points[2].high == pytest.approx(0.8 * share + 0.2, abs=1e-5)
    with pytest.raises(cf.QueryError, match="two shares"):
        crowd.sensitivity("cheated", (0.5, 1.0))


@pytest.mark.parametrize("kind", [pd.DataFrame, pa.table], ids=["pandas", "arrow"])
def test_a_simulated_crowd_comes_in_the_kind_of_its_answers(kind):
    faculty = cf.Choice("faculty", ["arts", "law"])
    groups = [cf.Group(["cheated"], cf.RelatedQuestion(1))]
    design = cf.Design([cf.YesNo("cheated"), faculty], groups)
    answers = kind({"cheated": ["yes"] * 1000, "faculty": ["law"] * 1000})
    reports = cf.simulate(design, answers, refusing=0.2, inattentive=0.4, seed=1)
    assert type(reports) is type(answers)
    no = sum(
        value == "no"
        for value in list(
            reports["cheated"].to_pandas() if kind is pa.table else reports["cheated"]
        )
    )
    assert 330 < no < 470  # 400 ± 4.5 standard errors
    assert set(pd.Series(np.asarray(reports["faculty"]))) == {"law"}
    with pytest.raises(cf.QueryError, match="together at most 1"):
        cf.simulate(design, answers, refusing=0.8, inattentive=0.4)


def test_a_result_prints_its_bound_only_where_it_is_more_than_one_share():
    designs = [design_of(cf.Crosswise(p)) for p in ("1/4", "3/4")]
    answers = np.repeat([1, 0], [600, 1400])
    crowds = [cf.Crowd(each, cf.simulate(each, answers, refusing=0.3, seed=1)) for each in designs]
    said = str(cf.compliance.extended_crosswise(crowds, "cheated"))
    assert "between" not in said and "p < 0.001" in said
    refuses = str(cf.compliance.stochastic_lie_detector(crowds[:1], "cheated"))
    assert refuses.startswith("share of yes: cannot be told; between 0.")


def test_a_prospect_prints_and_travels_as_a_result_does():
    designs = [design_of(cf.Crosswise(p)) for p in ("1/4", "3/4")]
    model = cf.compliance.extended_crosswise
    foreseen = cf.compliance.plan(model, designs, "cheated", 2000, 0.3, refusing=0.05)
    assert str(foreseen).startswith("share of yes: 0.3")
    assert str(foreseen).endswith("power of the fit: 0.62")
    assert foreseen.to_arrow().column("kind").to_pylist() == ["share of yes", "no", "yes"]


def test_what_is_no_crowd_is_refused_in_one_line():
    design = design_of(cf.Crosswise("1/4"))
    crowd = cf.Crowd(design, np.array([0, 1, 1]))
    with pytest.raises(cf.QueryError, match="take crowds"):
        cf.compliance.anchor_question([crowd], "cheated", "cheated")
    with pytest.raises(cf.QueryError, match="take crowds"):
        cf.compliance.extended_crosswise([design], "cheated")
