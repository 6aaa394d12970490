"""Every mechanism is audited: what a million draws per answer show must not exceed its epsilon.

From the counts of reports per answer, each cell's probability gets a Clopper–Pearson bound, all of
them together at 99.9 % (Bonferroni). The largest log-ratio of a lower and an upper bound in one row
is the empirical epsilon that can be proved from the draws. It must not exceed the declared one,
and every declared probability must lie within its bounds.

Power: an epsilon 0.05 larger than declared is caught for every mechanism here, and so is a channel
whose weights were swapped or rounded to sixteenths.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import exp, inf, log

import numpy as np
import pytest
from scipy.special import betaincinv
from support.designs import group_matrix
from support.mechanisms import AUDITED, CERTAIN
from support.mechanisms import FINITE as EVERY_FINITE

import confide as cf
from confide.mechanisms import Channel, Randomness

pytestmark = pytest.mark.statistical

DRAWS = 1_000_000
CONFIDENCE = 0.999
EXCESS = 0.05

FINITE = {name: (asked, mechanism) for name, (asked, mechanism, _) in AUDITED.items()}
STRONGER = {name: stronger for name, (_, _, stronger) in AUDITED.items()}
INFINITE = CERTAIN


class Audit:
    """Counts of reports (rows) per answer (columns), with simultaneous bounds."""

    def __init__(self, counts, confidence=CONFIDENCE):
        self.draws = counts.sum(axis=0)
        each = (1 - confidence) / (2 * counts.size)
        some, rest = counts, self.draws - counts
        self.lower = np.where(some == 0, 0, betaincinv(np.maximum(some, 1), rest + 1, each))
        self.upper = np.where(rest == 0, 1, betaincinv(some + 1, np.maximum(rest, 1), 1 - each))

    @property
    def epsilon(self):
        """The largest log-ratio that the counts prove."""
        ratio = self.lower.max(axis=1) / self.upper.min(axis=1)
        return log(ratio.max())

    def passes(self, epsilon, matrix):
        inside = (self.lower <= matrix) & (matrix <= self.upper)
        return self.epsilon <= epsilon and bool(inside.all())


def cells(asked):
    return list(product(*(range(q.size) for q in asked)))


def counted(asked, disguised):
    """Disguise a million copies of each combination of answers; count the reports."""
    sizes = [q.size for q in asked]
    counts = [
        np.bincount(np.ravel_multi_index(disguised(truth), sizes), minlength=np.prod(sizes))
        for truth in cells(asked)
    ]
    return np.stack(counts, axis=1)


def by_design(asked, mechanism, seed):
    """The whole way that answers take: `design.disguise`."""
    design = cf.Design(asked, [cf.Group([q.name for q in asked], mechanism)])

    def disguised(truth):
        answers = np.tile(np.array(truth, np.int8), (DRAWS, 1))
        this = None if seed is None else seed + cells(asked).index(truth)
        return design.disguise(answers, seed=this).astype(np.int64).T

    return counted(asked, disguised)


def by_channel(asked, channel, seed):
    randomness = Randomness(seed)

    def disguised(truth):
        columns = [np.full(DRAWS, code, np.int8) for code in truth]
        return [column.astype(np.int64) for column in channel.sample(columns, randomness)]

    return counted(asked, disguised)


@pytest.mark.parametrize("name", FINITE)
def test_a_million_draws_show_no_more_than_the_declared_epsilon(name):
    asked, mechanism = FINITE[name]
    audit = Audit(by_design(asked, mechanism, seed=1))
    declared = mechanism.epsilon(asked)
    assert audit.passes(declared, group_matrix(mechanism, asked))
    assert (
        audit.epsilon > declared - EXCESS
    )  # and the audit is sharp enough to see nearly all of it


@pytest.mark.parametrize("name", INFINITE)
def test_where_epsilon_is_infinite_the_channel_is_still_the_declared_one(name):
    asked, mechanism = INFINITE[name]
    assert mechanism.epsilon(asked) == inf
    audit = Audit(by_design(asked, mechanism, seed=2))
    assert audit.passes(inf, group_matrix(mechanism, asked))


@pytest.mark.parametrize("name", ["related", "unrelated group", "keep", "matrix"])
def test_draws_from_the_secure_source_pass_the_same_audit(name):
    """No seed, so the bounds hold at 1 − 10⁻⁹: a false alarm once in a billion runs."""
    asked, mechanism = FINITE[name]
    audit = Audit(by_design(asked, mechanism, seed=None), confidence=1 - 1e-9)
    assert audit.passes(mechanism.epsilon(asked), group_matrix(mechanism, asked))


@pytest.mark.parametrize("name", FINITE)
def test_a_mechanism_that_leaks_a_little_more_than_declared_is_caught(name):
    asked, mechanism = FINITE[name]
    declared, real = mechanism.epsilon(asked), STRONGER[name].epsilon(asked)
    assert declared + EXCESS < real < declared + 3 * EXCESS
    assert Audit(by_design(asked, STRONGER[name], seed=3)).epsilon > declared


def swapped(channel):
    """The branches exchanged or, with one branch, two weights of the first answer."""
    if len(channel.odds) > 1:
        return rebuilt(channel.branch_weights[::-1], channel.tables)
    (table,) = (table.copy() for table in channel.tables)
    ends = [table[0, 0].argmax(), table[0, 0].argmin()]
    table[0, 0, ends] = table[0, 0, ends[::-1]]
    return rebuilt(channel.branch_weights, [table])


def rounded(channel):
    """Every probability rounded to sixteenths, as a lazy sampler would."""

    def sixteenths(weights):
        parts = np.round(16 * weights / weights.sum(axis=-1, keepdims=True)).astype(int)
        largest = parts.argmax(axis=-1, keepdims=True)
        mended = np.take_along_axis(parts, largest, -1) + 16 - parts.sum(axis=-1, keepdims=True)
        np.put_along_axis(parts, largest, mended, -1)
        return parts

    return rebuilt(sixteenths(channel.branch_weights), [sixteenths(t) for t in channel.tables])


def rebuilt(branch_weights, tables):
    """A channel of given integer weights."""
    odds = [Fraction(int(w), int(branch_weights.sum())) for w in branch_weights]
    branches = [
        [
            [
                [
                    Fraction(int(table[b, t, r]), int(table[b, t].sum()))
                    for t in range(len(table[b]))
                ]
                for r in range(table.shape[2])
            ]
            for table in tables
        ]
        for b in range(len(odds))
    ]
    return Channel(odds, branches)


@pytest.mark.parametrize("name", [*FINITE, *INFINITE])
@pytest.mark.parametrize("mutate", [swapped, rounded])
def test_a_channel_with_wrong_weights_is_caught(name, mutate):
    asked, mechanism = (FINITE | INFINITE)[name]
    mutant = mutate(mechanism.channel(asked))
    matrix = group_matrix(mechanism, asked)
    assert not Audit(by_channel(asked, mutant, seed=4)).passes(mechanism.epsilon(asked), matrix)


@pytest.mark.slow
def test_the_channel_itself_passes_where_its_mutants_do_not():
    for asked, mechanism in (FINITE | INFINITE).values():
        channel = mechanism.channel(asked)
        same = rebuilt(channel.branch_weights, channel.tables)
        audit = Audit(by_channel(asked, same, seed=4))
        assert audit.passes(mechanism.epsilon(asked), group_matrix(mechanism, asked))


NUMBER = cf.Number("x", 0, 10)
COARSE = np.array([-inf, -5, 0, 2.5, 5, 7.5, 10, 15, inf])


def laplace_audit(scale, seed, confidence=CONFIDENCE):
    """Numbers at both ends and in the middle, reports counted in coarse intervals."""
    design = cf.Design([NUMBER], [cf.Group(["x"], cf.LaplaceNoise(scale))])
    counts = []
    for i, number in enumerate((0.0, 5.0, 10.0)):
        answers = np.full(DRAWS, number)
        reports = design.disguise(answers, seed=None if seed is None else seed + i)
        counts.append(np.bincount(np.searchsorted(COARSE, reports) - 1, minlength=len(COARSE) - 1))
    return Audit(np.stack(counts, axis=1), confidence)


def laplace_matrix(scale):
    rows = [[below(edge, number, scale) for number in (0.0, 5.0, 10.0)] for edge in COARSE]
    return np.diff(rows, axis=0)


def below(edge, number, scale):
    """P(number + noise < edge)."""
    away = (edge - number) / scale
    return exp(away) / 2 if away < 0 else 1 - exp(-away) / 2


@pytest.mark.parametrize(("seed", "confidence"), [(5, CONFIDENCE), (None, 1 - 1e-9)])
def test_laplace_noise_shows_no_more_than_its_epsilon_on_coarse_intervals(seed, confidence):
    audit = laplace_audit(5, seed, confidence)
    declared = cf.LaplaceNoise(5).epsilon([NUMBER])
    assert audit.passes(declared, laplace_matrix(5))
    assert audit.epsilon > declared - EXCESS


def test_laplace_noise_a_twentieth_too_small_is_caught():
    assert laplace_audit(4.75, seed=6).epsilon > cf.LaplaceNoise(5).epsilon([NUMBER])


STEPPED = cf.Number("x", 0, 10, step=1)


def stepped_counts(scale, seed):
    """Every possible report of a number on a grid, counted by itself."""
    noise = cf.LaplaceNoise(scale)
    design = cf.Design([STEPPED], [cf.Group(["x"], noise)])
    low, *_, high = reports_of(STEPPED, noise)
    counts = []
    for number in (0, 5, 10):
        reports = design.disguise(np.full(DRAWS, float(number)), seed=seed + number)
        assert (reports == np.rint(reports)).all()  # no digits left to tell numbers apart
        counts.append(np.bincount(np.rint(reports).astype(int) - low, minlength=high - low + 1))
    return np.stack(counts, axis=1)


def reports_of(question, noise):
    """The numbers of the grid and as many steps beyond its ends as the noise reaches."""
    beyond = round(noise.reach / question.step)
    return range(int(question.low) - beyond, int(question.high) + beyond + 1)


def stepped_matrix(scale):
    """Laplace noise rounded to whole steps; what falls beyond the end reports becomes them."""
    reports = reports_of(STEPPED, cf.LaplaceNoise(scale))
    inner = [
        [below(report + 0.5, number, scale) for number in (0, 5, 10)] for report in reports[:-1]
    ]
    return np.diff([[0.0] * 3, *inner, [1.0] * 3], axis=0)


@pytest.mark.slow
def test_laplace_noise_on_a_grid_shows_no_more_than_its_epsilon_report_by_report():
    audit = Audit(stepped_counts(5, seed=8))
    declared = cf.LaplaceNoise(5).epsilon([STEPPED])
    assert audit.passes(declared, stepped_matrix(5))
    assert audit.epsilon > declared - EXCESS
    assert Audit(stepped_counts(4.75, seed=9)).epsilon > declared  # a twentieth too small


def test_noise_in_floating_point_rules_numbers_out_by_its_last_digits():
    """Why the statement warns of noise without a step: most reports of 0 cannot come from 3."""
    noise = cf.LaplaceNoise(5)
    design = cf.Design([NUMBER], [cf.Group(["x"], noise)])
    reports = design.disguise(np.zeros(20_000), seed=10)
    assert could_come_from(noise, reports, 0.0).mean() == 1
    assert could_come_from(noise, reports, 3.0).mean() < 0.5


def could_come_from(noise, reports, number):
    """Whether some draw near the one that fits best gives exactly this report."""
    away = (reports - number) / noise.scale
    chance = np.where(away < 0, np.exp(away) / 2, 1 - np.exp(-away) / 2)
    nearest = np.floor(chance * 2**52)
    draws = ((nearest[:, None] + np.arange(-8, 9)) + 0.5) / 2**52
    return (number + noise.quantile(draws) == reports[:, None]).any(axis=1)


def test_the_bounds_cover_as_often_as_they_say():
    """Of 2,000 audits of a fair sampler at 90 %, at least 88 % hold (three standard errors)."""
    generator = np.random.default_rng(7)
    matrix = np.array([[0.75, 0.25], [0.25, 0.75]])
    held = 0
    for _ in range(2_000):
        some = generator.binomial(1_000, matrix[0])
        audit = Audit(np.stack([some, 1_000 - some]), confidence=0.9)
        held += audit.passes(log(3), matrix)
    assert held / 2_000 > 0.9 - 3 * 0.3 / np.sqrt(2_000)


def test_no_finite_mechanism_escapes_the_audit():
    assert {type(mechanism) for _, mechanism in (FINITE | INFINITE).values()} == set(EVERY_FINITE)
