"""Random mixtures of products for tests, and their tables written out."""

from __future__ import annotations

import numpy as np

from confide.estimators.latent_classes import ProductMixtures
from confide.estimators.product_mixture import ProductMixture
from confide.privacy.known_crowd import KnownCrowd


def random_model(design, members, components, seed):
    generator = np.random.default_rng(seed)
    weights = generator.dirichlet(np.ones(components), members)
    tables = [
        generator.dirichlet(np.ones(question.size), members * components)
        for question in design.questions
    ]
    return ProductMixtures(weights, tables)


def known_crowd(weights, shares, source="classes"):
    """A crowd of classes with the shares of each question's answers, as an adversary knows it."""
    return KnownCrowd(tuple(shares), ProductMixture(weights, tuple(shares.values())), source)


def written_out(design, weights, tables, order):
    """P(component, cell) over all combinations of answers, the questions in the given order."""
    cells = weights[:, None]
    for name in order:
        table = tables[design.position(name)]
        cells = (cells[:, :, None] * table[:, None, :]).reshape(len(weights), -1)
    return cells
