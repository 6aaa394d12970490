"""What clusters and networks share: a model of all questions together, kept in a file."""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from confide.arrays import Array
from confide.design import Design
from confide.design.plain_values import from_dict, to_dict
from confide.errors import ModelError
from confide.extras import Altair
from confide.files import Json
from confide.mining.model_envelope import close_envelope, write_envelope

_FAR = 1e-6  # a sum as far from one is no rounding


class StructureModel(BaseEstimator):  # type: ignore[misc]
    """A model of how the answers to all questions hang together, without a target."""

    kind: ClassVar[str]
    """The model's name in files."""
    design: Design
    design_: Design
    """The design without numbers, which take no part."""
    n_: int

    @abstractmethod
    def fit(self, reports: object, y: object = None, sample_weight: object = None) -> Self:
        """Learn from reports, or from a crowd."""

    @abstractmethod
    def plot(self) -> Altair:
        """The model as a picture."""

    @abstractmethod
    def _write_learned(self) -> Json:
        """Give what was learned as plain values for a model file."""

    @abstractmethod
    def _restore(self, learned: Json) -> None:
        """Take back what `_write_learned` gave."""

    def save(self, path: str | Path) -> None:
        """Write the model as JSON; `confide.load_model` reads it."""
        write_envelope(Path(path), self.to_contents())

    def to_contents(self) -> Json:
        """Give the model as the plain values that a file holds."""
        check_is_fitted(self, "n_")
        parameters = {name: value for name, value in self.get_params().items() if name != "design"}
        return close_envelope(
            {
                "kind": self.kind,
                "design": to_dict(self.design_),
                "fingerprint": self.design_.fingerprint,
                "n": self.n_,
                "parameters": parameters,
                "learned": self._write_learned(),
            }
        )

    @classmethod
    def from_contents(cls, contents: Json) -> Self:
        """Make the fitted model that the contents of a file describe."""
        design = from_dict(contents["design"], "its design")
        if design.fingerprint != contents["fingerprint"]:
            raise ModelError("its design has another fingerprint")
        model = cls(design, **contents["parameters"])
        model.design_, model.n_ = design, int(contents["n"])
        model._restore(contents["learned"])
        return model


def read_distributions(given: Any, shape: tuple[int, ...]) -> Array:
    """Read an array whose rows are distributions; raise ValueError where it cannot be that."""
    array = np.array(given, float)
    if array.shape != shape:
        raise ValueError("tables of another shape")
    if not (array >= 0).all() or np.abs(array.sum(axis=-1) - 1).max() > _FAR:
        raise ValueError("probabilities that are negative or do not add up to one")
    return array


def read_errors(given: Any, shape: tuple[int, ...]) -> Array:
    """Read standard errors; raise ValueError where they cannot be that."""
    array = np.array(given, float)
    if array.shape != shape or not (array >= 0).all():
        raise ValueError("standard errors of another shape, or negative")
    return array
