"""Naive Bayes from disguised reports."""

from __future__ import annotations

from typing import Self

import numpy as np
from scipy.special import softmax

from confide.arrays import ROUNDING, Array, Codes
from confide.crowd import Crowd, ReportsInPlace
from confide.design import Design
from confide.errors import ModelError
from confide.estimators.product_mixture import ProductMixture
from confide.files import Json
from confide.mining.classifier import DisguisedClassifier
from confide.mining.joint import JointPopulation
from confide.mining.methods import Method, estimate_population, uses_reconstruction
from confide.mining.noisy_numbers import reconstruct_margins
from confide.mining.parameters import check_number, check_two_classes
from confide.mining.population import Population
from confide.mining.trees.frontier import open_root

_ZERO = 1e-300
"""The probability of what was never seen, where nothing is smoothed."""


class DisguisedNaiveBayes(DisguisedClassifier):
    """Naive Bayes learned from disguised reports alone (`surveys`, section 3.3).

    The class v with the largest P(v)·Π_i P(a_i ∧ v)/P(v), where P(v) and P(a_i ∧ v) are the
    crowd's estimates. A negative estimate counts as zero.

    Parameters
    ----------
    design : Design, optional
        The design under which the reports were made. Without one it is an ordinary classifier of
        scikit-learn on data in the clear.
    target : str
        The question to predict.
    method : {"auto", "literal"}
        "literal" is the papers' inversion. "auto" is the best we know: naive Bayes within hidden
        classes, see `confide.mining.joint.choose_joint`. With numbers disguised by noise it
        reconstructs each question beside the target (`agrawal-srikant-2000`, "by-class").
    smoothing : float, optional
        So many people are added to each value of each question in each class. Left out, one, and
        none with "literal", which is the paper's own formula. Hidden classes have a smoothing of
        their own.

    Attributes
    ----------
    prior_ : array of shape (classes,)
        P(v).
    likelihood_ : list of arrays of shape (classes, values)
        P(a_i | v), one array per question.
    hidden_ : ProductMixture or None
        With method="auto" on disguised reports without noisy numbers: the hidden classes within
        which the answers, the target last, are independent. They, and not the tables above,
        then predict.

    Examples
    --------
    >>> import confide as cf, numpy as np
    >>> design = cf.Design(
    ...     [cf.YesNo("cheated"), cf.YesNo("drugs"), cf.YesNo("failed")],
    ...     [cf.Group(["cheated", "drugs", "failed"], cf.RelatedQuestion(0.8))],
    ... )
    >>> drugs = np.random.default_rng(1).integers(0, 2, 4000)
    >>> answers = np.stack([drugs, drugs, np.roll(drugs, 1)], axis=1)
    >>> model = cf.DisguisedNaiveBayes(design, target="cheated")
    >>> model.fit(design.disguise(answers, seed=2)).predict(np.array([[1, 0], [0, 1]]))
    array([1, 0])
    """

    kind = "naive-bayes"
    command = "bayes"
    title = "naive Bayes model"
    hidden_: ProductMixture | None

    def __init__(
        self,
        design: Design | None = None,
        target: str | None = None,
        *,
        method: Method = "auto",
        smoothing: float | None = None,
    ) -> None:
        self.design = design
        self.target = target
        self.method = method
        self.smoothing = smoothing

    def _learn(self, crowd: Population) -> None:
        if self.smoothing is not None:
            check_number("smoothing", self.smoothing, "a number of at least 0", lambda s: s >= 0)
        if self.method not in ("auto", "literal"):
            raise ModelError(
                f'method of DisguisedNaiveBayes must be "auto" or "literal". Got {self.method!r}.'
            )
        self.hidden_ = None
        shares, *tables = (_make_possible(each) for each in self._estimate(crowd))
        check_two_classes(self.target_, shares)
        self.prior_ = shares / shares.sum()
        self.likelihood_ = [self._smooth(table * crowd.n) for table in tables]

    def _estimate(self, crowd: Population) -> list[Array]:
        """Estimate the shares of the classes, then of class × value for each question."""
        if isinstance(crowd, Crowd) and uses_reconstruction(crowd, self.method):
            classes, found = reconstruct_margins(crowd.counts, self.target_, self.features_)
            return [classes, *found]
        estimate = estimate_population(crowd, self.target_, self.method)
        if isinstance(estimate, JointPopulation):
            self.hidden_ = estimate.predictor(self.target_, self.features_)
            tables = estimate.cross(self.target_, self.features_)
            return [tables[self.features_[0]].sum(axis=1), *tables.values()]
        return _estimate_tables(estimate, self.target_, self.features_)

    def _smooth(self, counts: Array) -> Array:
        """Estimate P(a | v) from counts of v × a; where nobody has v, every a is equally likely."""
        smoothed = counts + (self._count_added() if self.hidden_ is None else 0)
        total = smoothed.sum(axis=1, keepdims=True)
        even = np.full_like(smoothed, 1 / smoothed.shape[1])
        return np.divide(smoothed, total, out=even, where=total > 0)

    def _count_added(self) -> float:
        """Say how many people are added to each value."""
        if self.smoothing is None:
            return 0.0 if self.method == "literal" else 1.0
        return self.smoothing

    def _write_learned(self) -> Json:
        tables = [table.tolist() for table in self.likelihood_]
        hidden = None if self.hidden_ is None else _write_hidden(self.hidden_)
        return {"prior": self.prior_.tolist(), "likelihood": tables, "hidden": hidden}

    def _write_for_browser(self, smallest: bool) -> Json:
        if smallest and self.hidden_ is not None:
            return {"bayes": {"hidden": _write_hidden(self.hidden_)}}
        return {"bayes": self._write_learned()}

    def _write_parameters(self) -> Json:
        return {"method": self.method, "smoothing": self.smoothing}

    @classmethod
    def _from_parameters(cls, design: Design | None, target: str | None, parameters: Json) -> Self:
        method, smoothing = parameters["method"], parameters["smoothing"]
        return cls(design, target, method=method, smoothing=smoothing)

    def answer_tables(self) -> list[tuple[str, Array]]:
        return list(zip(self.features_, self.likelihood_, strict=True))

    def _restore(self, learned: Json) -> None:
        self.prior_ = np.array(learned["prior"], dtype=float)
        self.likelihood_ = [np.array(table, dtype=float) for table in learned["likelihood"]]
        shapes = [(len(self.classes_), self.design_.question(name).size) for name in self.features_]
        if [t.shape for t in self.likelihood_] != shapes or len(self.prior_) != len(self.classes_):
            raise ValueError("tables of another shape")
        _check_chances(self.prior_, *self.likelihood_)
        sizes = [values for _, values in shapes]
        hidden = learned["hidden"]
        self.hidden_ = _read_hidden(hidden, sizes, len(self.classes_)) if hidden else None

    @property
    def used_(self) -> list[str]:
        return self.features_

    def _predict_chances(self, columns: list[Codes]) -> Array:
        if self.hidden_ is not None:
            return self.hidden_.predict_last(columns)
        logs = np.tile(np.log(self.prior_.clip(_ZERO)), (len(columns[0]), 1))
        for table, column in zip(self.likelihood_, columns, strict=True):
            logs += np.log(table.clip(_ZERO)).T[column]
        return np.asarray(softmax(logs, axis=1))


def _make_possible(shares: Array) -> Array:
    """The nearest shares that are possible: a negative one is 0, and so is one that is rounding.

    What nobody has rules a class out, which what is almost nobody's would not.
    """
    return np.where(shares <= ROUNDING, 0.0, shares)


def _estimate_tables(people: Population, target: str, features: list[str]) -> list[Array]:
    """Estimate the shares of the classes, then of class × value for each question."""
    if isinstance(people, Crowd | ReportsInPlace):
        # Each small table is inverted alone, however many questions there are.
        crossed = people.cross_nodes([{}], target, features)
        tables = [crossed[name][0] for name in features]
        return [tables[0].sum(axis=1), *tables]
    root = open_root(people, target, features)
    places = range(len(features))
    return [root.classes()[0], *(root.cross([place])[0, 0] for place in places)]


def _write_hidden(mixture: ProductMixture) -> Json:
    """Give hidden classes as plain lists: those of the target apart from the others."""
    *tables, classes = (table.tolist() for table in mixture.tables)
    return {"weights": mixture.weights.tolist(), "classes": classes, "tables": tables}


def _read_hidden(given: Json, sizes: list[int], classes: int) -> ProductMixture:
    """Read what `_write_hidden` gave; raise ValueError where it cannot be that."""
    weights = np.array(given["weights"], float)
    tables = [np.array(table, float) for table in (*given["tables"], given["classes"])]
    if [table.shape for table in tables] != [(len(weights), k) for k in (*sizes, classes)]:
        raise ValueError("tables of another shape")
    _check_chances(weights, *tables)
    return ProductMixture(weights, tuple(tables))


def _check_chances(*arrays: Array) -> None:
    """Refuse what cannot be proportional to probabilities."""
    if any(not ((array >= 0) & np.isfinite(array)).all() for array in arrays):
        raise ValueError("a negative or infinite probability")
