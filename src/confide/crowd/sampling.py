"""A synthetic population: people drawn from an estimated joint distribution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from confide.crowd.algebra import Array
from confide.design import Design


def drawn(
    design: Design,
    names: Sequence[str],
    cells: NDArray[Any],
    weight: Array,
    within: Mapping[str, int],
    n: int,
    seed: int | None,
) -> pa.Table:
    """Draw n people from weighted cells over some questions; the others are fixed."""
    generator = np.random.default_rng(seed)
    people = cells[generator.choice(len(cells), size=n, p=weight / weight.sum())]
    codes = {name: people[:, i] for i, name in enumerate(names)}
    codes |= {name: np.full(n, code) for name, code in within.items()}
    return pa.table({name: _values(design, name, codes[name], generator) for name in design.names})


def _values(
    design: Design, name: str, codes: NDArray[Any], generator: np.random.Generator
) -> pa.Array:
    """Option labels, or possible numbers drawn evenly within their interval."""
    question: Any = design.question(name)
    grid = getattr(question, "grid", None)
    if grid is None:
        return pa.array(question.labels).take(pa.array(codes))
    edges = grid.array.clip(max=question.high + (question.step or 0) / 2)
    low, high = edges[codes], edges[codes + 1]
    numbers = low + (high - low) * generator.random(len(codes))
    if question.step is not None:
        numbers = question.low + np.rint((numbers - question.low) / question.step) * question.step
    return pa.array(numbers.clip(question.low, question.high))
