"""How good a model is, from disguised test reports only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Protocol

import numpy as np
import pyarrow as pa

from confide.arrays import Z95, Array, Codes, Values
from confide.crowd import Crowd, Estimate
from confide.crowd.arrow_rows import ArrowRows
from confide.crowd.estimate import Approximation, Interval, Quantity
from confide.design import Design
from confide.errors import ModelError
from confide.mining.linear_means import Regions, estimate_means

_SMALLEST = float(np.finfo(float).eps)
"""A probability below this counts as this much in the log loss."""


_FEW = 1_000
"""With fewer reports a cross-validated accuracy is further off than its error says."""


class Model(Protocol):
    """What scoring needs to know of a model."""

    design_: Design
    target_: str
    classes_: Values

    @property
    def used_(self) -> list[str]: ...
    def _predict_labels(self, columns: list[Codes]) -> Codes: ...
    def _predict_chances(self, columns: list[Codes]) -> Array: ...
    def _list_regions(self) -> list[tuple[dict[str, tuple[int, ...]], int, Array]] | None: ...


@dataclass(frozen=True)
class ShareInterval(Interval):
    """The shares that a score test does not contradict, all within 0 and 1.

    Under a share p the variance of its estimate is p(1 − p)/n and what the disguise adds; that is
    taken from the standard error. Without a disguise it is Wilson's interval.

    Parameters
    ----------
    value, standard_error : float
        The estimated share.
    n : float
        The number of people whom it is a share of.
    """

    value: float
    standard_error: float
    n: float

    def ends(self, level: float) -> tuple[float, float]:
        """The lower and the upper end."""
        square = NormalDist().inv_cdf((1 + level) / 2) ** 2
        share = min(max(self.value, 0.0), 1.0)
        added = max(self.n * self.standard_error**2 - share * (1 - share), 0.0)
        middle = self.n * share + square / 2
        root = sqrt(middle**2 - (self.n + square) * (self.n * share**2 - square * added))
        low, high = ((middle + side * root) / (self.n + square) for side in (-1, 1))
        return max(low, 0.0), min(high, 1.0)


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
    kind = Estimate if n >= _FEW else Approximation
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
        loss = self.log_loss
        lines = [
            f"accuracy           {self.accuracy}",
            f"balanced accuracy  {self.balanced_accuracy}",
            f"log loss           {loss.value:.3f} ± {Z95 * loss.standard_error:.3f}",
        ]
        for name, precision, recall in zip(self.classes, self.precision, self.recall, strict=True):
            lines += [f"{name}: precision {precision}", f"{name}: recall    {recall}"]
        return "\n".join(lines)


def estimate_accuracy(
    model: Model, crowd: Crowd, personal: float | Estimate | None = None
) -> Estimate:
    """Estimate the share of right predictions."""
    if personal is not None:
        return _solve_with_personal(model, crowd, [*model.used_, model.target_], personal)
    values, covariance = estimate_accuracies([model], crowd)
    return _make_share(crowd, covariance, np.ones(1), values[0])


def estimate_accuracies(models: Sequence[Model], crowd: Crowd) -> tuple[Array, Array]:
    """Estimate models' accuracies on the same reports, with the covariance of their errors."""
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

    return estimate_means(crowd.counts, [*names, target], mark_right, _list_right_events(models))


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
    right = (_predict_labels(model, codes) == codes[:, -1]).astype(float)
    share = float(right @ counts.reports / counts.n)
    assert mechanism is not None and mechanism.coin is not None
    theta = float(mechanism.coin)
    spread = personal.standard_error if isinstance(personal, Estimate) else 0.0
    value = (share - (1 - theta) * float(personal)) / theta
    error = np.hypot(np.sqrt(share * (1 - share) / counts.n), (1 - theta) * spread) / theta
    return Estimate(value, float(error), counts.n)


def _predict_labels(model: Model, codes: Codes) -> Codes:
    columns = list(codes[:, :-1].T)
    return model._predict_labels(columns or [np.zeros(len(codes), np.intp)])


def evaluate(model: Model, crowd: Crowd) -> Evaluation:
    """Estimate all that an `Evaluation` holds from one set of means.

    The confusion matrix and the log loss are means themselves, the rest are ratios of them.
    """
    k = len(model.classes_)
    names = [*model.used_, model.target_]

    def compute_cells(codes: Codes) -> Array:
        columns = list(codes[:, :-1].T) or [np.zeros(len(codes), np.intp)]
        rows, truth = np.arange(len(codes)), codes[:, -1].astype(np.intp)
        table = np.zeros((len(codes), k * k + 1))
        table[rows, truth * k + model._predict_labels(columns)] = 1
        table[:, -1] = _compute_losses(model._predict_chances(columns))[rows, truth]
        return table

    values, covariance = estimate_means(crowd.counts, names, compute_cells, _list_events(model, k))
    eye = np.eye(k * k + 1)
    cell = eye[:-1].reshape(k, k, -1)
    right = cell[np.arange(k), np.arange(k)]

    def compute_ratio(part: Array, whole: Array) -> tuple[float, Array]:
        """Compute a ratio of two sums of cells, and its gradient."""
        below = float(whole @ values)
        if below == 0:
            return float("nan"), np.full(len(values), np.nan)
        value = float(part @ values) / below
        return value, (part - value * whole) / below

    precision = [compute_ratio(right[c], cell[:, c].sum(axis=0)) for c in range(k)]
    recall = [compute_ratio(right[c], cell[c].sum(axis=0)) for c in range(k)]

    def estimate(value: float, gradient: Array, share: float = 1.0) -> Estimate:
        return _make_share(crowd, covariance, gradient, value, share)

    predicted = [float(cell[:, c].sum(axis=0) @ values) for c in range(k)]
    true = [float(cell[c].sum(axis=0) @ values) for c in range(k)]
    loss = Quantity(float(values[-1]), float(np.sqrt(max(covariance[-1, -1], 0.0))), crowd.n)
    return Evaluation(
        tuple(model.classes_.tolist()),
        estimate(float(right.sum(axis=0) @ values), right.sum(axis=0)),
        estimate(float(np.mean([r for r, _ in recall])), np.mean([g for _, g in recall], axis=0)),
        loss,
        tuple(tuple(estimate(float(c @ values), c) for c in row) for row in cell),
        tuple(estimate(*each, share) for each, share in zip(precision, predicted, strict=True)),
        tuple(estimate(*each, share) for each, share in zip(recall, true, strict=True)),
    )


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


def _make_share(
    crowd: Crowd, covariance: Array, gradient: Array, value: float, share: float = 1.0
) -> Estimate:
    """A share of all people, or of those who are themselves a share of all."""
    error = float(np.sqrt(max(float(gradient @ covariance @ gradient), 0.0)))
    known = np.isfinite(error) and share > 0
    how = ShareInterval(float(value), error, crowd.n * share) if known else None
    return Estimate(float(value), error, crowd.n, how=how)
