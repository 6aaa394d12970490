"""By how much a predictor moves the prediction, on average over the people asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from confide.arrays import Array
from confide.errors import QueryError, show
from confide.extras import PandasFrame
from confide.regression.model import RegressionModel
from confide.regression.spread import Spread, find_quantiles
from confide.regression.variables import load_pandas

_STEP = 1e-5
_ROUNDING = 1e-9
"""A smaller derivative is 0: it may meet the enormous variance of a coefficient that runs away."""


def marginal_effects(
    model: RegressionModel, params: Array, spread: Spread, unknown: Sequence[str]
) -> PandasFrame:
    """Average marginal effects with 95 % intervals, one row per effect.

    An effect that moves a parameter without an estimate has no standard error; of the others such
    a parameter takes nothing away.

    The average is over the rows, each as often as it was reported, and over the disguised
    predictors as the fit says they are spread.
    """
    found = dict(_contrasts(model))
    if not found:
        raise QueryError(f"the formula {show(model.formula.text)} has no predictor to move.")
    names, contrasts = found.keys(), found.values()

    def effects(at: Array) -> Array:
        weights = np.exp(model.likelihood.cell_shares(model.drop_deviation(at)))
        weights = weights * (model.likelihood.counts / model.likelihood.n)[:, None]
        own = model.drop_deviation(at)
        return np.concatenate([_average(model, own, weights, *contrast) for contrast in contrasts])

    values = effects(params)
    gradients = _differentiate(effects, params)
    moving = [_moves_unknown(model, unknown, contrast) for contrast in contrasts]
    lost = np.repeat(moving, len(values) // len(found))
    errors = np.where(lost, np.nan, spread.find_errors(gradients))
    reach = find_quantiles(0.975, spread.count_freedom(gradients))
    outcomes = model.outcome_labels()
    index = [f"{name}{outcome}" for name in names for outcome in outcomes]
    return load_pandas().DataFrame(
        {
            "dy/dx": values,
            "std err": errors,
            "0.025": values - reach * errors,
            "0.975": values + reach * errors,
        },
        index=index,
    )


Contrast = tuple[list[Array], list[Array], float]
"""Design matrices of each cell with the predictor moved, and not; and what to divide by."""


def _contrasts(model: RegressionModel) -> Iterator[tuple[str, Contrast]]:
    """For each predictor the comparison that says what it does."""
    cells = range(model.likelihood.cells)
    frames = [model.in_cell(model.frame, d) for d in cells]

    def matrices(name: str, change: Any) -> list[Array]:
        moved = [frame.assign(**{name: change(frame[name])}) for frame in frames]
        return [model.formula.matrix(frame) for frame in moved]

    for name in model.frame.columns:
        column = frames[0][name]
        levels = model.formula.levels(name)
        if model.is_yes_no(name):
            yield name, (matrices(name, lambda c: c * 0 + 1), matrices(name, lambda c: c * 0), 1.0)
        elif levels is not None and model.frame[name].isin(levels).all():
            base = matrices(name, lambda c, to=levels[0]: _all(c, to))
            for level in levels[1:]:
                there = matrices(name, lambda c, to=level: _all(c, to))
                yield f"{name} = {level}", (there, base, 1.0)
        elif levels is None and column.dtype.kind in "biuf":
            step = _STEP * max(float(np.std(column)), 1e-8)
            up = matrices(name, lambda c, by=step: c + by)
            down = matrices(name, lambda c, by=step: c - by)
            yield name, (up, down, 2 * step)


def _all(column: Any, level: object) -> Any:
    """The column, were everybody at one level."""
    changed = column.copy()
    changed[:] = level
    return changed


def _average(
    model: RegressionModel,
    params: Array,
    weights: Array,
    moved: list[Array],
    base: list[Array],
    by: float,
) -> Array:
    moves = [
        weights[:, d] @ (model.predict(params, there) - model.predict(params, here))
        for d, (there, here) in enumerate(zip(moved, base, strict=True))
    ]
    return np.sum(moves, axis=0) / by


def _moves_unknown(model: RegressionModel, unknown: Sequence[str], contrast: Contrast) -> bool:
    """Whether a comparison changes a column whose parameter has no estimate."""
    without = np.isin(model.names, unknown)
    places = model.likelihood.slices[: model.family.predictors]
    return any(
        bool((without[place] & (moved != base).any(axis=0)).any())
        for there, here in zip(contrast[0], contrast[1], strict=True)
        for place, moved, base in zip(
            places, model.family.designs(there), model.family.designs(here), strict=True
        )
    )


def _differentiate(function: Any, params: Array) -> Array:
    """The derivatives of several numbers in the parameters, by central differences."""
    columns = []
    for j, value in enumerate(params):
        step = np.zeros(len(params))
        step[j] = _STEP * max(1.0, abs(value))
        columns.append((function(params + step) - function(params - step)) / (2 * step[j]))
    found = np.stack(columns, axis=1)
    return np.where(np.abs(found) < _ROUNDING, 0.0, found)
