"""A number cut into intervals of one's own choice, for a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real

from confide.errors import QueryError


@dataclass(frozen=True)
class Cut:
    """A number, and where its intervals begin.

    Parameters
    ----------
    question : str
        The number's name.
    edges : tuple of float
        Rising; each begins a new interval, which ends where the next one begins.
    """

    question: str
    edges: tuple[float, ...]

    def __post_init__(self) -> None:
        rising = all(a < b for a, b in zip(self.edges, self.edges[1:], strict=False))
        if not self.edges or not all(isinstance(e, Real) for e in self.edges) or not rising:
            raise QueryError(
                f"a cut of {self.question} is a list of rising numbers, such as [18, 25, 40]. "
                f"Got {list(self.edges)!r}."
            )


def cut(question: str, edges: Sequence[float]) -> Cut:
    """Cut a number asked in the clear into intervals, for a table.

    Parameters
    ----------
    question : str
        The number's name.
    edges : sequence of float
        Rising. Each begins a new interval; what lies below the first is an interval too.

    Examples
    --------
    >>> import confide as cf, numpy as np
    >>> design = cf.Design([cf.Number("age", 16, 80, step=1)])
    >>> crowd = cf.Crowd(design, np.repeat([17, 20, 30, 50], 25))
    >>> crowd.table([cf.cut("age", [18, 25, 40])])
    age       share
    16 to 17  0.250 ± 0.085 (95 %, n = 100)
    18 to 24  0.250 ± 0.085 (95 %, n = 100)
    25 to 39  0.250 ± 0.085 (95 %, n = 100)
    40 to 80  0.250 ± 0.085 (95 %, n = 100)
    """
    return Cut(question, tuple(edges))
