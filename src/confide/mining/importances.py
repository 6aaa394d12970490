"""How much accuracy each question is worth to a model, from disguised test reports only.

Deal the true answers to one question to people anew, and the accuracy becomes

    Σ_v P(question = v) · P(model with v in place of the answer is right),

on average over all ways to deal them. That is one more linear query of the true answers, as the
accuracy itself is, so both come from the same reports with the covariance of their errors. The
shares P(question = v) are the likelihood's, and taken as known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from confide.arrays import Array, Codes
from confide.crowd import Crowd, Estimate
from confide.crowd.estimate import Quantity
from confide.mining.linear_means import Regions, estimate_means
from confide.mining.scoring import Model


def estimate_importances(model: Model, crowd: Crowd) -> dict[str, Estimate]:
    """Estimate the accuracy that each question is worth; 0 for those that are not looked at."""
    used = list(model.used_)
    features = [name for name in model.design_.names if name != model.target_]
    found: dict[str, Estimate] = {name: Quantity(0.0, 0.0, crowd.n) for name in features}
    if not used:
        return found
    shares = [crowd.table([name], method="likelihood").values for name in used]
    means = estimate_means(
        crowd.batches,
        [*used, model.target_],
        lambda codes: _mark_right(model, codes, shares),
        _list_events(model, used, shares),
    )
    for place, name in enumerate(used, start=1):
        contrast = np.zeros(len(means.values))
        contrast[0], contrast[place] = 1, -1
        variance = float(contrast @ means.covariance @ contrast)
        error = float(np.sqrt(max(variance, 0.0)))
        found[name] = Quantity(float(means.values[0] - means.values[place]), error, crowd.n)
    return found


def _mark_right(model: Model, codes: Codes, shares: Sequence[Array]) -> Array:
    """Mark where the model is right, and how often with each question dealt anew."""
    columns, labels = list(codes[:, :-1].T), codes[:, -1]
    marks = [(model._predict_labels(columns) == labels).astype(float)]
    for place, chances in enumerate(shares):
        mark = np.zeros(len(codes))
        for code, chance in enumerate(chances):
            dealt = [*columns]
            dealt[place] = np.full_like(columns[place], code)
            mark += chance * (model._predict_labels(dealt) == labels)
        marks.append(mark)
    return np.stack(marks, axis=1)


def _list_events(model: Model, used: list[str], shares: Sequence[Array]) -> Regions | None:
    """List the same as events with constant values; None where a model has no regions."""
    regions = model._list_regions()
    return None if regions is None else _follow_regions(model.target_, regions, used, shares)


def _follow_regions(
    target: str,
    regions: Sequence[tuple[dict[str, tuple[int, ...]], int, Array]],
    used: list[str],
    shares: Sequence[Array],
) -> Iterator[tuple[dict[str, tuple[int, ...]], Array]]:
    """Give the events in which a region's label is right, with each question open in turn."""
    units = np.eye(len(used) + 1)
    for where, label, _ in regions:
        right = {**where, target: (label,)}
        open_to_all = [place for place, name in enumerate(used) if name not in where]
        yield right, units[0] + units[[place + 1 for place in open_to_all]].sum(axis=0)
        for place, name in enumerate(used):
            if name in where:
                rest = {each: codes for each, codes in right.items() if each != name}
                yield rest, float(shares[place][list(where[name])].sum()) * units[place + 1]
