"""A model given back to the people: what the page shows of it and predicts with."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from confide.crowd import Estimate
from confide.errors import ModelError
from confide.files import Json
from confide.mechanisms.probability import read_probability
from confide.mining.classifier import SHOWN_DEPTH, DisguisedClassifier
from confide.mining.model_files import load_classifier
from confide.surveys.survey import Survey
from confide.web.model.model_test import ModelTest


@dataclass(frozen=True, eq=False)
class Published:
    """A model learned from a survey's reports, as the survey's page serves it.

    Parameters
    ----------
    survey : Survey
        The survey; the model must be of its design.
    model : DisguisedTreeClassifier or DisguisedNaiveBayes
        The model.
    """

    survey: Survey
    model: DisguisedClassifier
    model_test: ModelTest | None = field(init=False)
    """The test round, where the survey file asks for one."""

    def __post_init__(self) -> None:
        learned, asked = self.model.design_.fingerprint, self.survey.design.fingerprint
        if learned != asked:
            raise ModelError(
                f"the model was learned under another design ({learned[:12]}…) than this survey's "
                f"({asked[:12]}…). Learn it from this survey's reports."
            )
        object.__setattr__(self, "model_test", self._make_model_test())

    @classmethod
    def load(cls, survey: Survey, path: str | Path) -> Published:
        """Read a model file."""
        return cls(survey, load_classifier(path))

    @property
    def accuracy(self) -> Estimate | None:
        """What was estimated on test reports, if the model's file has it."""
        return self.model.accuracy_

    @cached_property
    def predictor(self) -> Json:
        """What a browser predicts with, and nothing else of the model."""
        return self.model.predictor(accuracy=self.accuracy, smallest=True)

    @cached_property
    def file(self) -> bytes:
        """The bytes that the page loads, and that everyone can keep and compare."""
        return json.dumps(self.predictor, ensure_ascii=False, separators=(",", ":")).encode()

    @cached_property
    def hash(self) -> str:
        """The SHA-256 of those bytes."""
        return hashlib.sha256(self.file).hexdigest()

    @cached_property
    def text(self) -> str | None:
        """The model in words; None where it has no such text."""
        return self.model.text(SHOWN_DEPTH)

    @cached_property
    def picture(self) -> str | None:
        """A drawing of the model as SVG; None where it has none."""
        return self.model.picture_svg()

    def _make_model_test(self) -> ModelTest | None:
        if not self.survey.page.test:
            return None
        truth = Fraction(read_probability(self.survey.page.test, "test of the page"))
        return ModelTest(self.survey, self.model, self.hash, truth)
