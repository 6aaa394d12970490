"""What all classifiers share: learning from reports or from ordinary data, predicting, scoring."""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from confide.arrays import Array, Codes, Values
from confide.crowd import Crowd, Estimate, ReportsInPlace
from confide.design import Design, Number
from confide.design.finer_number import coarsen_design, list_places, refine_design
from confide.errors import ModelError
from confide.files import Json
from confide.mining.answer_codes import encode_answers_used, join_target, read_class_values
from confide.mining.clear_data import (
    InferredQuestions,
    find_text_categories,
    infer_questions,
    number_texts,
)
from confide.mining.parameters import check_design, check_numbers_given, check_two_classes
from confide.mining.population import Population, is_population
from confide.mining.same_survey import check_same_survey
from confide.mining.sample_weights import check_row_weights, read_crowd
from confide.mining.scored_classifier import ScoredClassifier
from confide.mining.scored_model import LabelledRegions

if TYPE_CHECKING:
    from sklearn.utils import Tags

SHOWN_DEPTH = 4
"""So many levels of a model are shown on a page."""
_DIGITS = 12
"""Chances that agree in so many digits are equal; browsers take them for equal, too."""


class DisguisedClassifier(ScoredClassifier, BaseEstimator):  # type: ignore[misc]
    """A classifier that learns from disguised reports alone."""

    design: Design | None
    target: str | None
    kind: ClassVar[str]
    """The model's name in files."""
    command: ClassVar[str]
    """The name by which the command line and the dashboard ask for such a model."""
    title: ClassVar[str]
    """The model's name in a sentence, such as "decision tree"."""
    _inferred: InferredQuestions | None
    _fitted: bool = False
    accuracy_: Estimate | None
    """The accuracy that a loaded model was saved with."""

    def fit(self, X: object, y: object = None, sample_weight: object = None) -> Self:
        """Learn from reports, or from features and labels.

        Parameters
        ----------
        X : reports, Crowd, or features
            With a design: disguised reports in any form that `confide.Crowd` reads, or a crowd,
            also one with weights: the model is then one of the population.
            Without one: ordinary features in the clear.
        y : array, optional
            The labels. With a design, the target's reports if they are not among X.
        sample_weight : array, optional
            One weight per row of a dataframe or array. With a design: how many people of the
            population the report stands for, as in a crowd with weights. Without one: how often
            the row counts.
        """
        self._fitted = False  # and stays so if learning fails
        if self.design is None:
            return self._fit_clear(X, y, sample_weight)
        check_design(self.design)
        check_numbers_given(self.design)
        target = self._check_target(self.design)
        reports = X if y is None else join_target(self.design, target, X, y)
        crowd = self._read_population(self.design, reports, sample_weight)
        check_same_survey(self.design, crowd)
        if crowd.n < len(self.design.names):
            raise ModelError(
                f"{crowd.n:,} report{' is' if crowd.n == 1 else 's are'} too few to learn from the "
                f"{len(self.design.names)} questions. Collect more, or ask less."
            )
        self._inferred, self._learned_from_y = None, y is not None
        self.classes_ = read_class_values(crowd, target)
        design = self.design
        if isinstance(crowd, Crowd | ReportsInPlace):
            crowd = crowd.tell_apart()
            design = refine_design(design, list_places(crowd.design))
        self._fit_crowd(crowd, design, target)
        self.feature_names_in_ = np.array(self.features_, dtype=object)
        return self

    def _read_population(
        self, design: Design, reports: object, sample_weight: object
    ) -> Population:
        if sample_weight is None and is_population(reports):
            return reports
        return read_crowd(design, reports, sample_weight)

    def _fit_clear(self, X: object, y: object, sample_weight: object) -> Self:
        """Learn from ordinary features and labels in the clear."""
        categories = find_text_categories(X)
        table, classes = self._validate(number_texts(X, categories), y=y)
        check_classification_targets(classes)
        weights = None
        if sample_weight is not None:
            weights = check_row_weights(sample_weight, len(table))
            table, classes, weights = (each[weights > 0] for each in (table, classes, weights))
        self.classes_, labels = np.unique(classes, return_inverse=True)
        names = getattr(self, "feature_names_in_", None)  # scikit-learn sets it, if there are any
        inferred = infer_questions(
            table, names, self.target or "class", self.classes_, categories, weights
        )
        self._inferred = inferred
        crowd: Population
        if weights is None:
            crowd = Crowd(inferred.design, inferred.counts(table, labels))
        else:
            crowd = inferred.weigh(table, labels, weights)
        return self._fit_crowd(crowd, inferred.design, inferred.design.names[-1])

    def _validate(self, X: object, **given: object) -> Any:
        """Check ordinary data as scikit-learn does, but never show a value of it."""
        try:
            return validate_data(self, X, **given)
        except ValueError as error:
            if "could not convert" not in str(error):
                raise
        raise ModelError(
            "X holds a text among its numbers. Give numbers, or a dataframe with the texts in "
            "columns of their own."
        )

    def _fit_crowd(self, crowd: Population, design: Design, target: str) -> Self:
        """Learn from a population, whatever it was read from."""
        self.design_, self.target_, self.n_ = design, target, crowd.n
        self.features_ = [name for name in design.names if name != target]
        if not self.features_:
            raise ModelError(f"there is no question but {target} to predict it from.")
        self.n_features_in_ = len(self.features_)
        if isinstance(crowd, Crowd):
            check_two_classes(
                target, np.sum([batch.table([target]) for batch in crowd.batches], axis=0)
            )
        self._learn(crowd)
        self.accuracy_ = None
        self._fitted = True
        return self

    def _check_target(self, design: Design) -> str:
        if self.target not in design.names:
            raise ModelError(
                f"target must be one of the questions {', '.join(design.names)}. "
                f"Got {self.target!r}."
            )
        if isinstance(design.question(self.target), Number):
            raise ModelError(
                f"target must be a yes-no or choice question; {self.target} is a number."
            )
        return self.target

    # What a model knows how to do.

    @abstractmethod
    def _learn(self, crowd: Population) -> None:
        """Learn from a population."""

    @property
    @abstractmethod
    def used_(self) -> list[str]:
        """The questions that the model looks at."""

    @abstractmethod
    def _predict_chances(self, columns: list[Codes]) -> Array:
        """Compute the classes' probabilities from codes of the used questions: (rows, classes)."""

    @abstractmethod
    def _write_parameters(self) -> Json:
        """Give the learner's parameters by their keys in a model file."""

    @classmethod
    @abstractmethod
    def _from_parameters(cls, design: Design | None, target: str | None, parameters: Json) -> Self:
        """Make an unfitted learner from what `_write_parameters` gave."""

    @abstractmethod
    def _write_learned(self) -> Json:
        """Give what was learned as plain values for a model file."""

    @abstractmethod
    def _restore(self, learned: Json) -> None:
        """Take back what `_write_learned` gave."""

    @abstractmethod
    def _write_for_browser(self, smallest: bool) -> Json:
        """Give what was learned as plain values for a browser; ``smallest``: only what predicts."""

    def _predict_labels(self, columns: list[Codes]) -> Codes:
        """Predict the code of each row's class; the first of equals, whatever the rounding."""
        return np.asarray(np.round(self._predict_chances(columns), _DIGITS).argmax(axis=1))

    def _list_regions(self) -> LabelledRegions | None:
        """List the regions in which the model says the same; None where it has none."""
        return None

    # How a model is shown. A page asks for all of it and shows what there is.

    @classmethod
    def for_a_page(cls, design: Design, target: str) -> Self:
        """Make a learner whose model is small enough to be shown on a page."""
        return cls(design, target)

    def text(self, max_depth: int | None = None) -> str | None:  # noqa: ARG002
        """The model in words, down to a depth; None where it has no such text."""
        return None

    def outline(self) -> Json | None:
        """The model as nested plain values that a page unfolds; None where it is no tree."""
        return None

    def picture_svg(self, max_depth: int = SHOWN_DEPTH) -> str | None:  # noqa: ARG002
        """A drawing of the model as SVG, down to a depth; None where it has none."""
        return None

    def answer_tables(self) -> list[tuple[str, Array]]:
        """Questions with P(answer | class) as (classes, answers); empty where it has none."""
        return []

    # What people ask of it.

    def predict(self, X: object) -> Values:
        """The most likely class of each row of clear answers."""
        codes = self._encode(X)
        return np.asarray(self.classes_[self._predict_labels(codes)])

    def predict_proba(self, X: object) -> Array:
        """Each class's probability for each row of clear answers, in the order of `classes_`."""
        return self._predict_chances(self._encode(X))

    def _encode(self, X: object) -> list[Codes]:
        """Give the codes of the used questions; one column of zeros where none is used."""
        check_is_fitted(self)
        inferred = self._inferred
        if inferred is None:
            return encode_answers_used(self.design_, self.features_, self.used_, X)
        table = self._validate(number_texts(X, inferred.categories), reset=False)
        columns = inferred.codes(table)
        used: list[Codes] = [columns[self.features_.index(name)] for name in self.used_]
        return used or [np.zeros(len(table), np.intp)]

    def _test_crowd(self, reports: object) -> Crowd:
        check_is_fitted(self)
        crowd = read_crowd(coarsen_design(self.design_), reports)
        check_same_survey(self.design_, crowd)
        return crowd.tell_apart(self.design_)

    def save(self, path: str | Path, *, accuracy: Estimate | None = None) -> None:
        """Write the model as JSON; `confide.load_model` reads it.

        Parameters
        ----------
        path : path
            The file.
        accuracy : Estimate, optional
            What `score_disguised` found, to travel with the model; left out, what a loaded model
            brought with it.
        """
        from confide.mining.model_files import save

        check_is_fitted(self)
        save(self, Path(path), accuracy)

    def predictor(self, *, accuracy: Estimate | None = None, smallest: bool = False) -> Json:
        """The model as the small JSON that a browser predicts with.

        Parameters
        ----------
        accuracy : Estimate, optional
            What `score_disguised` found, to be shown beside the prediction.
        smallest : bool
            Whether tables that are only there to be looked at are left out.
        """
        from confide.mining.exports.browser import build_predictor

        check_is_fitted(self)
        return build_predictor(self, accuracy, smallest)

    def __sklearn_is_fitted__(self) -> bool:
        return self._fitted

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.design is None
        return tags
