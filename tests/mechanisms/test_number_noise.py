"""Noise on numbers: Table 1, the integrated channel and the exact steps, against simulation."""

from __future__ import annotations

from itertools import product
from math import inf, log

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import confide as cf
from confide.mechanisms import Randomness
from confide.mechanisms.stepped_noise import LARGEST_GRID

NOISES = [cf.UniformNoise, cf.GaussianNoise, cf.LaplaceNoise]
CONTINUOUS = cf.Number("age", 20, 80)
STEPPED = cf.Number("age", 20, 80, step=1)
GROUPED = cf.Number("age", 0, 120, step=0.5)  # several possible numbers in each interval


@pytest.mark.parametrize(
    ("confidence", "discrete", "gaussian"),
    [(0.5, 0.5, 1.34), (0.95, 0.95, 3.92), (0.999, 0.999, 6.58)],
)
def test_widths_are_those_of_table_1(confidence, discrete, gaussian):
    # The paper prints 6.8 for the last; the normal quantile gives 6.58.
    assert cf.UniformNoise(5).width(confidence) == pytest.approx(discrete * 10)
    assert cf.Intervals([0, 10, 20]).width(confidence) == pytest.approx(discrete * 10)
    assert cf.GaussianNoise(10).width(confidence) == pytest.approx(gaussian * 10, abs=0.1)


@pytest.mark.parametrize(("noise", "confidence"), list(product(NOISES, [0.5, 0.95, 0.999])))
def test_noise_made_for_a_privacy_hides_a_number_in_an_interval_so_wide(noise, confidence):
    made = noise.for_privacy(1.5, span=60, confidence=confidence)
    assert made.width(confidence) == pytest.approx(90)
    amounts = made.sample(CONTINUOUS, np.zeros(100_000), Randomness(seed=1))
    inside = (np.abs(amounts) <= 45).mean()
    assert abs(inside - confidence) < 4 * np.sqrt(confidence * (1 - confidence) / 100_000)
    halved = noise.for_privacy(0.75, span=60, confidence=confidence)
    assert halved.width(confidence) == pytest.approx(45)


@pytest.mark.parametrize(("noise", "asked"), list(product(NOISES, [CONTINUOUS, STEPPED, GROUPED])))
def test_the_channel_is_what_simulated_reports_show(noise, asked):
    mechanism = noise.for_privacy(0.5, span=60)
    other = noise.for_privacy(0.55, span=60)
    generator = np.random.default_rng(7)
    matrix, cell, n = mechanism.matrix(asked), 30, 200_000
    low, high = asked.grid.edges[cell : cell + 2]
    truth = generator.uniform(low, high, n)
    if asked.step:
        points = np.arange(asked.low, asked.high + asked.step / 2, asked.step)
        truth = generator.choice(points[(points >= low) & (points < high)], n)
    reports = mechanism.sample(asked, truth, Randomness(seed=8))
    codes = mechanism.report_grid(asked).code(reports)
    assert codes.min() >= 0
    seen = np.bincount(codes, minlength=len(matrix))

    def distance(chances):
        common = chances * n > 10
        return ((seen - chances * n)[common] ** 2 / (chances * n)[common]).sum() / common.sum()

    assert distance(matrix[:, cell]) < 1.5  # a χ² per degree of freedom
    if other.report_grid(asked).size == len(matrix):
        assert distance(other.matrix(asked)[:, cell]) > 1.5
    assert seen[matrix[:, cell] == 0].sum() == 0
    np.testing.assert_allclose(matrix.sum(axis=0), 1)


@pytest.mark.parametrize(("noise", "asked"), list(product(NOISES, [STEPPED, GROUPED])))
def test_the_weights_of_the_browser_give_the_channel(noise, asked):
    """Walk through the published rule, integer by integer, for every possible number."""
    mechanism = noise.for_privacy(0.2, span=60)
    table = mechanism.noise_weights(asked)
    offsets = np.array(table["offsets"])
    assert offsets.sum() == 2**32
    assert (offsets == offsets[::-1]).all()
    grid, matrix = mechanism.report_grid(asked), mechanism.matrix(asked)
    expected = np.zeros_like(matrix)
    points = round((asked.high - asked.low) / asked.step) + 1
    cells = asked.grid.code(asked.low + asked.step * np.arange(points))
    for point, cell in enumerate(cells):
        place = point + np.arange(len(offsets)) - len(offsets) // 2
        report = table["low"] + table["step"] * place.clip(table["lowest"], table["highest"])
        expected[:, cell] += np.bincount(grid.code(report), offsets / 2**32, len(matrix))
    np.testing.assert_allclose(matrix, expected / np.bincount(cells), atol=1e-12)


def test_on_a_grid_reports_are_on_the_grid_and_far_noise_stops_at_its_ends():
    noise = cf.LaplaceNoise(4)
    reports = noise.sample(STEPPED, np.full(100_000, 20.0), Randomness(seed=1))
    assert (reports == np.rint(reports)).all()
    assert reports.min() == 0  # five scales below 20
    assert reports.max() <= 100


def list_report_chances(noise, asked):
    """How likely each report is for each number, from the weights: (numbers, reports)."""
    table = noise.noise_weights(asked)
    offsets, points = np.array(table["offsets"]), round((asked.high - asked.low) / asked.step) + 1
    chances = np.zeros((points, table["highest"] - table["lowest"] + 1))
    for point in range(points):
        place = point + np.arange(len(offsets)) - len(offsets) // 2
        kept = place.clip(table["lowest"], table["highest"]) - table["lowest"]
        np.add.at(chances[point], kept, offsets)
    return chances


@pytest.mark.parametrize("asked", [STEPPED, GROUPED, cf.Number("level", 0, 4, step=1)])
def test_the_epsilon_of_laplace_noise_is_that_of_the_drawn_weights(asked):
    noise = cf.LaplaceNoise(20)
    chances = list_report_chances(noise, asked)
    brute = np.log(chances.max(axis=0) / chances.min(axis=0)).max()
    assert noise.epsilon([asked]) == pytest.approx(brute, abs=1e-12)
    assert brute == pytest.approx((asked.high - asked.low) / 20, rel=1e-3)


@pytest.mark.parametrize("asked", [STEPPED, GROUPED, cf.Number("level", 0, 4, step=1)])
@pytest.mark.parametrize("deviation", [2, 20, 200])
def test_on_a_grid_gaussian_noise_has_the_epsilon_of_the_drawn_weights(asked, deviation):
    noise = cf.GaussianNoise(deviation)
    chances = list_report_chances(noise, asked)
    brute = np.log(chances.max(axis=0) / chances.min(axis=0)).max()
    assert noise.epsilon([asked]) == pytest.approx(brute, abs=1e-12)
    assert brute <= log(2**32)
    span = (asked.high - asked.low) / deviation
    if deviation == 200:  # where no weight is as small as one
        assert brute == pytest.approx((span + 6) * span / 2, rel=0.15)


def test_uniform_noise_has_no_epsilon_and_gaussian_noise_only_on_a_grid():
    assert cf.UniformNoise(5).epsilon([STEPPED]) == inf
    assert cf.GaussianNoise(5).epsilon([CONTINUOUS]) == inf
    assert cf.LaplaceNoise(30).epsilon([CONTINUOUS]) == pytest.approx(2)
    assert cf.LaplaceNoise(30).epsilon([CONTINUOUS]) < log(8)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: cf.UniformNoise(0), "half_width of UniformNoise must be a positive number"),
        (lambda: cf.GaussianNoise(-1), "deviation of GaussianNoise must be a positive number"),
        (lambda: cf.LaplaceNoise(float("nan")), "scale of LaplaceNoise must be"),
        (lambda: cf.UniformNoise.for_privacy(0, span=60), "privacy must be a positive number"),
        (lambda: cf.UniformNoise.for_privacy(1, span=60, confidence=1), "confidence must be"),
        (lambda: one(cf.YesNo("cheated"), cf.UniformNoise(1)), "disguises one number question"),
        (lambda: one(STEPPED, cf.UniformNoise(0.5)), "every report would be true"),
        (lambda: one(cf.Number("x", 0, 1, step=1e-6), cf.GaussianNoise(1)), "possible numbers"),
        (lambda: one(STEPPED, cf.Intervals([30, 90])), "must cover age"),
        (lambda: cf.Number("age", 80, 20), "low of question 'age' must be below high"),
        (lambda: cf.Number("age", 20, inf), "high of question 'age' must be"),
        (lambda: cf.GaussianNoise(1).noise_weights(CONTINUOUS), "has no step"),
    ],
)
def test_noise_that_makes_no_sense_is_refused(make, words):
    with pytest.raises(cf.DesignError, match=words):
        make()


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([20.0, float("nan")], "holds no number from 20 to 80 in 1 of 2"),
        ([20.0, inf, 81.0], "holds no number from 20 to 80 in 2 of 3"),
        ([20.0, 20.5], "1 values between the possible ones"),
    ],
)
def test_answers_that_are_not_possible_are_refused_before_any_draw(values, words):
    with pytest.raises(cf.AnswersError, match=words):
        one(STEPPED, cf.UniformNoise(5)).disguise(np.array(values))


@pytest.mark.parametrize("asked", [CONTINUOUS, STEPPED])
@pytest.mark.parametrize("report", [14.0, 86.0, float("nan"), inf])
def test_reports_that_the_noise_cannot_produce_are_refused(asked, report):
    design = one(asked, cf.UniformNoise(5))
    with pytest.raises(cf.ReportsError, match=r"column 'age' holds no number .* in 1 of 2 reports"):
        cf.Crowd(design, np.array([50.0, report]))


@pytest.mark.parametrize("kind", NOISES)
@pytest.mark.parametrize("asked", [CONTINUOUS, STEPPED])
@pytest.mark.parametrize("report", [float("nan"), inf, -inf])
def test_reports_that_are_no_finite_numbers_are_refused_by_every_noise(kind, asked, report):
    design = one(asked, kind(5))
    frame = pd.DataFrame({"age": [50.0, report]})
    for reports in (frame["age"].to_numpy(), frame, duckdb.from_arrow(pa.table(frame))):
        with pytest.raises(cf.ReportsError, match=r"'age' holds no number.* in 1 of 2") as error:
            cf.Crowd(design, reports)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("kind", NOISES)
@pytest.mark.parametrize("amount", [0, -1, float("nan"), inf, "wide", True])
def test_noise_of_no_positive_amount_is_refused_in_one_line(kind, amount):
    for make in (kind, lambda given: kind.for_privacy(given, span=60)):
        with pytest.raises(cf.DesignError, match=r"must be a .*number.* Got ") as error:
            make(amount)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("asked", [cf.YesNo("cheated"), cf.Choice("cheated", ["a", "b", "c"])])
@pytest.mark.parametrize(
    "mechanism",
    [cf.UniformNoise(1), cf.GaussianNoise(1), cf.LaplaceNoise(1), cf.Intervals([0, 1, 2])],
)
def test_noise_on_a_question_that_is_no_number_is_refused_in_one_line(asked, mechanism):
    with pytest.raises(cf.DesignError, match=r"disguises one number question.* Use ") as error:
        one(asked, mechanism)
    assert "\n" not in str(error.value)


def one(question, mechanism):
    """A design of one question."""
    return cf.Design([question], [cf.Group([question.name], mechanism)])


def test_the_largest_grid_is_drawn():
    asked = cf.Number("x", 0, LARGEST_GRID - 1, step=1)
    reports = one(asked, cf.GaussianNoise(100)).disguise(np.full(50, 10.0), seed=1)
    assert len(set(reports)) > 10
