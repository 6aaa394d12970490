"""A synthetic population: people drawn from an estimated joint distribution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from confide.arrays import Array
from confide.crowd._subpopulation import Subpopulation
from confide.design import Finite
from confide.mechanisms.randomness import Seed, generator_of


def draw_people(
    part: Subpopulation,
    names: Sequence[str],
    cells: NDArray[Any],
    weight: Array,
    n: int,
    seed: Seed,
) -> pa.Table:
    """Draw n people from weighted cells over some questions; the others are fixed."""
    generator = generator_of(seed)
    people = cells[generator.choice(len(cells), size=n, p=weight / weight.sum())]
    codes = {name: people[:, i] for i, name in enumerate(names)}
    codes |= {name: np.full(n, code) for name, code in part.within.items()}
    values = {name: _values(part, name, codes[name], generator) for name in part.design.names}
    return pa.table(values)


def _values(
    part: Subpopulation, name: str, codes: NDArray[Any], generator: np.random.Generator
) -> pa.Array:
    """Options, or possible numbers drawn evenly within their interval."""
    question: Any = part.design.question(name)
    if isinstance(question, Finite):
        return pa.array(part.labels(name)).take(pa.array(codes))
    edges = question.grid.array.clip(max=question.high + (question.step or 0) / 2)
    low, high = edges[codes], edges[codes + 1]
    numbers = low + (high - low) * generator.random(len(codes))
    if question.step is not None:
        numbers = question.low + np.rint((numbers - question.low) / question.step) * question.step
    return pa.array(numbers.clip(question.low, question.high))
