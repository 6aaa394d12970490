"""Learning a tree from a population: growing it by a method, and cutting it back as asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from confide.crowd import Crowd
from confide.errors import ModelError
from confide.mining.classifier import DisguisedClassifier
from confide.mining.joint import JointPopulation
from confide.mining.methods import (
    Method,
    estimate_population,
    open_tree_root,
    uses_reconstruction,
)
from confide.mining.model_selection import cross_validate_models, split
from confide.mining.parameters import check_two_classes
from confide.mining.population import Population
from confide.mining.trees.best_cut import keep_most_accurate
from confide.mining.trees.criteria import Criterion
from confide.mining.trees.frontier import open_root
from confide.mining.trees.growth import AnyFrontier, Choose, Feature, grow
from confide.mining.trees.mixture_frontier import open_joint_root
from confide.mining.trees.pruning import (
    prune_as_in_sliq,
    prune_by_cost,
    prune_by_description_length,
    prune_by_error,
)
from confide.mining.trees.tree import Tree
from confide.mining.trees.tree_size import (
    keep_readable,
    keep_smallest_alike,
    list_prices,
)
from confide.progress import progress_part

Prune = Literal["reduced-error", "cost-complexity", "mdl"]

_HELD_OUT = 3  # of so many parts one is kept for validation
_MARGIN = 1.0  # standard errors
_FOLDS = 5
_PRICES = 20  # of a leaf, of which one is chosen

_WIN = 0.1
"""So many people a leaf of the largest tree must win. Chosen on simulated populations
(docs/research/mining-ablation.md): such trees are as accurate as whole ones with a
third of the leaves."""
_LEAST = 0.0005
"""A node with a smaller share of a population with noisy numbers is not tested any further."""


@dataclass(frozen=True)
class TreeLearner:
    """Grows trees that predict one question from others.

    Parameters
    ----------
    target : str
        The question to predict.
    names : sequence of str
        The questions to predict it from.
    features : sequence of Feature
        How each of these is tested.
    criterion, method, max_depth, max_leaves
        As `DisguisedTreeClassifier` takes them.
    """

    target: str
    names: Sequence[str]
    features: Sequence[Feature]
    criterion: Criterion
    method: Method
    max_depth: int | None
    max_leaves: int | None

    def learn(
        self,
        crowd: Population,
        prune: Prune | None,
        make_model: Callable[[Tree], DisguisedClassifier],
    ) -> Tree:
        """Grow a tree, and cut it back as asked; cross-validation scores the models of trees."""
        tree = self._learn_any_size(crowd, prune, make_model)
        return tree if self.max_leaves is None else keep_most_accurate(tree, self.max_leaves)

    def _learn_any_size(
        self,
        crowd: Population,
        prune: Prune | None,
        make_model: Callable[[Tree], DisguisedClassifier],
    ) -> Tree:
        """Do the same, whatever number of leaves was asked for."""
        if prune is None:
            return self._grow(crowd)
        if prune == "mdl":
            n = crowd.effective_n if isinstance(crowd, Crowd) else crowd.n
            return prune_by_description_length(self._grow(crowd), n, self.features)
        if not isinstance(crowd, Crowd):
            raise ModelError(f'prune="{prune}" needs reports to test on. Use "mdl".')
        if prune == "reduced-error":
            train, validation = next(split(crowd, _HELD_OUT))
            return prune_by_error(self._grow(train), self.names, self.target, validation, _MARGIN)
        return self._prune_by_best_cost(crowd, make_model)

    def _prune_by_best_cost(
        self, crowd: Crowd, make_model: Callable[[Tree], DisguisedClassifier]
    ) -> Tree:
        """Choose α by disguised cross-validation: the largest that cannot be told from the best."""
        prices = [0.0, *list_prices(1 / crowd.n, _PRICES)]

        def learn(train: Crowd) -> list[DisguisedClassifier]:
            grown = self._grow(train)
            return [make_model(prune_by_cost(grown, price)) for price in prices]

        with progress_part(0, _FOLDS / (_FOLDS + 1)):
            values, covariance = cross_validate_models(crowd, _FOLDS, learn)
        best = int(values.argmax())
        variance = covariance.diagonal() + covariance[best, best] - 2 * covariance[best]
        close = values >= values[best] - _MARGIN * np.sqrt(variance.clip(0))
        with progress_part(_FOLDS / (_FOLDS + 1), 1):
            return prune_by_cost(self._grow(crowd), prices[int(np.flatnonzero(close)[-1])])

    def _grow(self, crowd: Population) -> Tree:
        if isinstance(crowd, Crowd) and uses_reconstruction(crowd, self.method):
            root = open_tree_root(crowd, self.target, self.names, self.method)
            return prune_as_in_sliq(self._grow_from(root, _LEAST), crowd.n)
        estimate = estimate_population(crowd, self.target, self.method)
        if isinstance(estimate, JointPopulation):
            return self._grow_on_joint(estimate)
        return self._grow_from(open_root(estimate, self.target, self.names))

    def _grow_on_joint(self, joint: JointPopulation) -> Tree:
        """Grow on a smooth joint, which has people everywhere.

        A node must hold one of them, and tests below it must be able to win a little.
        """
        one = 1 / joint.n
        root = open_joint_root(joint, self.target, self.names)
        grown = self._grow_from(root, one, lambda nodes: nodes.keep_promising(_WIN * one))
        tree = keep_smallest_alike(grown, joint.n, _WIN * one)
        if self.max_leaves is not None:
            return tree
        return keep_readable(tree, joint.n, joint.borne_out)

    def _grow_from(
        self,
        root: AnyFrontier,
        least: float = 0.0,
        choose: Choose[AnyFrontier] | None = None,
    ) -> Tree:
        check_two_classes(self.target, root.classes()[0])
        return grow(root, self.features, self.criterion, self.max_depth, least, choose)
