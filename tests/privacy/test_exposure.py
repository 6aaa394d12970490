"""The adversary with the whole report, against a sum over every truth, coin and report."""

from __future__ import annotations

from functools import reduce
from itertools import product

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.designs import designs, group_matrix, random_codes
from support.mixtures import known_crowd
from support.properties import examples

import confide as cf
from confide.privacy import exposure as exposure_module

SEEDS = st.integers(0, 2**31)


def theta(mechanism):
    return None if mechanism.coin is None else float(mechanism.coin)


class Oracle:
    """P(report, coins, truth) as one array, from Kronecker products of the papers' matrices."""

    def __init__(self, design, table):
        grouped = [name for group in design.groups for name in group.questions]
        self.order = grouped + [name for name in design.names if name not in grouped]
        self.sizes = [design.question(name).size for name in self.order]
        places = [design.names.index(name) for name in self.order]
        self.truth = np.transpose(table, places).ravel()
        self.sides = []
        for group in design.groups:
            asked = [design.question(name) for name in group.questions]
            matrix, t = group_matrix(group.mechanism, asked), theta(group.mechanism)
            eye = np.eye(len(matrix))
            self.sides.append([matrix] if t is None else [t * eye, matrix - t * eye])
        self.clear = [np.eye(design.question(n).size) for n in self.order[len(grouped) :]]
        self.design = design

    def joint(self, coins):
        """P(report, these coins, truth); None for a coin that is not looked at."""
        factors = [
            sum(sides) if coin is None else sides[min(coin, len(sides) - 1)]
            for sides, coin in zip(self.sides, coins, strict=True)
        ]
        return reduce(np.kron, [*factors, *self.clear]) * self.truth

    def coin(self, group):
        coins = [None] * len(self.sides)
        found = []
        for side in (0, 1):
            coins[group] = side
            found.append(self.joint(coins).sum(axis=1))
        return np.maximum(*found).sum()

    def all_coins(self):
        choices = [range(len(sides)) for sides in self.sides]
        tables = [self.joint(coins).sum(axis=1) for coins in product(*choices)]
        return np.max(tables, axis=0).sum()

    def answer(self, name):
        joint = self.joint([None] * len(self.sides)).reshape(-1, *self.sizes)
        axis = self.order.index(name) + 1
        others = tuple(i for i in range(1, joint.ndim) if i != axis)
        return joint.sum(axis=others).max(axis=1).sum()

    def all_answers(self):
        return self.joint([None] * len(self.sides)).max(axis=1).sum()

    def check(self, exposure, all_answers=True):
        for group, coin in enumerate(exposure.coins):
            if theta(self.design.groups[group].mechanism) is None:
                assert coin is None
            else:
                assert coin.mean == pytest.approx(self.coin(group), abs=1e-9)
        if any(coin is not None for coin in exposure.coins):
            assert exposure.all_coins.mean == pytest.approx(self.all_coins(), abs=1e-9)
        for name in self.design.names:
            assert exposure.answers[name].mean == pytest.approx(self.answer(name), abs=1e-9)
        if all_answers:
            assert exposure.all_answers.mean == pytest.approx(self.all_answers(), abs=1e-9)


def random_table(design, seed):
    generator = np.random.default_rng(seed)
    table = generator.exponential(size=[q.size for q in design.questions]) ** 3
    table[generator.random(table.shape) < 0.3] = 0
    table.flat[0] += 0.01
    return table / table.sum()


@examples(40)
@given(designs(most_questions=4, most_groups=3), SEEDS)
def test_a_given_joint_crowd_is_used_in_full(design, seed):
    table = random_table(design, seed)
    Oracle(design, table).check(cf.privacy.of(design, crowd=table).exposure)


@examples(40)
@given(designs(most_questions=4, most_groups=3), SEEDS)
def test_a_crowd_of_independent_answers_is_used_in_full(design, seed):
    generator = np.random.default_rng(seed)
    priors = {q.name: generator.dirichlet(np.ones(q.size)) for q in design.questions}
    table = reduce(np.multiply.outer, [priors[name] for name in design.names])
    Oracle(design, table).check(cf.privacy.of(design, crowd=priors).exposure)


@examples(40)
@given(designs(most_questions=4, most_groups=3), SEEDS)
def test_classes_give_what_their_joint_table_gives(design, seed):
    generator = np.random.default_rng(seed)
    weights = generator.dirichlet(np.ones(3))
    shares = {q.name: generator.dirichlet(np.ones(q.size), 3) for q in design.questions}
    table = sum(
        weight * reduce(np.multiply.outer, [shares[name][k] for name in design.names])
        for k, weight in enumerate(weights)
    )
    found = exposure_module.measure_exposure(design, known_crowd(weights, shares))
    Oracle(design, table).check(found, all_answers=found.all_answers is not None)


@examples(30)
@given(designs(most_questions=3), SEEDS)
def test_no_guess_is_worse_than_the_guess_without_a_report(design, seed):
    exposure = cf.privacy.of(design, crowd=random_table(design, seed)).exposure
    for name in design.names:
        assert exposure.answers[name].mean >= exposure.guess_without_report(name) - 1e-9
    for group, coin in enumerate(exposure.coins):
        if coin is not None:
            t = theta(design.groups[group].mechanism)
            assert coin.mean >= max(t, 1 - t) - 1e-9


def flips(truth, *parts):
    names = [name for part in parts for name in part]
    groups = [cf.Group(list(part), cf.RelatedQuestion(truth)) for part in parts]
    return cf.Design([cf.YesNo(name) for name in names], groups)


def test_with_nothing_known_the_coin_is_as_hidden_as_theta_says():
    exposure = cf.privacy.of(flips(0.6, "ab", "cd")).exposure
    assert [coin.mean for coin in exposure.coins] == pytest.approx([0.6, 0.6])
    assert exposure.all_coins.mean == pytest.approx(0.36)
    assert exposure.all_answers.mean == pytest.approx(0.36)


def test_a_crowd_without_opposites_gives_every_coin_away():
    crowd = {("yes", "yes"): 0.5, ("yes", "no"): 0.5}
    exposure = cf.privacy.of(flips(0.6, "ab"), crowd=crowd).exposure
    assert exposure.coins[0].mean == pytest.approx(1)
    assert exposure.all_answers.share(1.0) == pytest.approx(1)


def test_the_distribution_over_reports_says_whom_it_hits():
    """Nine in ten report a pattern without an opposite, one in ten one of two opposites."""
    crowd = {("yes", "yes", "no"): 0.9, ("yes", "no", "no"): 0.05, ("no", "yes", "yes"): 0.05}
    coin = cf.privacy.of(flips(0.75, "abc"), crowd=crowd).exposure.coins[0]
    assert coin.share(0.99) == pytest.approx(0.9)
    assert coin.quantile(0.05) == pytest.approx(0.75)
    assert coin.quantile(0.5) == pytest.approx(1)
    assert coin.mean == pytest.approx(0.9 + 0.1 * 0.75)


def test_a_report_and_its_coin_tell_the_answers_of_flipped_classes():
    population = known_crowd(
        np.array([0.5, 0.5]), {n: np.array([[0.9, 0.1], [0.3, 0.7]]) for n in "abc"}
    )
    exposure = exposure_module.measure_exposure(flips(0.6, "ab", "c"), population)
    assert exposure.all_answers.mean == pytest.approx(exposure.all_coins.mean)


def test_drawn_reports_agree_with_all_reports(monkeypatch):
    """Two independent ways to one number: within four standard errors of 10,000 draws."""
    design = flips(0.6, "abc", "de")
    table = random_table(design, 3)
    whole = cf.privacy.of(design, crowd=table).exposure
    monkeypatch.setattr(exposure_module, "_ENUMERATED", 4)
    drawn = cf.privacy.of(design, crowd=table).exposure
    assert whole.drawn is None and drawn.drawn == 10_000
    for a, b in [*zip(whole.coins, drawn.coins, strict=True), (whole.all_coins, drawn.all_coins)]:
        assert abs(a.mean - b.mean) < 4 * np.std(b.values) / 100
    other = cf.privacy.of(flips(0.9, "abc", "de"), crowd=table).exposure.all_coins
    assert abs(other.mean - whole.all_coins.mean) > 4 * np.std(other.values) / 100


def test_noise_on_numbers_and_clear_answers_take_part():
    design = cf.Design(
        [cf.YesNo("a"), cf.Number("x", 0, 10, step=5), cf.YesNo("clear")],
        [
            cf.Group(["a"], cf.RelatedQuestion(0.6)),
            cf.Group(["x"], cf.UniformNoise(5)),
        ],
    )
    table = np.zeros((2, 3, 2))
    table[0, 0, 0] = table[1, 2, 1] = 0.5  # the clear answer tells all
    exposure = cf.privacy.of(design, crowd=table).exposure
    assert exposure.coins[0].mean == pytest.approx(1)
    assert exposure.coins[1] is None
    assert exposure.answers["x"].mean == pytest.approx(1)


@pytest.mark.slow
def test_forty_questions_in_one_three_and_forty_groups_are_answered():
    names = [f"q{i}" for i in range(40)]
    shares = dict.fromkeys(names, 0.1)
    for parts in ([names], [names[:13], names[13:26], names[26:]], [[n] for n in names]):
        exposure = cf.privacy.of(flips(0.75, *parts), crowd=shares).exposure
        assert exposure.all_coins is not None and exposure.all_answers is not None
        assert all(0.75 - 0.01 <= coin.mean <= 1 for coin in exposure.coins)  # of 10,000 drawn
    one = cf.privacy.of(flips(0.75, names), crowd=shares).exposure
    assert one.coins[0].mean > 0.999  # a person with 36 yeses is unheard of in this crowd


@pytest.mark.parametrize(
    ("crowd", "message"),
    [
        (np.full((2, 2), 0.3), "must sum to 1"),
        (np.full(4, 0.25), "one axis per question"),
        ({("yes",): 1.0}, "2 options a combination"),
        ({("yes", "maybe"): 1.0}, "no option 'maybe'"),
        ({"c": 0.5}, "no question 'c'"),
        ("everyone", "must be made of numbers"),
    ],
)
def test_a_crowd_that_does_not_fit_the_design_is_refused(crowd, message):
    with pytest.raises(cf.QueryError, match=message):
        cf.privacy.of(flips(0.6, "ab"), crowd=crowd)


def test_a_crowd_of_other_questions_or_options_is_refused():
    other = cf.Crowd(cf.Design([cf.YesNo("z")]), np.array([0, 1]))
    with pytest.raises(cf.QueryError, match="no question 'a'"):
        cf.privacy.of(flips(0.6, "ab"), crowd=other)
    options = cf.Design([cf.Choice("a", ["red", "blue"]), cf.YesNo("b")])
    coloured = cf.Crowd(options, pa.table({"a": ["red"], "b": ["no"]}))
    with pytest.raises(cf.QueryError, match="a has other options"):
        cf.privacy.of(flips(0.6, "ab"), crowd=coloured)


def test_a_sub_population_is_no_crowd_to_judge_by():
    design = flips(0.6, "ab")
    crowd = cf.Crowd(design, random_codes(design, 100, 1))
    with pytest.raises(cf.QueryError, match="whole crowd"):
        cf.privacy.of(design, crowd=crowd.given({"a": "yes"}))


def test_a_joint_table_too_large_to_search_is_refused():
    design = flips(0.6, [f"q{i}" for i in range(11)])
    with pytest.raises(cf.QueryError, match="Give a Crowd instead"):
        cf.privacy.of(design, crowd=np.full((2,) * 11, 1 / 2**11))
