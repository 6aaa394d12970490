"""Shares of a population as a user writes them down: what a plan assumes, what an adversary knows.

There is one way to write them, whoever reads them:

    {"cheated": 0.1}                              the share of yes to a yes-no question
    {"faculty": {"arts": 0.2, "law": 0.8}}        the shares of a question's options
    {("yes", "law"): 0.05, ("no", "arts"): …}     jointly: an answer to each question, in order

Shares sum to 1; what is left out of a mapping has none. Instead of a mapping an array may give the
shares of a question's options, or the joint ones with one axis per question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, SupportsFloat, TypeAlias

import numpy as np

from confide.arrays import Array, Indices
from confide.design.design import Design
from confide.design.questions import Number, Option, Question, YesNo
from confide.errors import QueryError

Prior: TypeAlias = float | Mapping[Any, float] | Sequence[float] | Array | None
"""A probability of yes, shares by option, shares in the options' order, or None: all equal."""

GivenShares: TypeAlias = Mapping[Any, object] | Sequence[object] | Array
"""Shares of each question's options, by the questions' names, or joint shares."""

_SLACK = 1e-6  # shares written in decimals seldom sum to one exactly


@dataclass(frozen=True, eq=False)
class JointShares:
    """The shares of some combinations of answers; all others have none.

    Parameters
    ----------
    design : Design
        The questions.
    codes : array of shape (combinations, questions)
        The answers of each combination, in the order of the design.
    shares : array of shape (combinations,)
        Their shares.
    """

    design: Design
    codes: Indices
    shares: Array

    def table(self, names: Sequence[str]) -> Array:
        """The joint shares of some questions' answers, one axis per question."""
        table = np.zeros([self.design.question(name).size for name in names])
        places = [self.design.position(name) for name in names]
        np.add.at(table, tuple(self.codes[:, places].T), self.shares)
        return table


def is_joint(given: object) -> bool:
    """Whether shares are given jointly, and not question by question."""
    if isinstance(given, Mapping):
        return any(not isinstance(key, str) for key in given)
    return given is not None


def read_joint(design: Design, given: object) -> JointShares:
    """Read a joint distribution: {(an answer to each question): share}, or an array.

    >>> from confide import Choice, Design, YesNo
    >>> design = Design([YesNo("cheated"), Choice("faculty", ["arts", "law"])])
    >>> read_joint(design, {("yes", "law"): 0.2, ("no", "arts"): 0.8}).table(["faculty"])
    array([0.8, 0.2])
    """
    what = "the joint distribution of the answers"
    if isinstance(given, Real):
        raise QueryError(
            f'shares must be given by question, such as {{"{design.names[0]}": 0.1}}, or jointly. '
            f"Got {given!r}."
        )
    if not isinstance(given, Mapping):
        table = read_shares(given, what)
        sizes = tuple(design.question(name).size for name in design.names)
        if table.shape != sizes:
            raise QueryError(
                f"{what} must have one axis per question, {sizes}. Its shape is {table.shape}."
            )
        codes = np.argwhere(table > 0)
        return JointShares(design, codes, table[tuple(codes.T)])
    shares: dict[tuple[int, ...], float] = {}
    for answers, share in given.items():
        if not isinstance(answers, tuple) or len(answers) != len(design.names):
            raise QueryError(
                f"{what} must give {len(design.names)} options a combination, in the order "
                f"{', '.join(design.names)}, such as {_make_example(design)}: 0.1."
            )
        pairs = zip(design.names, answers, strict=True)
        cell = tuple(int(design.question(name).code(answer)) for name, answer in pairs)
        shares[cell] = shares.get(cell, 0.0) + _read_share(share, what)
    cells = sorted(cell for cell, share in shares.items() if share != 0)
    found = read_shares([shares[cell] for cell in cells], what)
    return JointShares(design, np.array(cells, dtype=np.intp), found)


def read_prior(question: Question, given: Prior, what: str = "") -> Array:
    """Read the shares of a question's options, or of a number's intervals.

    >>> from confide import Choice, YesNo
    >>> read_prior(YesNo("cheated"), 0.1)
    array([0.9, 0.1])
    >>> read_prior(Choice("faculty", ["arts", "law", "science"]), {"law": 0.25, "arts": 0.75})
    array([0.75, 0.25, 0.  ])
    """
    what = what or f"the prior of {question.name}"
    if given is None:
        return np.full(question.size, 1 / question.size)
    if isinstance(given, Mapping):
        shares = np.zeros(question.size)
        for option, share in given.items():
            shares[question.code(option)] += _read_share(share, what)
        return read_shares(shares, what)
    if isinstance(given, Real | str):
        if not isinstance(question, YesNo):
            raise QueryError(
                f"{what} must give a share to each of {question.size} values, such as "
                f"{{{question.labels[0]!r}: 0.2, …}}; one number is for a yes-no question."
            )
        yes = _read_share(given, what)
        return np.array([1 - yes, yes, *[0.0] * (question.size - 2)])
    shares = read_shares(given, what)
    if shares.shape != (question.size,):
        raise QueryError(
            f"{what} must have {question.size} shares, one per option or interval. Its shape is "
            f"{shares.shape}."
        )
    return shares


def read_shares(given: object, what: str) -> Array:
    """Read an array of shares that sum to one."""
    try:
        shares = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        raise QueryError(f"{what} must be made of numbers.") from None
    if not np.isfinite(shares).all() or (shares < 0).any():
        raise QueryError(f"{what} must have no share below 0 or above 1.")
    if abs(shares.sum() - 1) > _SLACK:
        raise QueryError(f"{what} must sum to 1. It sums to {shares.sum():.6g}.")
    return np.asarray(shares / shares.sum())


def _read_share(value: SupportsFloat | str, what: str) -> float:
    try:
        share = float(value)
    except (TypeError, ValueError):
        raise QueryError(f"{what} must be made of numbers, such as 0.1.") from None
    if not 0 <= share <= 1:
        raise QueryError(f"{what} must have no share below 0 or above 1. Got {share:g}.")
    return share


def _make_example(design: Design) -> tuple[Option | float, ...]:
    return tuple(q.low if isinstance(q, Number) else q.values[0] for q in design.questions)
