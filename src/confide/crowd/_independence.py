"""Whether two answers are independent, and whether several crowds answer alike.

Both are score tests: the distance from the hypothesis is a vector of means of per-report weights,
and its covariance is the one that the hypothesis implies for reports through the channel. Without a
disguise the statistics are Pearson's χ².
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.arrays import Array
from confide.crowd._shares import require_somebody
from confide.crowd._subpopulation import Subpopulation
from confide.crowd.significance import SignificanceTest
from confide.errors import QueryError
from confide.estimators.expectation_maximisation import ReportedTable
from confide.estimators.inverse import invert_tables
from confide.estimators.table_channel import DENSE_CELLS

_RANK = 1e-10  # of the largest eigenvalue: a direction in which nothing varies


def judge_independence(people: Subpopulation, first: str, second: str) -> SignificanceTest:
    """Test whether two answers are independent among some people.

    The distance of each cell is that of (1_i − p_i)(1_j − q_j), with p and q the shares of either
    answer: to first order their own uncertainty does not matter.
    """
    observed = _report(people, [first, second])
    truth = invert_tables(observed)
    within = tuple(people.within.values())
    share = _find_share(truth[within])
    margins = [_make_possible(truth[within].sum(axis=axis) / share) for axis in (1, 0)]
    fitted = truth.clip(0)
    fitted[within] = share * np.multiply.outer(*margins)
    rows, columns = (_deviate(each) for each in margins)
    contrasts = [np.multiply.outer(row, column) for row in rows for column in columns]
    distance, spread = _measure(people, observed, fitted / fitted.sum(), contrasts)
    values, vectors = np.linalg.eigh(spread)  # only directions in which anything varies count
    kept = values > _RANK * max(float(values.max(initial=0.0)), 0.0)
    statistic = float((((distance @ vectors)[kept]) ** 2 / values[kept]).sum())
    freedom = int(kept.sum())
    return SignificanceTest(statistic, freedom, people.n, _find_residual([people], freedom))


def judge_homogeneity(crowds: Sequence[Subpopulation], question: str) -> SignificanceTest:
    """Test whether several crowds have the same shares of a question's answers.

    The common shares are the crowds' own, weighed by the information that each has.
    """
    if len(crowds) < 2:
        raise QueryError("at least two crowds are needed to tell whether they answer alike.")
    if len({people.design.question(question).values for people in crowds}) > 1:
        raise QueryError(f"{question} does not have the same options in all crowds.")
    observed = [_report(people, [question]) for people in crowds]
    truths = [invert_tables(each) for each in observed]
    inside = [truth[tuple(p.within.values())] for truth, p in zip(truths, crowds, strict=True)]
    shares = [_find_share(each) for each in inside]
    found = [each / share for each, share in zip(inside, shares, strict=True)]
    sizes = [people.n * share for people, share in zip(crowds, shares, strict=True)]
    common = _make_possible(np.average(found, axis=0, weights=sizes))
    spreads = []
    for people, tables, truth, share in zip(crowds, observed, truths, shares, strict=True):
        within, fitted = tuple(people.within.values()), truth.clip(0)
        fitted[within] = share * common
        spread = _measure(people, tables, fitted / fitted.sum(), list(_deviate(common)))[1]
        spreads.append(spread / share**2)
    information = [np.linalg.pinv(spread, _RANK, hermitian=True) for spread in spreads]
    own = [each[:-1] for each in found]
    pulled = sum(info @ each for info, each in zip(information, own, strict=True))
    middle = np.linalg.pinv(sum(information), _RANK, hermitian=True) @ pulled
    statistic = sum(
        (each - middle) @ info @ (each - middle)
        for info, each in zip(information, own, strict=True)
    )
    rank = sum(int(np.linalg.matrix_rank(s, hermitian=True)) for s in spreads) // len(spreads)
    n = sum(people.n for people in crowds)
    freedom = rank * (len(crowds) - 1)
    return SignificanceTest(float(statistic), freedom, n, _find_residual(crowds, freedom))


def _report(people: Subpopulation, names: list[str]) -> list[ReportedTable]:
    axes = [*people.within, *names]
    if not people.invertible(names):
        raise QueryError(
            f"a test of {' and '.join(names)} needs answers without noise on a number. Use "
            "correlation for numbers with noise."
        )
    if not people.can_keep(axes):
        raise QueryError(
            f"a test of {', '.join(axes)} needs {people.table_size(axes):,} cells; at most "
            f"{DENSE_CELLS:,} are possible. Cut numbers into fewer intervals."
        )
    return people.list_reported_tables(axes)


def _find_share(inside: Array) -> float:
    share = float(inside.sum())
    require_somebody(share)
    return share


def _make_possible(shares: Array) -> Array:
    """The nearest shares that are possible: none is negative, and they add up to 1."""
    positive = shares.clip(0)
    return np.asarray(positive / positive.sum())


def _deviate(shares: Array) -> Array:
    """1_i − p_i as a function of the answer, one row for each answer i but the last."""
    return np.asarray(np.eye(len(shares))[:-1] - shares[:-1, None])


def _measure(
    people: Subpopulation,
    observed: Sequence[ReportedTable],
    fitted: Array,
    contrasts: Sequence[Array],
) -> tuple[Array, Array]:
    """The means of some contrasts of the true answers, and their covariance by a fitted table.

    Where people were not drawn alike, the covariance is that of the reports as they were drawn.
    """
    within = tuple(people.within.values())
    distance, spread = np.zeros(len(contrasts)), np.zeros((len(contrasts), len(contrasts)))
    for counts, batch in zip(people.batches, observed, strict=True):
        rows = []
        for contrast in contrasts:
            function = np.zeros(batch.channel.shape)
            function[within] = contrast
            rows.append(batch.channel.weights(function))
        weights = np.array(rows)
        part = counts.n / people.n
        flat = weights.reshape(len(rows), -1)
        distance += part * (flat @ batch.shares.ravel())
        if counts.drawn is None:
            expected = batch.channel.apply(fitted).ravel()
            mean = flat @ expected
            covariance = ((flat * expected) @ flat.T - np.outer(mean, mean)) / counts.n
        else:
            places = [counts.design.position(name) for name in batch.channel.questions]
            covariance = counts.drawn.covariance_of_estimates(
                weights[:, *counts.patterns[:, places].T]
            )
        spread += part**2 * covariance
    return distance, spread


def _find_residual(crowds: Sequence[Subpopulation], freedom: int) -> float | None:
    """The degrees of freedom of the variances, where people were not drawn alike."""
    drawn = [
        b.drawn.freedom_of_means for people in crowds for b in people.batches if b.drawn is not None
    ]
    if drawn and min(drawn) < freedom:
        raise QueryError(
            f"a test with {freedom} degrees of freedom needs more clusters, or people: their "
            f"variances have {min(drawn):g}."
        )
    return min(drawn) if drawn else None
