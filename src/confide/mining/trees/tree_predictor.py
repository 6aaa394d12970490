"""What a learned tree predicts, from which questions, in Python and in a browser."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from confide.arrays import Array, Codes
from confide.counts import Counts
from confide.files import Json
from confide.mining.classifier import DisguisedClassifier
from confide.mining.scored_model import LabelledRegions
from confide.mining.trees.dealt_answers import weigh_losses
from confide.mining.trees.tree import Tree


class TreePredictor(DisguisedClassifier):
    """A classifier whose learned `tree_` predicts."""

    tree_: Tree

    @property
    def used_(self) -> list[str]:
        return [self.features_[place] for place in self.tree_.used]

    @property
    def feature_importances_(self) -> Array:
        """What each question adds to the tree: the gains of its tests, by the people they test.

        They add up to 1, in the order of `feature_names_in_`. They are the tree's own: a question
        with many options gains by chance too. `importances_disguised` asks other reports.
        """
        check_is_fitted(self)
        tree = self.tree_
        people = tree.shares.clip(0).sum(axis=1)
        tested = tree.question >= 0
        gains = np.bincount(
            tree.question[tested], (people * tree.gain)[tested], len(self.features_)
        )
        return np.asarray(gains / gains.sum() if gains.sum() > 0 else gains)

    def get_n_leaves(self) -> int:
        """The number of leaves, by the name that scikit-learn's trees give it."""
        check_is_fitted(self)
        return len(self.tree_.leaves)

    def get_depth(self) -> int:
        """The largest number of tests on a path, by the name that scikit-learn's trees give it."""
        check_is_fitted(self)
        return len(self.tree_.levels) - 1

    def _find_leaves(self, tree: Tree, columns: list[Codes]) -> NDArray[np.intp]:
        """Find the leaf of a tree that each row of codes of the used questions reaches."""
        empty = np.zeros(len(columns[0]), np.intp)
        used = dict(zip(self.tree_.used, columns, strict=False))
        return tree.find_leaves([used.get(i, empty) for i in range(len(self.features_))])

    def _predict_labels(self, columns: list[Codes]) -> Codes:
        deciding = self.tree_.deciding
        return deciding.label[self._find_leaves(deciding, columns)]

    def _predict_chances(self, columns: list[Codes]) -> Array:
        return self.tree_.chances[self._find_leaves(self.tree_, columns)]

    def _list_regions(self) -> LabelledRegions:
        tree = self.tree_
        return [
            (
                {self.features_[place]: codes for place, codes in tree.path(leaf).items()},
                int(tree.label[leaf]),
                tree.chances[leaf],
            )
            for leaf in tree.leaves.tolist()
        ]

    def _find_questions_that_matter(self, columns: list[Codes]) -> NDArray[np.bool_]:
        deciding = self.tree_.deciding
        tested = deciding.list_tested(len(self.features_))[:, self.tree_.used]
        return np.asarray(tested[self._find_leaves(deciding, columns)])

    def _weigh_losses(
        self, batch: Counts, most_visits: float, shares: Sequence[Array]
    ) -> Array | None:
        tree, dealt = self.tree_.deciding, dict(zip(self.tree_.used, shares, strict=True))
        lost = weigh_losses(tree, self.features_, self.target_, batch, dealt, most_visits)
        return None if lost is None else np.stack([lost[place] for place in dealt], axis=1)

    def _write_for_browser(self, smallest: bool) -> Json:
        del smallest  # all of a tree predicts
        tree, place = self.tree_, {q: i for i, q in enumerate(self.tree_.used)}
        return {
            "tree": [
                {"label": int(tree.label[node]), "chances": tree.chances[node].tolist()}
                if asked < 0
                else {"question": place[asked], "child": self._list_children(node, asked)}
                for node, asked in enumerate(tree.question.tolist())
            ]
        }

    def _list_children(self, node: int, asked: int) -> list[int]:
        return self.tree_.child[node, : self.design_.question(self.features_[asked]).size].tolist()
