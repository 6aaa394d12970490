"""Directed graphs without cycles, and the steps from one to its neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from confide.errors import ModelError

Edges = tuple[tuple[int, int], ...]
"""Pairs of places: the parent's and the child's."""


@dataclass(frozen=True)
class Graph:
    """A directed graph without cycles; one with a cycle cannot be made.

    Parameters
    ----------
    parents : tuple of tuples of int
        For each place the places of its parents, in order.

    Examples
    --------
    >>> Graph(((), (0,), (0, 1))).edges
    ((0, 1), (0, 2), (1, 2))
    """

    parents: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        if len(self.order) < len(self.parents):
            raise ValueError("a graph with a cycle")

    @property
    def order(self) -> list[int]:
        """All places, parents before their children."""
        return _sort(self.parents)

    @property
    def edges(self) -> Edges:
        """The edges, by parent and child."""
        return tuple(sorted((p, child) for child, own in enumerate(self.parents) for p in own))

    @property
    def pattern(self) -> tuple[frozenset[frozenset[int]], frozenset[tuple[int, int, int]]]:
        """What data can tell: the joined pairs, and the colliders a → c ← b of unjoined a, b.

        Graphs of one pattern have the same distributions (Verma and Pearl 1990).
        """
        joined = frozenset(frozenset(edge) for edge in self.edges)
        colliders = frozenset(
            (a, child, b)
            for child, own in enumerate(self.parents)
            for a, b in combinations(own, 2)
            if frozenset((a, b)) not in joined
        )
        return joined, colliders

    @property
    def told_edges(self) -> frozenset[tuple[int, int]]:
        """The edges whose direction data can tell: no graph of the same pattern turns them.

        Colliders tell theirs; others follow where turning them would make a new collider or a
        cycle (the rules of Meek 1995).
        """
        joined, colliders = self.pattern
        told = {(end, child) for a, child, b in colliders for end in (a, b)}
        while True:
            open_edges = [edge for edge in self.edges if edge not in told]
            more = {edge for edge in open_edges if _follows(edge, told, joined)}
            if not more:
                return frozenset(told)
            told |= more

    def list_alike(self, most: int) -> list[Graph]:
        """List graphs of the same pattern, this one first, at most so many.

        An edge whose ends have the same other parents can be turned (Chickering 1995).
        """
        found = {self: None}
        waiting = [self]
        while waiting and len(found) < most:
            here = waiting.pop(0)
            for parent, child in here.edges:
                if set(here.parents[child]) - {parent} == set(here.parents[parent]):
                    turned = here.change(((parent, child),), ((child, parent),))
                    if turned and turned not in found:
                        found[turned] = None
                        waiting.append(turned)
        return list(found)[:most]

    def change(self, removed: Edges, added: Edges) -> Graph | None:
        """Give the graph with other edges; None where it would have a cycle."""
        parents = [set(own) for own in self.parents]
        for parent, child in removed:
            parents[child].discard(parent)
        for parent, child in added:
            parents[child].add(parent)
        changed = tuple(tuple(sorted(own)) for own in parents)
        return Graph(changed) if len(_sort(changed)) == len(changed) else None

    def neighbours(self, most_parents: int) -> Iterator[Graph]:
        """Give every graph with one edge more, one less, or one the other way round, in order."""
        edges, count = self.edges, len(self.parents)
        changes: list[tuple[Edges, Edges]] = [((edge,), ()) for edge in edges]
        changes += [((edge,), ((edge[1], edge[0]),)) for edge in edges]
        joined = {frozenset(edge) for edge in edges}
        pairs = [(a, b) for a in range(count) for b in range(count) if a != b]
        changes += [((), (pair,)) for pair in pairs if frozenset(pair) not in joined]
        for removed, added in changes:
            changed = self.change(removed, added)
            if changed and max(map(len, changed.parents)) <= most_parents:
                yield changed


def read_graph(parents: Mapping[str, Sequence[str]], names: Sequence[str]) -> Graph:
    """Read a graph from the parents of each named question; refuse one with a cycle.

    >>> read_graph({"a": ["b"], "b": ["a"], "c": ["a"]}, ["a", "b", "c"])
    Traceback (most recent call last):
        ...
    confide.errors.ModelError: its arrows go in a circle through a, b
    """
    if sorted(parents) != sorted(names):
        raise ModelError("it gives the parents of other questions than its own")
    for name in names:
        if strangers := set(parents[name]) - set(names):
            raise ModelError(f"{name} has a parent that is not there: {min(strangers)}")
    places = tuple(tuple(sorted(names.index(p) for p in parents[name])) for name in names)
    if circle := _find_circle(places):
        raise ModelError(
            f"its arrows go in a circle through {', '.join(names[place] for place in circle)}"
        )
    return Graph(places)


def _find_circle(parents: tuple[tuple[int, ...], ...]) -> list[int]:
    """Find the places on circles, or between two; none where there is no circle."""
    left = set(range(len(parents))) - set(_sort(parents))
    while ends := {place for place in left if not any(place in parents[other] for other in left)}:
        left -= ends
    return sorted(left)


def _follows(
    edge: tuple[int, int], told: set[tuple[int, int]], joined: frozenset[frozenset[int]]
) -> bool:
    """Whether the other direction would make a collider that is not there, or a cycle."""
    start, end = edge
    into_end = [a for a, b in told if b == end]
    new_collider = any(b == start and frozenset((a, end)) not in joined for a, b in told)
    cycle = any((start, middle) in told for middle in into_end)
    beside = [
        a
        for a in into_end
        if frozenset((start, a)) in joined and not {(start, a), (a, start)} & told
    ]
    pairs = combinations(beside, 2)
    return new_collider or cycle or any(frozenset(pair) not in joined for pair in pairs)


def _sort(parents: tuple[tuple[int, ...], ...]) -> list[int]:
    """Give places whose parents all come before them, the first ones first, as far as there are."""
    order: list[int] = []
    while True:
        free = (
            place
            for place, own in enumerate(parents)
            if place not in order and all(parent in order for parent in own)
        )
        following = next(free, None)
        if following is None:
            return order
        order.append(following)
