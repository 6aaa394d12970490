"""Random mixtures of products for tests, and their tables written out."""

from __future__ import annotations

import numpy as np

from confide.estimators.latent_classes import LatentClasses


def random_model(design, members, components, seed):
    generator = np.random.default_rng(seed)
    weights = generator.dirichlet(np.ones(components), members)
    tables = [
        generator.dirichlet(np.ones(question.size), members * components)
        for question in design.questions
    ]
    return LatentClasses(weights, tables)


def written_out(design, weights, tables, order):
    """P(component, cell) over all combinations of answers, the questions in the given order."""
    cells = weights[:, None]
    for name in order:
        table = tables[design.position(name)]
        cells = (cells[:, :, None] * table[:, None, :]).reshape(len(weights), -1)
    return cells
