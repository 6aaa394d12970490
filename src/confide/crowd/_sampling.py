"""A synthetic population: people drawn from an estimated joint distribution."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from confide.arrays import Array, Codes
from confide.crowd._subpopulation import Subpopulation
from confide.design import Number
from confide.mechanisms.randomness import Seed, generator_of


def draw_people(
    subpopulation: Subpopulation,
    names: Sequence[str],
    cells: Codes,
    weight: Array,
    n: int,
    seed: Seed,
) -> pa.Table:
    """Draw n people from weighted cells over some questions; the others are fixed."""
    generator = generator_of(seed)
    people = cells[generator.choice(len(cells), size=n, p=weight / weight.sum())]
    codes = {name: people[:, i] for i, name in enumerate(names)}
    codes |= {name: np.full(n, code) for name, code in subpopulation.within.items()}
    design = subpopulation.design
    values = {
        name: _draw_values(subpopulation, name, codes[name], generator) for name in design.names
    }
    for name, teller in design.declines.items():
        values[name] = pa.array(values[name].to_numpy(), mask=codes[teller] != 0)
    return pa.table(values)


def _draw_values(
    subpopulation: Subpopulation, name: str, codes: Codes, generator: np.random.Generator
) -> pa.Array:
    """The options of these codes, or possible numbers drawn evenly within their intervals."""
    question = subpopulation.design.question(name)
    if not isinstance(question, Number):
        return pa.array(subpopulation.labels(name)).take(pa.array(codes))
    edges = question.grid.array.clip(max=question.high + (question.step or 0) / 2)
    low, high = edges[codes], edges[codes + 1]
    numbers = low + (high - low) * generator.random(len(codes))
    if question.step is not None:
        numbers = question.low + np.rint((numbers - question.low) / question.step) * question.step
    return pa.array(numbers.clip(question.low, question.high))
