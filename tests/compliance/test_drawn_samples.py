"""Models of compliance with weights, strata and clusters, and where all reports are alike."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import confide as cf
from confide.compliance import (
    anchor_question,
    cheating_detection,
    extended_crosswise,
    stochastic_lie_detector,
    two_sample_unrelated,
)

HALF = {"cheated": {"yes": "1/2", "no": "1/2"}}


def design_of(mechanism):
    return cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], mechanism)])


FORCED = [design_of(cf.ForcedResponse(t, {"cheated": {"yes": 1}})) for t in ("1/4", "3/4")]
WARNER = [design_of(cf.RelatedQuestion(t)) for t in ("1/4", "9/10")]
UNRELATED = [design_of(cf.UnrelatedQuestion(t, HALF)) for t in ("3/10", "8/10")]
CROSSWISE = [design_of(cf.Crosswise(p)) for p in ("1/4", "3/4")]
MODELS = [
    (cheating_detection, FORCED),
    (stochastic_lie_detector, WARNER),
    (two_sample_unrelated, UNRELATED),
    (extended_crosswise, CROSSWISE),
]


def draw_schools(design, seed, schools=40, size=25):
    """Pupils of a school are much alike: the share of yes is 0.05 in half of them, 0.55 in half."""
    draw = np.random.default_rng(seed)
    share = np.where(draw.random(schools) < 0.5, 0.05, 0.55)
    school = np.repeat(np.arange(schools), size)
    answers = pd.DataFrame(
        {"cheated": (draw.random(len(school)) < share[school]).astype(int), "school": school}
    )
    return cf.simulate(design, answers, seed=draw, refusing=0.1, keep=["school"])


@pytest.mark.parametrize(("model", "designs"), MODELS)
def test_weights_count_as_so_many_people(model, designs):
    frames, several = [], []
    for place, design in enumerate(designs):
        draw = np.random.default_rng(place)
        reports = pd.DataFrame({"cheated": draw.integers(0, 2, 300), "w": draw.integers(1, 4, 300)})
        frames.append(cf.Crowd(design, reports.astype({"w": float}), weights="w"))
        several.append(cf.Crowd(design, reports.loc[reports.index.repeat(reports["w"])]))
    weighed, repeated = model(frames, "cheated"), model(several, "cheated")
    for name, kind in weighed.kinds.items():
        assert kind.value == pytest.approx(repeated.kinds[name].value, abs=0.01)
        assert kind.n == 600


@pytest.mark.slow
def test_errors_of_clusters_are_those_of_leaving_one_out_at_a_time():
    frames = [draw_schools(design, seed) for seed, design in enumerate(FORCED)]

    def fit(parts):
        crowds = [cf.Crowd(d, f, clusters="school") for d, f in zip(FORCED, parts, strict=True)]
        return cheating_detection(crowds, "cheated")

    whole = fit(frames)
    total = dict.fromkeys(whole.kinds, 0.0)
    for place in (0, 1):
        for school in range(40):
            parts = list(frames)
            parts[place] = parts[place][parts[place]["school"] != school]
            for name, kind in fit(parts).kinds.items():
                total[name] += 39 / 40 * (kind.value - whole.kinds[name].value) ** 2
    for name, kind in whole.kinds.items():
        assert kind.standard_error == pytest.approx(np.sqrt(total[name]), rel=0.03)


@pytest.mark.slow
@pytest.mark.statistical
def test_intervals_cover_where_people_of_a_school_are_alike():
    """100 pairs of surveys; 95 % is met within 3 standard errors of 2.2 points.

    The twin that leaves the schools out covers less often than that.
    """
    covered, blind = 0, 0
    for seed in range(100):
        frames = [draw_schools(design, 2 * seed + i) for i, design in enumerate(FORCED)]
        for options in ({"clusters": "school"}, {}):
            crowds = [cf.Crowd(d, f, **options) for d, f in zip(FORCED, frames, strict=True)]
            share = cheating_detection(crowds, "cheated").share
            holds = share.p_value(0.3 * 0.9) > 0.05
            covered, blind = covered + (holds and bool(options)), blind + (holds and not options)
    assert covered >= 88 > blind


@pytest.mark.slow
@pytest.mark.statistical
def test_the_fit_of_a_drawn_sample_is_not_rejected_because_schools_differ():
    """150 surveys in which people follow: at 5 % about 7 are rejected; the twin rejects more."""
    rejected, blind = 0, 0
    for seed in range(150):
        draw, crowds, plain = np.random.default_rng(seed), [], []
        for design in CROSSWISE:
            share = np.repeat(np.where(draw.random(30) < 0.5, 0.0, 0.6), 20)
            answers = pd.DataFrame(
                {"cheated": (draw.random(600) < share).astype(int), "school": np.arange(600) // 20}
            )
            reports = design.disguise(answers, seed=draw, keep=["school"])
            crowds.append(cf.Crowd(design, reports, clusters="school"))
            plain.append(cf.Crowd(design, reports))
        rejected += extended_crosswise(crowds, "cheated").fit.p_value < 0.05
        blind += extended_crosswise(plain, "cheated").fit.p_value < 0.05
    assert rejected <= 16 < blind


@pytest.mark.parametrize(("model", "designs"), MODELS)
@pytest.mark.parametrize(
    ("yes", "options"),
    [((0, 0), {"weights": "w"}), ((30, 30), {"clusters": "school"}), ((30, 0), {}), ((0, 30), {})],
)
def test_reports_that_are_all_alike_are_not_exact(model, designs, yes, options):
    crowds = []
    for design, each in zip(designs, yes, strict=True):
        reports = pd.DataFrame({"cheated": np.repeat([1, 0], [each, 30 - each])})
        more = {"w": np.resize([1.0, 2.0], 30), "school": np.resize([0, 1, 2], 30)}
        crowds.append(cf.Crowd(design, reports.assign(**more), **options))
    found = model(crowds, "cheated")
    for kind in (found.share, *found.kinds.values()):
        assert 0 < kind.standard_error < 1
    low, high = found.share.interval()
    assert 0 <= low <= found.share.value + 1e-6 and found.share.value - 1e-6 <= high <= 1
    assert high - low > 0.04


def test_the_end_of_an_interval_is_where_what_came_in_is_rare():
    """60 of 60 say no, so an honest yes was never seen: (1 − s)⁶⁰ = 5 % at s = 0.0487."""
    crowds = [cf.Crowd(design, np.zeros(30, int)) for design in FORCED]
    low, high = cheating_detection(crowds, "cheated").kinds["honest yes"].interval()
    assert low == 0 and high == pytest.approx(0.0487, abs=0.005)


def test_a_share_pressed_against_0_is_not_called_a_perfect_fit():
    crowds = [
        cf.Crowd(design, np.repeat([1, 0], [yes, 1000 - yes]))
        for design, yes in zip(FORCED, (300, 900), strict=True)  # more yes where fewer are dictated
    ]
    found = cheating_detection(crowds, "cheated")
    assert found.kinds["honest no"].value == pytest.approx(0, abs=1e-6)
    assert found.fit.degrees == 1 and found.fit.p_value < 1e-6


def test_an_anchor_takes_weights_and_a_sensitivity_clusters():
    groups = [cf.Group([name], cf.Crosswise("1/5")) for name in ("cheated", "anchor")]
    design = cf.Design([cf.YesNo("cheated"), cf.YesNo("anchor")], groups)
    answers = pd.DataFrame({"cheated": np.resize([1, 0, 0, 0], 4000), "anchor": 0})
    answers = answers.assign(
        w=np.where(answers["cheated"] == 1, 3.0, 1.0), town=np.arange(4000) % 9
    )
    reports = cf.simulate(design, answers, inattentive=0.2, seed=3, keep=["w", "town"])
    found = anchor_question(cf.Crowd(design, reports, weights="w"), "cheated", "anchor")
    assert abs(found.share.value - 0.5) < 4 * found.share.standard_error < 0.2
    crowd = cf.Crowd(design, reports, clusters="town")
    (first, _) = crowd.sensitivity("cheated", (0, 0.2), points=2)
    same = crowd.proportion({"cheated": "yes"})
    assert first.share.value == pytest.approx(same.value)
    assert first.share.standard_error == pytest.approx(same.standard_error, rel=1e-3)


def test_a_sensitivity_of_reports_that_are_all_alike_is_not_exact():
    point = cf.Crowd(WARNER[1], np.zeros(30, int)).sensitivity("cheated", points=2)[0]
    low, high = point.share.interval()
    assert low == 0 and high > 0.02 and point.share.standard_error > 0.01


def test_no_crowd_is_one_line():
    with pytest.raises(cf.QueryError, match="at least one crowd"):
        cheating_detection([], "cheated")
