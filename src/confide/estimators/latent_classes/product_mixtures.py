"""Several mixtures of products with equally many components, fitted side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.arrays import Array
from confide.estimators.product_mixture import ProductMixture

Tables = Sequence[Array]
"""For each question of the design the chance of each true answer: (components, answers)."""


@dataclass(frozen=True, eq=False)
class ProductMixtures:
    """Members side by side, each a `ProductMixture` with equally many components.

    Parameters
    ----------
    weights : array of shape (members, components)
        Each member's distribution over its components.
    tables : one array of shape (members · components, answers) per question
        The distribution of the question's answer in each component.
    """

    weights: Array
    tables: Tables

    @classmethod
    def stack(cls, members: Sequence[ProductMixture]) -> ProductMixtures:
        """Put mixtures with equally many components side by side."""
        tables = zip(*(member.tables for member in members), strict=True)
        weights = np.stack([member.weights for member in members])
        return cls(weights, [np.concatenate(each) for each in tables])

    def __len__(self) -> int:
        return len(self.weights)

    def member(self, place: int) -> ProductMixture:
        """Give one of the mixtures."""
        components = self.weights.shape[1]
        rows = slice(place * components, (place + 1) * components)
        return ProductMixture(self.weights[place], tuple(table[rows] for table in self.tables))

    @property
    def members(self) -> list[ProductMixture]:
        """Give all mixtures, one by one."""
        return [self.member(place) for place in range(len(self))]
