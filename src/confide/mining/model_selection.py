"""Choosing between models without ever seeing a true answer.

Reports are split into folds; a model learned from the others is scored on each fold's disguised
reports. All candidates are scored on the same reports, so that the error of a *difference* between
two of them is known too: it is mostly smaller than the errors of both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import log, sqrt

import numpy as np
import pyarrow as pa
from sklearn.base import clone

from confide.arrays import Z95, Array, Codes
from confide.counts import Counts
from confide.crowd import Crowd, Estimate
from confide.crowd.arrow_rows import ArrowRows
from confide.crowd.estimate import Approximation
from confide.errors import ModelError, QueryError
from confide.mining.classifier import DisguisedClassifier
from confide.mining.likely_accuracy import HARDLY_TELLS, Accuracy
from confide.mining.parameters import check_design, check_whole_number
from confide.mining.population import pool_batches
from confide.mining.same_survey import check_same_survey
from confide.mining.sample_weights import read_crowd
from confide.mining.scoring import FEW_REPORTS, estimate_accuracies, join_folds
from confide.progress import track

Parameters = dict[str, object]
"""A learner's parameters by name."""

_SEED = 20_003  # the same reports give the same folds


def _say_how_far_off(accuracy: Estimate) -> str:
    more = ", from so few reports by more" if accuracy.n < FEW_REPORTS else ""
    return f"can be off by {Z95 * accuracy.standard_error:.3f} either way{more}"


@dataclass(frozen=True)
class CrossValidation(ArrowRows):
    """The accuracy that a learner reaches on reports it has not seen.

    Parameters
    ----------
    accuracy : Estimate
        Over all folds: that of models which are learned from as many reports as a fold leaves. Its
        error counts that such models differ.
    folds : tuple of Estimate
        Fold by fold.
    """

    accuracy: Estimate
    folds: tuple[Estimate, ...]

    @property
    def likely(self) -> float | None:
        """The most likely accuracy, folds by their size, where `accuracy` hardly tells; else None.

        Not unbiased, as `score_disguised` says. None also where it is unknown in some fold.
        """
        if self.accuracy.standard_error <= HARDLY_TELLS:
            return None
        found = [fold.likely if isinstance(fold, Accuracy) else fold.value for fold in self.folds]
        known = [each for each in found if each is not None]
        if len(known) < len(found):
            return None
        return float(np.average(known, weights=[fold.n for fold in self.folds]))

    def to_arrow(self) -> pa.Table:
        """The accuracy over all folds, then fold by fold."""
        scores = {"all": self.accuracy}
        scores |= {str(place): score for place, score in enumerate(self.folds, 1)}
        return pa.Table.from_pylist(
            [{"fold": fold, **score.to_dict()} for fold, score in scores.items()]
        )

    def __repr__(self) -> str:
        return (
            f"accuracy {self.accuracy} over {len(self.folds)} folds. "
            f"It {_say_how_far_off(self.accuracy)}."
            + ("" if self.likely is None else f" Most likely it is {self.likely:.3f}.")
        )


@dataclass(frozen=True)
class Search(ArrowRows):
    """What a search over parameters found.

    Parameters
    ----------
    candidates : tuple of dict
        The parameters tried.
    accuracies : tuple of Estimate
        Each candidate's cross-validated accuracy.
    best : int
        The place of the candidate with the highest.
    rivals : tuple of int
        The candidates that the reports cannot tell from the best: the difference is at most 1.96 of
        its standard errors.
    optimism : float
        By so much at most the best candidate's accuracy is expected to be too high, because it was
        chosen as the best of several: the largest standard error of a difference, times √(2 ln k).
    model : DisguisedClassifier
        The best candidate, learned from all the reports.
    """

    candidates: tuple[Parameters, ...]
    accuracies: tuple[Estimate, ...]
    best: int
    rivals: tuple[int, ...]
    optimism: float
    model: DisguisedClassifier

    @property
    def parameters(self) -> Parameters:
        """The best candidate's parameters."""
        return self.candidates[self.best]

    def to_arrow(self) -> pa.Table:
        """One row per candidate, its parameters in words, and whether it is the best."""
        pairs = enumerate(zip(self.candidates, self.accuracies, strict=True))
        return pa.Table.from_pylist(
            [
                {"candidate": str(candidate), **accuracy.to_dict(), "best": place == self.best}
                for place, (candidate, accuracy) in pairs
            ]
        )

    def __repr__(self) -> str:
        best = self.accuracies[self.best]
        lines = [
            f"{'→' if place == self.best else ' '} {candidate}: {accuracy}"
            for place, (candidate, accuracy) in enumerate(
                zip(self.candidates, self.accuracies, strict=True)
            )
        ]
        off = _say_how_far_off(best)
        if len(lines) == 1:
            return f"{lines[0]}\nIt {off}."
        others = "1 other" if len(self.rivals) == 1 else f"{len(self.rivals)} others"
        told = f"{others} cannot be told from it" if self.rivals else "it is better than all others"
        return "\n".join(
            [
                *lines,
                f"The best {off}, and being the best of {len(lines)} makes it up to "
                f"{self.optimism:.3f} too high; {told}.",
            ]
        )


def cross_validate_disguised(
    estimator: DisguisedClassifier, reports: object, *, folds: int = 5
) -> CrossValidation:
    """Estimate from disguised reports alone how well a learner does on reports it has not seen.

    Parameters
    ----------
    estimator : DisguisedTreeClassifier or DisguisedNaiveBayes
        With a design; it is cloned, not fitted.
    reports : reports or Crowd
        Disguised reports under that design.
    folds : int
        How many parts the reports are split into.

    Examples
    --------
    >>> import confide as cf, numpy as np
    >>> design = cf.Design(
    ...     [cf.YesNo("cheated"), cf.YesNo("drugs")],
    ...     [cf.Group(["cheated", "drugs"], cf.RelatedQuestion(0.8))],
    ... )
    >>> answers = np.repeat([[1, 1], [0, 0], [0, 1], [1, 0]], [240, 600, 100, 60], axis=0)
    >>> tree = cf.DisguisedTreeClassifier(design, "cheated")
    >>> cf.cross_validate_disguised(tree, design.disguise(answers, seed=1))
    accuracy 0.840 ± 0.032 (95 %, n = 1,000) over 5 folds. It can be off by 0.032 either way.
    """
    crowd = _read_for(estimator, reports)
    scores = []
    for train, test in track(list(split(crowd, folds))):
        scores.append(clone(estimator).fit(train).score_disguised(test))
    return CrossValidation(join_folds(scores), tuple(scores))


def search_disguised(
    estimator: DisguisedClassifier,
    grid: Mapping[str, Sequence[object]],
    reports: object,
    *,
    folds: int = 5,
) -> Search:
    """Find the best parameters by cross-validation on disguised reports alone.

    Parameters
    ----------
    estimator : DisguisedTreeClassifier or DisguisedNaiveBayes
        With a design; it is cloned, not fitted.
    grid : mapping
        Parameters with the values to try, such as ``{"max_depth": [1, 2, 4]}``.
    reports : reports or Crowd
        Disguised reports under that design.
    folds : int
        How many parts the reports are split into.
    """
    crowd = _read_for(estimator, reports)
    if not grid or not all(isinstance(v, Sequence | np.ndarray) and len(v) for v in grid.values()):
        raise ModelError('a search needs values to try, such as {"max_depth": [1, 2, 4]}.')
    candidates = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]

    def learn(train: Crowd) -> list[DisguisedClassifier]:
        return [clone(estimator).set_params(**each).fit(train) for each in candidates]

    values, covariance = cross_validate_models(crowd, folds, learn)
    best = int(values.argmax())
    variances = covariance.diagonal() + covariance[best, best] - 2 * covariance[best]
    apart = np.sqrt(variances.clip(0))
    others = [place for place in range(len(candidates)) if place != best]
    return Search(
        tuple(candidates),
        tuple(
            Approximation(float(value), float(np.sqrt(variance)), crowd.n)
            for value, variance in zip(values, covariance.diagonal().clip(0), strict=True)
        ),
        best,
        tuple(place for place in others if values[best] - values[place] <= Z95 * apart[place]),
        float(apart.max()) * sqrt(2 * log(len(candidates))),
        clone(estimator).set_params(**candidates[best]).fit(reports),
    )


def cross_validate_models(
    crowd: Crowd, folds: int, learn: Callable[[Crowd], Sequence[DisguisedClassifier]]
) -> tuple[Array, Array]:
    """Estimate accuracies of models learned fold by fold, with the covariance of their errors."""
    total, spread = np.zeros(()), np.zeros(())
    for train, test in track(list(split(crowd, folds))):
        found, share = estimate_accuracies(learn(train), test), test.n / crowd.n
        total, spread = total + share * found.values, spread + share**2 * found.covariance
    return np.asarray(total), np.asarray(spread)


def split(crowd: Crowd, folds: int) -> Iterator[tuple[Crowd, Crowd]]:
    """Yield a train and a test crowd for each fold; every report is in one test crowd."""
    check_whole_number("folds", folds, 2)
    if any(batch.drawn is not None for batch in crowd.batches):
        raise QueryError(
            "what deals people into folds takes no weights, strata or clusters: cross-validation, "
            'a search, prune="reduced-error" and prune="cost-complexity". Leave them out, or '
            'prune by "mdl".'
        )
    if folds > min(batch.n for batch in crowd.batches):
        raise ModelError(f"folds must be at most the number of reports. Got {folds}.")
    for train, test in split_batches(crowd.batches, folds):
        yield pool_batches(train), pool_batches(test)


def split_batches(
    batches: Sequence[Counts], folds: int
) -> Iterator[tuple[list[Counts], list[Counts]]]:
    """Yield the batches to train on and to test on for each fold."""
    generator = np.random.default_rng(_SEED)
    parts = [_deal_folds(batch, folds, generator) for batch in batches]
    for fold in range(folds):
        tests = [(batch, part[fold]) for batch, part in zip(batches, parts, strict=True)]
        yield (
            [batch.subset(batch.reports - out) for batch, out in tests],
            [batch.subset(out) for batch, out in tests],
        )


def _deal_folds(batch: Counts, folds: int, generator: np.random.Generator) -> list[Codes]:
    """Deal the reports into folds at random: how many of each pattern are in each fold."""
    rows = generator.permutation(np.repeat(np.arange(len(batch.reports)), batch.reports))
    return [np.bincount(part, minlength=len(batch.reports)) for part in np.array_split(rows, folds)]


def _read_for(estimator: DisguisedClassifier, reports: object) -> Crowd:
    """Read reports for a learner; refuse a learner without a design, and another's reports."""
    if not isinstance(estimator, DisguisedClassifier) or estimator.design is None:
        raise ModelError(
            "only a learner of confide with the design of the reports is scored on reports. For "
            "any other, use scikit-learn's own cross-validation."
        )
    check_design(estimator.design)
    crowd = read_crowd(estimator.design, reports)
    check_same_survey(estimator.design, crowd)
    return crowd.tell_apart()
