"""Random crowds for property tests: prevalences as people give them, and the table they mean."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import strategies as st


@st.composite
def crowds(draw, design):
    """A prevalence for every question, two of them perhaps tied, and the table it stands for."""
    names, tied = list(design.names), ()
    if len(names) > 1 and draw(st.booleans()):
        tied = tuple(draw(st.permutations(names))[:2])
    parts = [tied] if tied else []
    parts += [(name,) for name in names if name not in tied]
    prevalence, table, order = {}, np.ones(()), []
    for part in parts:
        cells = list(product(*(design.question(name).labels for name in part)))
        weights = draw(st.lists(st.integers(1, 9), min_size=len(cells), max_size=len(cells)))
        shares = np.array(weights) / sum(weights)
        keys = cells if len(part) > 1 else [cell[0] for cell in cells]
        prevalence[part if len(part) > 1 else part[0]] = dict(zip(keys, shares, strict=True))
        sizes = [design.question(name).size for name in part]
        table = np.multiply.outer(table, shares.reshape(sizes))
        order += part
    return prevalence, table.transpose([order.index(name) for name in names])
