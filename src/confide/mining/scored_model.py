"""What scoring asks of a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array, Codes, Values
from confide.counts import Counts
from confide.design import Design

LabelledRegions = list[tuple[dict[str, tuple[int, ...]], int, Array]]
"""Disjoint regions of answers, each with the label and the chances that a model gives there."""


class Model(Protocol):
    """What scoring needs to know of a model."""

    design_: Design
    target_: str
    classes_: Values

    @property
    def used_(self) -> list[str]:
        """The questions that the model looks at."""
        ...

    def _predict_labels(self, columns: list[Codes]) -> Codes: ...
    def _predict_chances(self, columns: list[Codes]) -> Array: ...
    def _list_regions(self) -> LabelledRegions | None: ...
    def _find_questions_that_matter(self, columns: list[Codes]) -> NDArray[np.bool_]: ...
    def _weigh_losses(
        self, batch: Counts, most_visits: float, shares: Sequence[Array]
    ) -> Array | None: ...
