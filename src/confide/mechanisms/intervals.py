"""Value-class membership: a report names only the interval that holds the number."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import ClassVar

import numpy as np

from confide.arrays import Array
from confide.errors import AnswersError, DesignError
from confide.files import Json
from confide.mechanisms.asked import Asked, AskedNumber
from confide.mechanisms.grid import Grid
from confide.mechanisms.number_mechanism import NumberMechanism, one_number, read_finite
from confide.mechanisms.randomness import Randomness


@dataclass(frozen=True, repr=False)
class Intervals(NumberMechanism):
    """Report the middle of the interval that holds the number, and nothing finer.

    Parameters
    ----------
    edges : sequence of float
        Rising, from the lowest possible number to the highest; widths may differ.

    Notes
    -----
    *Privacy.* No chance is involved: the interval is certain and ε = ∞. At confidence c the number
    lies within c times the interval's width (Table 1 of `agrawal-srikant-2000`); `width` gives
    that of the narrowest.

    *Utility.* Shares of whole intervals are exact; nothing is known within one.

    Examples
    --------
    >>> import numpy as np
    >>> from confide import Design, Group, Number
    >>> group = Group(["age"], Intervals([0, 18, 30, 65, 120]))
    >>> Design([Number("age", 0, 120)], [group]).disguise(np.array([17.0, 18.0, 70.0])).tolist()
    [9.0, 24.0, 92.5]
    """

    edges: Sequence[float]
    kind: ClassVar[str] = "intervals"
    summary: ClassVar[str] = "One number: only the interval that holds it is told."
    needed_keys: ClassVar[Json] = {
        "edges": {
            "description": (
                "Where the intervals begin and end, rising, from the lowest possible number "
                "to the highest."
            ),
            "type": "array",
            "minItems": 2,
            "uniqueItems": True,
            "items": {"$ref": "#/$defs/finite"},
        },
    }
    by_chance: ClassVar[bool] = False

    def __post_init__(self) -> None:
        given: object = self.edges
        if isinstance(given, str) or not isinstance(given, Sequence | np.ndarray):
            raise DesignError("edges of Intervals must be a list of numbers.")
        edges = tuple(read_finite(edge, "an edge of Intervals") for edge in given)
        if len(edges) < 2 or not all(a < b for a, b in itertools.pairwise(edges)):
            raise DesignError("edges of Intervals must be at least two numbers in rising order.")
        object.__setattr__(self, "edges", edges)

    @property
    def interval_edges(self) -> tuple[float, ...]:
        return tuple(self.edges)

    @property
    def _grid(self) -> Grid:
        return Grid(tuple(self.edges))

    def check(self, asked: Sequence[Asked]) -> None:
        super().check(asked)
        question = one_number(asked)
        low, high = question.grid.edges[0], question.grid.edges[-1]
        if self.edges[0] > low or self.edges[-1] < high:
            raise DesignError(
                f"edges of Intervals must cover {question.name}, {low:g} to {high:g}. They run "
                f"from {self.edges[0]:g} to {self.edges[-1]:g}."
            )

    def parameters(self) -> Json:
        return {"edges": list(self.edges)}

    def sample(
        self,
        asked: AskedNumber,  # noqa: ARG002
        values: Array,
        randomness: Randomness,  # noqa: ARG002
    ) -> Array:
        codes = self._grid.code(values)
        if (codes < 0).any():
            raise AnswersError(f"{(codes < 0).sum()} numbers lie outside the given intervals.")
        return self._grid.middles[codes]

    def report_grid(self, asked: Asked) -> Grid:  # noqa: ARG002
        return self._grid

    def matrix(self, asked: AskedNumber) -> Array:
        """The share of each true interval that lies within each reported one."""
        truth, reported = asked.grid.array, self._grid.array
        overlap = np.minimum(truth[None, 1:], reported[1:, None]) - np.maximum(
            truth[None, :-1], reported[:-1, None]
        )
        return overlap.clip(0) / np.diff(truth)

    def width(self, confidence: float) -> float:
        return confidence * float(np.diff(self.edges).min())

    def epsilon(self, asked: Sequence[Asked]) -> float:  # noqa: ARG002
        return inf
