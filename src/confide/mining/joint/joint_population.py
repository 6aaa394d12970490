"""A joint distribution as a population that learners can ask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from confide.arrays import Array, Codes
from confide.design import Design
from confide.estimators.product_mixture import ProductMixture

_MOST_CELLS = 1 << 20
"""Up to this many combinations of answers are written out."""


@dataclass(frozen=True)
class Candidate:
    """A shape of the joint distribution that was tried, and how it did.

    Parameters
    ----------
    name : str
        Its shape, such as "12 latent classes".
    score : float
        The mean log-likelihood of the reports that it was not fitted to.
    weight : float
        Its share in the chosen joint.
    """

    name: str
    score: float
    weight: float


@dataclass(frozen=True, eq=False)
class JointPopulation:
    """A mixture of products that stands in for a `confide.Crowd`: its shares are never negative.

    Parameters
    ----------
    design : Design
        The questions' design.
    n : int
        The number of reports behind it.
    mixture : ProductMixture
        The joint distribution of the answers, in the order of the design's questions.
    candidates : tuple of Candidate
        What was tried, best first.
    borne_out : float
        How much of what the mixture says of the target left-out reports bear out, at least: from
        0, where answers that have nothing to do with each other tell them as well, to 1.
    """

    design: Design
    n: int
    mixture: ProductMixture
    candidates: tuple[Candidate, ...] = ()
    borne_out: float = 1.0

    def cross(self, target: str, names: Sequence[str]) -> dict[str, Array]:
        """The joint shares of target × question, by question."""
        place = self.design.position(target)
        return {name: self.mixture.cross(place, self.design.position(name)) for name in names}

    def cells(self) -> tuple[Codes, Array] | None:
        """Every combination of true answers with its share; None where they are too many."""
        sizes = [table.shape[1] for table in self.mixture.tables]
        if prod(sizes) > _MOST_CELLS:
            return None
        table = self.mixture.write_out()
        filled = np.flatnonzero(table)
        codes = np.stack(np.unravel_index(filled, sizes), axis=1).astype(np.int16)
        return codes, table[filled]

    def predictor(self, target: str, features: Sequence[str]) -> ProductMixture:
        """The mixture of some questions and the target, the last, which they predict."""
        return self.mixture.select([self.design.position(name) for name in (*features, target)])

    def proba(self, target: str, codes: Codes) -> Array:
        """The chance of each class given the true answers to all other questions.

        ``codes`` has one column per question, in the design's order; the target's is ignored.
        """
        features = [name for name in self.design.names if name != target]
        columns = [codes[:, self.design.position(name)] for name in features]
        return self.predictor(target, features).predict_last(columns)
