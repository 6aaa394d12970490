"""Which estimate of the population a learner works on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from confide.crowd import Crowd
from confide.crowd.algebra import Algebra
from confide.crowd.axes import noisy
from confide.crowd.crowd import DENSE_CELLS
from confide.crowd.likelihood import Observed, improved
from confide.design import Design
from confide.errors import ModelError
from confide.mining.frontier import Frontier, Population, frontier
from confide.mining.numbers import associated, joint_population, local_frontier

Array = NDArray[np.float64]
Method = Literal["auto", "literal", "global", "by-class", "local"]

_STEPS = 5


def population(crowd: Population, target: str, method: Method) -> Population:
    """The estimate that a method works on.

    "literal" is the papers' inversion: unbiased, signed. "auto" is five steps of
    expectation–maximisation from the uniform table, which stop long before the noise is fitted; a
    table too large for that is inverted. A population that is no `Crowd` is its own estimate.

    Numbers with noise have no inverse: there "global" and "by-class" associate reports with
    intervals (`agrawal-srikant-2000`), and "auto" reconstructs the few questions that matter
    jointly.
    """
    if method not in get_args(Method):
        allowed = ", ".join(f'"{each}"' for each in get_args(Method))
        raise ModelError(f"method must be one of {allowed}. Got {method!r}.")
    if isinstance(crowd, Crowd) and noisy_numbers(crowd, method):
        if method == "auto":
            return joint_population(crowd, target)
        return associated(crowd.counts, target, by_class=method == "by-class")
    if method == "literal" or not isinstance(crowd, Crowd) or not _worthwhile(crowd):
        return crowd
    return Joint(crowd.design, crowd.n, _smoothed(crowd))


def roots(crowd: Population, target: str, features: Sequence[str], method: Method) -> Frontier:
    """The root of a tree on the estimate that a method works on."""
    if method == "local" and isinstance(crowd, Crowd) and noisy_numbers(crowd, method):
        return local_frontier(crowd.counts, target, features)
    return frontier(population(crowd, target, method), target, features)


def noisy_numbers(crowd: Crowd, method: Method) -> bool:
    """Whether a crowd has numbers with noise; the methods that are for those refuse others."""
    design = crowd.design
    found = any(noisy(batch.design, design.names) for batch in crowd.counts)
    if not found and method in ("global", "by-class", "local"):
        raise ModelError(
            f'method "{method}" is for designs with numbers disguised by noise: use "auto".'
        )
    return found and method != "literal"


def _worthwhile(crowd: Crowd) -> bool:
    """Whether something is disguised, and the table is small enough to smooth."""
    disguised = any(batch.design.groups for batch in crowd.counts)
    return disguised and prod(Algebra(crowd.design, crowd.design.names).shape) <= DENSE_CELLS


def _smoothed(crowd: Crowd) -> Array:
    names = crowd.design.names
    batches = [
        Observed(Algebra(batch.design, names), batch.table(names) / batch.n, batch.n)
        for batch in crowd.counts
    ]
    shape = batches[0].algebra.shape
    truth = np.full(shape, 1 / prod(shape))
    for _ in range(_STEPS):
        truth = improved(batches, truth)
    return truth


@dataclass(frozen=True, eq=False)
class Joint:
    """A whole joint distribution as a population: non-negative, one axis a question."""

    design: Design
    n: int
    table: Array

    def cells(self) -> tuple[NDArray[np.int16], Array]:
        """The combinations of true answers that have a share, and their shares."""
        filled = np.flatnonzero(self.table)
        rows = np.stack(np.unravel_index(filled, self.table.shape), axis=1)
        return rows.astype(np.int16), self.table.ravel()[filled]
