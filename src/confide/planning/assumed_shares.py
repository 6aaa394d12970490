"""The true answers that a plan assumes, and the events it is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

import numpy as np

from confide.arrays import Array
from confide.design import Design, Finite
from confide.design.shares import GivenShares, JointShares, Prior, is_joint, read_joint, read_prior
from confide.errors import QueryError

Event: TypeAlias = Mapping[str, object]
"""Questions with a value each, such as ``{"cheated": "yes", "drugs": "yes"}``."""

Prevalence: TypeAlias = GivenShares
"""What is assumed about the true answers, as `confide.privacy.of` takes it too.

``{"cheated": 0.1}`` is the share of yes to a yes-no question,
``{"faculty": {"arts": 0.2, "law": 0.8}}`` gives the shares of a question's options, and
``{("yes", "law"): 0.05, …}`` the joint shares of the answers to all questions, in their order.
Shares sum to 1; an option left out has none.
"""


@dataclass(frozen=True, eq=False)
class AssumedShares:
    """The shares of true answers that a plan assumes.

    A question without a given prevalence has all its options equally likely. Without a joint all
    questions are independent of each other.

    Parameters
    ----------
    design : Design
        The questions.
    margins : mapping of names to arrays
        The shares of some questions' options.
    joint : JointShares or None
        The joint shares of all answers, instead of margins.

    Examples
    --------
    >>> import confide as cf
    >>> design = cf.Design([cf.YesNo("cheated"), cf.Choice("faculty", ["arts", "law"])])
    >>> AssumedShares.of(design, {"cheated": 0.1}).table(["faculty", "cheated"])
    array([[0.45, 0.05],
           [0.45, 0.05]])
    """

    design: Design
    margins: Mapping[str, Array]
    joint: JointShares | None = None

    @classmethod
    def of(cls, design: Design, prevalence: Prevalence | AssumedShares | None) -> AssumedShares:
        """Read and check what a user assumes."""
        if isinstance(prevalence, AssumedShares):
            return prevalence
        if is_joint(prevalence):
            return cls(design, {}, read_joint(design, prevalence))
        given = cast("Mapping[str, Prior]", prevalence or {})
        margins = {
            name: read_prior(require_finite(design, name), shares, f"prevalence of {name}")
            for name, shares in given.items()
        }
        return cls(design, margins)

    def complete(self, other: AssumedShares) -> AssumedShares:
        """The same, with another's shares of the questions that have none here."""
        if self.joint is not None or other.joint is not None:
            return self
        return AssumedShares(self.design, {**other.margins, **self.margins})

    def table(self, names: Sequence[str]) -> Array:
        """The assumed joint shares of some questions' options, with one axis per question."""
        asked = [require_finite(self.design, name) for name in names]
        if self.joint is not None:
            return self.joint.table(names)
        shares = np.ones(())
        for question in asked:
            margin = read_prior(question, self.margins.get(question.name))
            shares = np.multiply.outer(shares, margin)
        return shares

    def may_depend(self, name: str) -> bool:
        """Whether a question's answers are assumed to depend on another's."""
        return self.joint is not None and name in self.design.names


def require_finite(design: Design, name: str) -> Finite:
    """The yes-no or choice question of this name; a number is refused."""
    question = design.question(name)
    if not isinstance(question, Finite):
        raise QueryError(
            f"{name} is a number; plans are for the shares of yes-no and choice questions."
        )
    return question


def encode_event(design: Design, event: Event) -> dict[str, int]:
    """The codes of an event's values."""
    if not isinstance(event, Mapping) or not event:
        raise QueryError('say which event, such as {"cheated": "yes"}.')
    return {name: require_finite(design, name).code(value) for name, value in event.items()}
