"""Expectation–maximisation that leaps ahead (SQUAREM, Varadhan and Roland, 2008).

Where coins hide much, steps are small and follow each other in nearly the same direction. Two of
them tell the direction and how fast it bends; from that the place is guessed to which many more
would lead. The guess is made in logarithms, so that it stays a distribution, for each member alone.
A guess that makes a member's reports less likely than its first step did is not followed, and the
next one goes less far.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array
from confide.estimators.latent_classes.half_reports import TINY
from confide.estimators.latent_classes.mixture_em import (
    PRIOR,
    TrainingReports,
    take_em_step,
)
from confide.estimators.latent_classes.product_mixtures import ProductMixtures

Places = tuple[Array, Array, Array]
"""Logarithms of distributions at three places in a row: before a step, after it, after the next."""
_FURTHEST, _FURTHER = 4.0, 4.0
"""How many steps long a leap may be at first, and how many times longer after one that reached so
far; after one that failed it may be as many times shorter."""


def run_accelerated_em(
    model: ProductMixtures,
    reports: TrainingReports,
    leaps: Iterable[object],
    fixed: Sequence[int] = (),
    is_over: Callable[[ProductMixtures, list[Array]], bool] = lambda *_: False,
) -> ProductMixtures:
    """Run expectation–maximisation with one leap, which takes three steps, for each item.

    Parameters
    ----------
    model, reports, fixed
        As for `run_em`.
    leaps : iterable
        One leap is made for each item: ``range(60)``, or the same within a progress bar.
    is_over : callable
        Is told the members before each leap, with the log-chances of all patterns by batch; whether
        to stop there.
    """
    furthest = np.full(len(model), _FURTHEST)
    for _ in leaps:
        first, log_chances = take_em_step(model, reports, fixed)
        if is_over(model, log_chances):
            break
        second, after_first = take_em_step(first, reports, fixed)
        places = _zip_logs(model, first, second)
        wanted = _measure_leap(first, places)
        length = wanted.clip(1, furthest)
        there = _leap(model, first, places, length)
        beyond, after_leap = take_em_step(there, reports, fixed)
        better = _posterior(there, reports, after_leap) >= _posterior(first, reports, after_first)
        model = _choose_by_member(better, beyond, second)
        furthest = np.where(better & (wanted >= furthest), furthest * _FURTHER, furthest)
        furthest = np.where(better, furthest, np.maximum(length / _FURTHER, 1))
    return model


def _posterior(model: ProductMixtures, reports: TrainingReports, log_chances: list[Array]) -> Array:
    """Give each member's log-likelihood with the people whom the prior adds."""
    rows = [PRIOR * np.log(model.weights)]
    added = reports.count_added([table.shape[1] for table in model.tables])
    rows += [people * _take_logs(table) for people, table in zip(added, model.tables, strict=True)]
    return reports.log_likelihood(log_chances) + _sum_by_member(rows, len(model))


def _sum_by_member(rows: Sequence[Array], members: int) -> Array:
    return np.asarray(np.sum([row.reshape(members, -1).sum(axis=1) for row in rows], axis=0))


def _measure_leap(first: ProductMixtures, places: Sequence[Places]) -> Array:
    """Say by how many steps each member may leap: a step's length over that of its bend.

    Changes of logarithms count as much as there are people behind them.
    """
    steps, bends = [], []
    for people, (before, after, later) in zip(_list_people(first), places, strict=True):
        steps.append(people * (after - before) ** 2)
        bends.append(people * (later - 2 * after + before) ** 2)
    members = len(first)
    step, bend = _sum_by_member(steps, members), _sum_by_member(bends, members)
    return np.sqrt(step / np.maximum(bend, TINY))


def _list_people(model: ProductMixtures) -> list[Array]:
    """Give the shares of people behind the weights and behind each table's entries."""
    weights = model.weights.reshape(-1, 1)
    return [model.weights, *(weights * table for table in model.tables)]


def _zip_logs(
    start: ProductMixtures, first: ProductMixtures, second: ProductMixtures
) -> list[Places]:
    """Give the logarithms of three models' weights, then of each question's tables."""
    arrays = [[model.weights, *model.tables] for model in (start, first, second)]
    return [
        (_take_logs(before), _take_logs(after), _take_logs(later))
        for before, after, later in zip(*arrays, strict=True)
    ]


def _take_logs(chances: Array) -> Array:
    """Give logarithms; what is fixed at 0 has one too, and keeps it."""
    return np.log(np.maximum(chances, TINY))


def _leap(
    start: ProductMixtures, first: ProductMixtures, places: Sequence[Places], length: Array
) -> ProductMixtures:
    """Leap so many steps from the start, by member."""
    by_component = np.repeat(length, start.weights.shape[1])
    weights, *tables = places
    return ProductMixtures(
        _extrapolate(weights, length),
        [
            old if new is old else _extrapolate(logs, by_component)
            for old, new, logs in zip(start.tables, first.tables, tables, strict=True)
        ],
    )


def _extrapolate(places: Places, length: Array) -> Array:
    """Follow three places further; each row becomes a distribution again."""
    (before, after, later), far = places, length[:, None]
    logs = before + 2 * far * (after - before) + far**2 * (later - 2 * after + before)
    chances = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(chances / chances.sum(axis=1, keepdims=True))


def _choose_by_member(
    which: NDArray[np.bool_], yes: ProductMixtures, no: ProductMixtures
) -> ProductMixtures:
    """Take some members from one model and the others from another."""
    by_component = np.repeat(which, yes.weights.shape[1])[:, None]
    pairs = zip(yes.tables, no.tables, strict=True)
    return ProductMixtures(
        np.where(which[:, None], yes.weights, no.weights),
        [one if one is other else np.where(by_component, one, other) for one, other in pairs],
    )
