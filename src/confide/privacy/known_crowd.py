"""What an adversary knows about the crowd: classes of people, within which answers are independent.

One shape serves every crowd. Independent answers are one class; a joint table is one class for
each of its combinations; a crowd estimated from many questions is a few latent classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import TypeAlias, cast

import numpy as np

from confide.arrays import Array
from confide.crowd import Crowd
from confide.design import Design, Finite
from confide.design.shares import GivenShares, JointShares, Prior, is_joint, read_joint, read_prior
from confide.errors import QueryError
from confide.estimators.product_mixture import ProductMixture
from confide.privacy.stand_in_classes import tie_missing_numbers

LARGEST_JOINT = 1 << 10
"""A joint table may have this many combinations of answers; beyond it classes stand in."""
_REPORTS_PER_CELL = 50  # with fewer a joint table learns its own noise and tells the coins badly

CrowdKnowledge: TypeAlias = Crowd | GivenShares | None
"""What an adversary knows: a crowd, shares by question, a joint distribution, or nothing."""


@dataclass(frozen=True, eq=False)
class KnownCrowd:
    """The crowd as an adversary sees it.

    Parameters
    ----------
    names : tuple of str
        The questions.
    mixture : ProductMixture
        The classes, and the distribution of the answer to each of the questions in each class.
    source : str
        Where this knowledge comes from, in words.
    settled : bool
        Whether each class is one combination of answers.
    unknown : bool
        Whether nothing is known about the crowd.
    """

    names: tuple[str, ...]
    mixture: ProductMixture
    source: str
    settled: bool = False
    unknown: bool = False

    @property
    def shares(self) -> dict[str, Array]:
        """The distribution of each answer within each class, by question: (classes, values)."""
        return dict(zip(self.names, self.mixture.tables, strict=True))

    def margin(self, name: str) -> Array:
        """The distribution of one answer in the whole crowd."""
        return self.mixture.margin(self.names.index(name))


def read_known_crowd(design: Design, crowd: CrowdKnowledge) -> KnownCrowd:
    """Read what is known about the crowd, in any of the forms `confide.privacy.of` takes."""
    if isinstance(crowd, Crowd):
        return _estimate_crowd(design, crowd)
    if is_joint(crowd):
        return _spread_joint(
            read_joint(design, crowd), "the given joint distribution of the answers"
        )
    return _spread_margins(design, cast("Mapping[str, Prior]", crowd or {}))


def _spread_margins(design: Design, priors: Mapping[str, Prior]) -> KnownCrowd:
    """One class of people, whose answers are independent of each other."""
    for name in priors:
        design.position(name)
    tables = tuple(read_prior(q, priors.get(q.name))[None] for q in design.questions)
    source = (
        "the given shares, answers independent of each other"
        if priors
        else "nothing about the crowd: all answers equally likely and independent"
    )
    if design.declines:
        source += ", but for missing numbers, in whose place the middle of the range stands"
    mixture = tie_missing_numbers(design, design.names, ProductMixture(np.ones(1), tables))
    return KnownCrowd(design.names, mixture, source, unknown=not priors)


def _spread_joint(joint: JointShares, source: str) -> KnownCrowd:
    """One class of people for each combination of answers."""
    if len(joint.shares) > LARGEST_JOINT:
        raise QueryError(
            f"a joint distribution may have {LARGEST_JOINT:,} combinations of answers with a "
            f"positive share. This one has {len(joint.shares):,}. Give a Crowd instead."
        )
    tables = tuple(
        np.eye(question.size)[joint.codes[:, place]]
        for place, question in enumerate(joint.design.questions)
    )
    names = joint.design.names
    mixture = tie_missing_numbers(joint.design, names, ProductMixture(joint.shares, tables))
    return KnownCrowd(names, mixture, source, settled=True)


def _estimate_crowd(design: Design, crowd: Crowd) -> KnownCrowd:
    """Estimate the crowd: its joint table if the reports suffice for that, else latent classes."""
    if crowd.within:
        raise QueryError(
            "give the whole crowd: nobody knows which reports are those of a part of it."
        )
    for question in design.questions:
        if question.labels != crowd.design.question(question.name).labels:
            raise QueryError(
                f"{question.name} has other options or another range in the given crowd."
            )
    cells = prod(question.size for question in design.questions)
    finite = all(isinstance(question, Finite) for question in design.questions)
    if finite and cells <= min(LARGEST_JOINT, crowd.n / _REPORTS_PER_CELL):
        table = crowd.table(list(design.names), method="likelihood").values
        source = f"the crowd's joint table, estimated from {crowd.n:,} reports"
        return _spread_joint(read_joint(design, table), source)
    from confide.privacy.latent_crowd import fit_latent_crowd

    fitted = fit_latent_crowd(crowd.counts)
    mixture = tie_missing_numbers(design, crowd.design.names, fitted, estimated=True)
    count = len(mixture.weights)
    classes = "one class" if count == 1 else f"{count} classes"
    source = f"the crowd as {classes} of alike people, estimated from {crowd.n:,} reports"
    return KnownCrowd(crowd.design.names, mixture, source)
