"""Decision trees from disguised reports."""

from __future__ import annotations

from copy import copy
from pathlib import Path
from typing import Self, get_args

import numpy as np
from sklearn.utils.validation import check_is_fitted

from confide.arrays import Array
from confide.crowd import Crowd
from confide.design import Design
from confide.errors import ModelError
from confide.files import Json
from confide.mining.classifier import SHOWN_DEPTH
from confide.mining.methods import OF_NUMBERS, Method
from confide.mining.parameters import check_whole_number
from confide.mining.population import Population
from confide.mining.trees.criteria import Criterion
from confide.mining.trees.growth import make_feature
from confide.mining.trees.node_shares import estimate_node_shares
from confide.mining.trees.pruning import prune_by_error
from confide.mining.trees.tree import Tree
from confide.mining.trees.tree_learner import Prune, TreeLearner
from confide.mining.trees.tree_predictor import TreePredictor


class DisguisedTreeClassifier(TreePredictor):
    """A decision tree learned from disguised reports alone.

    Parameters
    ----------
    design : Design, optional
        The design under which the reports were made. Without one it is an ordinary classifier of
        scikit-learn on data in the clear.
    target : str
        The question to predict.
    criterion : {"entropy", "gini"}, optional
        "entropy" is ID3 as `du-zhan-2003` and `multi-group` print it: a test has one branch per
        value. "gini" is CART as in `four-group`: two branches, every parting of a choice's options
        (up to ten of them), every cut of an ordered choice. A number in the clear is cut in two at
        an interval's edge under both. Left out, entropy; gini with "global", "by-class", "local".
    method : {"auto", "literal", "global", "by-class", "local"}
        "literal" is the papers' inversion. "auto" is the best we know: of the trees that so many
        answers in the clear could not tell apart it keeps the smallest, and cuts it to sixty leaves
        unless that costs more than a hundredth of the accuracy, or than 1/√n. The others are
        those of `agrawal-srikant-2000` for designs with numbers, whose trees are pruned by minimum
        description length.
    max_depth : int, optional
        The largest number of tests on a path; left out, ID3's own stopping rules alone.
    max_leaves : int, optional
        The largest number of leaves, instead of sixty: of all trees of so many that cuts leave, the
        most accurate.
    prune : {"reduced-error", "cost-complexity", "mdl"}, optional
        Cut the tree back: to the tests that raise the accuracy on a third of the reports, kept
        apart for that, by more than a standard error; to the smallest tree that disguised
        cross-validation cannot tell from the best; or to the shortest description.

    Attributes
    ----------
    tree_ : Tree
        The nodes: tests, estimated shares, labels, gains.
    classes_ : array
        The target's values, in the kind in which the reports have them.

    Notes
    -----
    *Negative counts.* An estimated count may be negative. It counts as zero wherever a gain, a
    majority or a stopping rule is computed; the nodes keep the signed estimates.

    Examples
    --------
    >>> import confide as cf, numpy as np
    >>> design = cf.Design(
    ...     [cf.YesNo("cheated"), cf.YesNo("drugs"), cf.YesNo("failed")],
    ...     [cf.Group(["cheated", "drugs", "failed"], cf.RelatedQuestion(0.8))],
    ... )
    >>> drugs = np.random.default_rng(1).integers(0, 2, 4000)
    >>> answers = np.stack([drugs, drugs, np.roll(drugs, 1)], axis=1)
    >>> reports = design.disguise(answers, seed=2)
    >>> tree = cf.DisguisedTreeClassifier(design, target="cheated", max_depth=2).fit(reports)
    >>> tree.predict(np.array([[1, 0], [0, 1]]))
    array([1, 0])
    >>> tree.score_disguised(design.disguise(answers[:1000], seed=3))
    1.000 [0.996, 1.000] (95 %, n = 1,000)
    >>> print(tree.text())
    drugs? (n ≈ 4,000 ± 0)
    ├─ no: no (n ≈ 1,922 ± 103; no 100 %, yes 0 %)
    └─ yes: yes (n ≈ 2,078 ± 103; no 0 %, yes 100 %)
    """

    kind = "tree"
    command = "tree"
    title = "decision tree"

    def __init__(
        self,
        design: Design | None = None,
        target: str | None = None,
        *,
        criterion: Criterion | None = None,
        method: Method = "auto",
        max_depth: int | None = None,
        max_leaves: int | None = None,
        prune: Prune | None = None,
    ) -> None:
        self.design = design
        self.target = target
        self.criterion = criterion
        self.method = method
        self.max_depth = max_depth
        self.max_leaves = max_leaves
        self.prune = prune

    def _learn(self, crowd: Population) -> None:
        if self.criterion not in (None, "entropy", "gini"):
            raise ModelError(f'criterion must be "entropy" or "gini". Got {self.criterion!r}.')
        if self.max_depth is not None:
            check_whole_number("max_depth", self.max_depth, 1)
        if self.max_leaves is not None:
            check_whole_number("max_leaves", self.max_leaves, 2)
        if self.prune is not None and self.prune not in get_args(Prune):
            raise ModelError(
                f"prune must be one of {', '.join(get_args(Prune))}. Got {self.prune!r}."
            )
        self._node_shares: Array | None = None
        self._crowd = crowd if isinstance(crowd, Crowd) else None
        criterion = self._choose_criterion()
        features = [make_feature(self.design_.question(f), criterion) for f in self.features_]
        learner = TreeLearner(
            self.target_,
            self.features_,
            features,
            criterion,
            self.method,
            self.max_depth,
            self.max_leaves,
        )
        self.tree_ = learner.learn(crowd, self.prune, self._copy_with)

    def _copy_with(self, tree: Tree) -> DisguisedTreeClassifier:
        """Copy the classifier, with another tree."""
        other = copy(self)
        other.tree_, other._node_shares = tree, None
        return other

    def prune_disguised(self, validation: object, margin: float = 1.0) -> DisguisedTreeClassifier:
        """Copy this tree, cut back by reduced error on disguised validation reports.

        Parameters
        ----------
        validation : reports or Crowd
            Reports that the tree has not seen.
        margin : float
            A test stays if it raises the estimated accuracy by more than so many of its standard
            errors.
        """
        crowd = self._test_crowd(validation)
        return self._copy_with(
            prune_by_error(self.tree_, self.features_, self.target_, crowd, margin)
        )

    def _choose_criterion(self) -> Criterion:
        """Choose the criterion asked for, or the one of the method's paper."""
        return self.criterion or ("gini" if self.method in OF_NUMBERS else "entropy")

    @property
    def node_shares_(self) -> Array:
        """The share of people in each node and its standard error: (nodes, 2).

        The share is unbiased, by the inverse; where a number has noise, it is the tree's own. Known
        for the first nodes, 255 at most, of a tree learned from reports; NaN elsewhere.
        """
        if self._node_shares is None:
            self._node_shares = np.full((len(self.tree_), 2), np.nan)
            if self._crowd is not None:
                known = estimate_node_shares(self.tree_, self.features_, self.target_, self._crowd)
                self._node_shares[: len(known)] = known
        return self._node_shares

    def _write_parameters(self) -> Json:
        return {
            "criterion": self.criterion,
            "max_depth": self.max_depth,
            "method": self.method,
            "prune": self.prune,
        } | ({} if self.max_leaves is None else {"max_leaves": self.max_leaves})

    @classmethod
    def _from_parameters(cls, design: Design | None, target: str | None, parameters: Json) -> Self:
        return cls(
            design,
            target,
            criterion=parameters["criterion"],
            method=parameters["method"],
            max_depth=parameters["max_depth"],
            max_leaves=parameters.get("max_leaves"),
            prune=parameters["prune"],
        )

    @classmethod
    def for_a_page(cls, design: Design, target: str) -> Self:
        return cls(design, target, max_depth=SHOWN_DEPTH)

    def _write_learned(self) -> Json:
        known = [None if np.isnan(pair[0]) else pair for pair in self.node_shares_.tolist()]
        return {**self.tree_.to_dict(), "unbiased_share": known}

    def _restore(self, learned: Json) -> None:
        sizes = [self.design_.question(name).size for name in self.features_]
        self.tree_ = Tree.from_dict(learned, sizes, len(self.classes_))
        known = [pair or [np.nan, np.nan] for pair in learned["unbiased_share"]]
        self._node_shares = np.array(known, dtype=float)
        if self._node_shares.shape != (len(self.tree_), 2):
            raise ValueError("there must be one share per node")
        self._crowd = None

    def text(self, max_depth: int | None = None) -> str:
        """The tree as indented text, one line per node, down to a depth."""
        from confide.mining.exports.text import to_text

        check_is_fitted(self)
        return to_text(self, max_depth)

    def outline(self) -> Json:
        """The tree as nested plain values: what each node asks and says, and its branches."""
        from confide.mining.exports.outline import to_outline

        check_is_fitted(self)
        return to_outline(self)

    def dot(self) -> str:
        """The tree in the language of Graphviz."""
        from confide.mining.exports.dot import to_dot

        check_is_fitted(self)
        return to_dot(self)

    def sql(self) -> str:
        """The prediction as an SQL expression over columns named as the questions."""
        from confide.mining.exports.sql import to_sql

        check_is_fitted(self)
        return to_sql(self)

    def picture_svg(self, max_depth: int = SHOWN_DEPTH) -> str:
        """A drawing of the tree as SVG, down to a depth."""
        from confide.mining.exports.picture import draw_svg

        check_is_fitted(self)
        return draw_svg(self, max_depth)

    def _repr_mimebundle_(self, **shown: object) -> dict[str, str]:
        """The tree as notebooks draw it; before it is learned, as scikit-learn shows it."""
        if not self.__sklearn_is_fitted__():
            return dict(super()._repr_mimebundle_(**shown))
        return {"text/plain": self.text(SHOWN_DEPTH), "text/html": self.picture_svg()}

    def _repr_html_(self) -> str:
        """The tree drawn, once it is learned."""
        return self._repr_mimebundle_()["text/html"]

    def picture(self, path: str | Path, max_depth: int = SHOWN_DEPTH) -> None:
        """Draw the tree into an SVG or PNG file: people as in `text`, classes in colour."""
        from confide.mining.exports.picture import save_picture

        check_is_fitted(self)
        save_picture(self, Path(path), max_depth)
