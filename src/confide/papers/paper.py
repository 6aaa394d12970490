"""A paper as `confide reproduce` sees it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from confide.papers.cells import Cell, Row, Scale
from confide.papers.claims import Claim
from confide.papers.figures import Figure


@dataclass(frozen=True)
class Paper:
    """A paper: its experiments, its figures, its claims.

    Parameters
    ----------
    name : str
        Its short name, which the command line takes.
    title : str
        What it is about, in a line.
    repeats : int
        How often each setting is repeated.
    data : tuple of str
        The data sets that its experiments need.
    list_cells : callable
        From a `Scale` to all cells of its experiments.
    draw : callable
        From the rows of a run to its figures.
    claims : tuple of Claim
        What it claims.
    notes : tuple of str
        Where its text leaves something open, and how it is read here.
    default_repeats : int
        How often confide's default learner, which is slow, is repeated at most.
    says_repeats : bool
        Whether the paper says how often it repeats each setting.
    """

    name: str
    title: str
    repeats: int
    data: tuple[str, ...]
    list_cells: Callable[[Scale], list[Cell]]
    draw: Callable[[Sequence[Row]], list[Figure]]
    claims: tuple[Claim, ...]
    notes: tuple[str, ...]
    default_repeats: int = 10
    says_repeats: bool = True
