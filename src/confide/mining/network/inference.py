"""Questions to a network, answered exactly, and people drawn from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.arrays import Array, Codes
from confide.crowd import Estimate
from confide.design.questions import Option
from confide.estimators.log_odds import Rows, add_to_log_odds
from confide.mining.network.graph import Graph

_APART = 1e-4  # by which log odds are moved to see what follows


@dataclass(frozen=True)
class ConditionalRow:
    """How often each answer is given by people with some answers to the question's parents.

    Parameters
    ----------
    given : dict
        The parents' answers; empty for a question without parents.
    chances : dict
        The estimated probability of each answer.
    """

    given: dict[str, Option]
    chances: dict[Option, Estimate]


def find_shares(graph: Graph, tables: Rows, asked: int, given: Mapping[int, int]) -> Array:
    """Give P(asked and given), one number per answer of the asked question.

    Questions that are neither asked nor given are summed out one after the other, each within the
    product of the tables that speak of it (variable elimination); numpy plans the order.
    """
    sizes = [table.shape[1] for table in tables]
    operands: list[Any] = []  # as numpy takes them: a table, its axes, the next table, …
    for child, (own, table) in enumerate(zip(graph.parents, tables, strict=True)):
        family = (*own, child)
        shaped = table.reshape([sizes[place] for place in family])
        sliced = shaped[tuple(given.get(place, slice(None)) for place in family)]
        operands += [sliced, [place for place in family if place not in given]]
    return np.asarray(np.einsum(*operands, [asked], optimize="greedy"))


def find_chances(graph: Graph, tables: Rows, asked: int, given: Mapping[int, int]) -> Array:
    """Give P(asked | given), one number per answer of the asked question."""
    shares = find_shares(graph, tables, asked, given)
    return np.asarray(shares / shares.sum())


def find_chance_errors(
    graph: Graph, tables: Rows, covariance: Array, asked: int, given: Mapping[int, int]
) -> Array:
    """Give the standard error of each of `find_chances` (delta method in log odds)."""
    slopes = []
    for unit in np.eye(len(covariance)):
        ahead, behind = (
            find_chances(graph, add_to_log_odds(tables, way * _APART * unit), asked, given)
            for way in (1, -1)
        )
        slopes.append((ahead - behind) / (2 * _APART))
    slope = np.stack(slopes, axis=1)
    variances = np.einsum("ij,jk,ik->i", slope, covariance, slope)
    return np.asarray(np.sqrt(variances.clip(0)))


def draw_codes(
    graph: Graph, tables: Rows, people: int, generator: np.random.Generator
) -> Sequence[Codes]:
    """Draw people's answers, parents before their children: one column of codes per question."""
    sizes = [table.shape[1] for table in tables]
    columns: list[Codes] = [np.zeros(people, np.intp) for _ in tables]
    for place in graph.order:
        own = graph.parents[place]
        rows = np.zeros(people, np.intp)
        for parent in own:
            rows = rows * sizes[parent] + columns[parent]
        reached = tables[place].cumsum(axis=1)[rows, :-1]
        columns[place] = (generator.random(people)[:, None] > reached).sum(axis=1)
    return columns
