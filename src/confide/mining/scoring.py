"""How good a model is, from disguised test reports only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import partial
from math import isnan, nan, sqrt

import numpy as np
import pyarrow as pa

from confide.arrays import Array, Codes
from confide.crowd import Crowd, Estimate
from confide.crowd.arrow_rows import ArrowRows
from confide.crowd.comparison import scale
from confide.crowd.estimate import Approximation
from confide.crowd.weighed_share import WeighedReports, estimate_weighed_share
from confide.errors import ModelError
from confide.estimators.merged_intervals import has_noise
from confide.estimators.weight_moments import PointMoments
from confide.mining.likely_accuracy import HARDLY_TELLS, Accuracy, find_likely_share
from confide.mining.linear_means import Regions, estimate_means
from confide.mining.personal_interval import PersonalInterval
from confide.mining.scored_model import Model
from confide.mining.weighed_functions import Means

_SMALLEST = float(np.finfo(float).eps)
"""A probability below this counts as this much in the log loss."""


FEW_REPORTS = 1_000
"""With fewer reports a cross-validated accuracy is further off than its error says."""


def join_folds(scores: Sequence[Estimate]) -> Estimate:
    """The mean accuracy over folds: that of models learned from as many reports as a fold leaves.

    Such models differ. What the folds vary by beyond their test reports is the variance between
    models; the training sets overlap, so it counts 1/k + 1/(k − 1) times (Nadeau and Bengio 2003).
    With fewer than a thousand reports that covers too seldom to be called 95 %.
    """
    n, k = sum(score.n for score in scores), len(scores)
    weights = np.array([score.n for score in scores]) / n
    values = np.array([score.value for score in scores])
    squares = np.array([score.standard_error**2 for score in scores])
    between = max(float(values.var(ddof=1) - squares.mean()), 0.0)
    error = sqrt(float(weights**2 @ squares) + between * (1 / k + 1 / (k - 1)))
    kind = Estimate if n >= FEW_REPORTS else Approximation
    return kind(float(weights @ values), error, n)


@dataclass(frozen=True)
class Evaluation(ArrowRows):
    """What disguised test reports say about a model; every number with its standard error.

    Parameters
    ----------
    classes : tuple
        The classes, in order.
    accuracy, balanced_accuracy, log_loss : Estimate
        The share of right predictions, the mean recall, and the mean of −ln of the true class's
        probability.
    confusion : tuple of tuples of Estimate
        ``confusion[true][predicted]``: shares of the population, adding up to 1.
    precision, recall : tuples of Estimate
        By class; not a number where the class is never predicted or does not occur.
    """

    classes: tuple[object, ...]
    accuracy: Estimate
    balanced_accuracy: Estimate
    log_loss: Estimate
    confusion: tuple[tuple[Estimate, ...], ...]
    precision: tuple[Estimate, ...]
    recall: tuple[Estimate, ...]

    def to_arrow(self) -> pa.Table:
        """One row per measure: ``measure``, its ``class`` if it has one, and the estimate."""
        overall = ("accuracy", "balanced_accuracy", "log_loss")
        rows: list[tuple[str, str | None, Estimate]] = [
            (name, None, getattr(self, name)) for name in overall
        ]
        for measure, estimates in (("precision", self.precision), ("recall", self.recall)):
            pairs = zip(self.classes, estimates, strict=True)
            rows += [(measure, str(each), found) for each, found in pairs]
        return pa.Table.from_pylist(
            [{"measure": name, "class": label, **found.to_dict()} for name, label, found in rows]
        )

    def __repr__(self) -> str:
        lines = [
            f"accuracy           {self.accuracy}",
            f"balanced accuracy  {_write(self.balanced_accuracy)}",
            f"log loss           {self.log_loss}",
        ]
        for name, precision, recall in zip(self.classes, self.precision, self.recall, strict=True):
            lines += [
                f"{name}: precision {_write(precision)}",
                f"{name}: recall    {_write(recall)}",
            ]
        return "\n".join(lines)


def _write(share: Estimate) -> str:
    """Write a share; one of people whom the reports do not show has no value."""
    return "– (the reports show nobody it is a share of)" if isnan(share.value) else repr(share)


def estimate_accuracy(
    model: Model, crowd: Crowd, personal: float | Estimate | None = None
) -> Estimate:
    """Estimate the share of right predictions, with the interval of a score test."""
    if personal is not None:
        return _solve_with_personal(model, crowd, [*model.used_, model.target_], personal)
    return _tell_likely(model, crowd, estimate_accuracies([model], crowd).share(np.ones(1)))


def _tell_likely(model: Model, crowd: Crowd, found: Estimate) -> Estimate:
    """Put the most likely accuracy beside one that hardly tells."""
    names = [*model.used_, model.target_]
    if found.standard_error <= HARDLY_TELLS or has_noise(crowd.batches, names):
        return found
    kept = {each.name: getattr(found, each.name) for each in fields(found)}
    find_likely = partial(find_likely_share, crowd.batches, names, partial(_mark_right, model))
    return Accuracy(**kept, find_likely=find_likely)


def estimate_accuracies(models: Sequence[Model], crowd: Crowd) -> Means:
    """Estimate the accuracies of models on the same reports."""
    target = models[0].target_
    used = {name for model in models for name in model.used_}
    names = [name for name in models[0].design_.names if name in used]

    def mark_right(codes: Codes) -> Array:
        column = {name: codes[:, i] for i, name in enumerate(names)}
        nothing = np.zeros(len(codes), np.intp)
        return np.stack(
            [
                model._predict_labels([column[name] for name in model.used_] or [nothing])
                == codes[:, -1]
                for model in models
            ],
            axis=1,
        ).astype(float)

    return estimate_means(crowd.batches, [*names, target], mark_right, _list_right_events(models))


def _list_right_events(models: Sequence[Model]) -> Regions | None:
    """List the disjoint events in which each model is right; None if a model cannot say."""
    events = []
    for one, model in zip(np.eye(len(models)), models, strict=True):
        regions = model._list_regions()
        if regions is None:
            return None
        events += [({**where, model.target_: (label,)}, one) for where, label, _ in regions]
    return events


def _solve_with_personal(
    model: Model, crowd: Crowd, names: list[str], personal: float | Estimate
) -> Estimate:
    """Solve P*(cc) = θ·P(cc) + (1 − θ)·P_Y(cc), with P_Y(cc) from a test round (`surveys` 3.4)."""
    blocks = {
        block
        for counts in crowd.counts
        for block in counts.design.blocks
        if any(question.name in names for question in block.questions)
    }
    mechanism = next(iter(blocks)).mechanism
    personal_cover = mechanism is not None and mechanism.personal_cover
    if len(blocks) != 1 or len(crowd.counts) != 1 or not personal_cover:
        raise ModelError(
            "personal= is for a design with one UnrelatedQuestion group over all questions that "
            "the model uses. Leave it out: the design says what the personal answers are."
        )
    (counts,) = crowd.counts
    codes = counts.patterns[:, [counts.design.position(name) for name in names]]
    right = _mark_right(model, codes)
    assert mechanism is not None and mechanism.coin is not None
    theta = float(mechanism.coin)

    def weigh(said: Array) -> Array:
        return np.asarray((said - (1 - theta) * float(personal)) / theta)

    made_up = PointMoments(np.array([0.5, 0.5]), weigh(np.array([1.0, 0.0])), np.ones(2))
    known = WeighedReports(counts, weigh(right), np.ones_like(right), made_up)
    found = estimate_weighed_share([known])
    if not isinstance(personal, Estimate):
        return found
    added = scale(personal, (1 - theta) / theta)
    error = float(np.hypot(found.standard_error, added.standard_error))
    return Estimate(found.value, error, counts.n, how=PersonalInterval(found, added))


def _mark_right(model: Model, codes: Codes) -> Array:
    """Mark the rows of answers, the true class last, that the model gets right."""
    return (model._predict_labels(_list_used(codes)) == codes[:, -1]).astype(float)


def _list_used(codes: Codes) -> list[Codes]:
    """List the columns before the class, as a model takes them: one of zeros if it uses none."""
    return list(codes[:, :-1].T) or [np.zeros(len(codes), np.intp)]


def evaluate(model: Model, crowd: Crowd) -> Evaluation:
    """Estimate all that an `Evaluation` holds from one set of means.

    The confusion matrix and the log loss are means themselves, the rest are ratios of them.
    """
    k = len(model.classes_)
    names = [*model.used_, model.target_]

    def compute_cells(codes: Codes) -> Array:
        columns = _list_used(codes)
        rows, truth = np.arange(len(codes)), codes[:, -1].astype(np.intp)
        table = np.zeros((len(codes), k * k + 1))
        table[rows, truth * k + model._predict_labels(columns)] = 1
        table[:, -1] = _compute_losses(model._predict_chances(columns))[rows, truth]
        return table

    means = estimate_means(crowd.batches, names, compute_cells, _list_events(model, k))
    eye = np.eye(k * k + 1)
    cell = eye[:-1].reshape(k, k, -1)
    right = cell[np.arange(k), np.arange(k)]
    return Evaluation(
        tuple(model.classes_.tolist()),
        _tell_likely(model, crowd, means.share(right.sum(axis=0))),
        _balance(means, right, cell.sum(axis=1)),
        means.approximate(means.values[-1], eye[-1]),
        tuple(tuple(means.share(each) for each in row) for row in cell),
        tuple(means.share(right[c], cell[:, c].sum(axis=0)) for c in range(k)),
        tuple(means.share(right[c], cell[c].sum(axis=0)) for c in range(k)),
    )


def _balance(means: Means, right: Array, true: Array) -> Approximation:
    """Estimate the mean over the classes of the share that is recognised."""
    people = true @ means.values
    if not (people != 0).all():
        return Approximation(nan, nan, means.n)
    recall = right @ means.values / people
    slope = ((right - recall[:, None] * true) / people[:, None]).mean(axis=0)
    return means.approximate(float(recall.mean()), slope)


def _list_events(model: Model, k: int) -> Regions | None:
    regions = model._list_regions()
    if regions is None:
        return None
    events = []
    for where, label, chances in regions:
        for truth in range(k):
            values = np.zeros(k * k + 1)
            values[truth * k + label] = 1
            values[-1] = _compute_losses(chances)[truth]
            events.append(({**where, model.target_: (truth,)}, values))
    return events


def _compute_losses(chances: Array) -> Array:
    return np.asarray(-np.log(np.clip(chances, _SMALLEST, 1)))
