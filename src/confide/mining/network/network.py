"""Bayesian networks from disguised reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Self, get_args

import numpy as np
import pyarrow as pa
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits

from confide.arrays import Array
from confide.counts import Counts
from confide.crowd import Estimate
from confide.design import Design, Finite
from confide.design.questions import Option
from confide.errors import ModelError, QueryError
from confide.estimators.log_odds import find_standard_errors
from confide.extras import Altair
from confide.files import Json
from confide.mechanisms.randomness import Seed, generator_of
from confide.mining.chances import estimate_chance
from confide.mining.network.edges import Edge, find_edges
from confide.mining.network.inference import (
    ConditionalRow,
    draw_codes,
    find_chance_errors,
    find_chances,
)
from confide.mining.network.network_file import LearnedNetwork
from confide.mining.network.network_fit import ReportTables, measure_covariance
from confide.mining.network.network_learning import Method, learn_network
from confide.mining.option_reports import read_finite
from confide.mining.parameters import check_design, check_whole_number
from confide.mining.structure_model import StructureModel
from confide.progress import progress_part

_MOST_CELLS = 1 << 16


class DisguisedNetwork(StructureModel):
    """A Bayesian network learned from disguised reports alone.

    Each question depends on its parents, and on nothing else once these are known. The edges are
    those that make the *disguised* reports most likely, less a price for every number in the tables
    (Bayesian information criterion); see `confide.mining.network.search` for why an estimated table
    must not be scored as if it had been counted. Tables are the most likely ones through the
    disguise. Numbers take no part.

    An edge says that two answers hang together; an arrow is no cause. Where no data could tell an
    arrow's direction, ``directed`` of the edge is False and it is drawn without a head.

    Parameters
    ----------
    design : Design
        The design under which the reports were made.
    questions : sequence of str, optional
        The questions of the network; left out, all but numbers. Together they may have 65,536
        combinations of answers, such as sixteen yes-no questions.
    method : {"search", "tree"}
        Hill climbing over all networks, or the tree of Chow and Liu.
    max_parents : int
        The most parents of a question, for the search.
    surveys : int
        How many times reports are drawn again to find out how well each edge is supported; 0 for
        never.

    Attributes
    ----------
    edges_ : tuple of Edge
        The edges with their strength.
    score_ : float
        The Bayesian information criterion of the reports, the larger the better.
    names_ : tuple of str
        The questions.
    n_ : int
        The number of reports.

    Examples
    --------
    >>> import confide as cf, numpy as np
    >>> names = ["drugs", "cheated", "works"]
    >>> design = cf.Design(
    ...     [cf.YesNo(name) for name in names], [cf.Group(names, cf.RelatedQuestion(0.8))]
    ... )
    >>> chance = np.random.default_rng(1).random((3, 4000))
    >>> drugs = chance[0] < 0.3
    >>> answers = np.stack([drugs, chance[1] < np.where(drugs, 0.6, 0.1), chance[2] < 0.5], axis=1)
    >>> network = cf.DisguisedNetwork(design, surveys=2).fit(design.disguise(answers, seed=2))
    >>> [(edge.parent, edge.child) for edge in network.edges_]
    [('drugs', 'cheated')]
    >>> network.query("cheated", given={"drugs": "yes"})["yes"]
    0.573 ± 0.042 (95 %, n = 1,192 of 4,000)
    """

    kind = "network"
    edges_: tuple[Edge, ...]

    def __init__(
        self,
        design: Design,
        *,
        questions: Sequence[str] | None = None,
        method: Method = "search",
        max_parents: int = 3,
        surveys: int = 20,
    ) -> None:
        self.design = design
        self.questions = questions
        self.method = method
        self.max_parents = max_parents
        self.surveys = surveys

    def fit(self, reports: object, y: object = None, sample_weight: object = None) -> Self:  # noqa: ARG002
        """Learn the network from reports, or from a crowd.

        ``sample_weight`` says how many people each row of reports stands for.
        """
        check_design(self.design)
        check_whole_number("max_parents", self.max_parents, 1)
        check_whole_number("surveys", self.surveys, 0)
        if self.method not in get_args(Method):
            raise ModelError(f'method must be "search" or "tree". Got {self.method!r}.')
        self.design_, batches = read_finite(self.design, reports, sample_weight, least=2)
        self.names_ = self._read_questions()
        # The tables are small: threads would wait for each other longer than they work.
        with threadpool_limits(1, "blas"):
            self._learn(batches)
        self.n_ = sum(batch.n for batch in batches)
        return self

    def _read_questions(self) -> tuple[str, ...]:
        """Read which questions take part; refuse numbers, and too many."""
        asked = self.design_.names if self.questions is None else self.questions
        names = (asked,) if isinstance(asked, str) else tuple(asked)
        for name in names:
            if not isinstance(self.design.question(name), Finite):
                raise ModelError(f"{name} is a number, and numbers take no part in a network.")
        if len(set(names)) != len(names) or len(names) < 2:
            raise ModelError("a network needs at least two questions, each once.")
        cells = prod(self.design_.question(name).size for name in names)
        if cells > _MOST_CELLS:
            raise ModelError(
                f"{len(names)} questions have {cells:,} combinations of answers; a network takes "
                f"{_MOST_CELLS:,}. Name fewer questions: questions=[…]."
            )
        return names

    def _learn(self, batches: Sequence[Counts]) -> None:
        with progress_part(0, 0.3):
            fitted = learn_network(batches, self.names_, self.method, self.max_parents)
        reports = ReportTables.of(batches, self.names_)
        with progress_part(0.3, 1):
            self.edges_ = find_edges(reports, fitted, self.method, self.max_parents, self.surveys)
        self.score_, self._graph, self._tables = fitted.score, fitted.graph, fitted.tables
        self._covariance = measure_covariance(reports, fitted)

    def query(
        self, question: str, given: Mapping[str, object] | None = None
    ) -> dict[Option, Estimate]:
        """The probability of each answer to a question, among people with the given answers.

        Computed exactly from the tables; the standard errors are those of the tables, carried on.
        They take the edges as given: where the reports are too few to find a dependence, an answer
        that needs it is wrong by more. `confide.Crowd` asks the reports without a network.

        Parameters
        ----------
        question : str
            The question asked for.
        given : mapping, optional
            Known true answers, such as ``{"faculty": "law"}``.
        """
        check_is_fitted(self, "edges_")
        asked, codes = self._place(question), self._read_given(given or {})
        if asked in codes:
            raise QueryError(f"{question!r} is asked for and given; give other questions.")
        chances = find_chances(self._graph, self._tables, asked, codes)
        errors = find_chance_errors(self._graph, self._tables, self._covariance, asked, codes)
        return self._to_estimates(question, chances, errors, self._count_people(codes))

    def conditional_table(self, question: str) -> list[ConditionalRow]:
        """The table of a question: a row for each combination of its parents' answers."""
        check_is_fitted(self, "edges_")
        place = self._place(question)
        own = self._graph.parents[place]
        errors = find_standard_errors(self._tables, self._covariance)[place]
        parents = [self.design_.question(self.names_[parent]) for parent in own]
        rows = []
        for row, (chances, spread) in enumerate(zip(self._tables[place], errors, strict=True)):
            codes = np.unravel_index(row, [parent.size for parent in parents]) if own else ()
            given = {q.name: q.values[int(code)] for q, code in zip(parents, codes, strict=True)}
            people = self._count_people(dict(zip(own, map(int, codes), strict=True)))
            rows.append(
                ConditionalRow(given, self._to_estimates(question, chances, spread, people))
            )
        return rows

    def sample(self, n: int, *, seed: Seed = None) -> pa.Table:
        """Draw n people from the network: nobody's answers, with its dependences.

        Parameters
        ----------
        n : int
            How many people.
        seed : int or numpy Generator, optional
            The same seed gives the same people.
        """
        check_is_fitted(self, "edges_")
        check_whole_number("n", n, 1)
        columns = draw_codes(self._graph, self._tables, n, generator_of(seed))
        values = {name: self.design_.question(name).values for name in self.names_}
        return pa.table(
            {
                name: pa.array(values[name]).take(pa.array(codes))
                for name, codes in zip(self.names_, columns, strict=True)
            }
        )

    def dot(self) -> str:
        """The network in the language of Graphviz."""
        from confide.mining.network.drawing import write_dot

        check_is_fitted(self, "edges_")
        return write_dot(self.names_, self.edges_)

    def plot(self) -> Altair:
        """The network as a picture; the better an edge is supported, the wider it is (Altair)."""
        from confide.mining.network.drawing import draw_network

        check_is_fitted(self, "edges_")
        return draw_network(self.names_, self._graph, self.edges_)

    def _place(self, name: str) -> int:
        if name not in self.names_:
            raise QueryError(
                f"{str(name)[:40]!r} is no question of this network, which has "
                f"{', '.join(self.names_)}."
            )
        return self.names_.index(name)

    def _read_given(self, given: Mapping[str, object]) -> dict[int, int]:
        if not isinstance(given, Mapping):
            raise QueryError(
                'given must name questions with their answers, such as {"faculty": "law"}. '
                f"Got {type(given).__name__}."
            )
        return {
            self._place(name): self.design_.question(name).code(value)
            for name, value in given.items()
        }

    def _count_people(self, codes: Mapping[int, int]) -> int:
        """Estimate how many people have some answers."""
        share = 1.0
        known: dict[int, int] = {}
        for place, code in codes.items():
            share *= float(find_chances(self._graph, self._tables, place, known)[code])
            known[place] = code
        return round(self.n_ * share)

    def _to_estimates(
        self, question: str, chances: Array, errors: Array, people: int
    ) -> dict[Option, Estimate]:
        found = zip(self.design_.question(question).values, chances, errors, strict=True)
        total = None if people == self.n_ else self.n_
        return {value: estimate_chance(p, error, people, total) for value, p, error in found}

    def _write_learned(self) -> Json:
        return LearnedNetwork(
            self.names_, self._graph, self._tables, self._covariance, self.edges_, self.score_
        ).to_dict()

    def _restore(self, learned: Json) -> None:
        found = LearnedNetwork.from_dict(learned, self.design_)
        self.names_, self._graph, self._tables = found.names, found.graph, found.tables
        self._covariance, self.edges_, self.score_ = found.covariance, found.edges, found.score

    def __repr__(self) -> str:
        if "edges_" not in vars(self):
            return str(super().__repr__())
        return "\n".join(map(str, self.edges_)) or "no edges: no dependence was found"
