"""Clusters of people from disguised reports."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_uppercase
from typing import Self

import numpy as np
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits

from confide.arrays import Array, Codes, Values
from confide.crowd import Estimate
from confide.design import Design
from confide.design.questions import Option
from confide.errors import ModelError
from confide.estimators.product_mixture import ProductMixture
from confide.extras import Altair
from confide.files import Json
from confide.mining.answer_codes import encode_answers_used
from confide.mining.chances import approximate_chance, estimate_chance
from confide.mining.clusters.cluster_fit import fit_clusters, measure_errors
from confide.mining.clusters.number import TriedNumber, choose_number, count_told
from confide.mining.clusters.stability import find_chances, measure_stability
from confide.mining.option_reports import read_finite
from confide.mining.parameters import check_design, check_whole_number
from confide.mining.structure_model import StructureModel, read_distributions, read_errors
from confide.progress import progress_part

_MOST = len(ascii_uppercase)
_COVERED = 2  # up to so many clusters the intervals were shown to cover


@dataclass(frozen=True)
class Cluster:
    """People who answer alike.

    Parameters
    ----------
    name : str
        "A" for the largest, "B" for the next, and so on.
    share : Estimate
        The share of all people who are in it.
    answers : dict
        For each question the estimated share of each answer within the cluster.
    stability : float
        How much of it another survey would find again, from 0 to 1; below 0.6 it is not to be
        trusted.
    """

    name: str
    share: Estimate
    answers: dict[str, dict[Option, Estimate]]
    stability: float

    def __repr__(self) -> str:
        lines = [f"{self.name}: {self.share}, stability {self.stability:.2f}"]
        for question, shares in self.answers.items():
            (value, best) = max(shares.items(), key=lambda item: item[1].value)
            lines.append(f"  {question} = {value}: {best}")
        return "\n".join(lines)


class DisguisedClusters(StructureModel):
    """Clusters of people who answer alike, learned from disguised reports alone.

    Latent classes: within a cluster the answers are independent of each other, and what is known of
    a cluster is how often each answer is given in it. They are fitted by the likelihood of the
    whole disguised report, so a report's other answers tell about its coins. Numbers take no part.

    Standard errors come from the curvature of the likelihood. They take the number of clusters as
    known; where clusters are small, hardly differ, or little truth is in a report, they are too
    small, and `stability` says so. Intervals of 95 % are given for at most two clusters: with
    three, reaching 1.96 standard errors covers 91 to 97 %, and there are standard errors alone.

    Parameters
    ----------
    design : Design
        The design under which the reports were made.
    n_clusters : int, optional
        How many clusters. Left out, as many as explain held-out reports better, at most eight.
        Few questions cannot tell many clusters apart, whatever the number of reports: three yes-no
        questions tell two, four tell three, five tell five.
    surveys : int
        How many times reports are drawn again to find out how stable the clusters are.

    Attributes
    ----------
    clusters_ : tuple of Cluster
        The clusters, the largest first.
    tried_ : list of TriedNumber
        The numbers of clusters that were tried, with their held-out likelihood.
    n_ : int
        The number of reports.

    Examples
    --------
    >>> import confide as cf, numpy as np
    >>> names = ["cheated", "drugs", "failed"]
    >>> design = cf.Design(
    ...     [cf.YesNo(name) for name in names], [cf.Group(names, cf.RelatedQuestion(0.8))]
    ... )
    >>> generator = np.random.default_rng(1)
    >>> wild = generator.random(4000) < 0.3
    >>> answers = generator.random((4000, 3)) < np.where(wild, 0.8, 0.1)[:, None]
    >>> model = cf.DisguisedClusters(design, 2, surveys=2).fit(design.disguise(answers, seed=2))
    >>> [round(cluster.share.value, 1) for cluster in model.clusters_]
    [0.7, 0.3]
    >>> model.predict(np.array([[0, 0, 0], [1, 1, 1]]))
    array(['A', 'B'], dtype='<U1')
    """

    kind = "clusters"
    clusters_: tuple[Cluster, ...]
    tried_: list[TriedNumber]

    def __init__(self, design: Design, n_clusters: int | None = None, *, surveys: int = 10) -> None:
        self.design = design
        self.n_clusters = n_clusters
        self.surveys = surveys

    def fit(self, reports: object, y: object = None, sample_weight: object = None) -> Self:  # noqa: ARG002
        """Find the clusters in reports, or in a crowd.

        ``sample_weight`` says how many people each row of reports stands for.
        """
        check_design(self.design)
        check_whole_number("surveys", self.surveys, 1)
        self.design_, batches = read_finite(self.design, reports, sample_weight, least=2)
        self.n_ = sum(batch.n for batch in batches)
        self._check_number()
        # The matrices are small: threads would wait for each other longer than they work.
        with threadpool_limits(1, "blas"):
            with progress_part(0, 0.5):
                chosen, self.tried_ = (
                    choose_number(batches)
                    if self.n_clusters is None
                    else (int(self.n_clusters), [])
                )
            fitted = fit_clusters(batches, chosen)
            errors = measure_errors(batches, fitted)
            with progress_part(0.5, 1):
                stability = measure_stability(batches, fitted.mixture, self.surveys)
        self._describe(fitted.mixture, errors, stability)
        return self

    def _check_number(self) -> None:
        if self.n_clusters is None:
            return
        check_whole_number("n_clusters", self.n_clusters, 1)
        if self.n_clusters > min(self.n_, _MOST):
            raise ModelError(
                f"n_clusters must be at most {_MOST}, and at most the number of reports, "
                f"{self.n_:,}. Got {self.n_clusters}."
            )
        told = count_told(self.design_)
        if self.n_clusters > told:
            raise ModelError(
                f"no number of reports to {len(self.design_.names)} questions tells more than "
                f"{told} cluster{'s' if told > 1 else ''} apart. Got n_clusters={self.n_clusters}."
            )

    def _describe(
        self, mixture: ProductMixture, errors: tuple[Array, list[Array]], stability: Array
    ) -> None:
        """Keep a fit, and tell of each cluster what was found."""
        self._mixture, self._errors, self._stability = mixture, errors, stability
        self.names_ = np.array(list(ascii_uppercase[: len(mixture.weights)]))
        self.clusters_ = tuple(self._describe_cluster(k) for k in range(len(self.names_)))

    def _describe_cluster(self, place: int) -> Cluster:
        weight, (weight_errors, table_errors) = self._mixture.weights[place], self._errors
        people = max(1, round(self.n_ * float(weight)))
        estimate = estimate_chance if len(self.names_) <= _COVERED else approximate_chance
        answers = {}
        for question, table, error in zip(
            self.design_.questions, self._mixture.tables, table_errors, strict=True
        ):
            values = zip(question.values, table[place], error[place], strict=True)
            answers[question.name] = {
                value: estimate(chance, spread, people, self.n_) for value, chance, spread in values
            }
        share = estimate(weight, weight_errors[place], self.n_)
        return Cluster(str(self.names_[place]), share, answers, float(self._stability[place]))

    def predict(self, X: object) -> Values:
        """The name of the likeliest cluster for each row of clear answers."""
        likeliest = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.names_[likeliest])

    def predict_proba(self, X: object) -> Array:
        """Each cluster's probability for each row of clear answers, in the order of `clusters_`."""
        check_is_fitted(self, "clusters_")
        names = self.design_.names
        codes: list[Codes] = encode_answers_used(self.design_, names, names, X)
        return find_chances(self._mixture, codes)

    def plot(self) -> Altair:
        """The clusters' profiles: how often each answer is given in each, with intervals."""
        from confide.mining.clusters.profile_chart import draw_profiles

        check_is_fitted(self, "clusters_")
        return draw_profiles(self)

    def _write_learned(self) -> Json:
        weight_errors, table_errors = self._errors
        return {
            "weights": self._mixture.weights.tolist(),
            "weight_errors": weight_errors.tolist(),
            "tables": [table.tolist() for table in self._mixture.tables],
            "table_errors": [table.tolist() for table in table_errors],
            "stability": self._stability.tolist(),
            "tried": [vars(each) for each in self.tried_],
        }

    def _restore(self, learned: Json) -> None:
        count = len(learned["weights"])
        sizes = [(count, question.size) for question in self.design_.questions]
        given = (learned["tables"], learned["table_errors"])
        if count > _MOST or any(len(each) != len(sizes) for each in given):
            raise ValueError("more clusters or tables than there can be")
        tables, errors = (
            [read(table, size) for table, size in zip(each, sizes, strict=True)]
            for read, each in zip((read_distributions, read_errors), given, strict=True)
        )
        self.tried_ = [TriedNumber(**each) for each in learned["tried"]]
        self._describe(
            ProductMixture(read_distributions(learned["weights"], (count,)), tuple(tables)),
            (read_errors(learned["weight_errors"], (count,)), errors),
            read_errors(learned["stability"], (count,)),
        )

    def __repr__(self) -> str:
        if "clusters_" not in vars(self):
            return str(super().__repr__())
        return "\n".join(str(cluster) for cluster in self.clusters_)
