"""How a classifier is scored: on disguised reports, or on clear answers as scikit-learn does."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from confide.arrays import Array, Codes
from confide.counts import Counts
from confide.crowd import Crowd, Estimate
from confide.design import Design
from confide.errors import ModelError
from confide.mining.importances import estimate_importances
from confide.mining.parameters import check_number
from confide.mining.scored_model import Model
from confide.mining.scoring import Evaluation, estimate_accuracy, evaluate


class ScoredClassifier(ClassifierMixin, Model):  # type: ignore[misc]
    """A classifier that can be scored without anybody's true answer."""

    design: Design | None
    _learned_from_y: bool = False
    """Whether the target's reports came apart from the others, as scikit-learn gives them."""

    @abstractmethod
    def _test_crowd(self, reports: object) -> Crowd:
        """Read test reports; refuse those of another survey."""

    def score(self, X: object, y: object = None, sample_weight: Any = None) -> float:
        """The share of right predictions on *clear* answers and labels, as scikit-learn has it.

        On disguised reports it is wrong: use `score_disguised`, and `confide.disguised_scorer` in
        `GridSearchCV` and `cross_val_score`.
        """
        if y is None:
            raise ModelError(
                "score takes clear answers and their labels. On reports use score_disguised, and "
                "scoring=confide.disguised_scorer(design) in GridSearchCV and cross_val_score."
            )
        if self._learned_from_y and self.design is not None:
            asked = {*self.used_, self.target_}
            hidden = [name for group in self.design.groups for name in group.questions]
            if asked & set(hidden):
                warnings.warn(
                    "score takes answers and labels for true. If these are disguised reports the "
                    "score is wrong: give scoring=confide.disguised_scorer(design).",
                    stacklevel=2,
                )
        return float(super().score(X, y, sample_weight))

    def score_disguised(
        self, reports: object, *, personal: float | Estimate | None = None
    ) -> Estimate:
        """Estimate the accuracy from disguised test reports.

        Parameters
        ----------
        reports : reports or Crowd
            Reports that the model has not seen, under the same design.
        personal : float or Estimate, optional
            For a design of one `UnrelatedQuestion` group: the model's accuracy on the personal
            answers, as the test round of `surveys` 3.4 finds it. Left out, it is computed from
            the known distribution of the personal answers.

        Returns
        -------
        Estimate
            Unbiased, and as uncertain as it says: its standard error grows with every group. Where
            that passes 0.25, ``likely`` is the most likely accuracy, which is not unbiased.
        """
        if not isinstance(personal, Estimate | None):  # an unbiased estimate may lie outside
            check_number("personal", personal, "between 0 and 1", lambda p: 0 <= p <= 1)
        return estimate_accuracy(self, self._test_crowd(reports), personal)

    def evaluate_disguised(self, reports: object) -> Evaluation:
        """Estimate accuracy, confusion matrix, precision, recall and log loss from test reports."""
        return evaluate(self, self._test_crowd(reports))

    def importances_disguised(self, reports: object) -> dict[str, Estimate]:
        """How much accuracy each question is worth, from disguised test reports.

        The accuracy that is lost if the true answers to a question were dealt to people anew, so
        that they tell nothing any more (permutation importance): on average over all ways to deal
        them, without drawing any. Questions that the model does not look at are worth 0.

        Parameters
        ----------
        reports : reports or Crowd
            Reports that the model has not seen, under the same design.
        """
        return estimate_importances(self, self._test_crowd(reports))

    def _find_questions_that_matter(self, columns: list[Codes]) -> NDArray[np.bool_]:
        """Tell for each row of codes by which of the used questions its label could change."""
        return np.ones((len(columns[0]), len(columns)), bool)

    def _weigh_losses(
        self,
        batch: Counts,  # noqa: ARG002
        most_visits: float,  # noqa: ARG002
        shares: Sequence[Array],  # noqa: ARG002
    ) -> Array | None:
        """Weigh reports, by visits of nodes, in what is lost by each question if dealt anew.

        None where there are no nodes, or they would have to be visited more often.
        """
        return None
