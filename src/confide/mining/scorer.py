"""A scorer for scikit-learn's own searches and cross-validation that knows the disguise."""

from __future__ import annotations

from dataclasses import dataclass

from sklearn.pipeline import Pipeline

from confide.design import Design
from confide.errors import ModelError
from confide.mining.answer_codes import join_target
from confide.mining.classifier import DisguisedClassifier
from confide.mining.parameters import check_design
from confide.mining.sample_weights import read_crowd


@dataclass(frozen=True)
class DisguisedScorer:
    """Scores a learner on disguised reports; see `disguised_scorer`."""

    design: Design

    def __call__(
        self, estimator: object, X: object, y: object = None, sample_weight: object = None
    ) -> float:
        """Estimate a learner's accuracy from disguised reports, or from features and target."""
        if isinstance(estimator, Pipeline):
            before, estimator = estimator[:-1], estimator[-1]
            X = before.transform(X) if len(before) else X
        if not isinstance(estimator, DisguisedClassifier) or estimator.design is None:
            raise ModelError(
                "disguised_scorer scores learners of confide with the design of the reports. Got "
                f"{type(estimator).__name__}."
            )
        reports = X if y is None else join_target(self.design, estimator.target_, X, y)
        return estimator.score_disguised(read_crowd(self.design, reports, sample_weight)).value


def disguised_scorer(design: Design) -> DisguisedScorer:
    """Make a scorer that tells the truth about disguised reports inside scikit-learn.

    Without it `GridSearchCV` and `cross_val_score` compare predictions with disguised labels and
    choose what predicts those. Where they ask a learner that was given the target apart for its
    ``score`` it warns; with ``scoring="accuracy"`` they ask for predictions only, and nothing can
    warn. The score is the unbiased estimate of the accuracy on true answers;
    in one fold it is uncertain and may leave 0 to 1. A learner may be the last step of a `Pipeline`
    whose other steps choose questions or reports. Weights that a search is fitted with
    (``sample_weight``) count in its scores, too. `confide.search_disguised` and
    `confide.cross_validate_disguised` do the same with standard errors.

    Parameters
    ----------
    design : Design
        The design under which the reports were made.

    Returns
    -------
    callable
        For ``scoring=``.

    Examples
    --------
    >>> import confide as cf, numpy as np
    >>> from sklearn.model_selection import cross_val_score
    >>> design = cf.Design(
    ...     [cf.YesNo("cheated"), cf.YesNo("drugs")],
    ...     [cf.Group(["cheated"], cf.RelatedQuestion(0.8))],
    ... )
    >>> drugs = np.random.default_rng(1).integers(0, 2, 4000)
    >>> reports = design.disguise(np.stack([drugs, drugs], axis=1), seed=2)
    >>> tree = cf.DisguisedTreeClassifier(design, "cheated")
    >>> scores = cross_val_score(tree, reports, scoring=cf.disguised_scorer(design))
    >>> print(round(scores.mean(), 2))
    1.0
    """
    check_design(design)
    return DisguisedScorer(design)
