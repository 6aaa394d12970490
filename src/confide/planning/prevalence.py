"""The true answers that a plan assumes, and the events it is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from confide.design import Design, Finite, YesNo
from confide.errors import QueryError

Array = NDArray[np.float64]

Event: TypeAlias = Mapping[str, Any]
"""Questions with a value each, such as ``{"cheated": "yes", "drugs": "yes"}``."""

Prevalence: TypeAlias = Mapping[Any, Any]
"""What is assumed about the true answers.

``{"cheated": 0.1}`` is the share of yes to a yes-no question,
``{"faculty": {"arts": 0.2, "law": 0.8}}`` gives the shares of a question's options, and
``{("cheated", "drugs"): {("yes", "yes"): 0.05, …}}`` the joint shares of several questions'.
Shares sum to 1; an option left out has none.
"""


@dataclass(frozen=True, eq=False)
class Assumed:
    """The shares of true answers that a plan assumes.

    A question without a given prevalence has all its options equally likely. Questions without a
    given joint are independent of each other.

    Parameters
    ----------
    design : Design
        The questions.
    given : mapping of tuples of names to arrays
        The shares of some questions' options, one axis a question; no question twice.

    Examples
    --------
    >>> import confide as cf
    >>> design = cf.Design([cf.YesNo("cheated"), cf.Choice("faculty", ["arts", "law"])])
    >>> Assumed.of(design, {"cheated": 0.1}).table(["faculty", "cheated"])
    array([[0.45, 0.05],
           [0.45, 0.05]])
    """

    design: Design
    given: Mapping[tuple[str, ...], Array]

    @classmethod
    def of(cls, design: Design, prevalence: Prevalence | Assumed | None) -> Assumed:
        """Read and check what a user assumes."""
        if isinstance(prevalence, Assumed):
            return prevalence
        given: dict[tuple[str, ...], Array] = {}
        for key, shares in (prevalence or {}).items():
            names = (key,) if isinstance(key, str) else tuple(key)
            if twice := [name for known in given for name in known if name in names]:
                raise QueryError(f"prevalence gives {twice[0]!r} twice. Give it once.")
            questions = [finite(design, name) for name in names]
            cells = _cells(questions, shares)
            table = np.zeros([question.size for question in questions])
            for cell, share in cells.items():
                table[cell] = share
            if not isclose(table.sum(), 1, abs_tol=1e-9):
                raise QueryError(
                    f"prevalence of {' and '.join(names)} must sum to 1. It sums to "
                    f"{table.sum():.6g}."
                )
            given[names] = table
        return cls(design, given)

    def table(self, names: Sequence[str]) -> Array:
        """The assumed joint shares of some questions' options, one axis a question."""
        parts = {part: table for part, table in self.given.items() if {*part} & {*names}}
        for name in names:
            if not any(name in part for part in parts):
                size = finite(self.design, name).size
                parts[name,] = np.full(size, 1 / size)
        shares, order = np.ones(()), []
        for part, table in parts.items():
            left_out = tuple(axis for axis, name in enumerate(part) if name not in names)
            shares = np.multiply.outer(shares, table.sum(axis=left_out))
            order += [name for name in part if name in names]
        return shares.transpose([order.index(name) for name in names])

    def tied(self, name: str) -> bool:
        """Whether a question's answers are assumed to depend on another's."""
        return any(name in part and len(part) > 1 for part in self.given)


def finite(design: Design, name: str) -> Finite:
    """The yes-no or choice question of this name."""
    question = design.question(name)
    if not isinstance(question, Finite):
        raise QueryError(
            f"{name} is a number; plans are for the shares of yes-no and choice questions."
        )
    return question


def coded(design: Design, event: Event) -> dict[str, int]:
    """The codes of an event's values."""
    if not isinstance(event, Mapping) or not event:
        raise QueryError('say which event, such as {"cheated": "yes"}.')
    return {name: finite(design, name).code(value) for name, value in event.items()}


def _cells(questions: Sequence[Finite], shares: Any) -> dict[tuple[int, ...], float]:
    where = " and ".join(question.name for question in questions)
    if isinstance(shares, Mapping):
        cells = {}
        for key, share in shares.items():
            values = key if isinstance(key, tuple) else (key,)
            if len(values) != len(questions):
                raise QueryError(
                    f"prevalence of {where} must name {len(questions)} options a cell. "
                    f"Got {len(values)}."
                )
            cell = tuple(q.code(value) for q, value in zip(questions, values, strict=True))
            cells[cell] = _share(share, where)
        return cells
    if len(questions) > 1 or not isinstance(questions[0], YesNo):
        raise QueryError(
            f"prevalence of {where} must give shares of options, such as "
            f"{{{_example(questions)}: 0.2, …}}; one number is for a yes-no question."
        )
    yes = _share(shares, where)
    return {(1,): yes, (0,): 1 - yes}


def _example(questions: Sequence[Finite]) -> str:
    options = [question.labels[0] for question in questions]
    return repr(options[0]) if len(options) == 1 else repr(tuple(options))


def _share(value: Any, where: str) -> float:
    try:
        share = float(value)
    except (TypeError, ValueError):
        share = -1.0
    if not 0 <= share <= 1:
        raise QueryError(
            f"prevalence of {where} must be between 0 and 1, such as 0.1. Got {str(value)[:40]!r}."
        )
    return share
