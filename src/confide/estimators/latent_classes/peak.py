"""The most likely latent classes, found to the last digits that floats allow.

Expectation–maximisation creeps where coins hide much: thousands of steps, each a little uphill, and
where they are stopped depends on the processor. Newton's method arrives. It works on log odds
against the first answer, which may be any numbers, each in units of its standard error if nothing
were hidden. A step of expectation–maximisation tells the slope there: how many people it expects
to give each answer, less how many there are. Slopes at two places close to each other tell the
curvature between them. It is measured only in the directions that the slope leads to (Lanczos), as
many as it takes to explain the slope, so that a step stays cheap where there are many questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.arrays import Array
from confide.counts import Counts
from confide.estimators.latent_classes.latent_classes import LatentClasses
from confide.estimators.latent_classes.reported import HalvedReports

_STEPS = 300  # some ten are needed
_DIRECTIONS = 200  # in which a step measures the curvature
_EXPLAINED = 0.1  # of the slope may be left unexplained; less near the peak
_ARRIVED = 1e-10  # a slope as small as this is rounding
_APART = 1e-6  # the distance of two slopes that tell a curvature, in log odds
_FURTHEST = 2.0  # no step changes log odds by more
_FLATTEST = 1e-9  # a curvature as small as this is rounding
_ROUNDING = 1e-8  # log-likelihoods closer than this are alike
_HOPE = 4.0  # so many times what the next step promises may be gained in all


class ReportsToFit:
    """Batches of reports, laid out for the fit."""

    def __init__(self, batches: Sequence[Counts]) -> None:
        self._batches = [HalvedReports(batch) for batch in batches]
        pairs = zip(self._batches, batches, strict=True)
        self._counts = [laid.pairs.laid(batch.reports[None]) for laid, batch in pairs]
        self.n = sum(batch.n for batch in batches)

    def improved(self, model: LatentClasses) -> tuple[LatentClasses, Array]:
        """A step of expectation–maximisation, and each member's log-likelihood before it."""
        improved, logs = model.improved(self._batches, self._counts)
        pairs = zip(logs, self._counts, strict=True)
        each = [(log * count).reshape(len(log), -1).sum(axis=1) for log, count in pairs]
        return improved, np.sum(each, axis=0)

    def fit(self, model: LatentClasses) -> Fit:
        """What the reports say of one member."""
        improved, likelihood = self.improved(model)
        people = self.n + model.weights.size  # the prior adds one to each class
        sizes = people * improved.weights.ravel()
        totals = [np.array([people]), *(sizes for _ in model.tables)]
        arrays = zip(totals, model.arrays, improved.arrays, strict=True)
        slope = np.concatenate([(n[:, None] * (b - a))[:, 1:].ravel() for n, a, b in arrays])
        rows = zip(totals, model.arrays, strict=True)
        scale = np.concatenate([(n[:, None] * a * (1 - a))[:, 1:].ravel() for n, a in rows])
        return Fit(model, float(likelihood[0]), slope, np.sqrt(scale))


@dataclass(frozen=True, eq=False)
class Fit:
    """Classes, with what the reports say of them.

    Parameters
    ----------
    model : LatentClasses
        One member.
    likelihood : float
        The log-likelihood of the reports.
    slope : array
        How fast it rises, with the people that the prior adds, by each log odds.
    scale : array
        One over the standard error of each log odds if nothing were hidden.
    """

    model: LatentClasses
    likelihood: float
    slope: Array
    scale: Array

    @property
    def height(self) -> float:
        """What is maximised: the log-likelihood, of the people that the prior adds too."""
        return self.likelihood + self.model.prior

    @property
    def score(self) -> float:
        """Akaike's information criterion, the larger the better."""
        return self.likelihood - self.slope.size


def climb_to_peak(reports: ReportsToFit, start: LatentClasses, wanted: float = -np.inf) -> Fit:
    """Climb from some classes to the nearest peak, while the wanted score is within reach."""
    here = reports.fit(start)
    for _ in range(_STEPS):
        if np.linalg.norm(here.slope / here.scale) < _ARRIVED:
            break
        step = _step(reports, here)
        if here.score + _HOPE * (here.slope @ step) < wanted:
            break
        there = reports.fit(_moved(here.model, step))
        while there.height < here.height - _ROUNDING:
            step = step / 4
            there = reports.fit(_moved(here.model, step))
        here = there
    return here


def _step(reports: ReportsToFit, here: Fit) -> Array:
    """Newton's step in log odds: the slope over the curvature, uphill also in a hollow."""
    slope = here.slope / here.scale
    steepness = float(np.linalg.norm(slope))
    directions, bends = (slope / steepness)[None], np.empty((0, slope.size))
    while True:
        bends = np.vstack([bends, _bend(reports, here, directions[-1])])
        curvature = directions @ bends.T
        values, vectors = np.linalg.eigh((curvature + curvature.T) / 2)
        along = vectors @ (steepness * vectors[0] / np.maximum(np.abs(values), _FLATTEST))
        rest = bends[-1] - (directions @ bends[-1]) @ directions
        rest = rest - (directions @ rest) @ directions  # twice: rounding leaves some the first time
        left = float(np.linalg.norm(rest))
        explained = left * abs(along[-1]) < min(_EXPLAINED, np.sqrt(steepness)) * steepness
        if explained or left < _FLATTEST or len(bends) == min(_DIRECTIONS, slope.size):
            break
        directions = np.vstack([directions, rest / left])
    step = along @ directions / here.scale
    return np.asarray(step * min(1.0, _FURTHEST / np.abs(step).max()))


def _bend(reports: ReportsToFit, here: Fit, direction: Array) -> Array:
    """How fast the slope falls in a direction."""
    step = direction / here.scale
    apart = _APART / np.abs(step).max()
    there = reports.fit(_moved(here.model, apart * step))
    return (here.slope - there.slope) / apart / here.scale


def _moved(model: LatentClasses, step: Array) -> LatentClasses:
    """Classes whose log odds differ by a step."""
    ends = np.cumsum([array[:, 1:].size for array in model.arrays])[:-1]
    moved = []
    for array, change in zip(model.arrays, np.split(step, ends), strict=True):
        logs = np.log(array)
        logs[:, 1:] += change.reshape(len(array), -1)
        chances = np.exp(logs - logs.max(axis=1, keepdims=True))
        moved.append(chances / chances.sum(axis=1, keepdims=True))
    return LatentClasses(moved[0], moved[1:])
