"""Random crowds for property tests: prevalences as people give them, and the table they mean."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import strategies as st


@st.composite
def crowds(draw, design):
    """A prevalence for every question, or a joint one, and the table it stands for."""
    options = {name: design.question(name).labels for name in design.names}

    def shares(size):
        weights = draw(st.lists(st.integers(1, 9), min_size=size, max_size=size))
        return np.array(weights) / sum(weights)

    if draw(st.booleans()):
        cells = list(product(*options.values()))
        joint = shares(len(cells))
        table = joint.reshape([len(labels) for labels in options.values()])
        return dict(zip(cells, joint, strict=True)), table
    prevalence, table = {}, np.ones(())
    for name, labels in options.items():
        each = shares(len(labels))
        prevalence[name] = dict(zip(labels, each, strict=True))
        table = np.multiply.outer(table, each)
    return prevalence, table
