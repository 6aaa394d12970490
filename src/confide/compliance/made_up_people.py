"""Simulated people: true answers drawn by chance, for trying a survey before it is fielded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from confide.arrays import Array
from confide.design import Design, Number, Question
from confide.design.shares import Prior, read_prior
from confide.errors import AnswersError, QueryError


class People(Protocol):
    """People whose true answers can be drawn."""

    def draw(self, n: int, chance: np.random.Generator) -> pa.Table:
        """Draw the answers of n people, one column per question."""


@dataclass(frozen=True, eq=False)
class IndependentPeople:
    """People whose answers to different questions have nothing to do with each other.

    Parameters
    ----------
    design : Design
        The questions.
    prevalence : mapping of names to shares
        The share of yes to a yes-no question, or the shares of a question's options. All options of
        a question left out are equally likely, and so are all numbers of its range.

    Examples
    --------
    >>> import confide as cf, numpy as np
    >>> people = IndependentPeople(cf.Design([cf.YesNo("cheated")]), {"cheated": 0.25})
    >>> people.draw(10_000, np.random.default_rng(1))["cheated"].to_pylist().count("yes")
    2530
    """

    design: Design
    prevalence: Mapping[str, Prior]

    def __post_init__(self) -> None:
        for name, shares in self.prevalence.items():
            question = self.design.question(name)
            if isinstance(question, Number):
                raise QueryError(
                    f"{name} is a number: its people are drawn from a file of answers."
                )
            read_prior(question, shares)

    def draw(self, n: int, chance: np.random.Generator) -> pa.Table:
        """Draw the answers of n people, question by question."""
        columns = {q.name: self._draw_answers(q, n, chance) for q in self.design.questions}
        for number, teller in self.design.declines.items():
            columns[number] = pc.if_else(pc.equal(columns[teller], "yes"), None, columns[number])
        return pa.table(columns)

    def _draw_answers(self, question: Question, n: int, chance: np.random.Generator) -> pa.Array:
        if isinstance(question, Number):
            return pa.array(_draw_numbers(question, n, chance))
        shares = read_prior(question, self.prevalence.get(question.name))
        codes = chance.choice(question.size, n, p=shares)
        return pa.array(question.labels).take(pa.array(codes))


def _draw_numbers(question: Number, n: int, chance: np.random.Generator) -> Array:
    """Draw numbers of the whole range, in its steps if it has any."""
    if question.step is None:
        return chance.uniform(question.low, question.high, n)
    steps = round((question.high - question.low) / question.step)
    drawn = chance.integers(0, steps, n, endpoint=True)
    return np.asarray(question.low + question.step * drawn, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class ResampledPeople:
    """People like those of a table of answers: its rows are drawn again and again.

    Parameters
    ----------
    answers : pyarrow.Table
        True answers, one column per question.
    """

    answers: pa.Table

    def __post_init__(self) -> None:
        if self.answers.num_rows == 0:
            raise AnswersError("there are no answers to draw people from.")

    def draw(self, n: int, chance: np.random.Generator) -> pa.Table:
        """Draw n rows with replacement."""
        return self.answers.take(pa.array(chance.integers(0, self.answers.num_rows, n)))
