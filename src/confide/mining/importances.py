"""How much accuracy each question is worth to a model, from disguised test reports only.

Deal the true answers to one question to people anew, and the accuracy becomes

    Σ_v P(question = v) · P(model with v in place of the answer is right),

on average over all ways to deal them. What that is less than the accuracy is one more linear query
of the true answers, as the accuracy itself is. A person for whom the model does not look at the
question loses nothing. The shares P(question = v) are the likelihood's, and taken as known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from confide.arrays import Array, Codes
from confide.crowd import Crowd, Estimate
from confide.crowd.estimate import Quantity
from confide.mining.linear_means import Regions, estimate_means
from confide.mining.scored_model import Model


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
        lambda codes: _mark_losses(model, codes, shares),
        _list_events(model, shares),
        partial(model._weigh_losses, shares=shares),
    )
    errors = np.sqrt(means.covariance.diagonal().clip(0))
    for name, value, error in zip(used, means.values, errors, strict=True):
        found[name] = Quantity(float(value), float(error), crowd.n)
    return found


def _mark_losses(model: Model, codes: Codes, shares: Sequence[Array]) -> Array:
    """Mark how often the model is right no more with each question dealt anew.

    An answer that is dealt to somebody who gave it changes nothing, and is not asked for.
    """
    columns, labels = list(codes[:, :-1].T), codes[:, -1]
    right = (model._predict_labels(columns) == labels).astype(float)
    matters = model._find_questions_that_matter(columns)
    lost = np.zeros((len(codes), len(shares)))
    for place, chances in enumerate(shares):
        for code, chance in enumerate(chances):
            rows = np.flatnonzero(matters[:, place] & (columns[place] != code))
            if len(rows):
                dealt = codes[rows]
                dealt[:, place] = code
                still = model._predict_labels(list(dealt[:, :-1].T)) == labels[rows]
                lost[rows, place] += chance * (right[rows] - still)
    return lost


def _list_events(model: Model, shares: Sequence[Array]) -> Regions | None:
    """List the same as events with constant values; None where a model has no regions."""
    regions = model._list_regions()
    return None if regions is None else _follow_regions(model, regions, shares)


def _follow_regions(
    model: Model,
    regions: Sequence[tuple[dict[str, tuple[int, ...]], int, Array]],
    shares: Sequence[Array],
) -> Iterator[tuple[dict[str, tuple[int, ...]], Array]]:
    """Give the events in which a region's label is right, with each question dealt in turn."""
    used, units = list(model.used_), np.eye(len(shares))
    for where, label, _ in regions:
        right = {**where, model.target_: (label,)}
        yield right, units[[used.index(name) for name in where]].sum(axis=0)
        for name, codes in where.items():
            place, rest = used.index(name), {**right}
            del rest[name]
            yield rest, -float(shares[place][list(codes)].sum()) * units[place]
