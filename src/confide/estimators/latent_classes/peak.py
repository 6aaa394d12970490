"""The most likely mixture of products, found to the last digits that floats allow.

Expectation–maximisation creeps where coins hide much: thousands of steps, each a little uphill, and
where they are stopped depends on the processor. Newton's method finishes what it began. It works on
log odds against the first answer, which may be any numbers. Those of one distribution are measured
together, in units of what would be known of them if nothing were hidden: then all directions are
about as steep. A step of expectation–maximisation tells the gradient there: how many people it
expects to give each answer, less how many there are. Gradients at two places close to each other
tell the curvature between them. It is measured only in the directions that the gradient leads to
(Lanczos), as many as it takes to explain the gradient, so that a step stays cheap where there are
many questions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.arrays import Array
from confide.estimators.latent_classes.mixture_em import (
    PRIOR,
    TrainingReports,
    take_em_step,
)
from confide.estimators.latent_classes.product_mixtures import ProductMixtures
from confide.estimators.log_odds import Rows, add_to_log_odds
from confide.estimators.product_mixture import ProductMixture

_STEPS = 300  # some ten are needed
_DIRECTIONS = 200  # in which a step measures the curvature
_UNEXPLAINED = 0.1  # of the gradient may be left so; less near the peak
_ARRIVED = 1e-10  # a gradient as small as this is rounding
_APART = 1e-6  # the distance of two gradients that tell a curvature, in log odds
_FURTHEST = 2.0  # no step changes log odds by more
_FLATTEST = 1e-9  # a curvature as small as this is rounding
_ROUNDING = 1e-8  # log-likelihoods closer than this are alike
_HOPE = 4.0  # so many times what the next step promises may be gained in all


@dataclass(frozen=True, eq=False)
class FittedMixture:
    """A mixture of products, with what the reports say of it.

    Parameters
    ----------
    mixture : ProductMixture
        The mixture.
    log_likelihood : float
        The log-likelihood of the reports.
    gradient : array
        The derivative of `log_posterior` by each log odds.
    scale : array
        One over the standard error of each log odds if nothing were hidden.
    people : one array per array of distributions
        How many people are behind each distribution.
    """

    mixture: ProductMixture
    log_likelihood: float
    gradient: Array
    scale: Array
    people: list[Array]

    @property
    def log_posterior(self) -> float:
        """What is maximised: the log-likelihood with the people whom the prior adds."""
        tables = self.mixture.tables
        prior = float(sum(PRIOR * np.log(t).sum() / t.shape[1] for t in tables))
        return self.log_likelihood + (prior + float(PRIOR * np.log(self.mixture.weights).sum()))

    @property
    def score(self) -> float:
        """Akaike's information criterion, the larger the better."""
        return self.log_likelihood - self.gradient.size


def evaluate_fit(reports: TrainingReports, mixture: ProductMixture) -> FittedMixture:
    """Find what the reports say of a mixture."""
    stepped, log_chances = take_em_step(ProductMixtures.stack([mixture]), reports)
    before, after = distributions(mixture), distributions(stepped.member(0))
    people = sum(count.sum() for count in reports.counts) + PRIOR * mixture.weights.size
    sizes = people * stepped.weights.ravel()
    totals = [np.array([people]), *(sizes for _ in mixture.tables)]
    arrays = zip(totals, before, after, strict=True)
    gradient = np.concatenate([(n[:, None] * (b - a))[:, 1:].ravel() for n, a, b in arrays])
    rows = zip(totals, before, strict=True)
    scale = np.concatenate([(n[:, None] * a * (1 - a))[:, 1:].ravel() for n, a in rows])
    log_likelihood = float(reports.log_likelihood(log_chances)[0])
    return FittedMixture(mixture, log_likelihood, gradient, np.sqrt(scale), totals)


def distributions(mixture: ProductMixture) -> list[Array]:
    """Give the weights as one row, then all tables: each row is a distribution."""
    return [mixture.weights[None], *mixture.tables]


def from_distributions(rows: Rows) -> ProductMixture:
    """Give the mixture whose `distributions` these are."""
    return ProductMixture(rows[0][0], tuple(rows[1:]))


def climb_to_peak(
    reports: TrainingReports, start: ProductMixture, wanted: float = -np.inf
) -> FittedMixture:
    """Climb from a mixture to the nearest peak, while the wanted score is within reach."""
    here = evaluate_fit(reports, start)
    for _ in range(_STEPS):
        if np.linalg.norm(here.gradient / here.scale) < _ARRIVED:
            break
        step = _newton_step(reports, here)
        if here.score + _HOPE * (here.gradient @ step) < wanted:
            break
        there = evaluate_fit(reports, _add_to_log_odds(here.mixture, step))
        while there.log_posterior < here.log_posterior - _ROUNDING:
            step = step / 4
            there = evaluate_fit(reports, _add_to_log_odds(here.mixture, step))
        here = there
    return here


def _newton_step(reports: TrainingReports, here: FittedMixture) -> Array:
    """Give Newton's step in log odds, uphill also where the curvature has the wrong sign."""
    units = _find_units(here)
    gradient = _gather(units, here.gradient)
    steepness = float(np.linalg.norm(gradient))
    directions, products = (gradient / steepness)[None], np.empty((0, gradient.size))
    while True:
        products = np.vstack([products, _curvature_along(reports, here, units, directions[-1])])
        curvature = directions @ products.T
        values, vectors = np.linalg.eigh((curvature + curvature.T) / 2)
        along = vectors @ (steepness * vectors[0] / np.maximum(np.abs(values), _FLATTEST))
        rest = products[-1] - (directions @ products[-1]) @ directions
        rest = rest - (directions @ rest) @ directions  # twice: rounding leaves some the first time
        left = float(np.linalg.norm(rest))
        explained = left * abs(along[-1]) < min(_UNEXPLAINED, np.sqrt(steepness)) * steepness
        if explained or left < _FLATTEST or len(products) == min(_DIRECTIONS, gradient.size):
            break
        directions = np.vstack([directions, rest / left])
    step = _spread(units, along @ directions)
    return np.asarray(step * min(1.0, _FURTHEST / np.abs(step).max()))


def _curvature_along(
    reports: TrainingReports, here: FittedMixture, units: list[Array], direction: Array
) -> Array:
    """Measure how fast the gradient falls in a direction: the negative Hessian times it."""
    step = _spread(units, direction)
    apart = _APART / np.abs(step).max()
    there = evaluate_fit(reports, _add_to_log_odds(here.mixture, apart * step))
    return _gather(units, (here.gradient - there.gradient) / apart)


def _find_units(here: FittedMixture) -> list[Array]:
    """Find the log odds of one unit in each direction: (rows, log odds, units), for each array.

    The information about the log odds of a distribution p of n people is n·(diag(p) − p·pᵀ) without
    the first answer, its inverse (diag(1/p) + 1/p₀)/n: units are a root of that.
    """
    found: list[Array] = []
    for people, rows in zip(here.people, distributions(here.mixture), strict=True):
        own = np.eye(rows.shape[1] - 1) / rows[:, 1:, None] + 1 / rows[:, :1, None]
        found.append(np.asarray(np.linalg.cholesky(own / people[:, None, None]), float))
    return found


def _spread(units: list[Array], numbers: Array) -> Array:
    """Give the log odds of some numbers of units."""
    pairs = zip(units, _split(units, numbers), strict=True)
    return np.concatenate([np.einsum("rij,rj->ri", unit, part).ravel() for unit, part in pairs])


def _gather(units: list[Array], slopes: Array) -> Array:
    """Give the slopes by units, from those by log odds."""
    pairs = zip(units, _split(units, slopes), strict=True)
    return np.concatenate([np.einsum("rij,ri->rj", unit, part).ravel() for unit, part in pairs])


def _split(units: list[Array], numbers: Array) -> list[Array]:
    """Cut numbers, one for each log odds, into an array for each array of units."""
    ends = np.cumsum([len(unit) * unit.shape[1] for unit in units])[:-1]
    pairs = zip(np.split(numbers, ends), units, strict=True)
    return [part.reshape(len(unit), -1) for part, unit in pairs]


def _add_to_log_odds(mixture: ProductMixture, step: Array) -> ProductMixture:
    """Give the mixture whose log odds differ by a step."""
    return from_distributions(add_to_log_odds(distributions(mixture), step))
