"""A group bound to its questions: the unit in which the algebra works."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

from confide.arrays import Codes
from confide.design.questions import Choice, Finite, Number, Question
from confide.mechanisms import Channel, Grid, Mechanism, Mixture, Randomness


@dataclass(frozen=True, eq=False)
class Block:
    """Questions that are disguised together, or one question in the clear.

    Parameters
    ----------
    positions : tuple of int
        The questions' places in the design.
    questions : tuple of Question
        The questions themselves.
    mechanism : Mechanism or None
        How they are disguised; None in the clear.
    """

    positions: tuple[int, ...]
    questions: tuple[Question, ...]
    mechanism: Mechanism | None

    @cached_property
    def finite(self) -> tuple[Finite, ...]:
        """The questions, none of which is a number."""
        return tuple(question for question in self.questions if isinstance(question, Finite))

    @property
    def number(self) -> Number:
        """The question of a block that is one number."""
        (question,) = self.questions
        assert isinstance(question, Number)
        return question

    @property
    def channel(self) -> Channel:
        """The exact channel of a group of questions with options."""
        assert self._channel is not None
        return self._channel

    @cached_property
    def _channel(self) -> Channel | None:
        """The exact channel; None in the clear, and for a number."""
        return None if self.mechanism is None else self.mechanism.channel(self.questions)

    @cached_property
    def mixture(self) -> Mixture:
        """The channel, from true tables to reported ones."""
        if self.mechanism is None:
            return Mixture.identity([question.size for question in self.questions])
        if self._channel is not None:  # which is made once
            return self._channel.mixture
        return self.mechanism.mixture(self.questions)

    @cached_property
    def epsilon(self) -> float:
        """The worst-case loss of a report; infinite in the clear."""
        return inf if self.mechanism is None else self.mechanism.epsilon(self.questions)

    @property
    def invertible(self) -> bool:
        """Whether the channel can be undone exactly: not so for noise on a number."""
        return self.mechanism is None or self.mechanism.invertible

    def disguise(self, columns: Sequence[Codes], randomness: Randomness) -> Sequence[Codes]:
        """Disguise whole columns of codes, or of numbers, one column per question."""
        if self.mechanism is None:
            return columns
        if self._channel is not None:  # which is made once
            return self._channel.sample(columns, randomness)
        return self.mechanism.disguise(self.questions, columns, randomness)

    def channel_on(self, keep: Sequence[int]) -> Mixture:
        """The channel on some of the questions, from true tables to reported ones."""
        kept = tuple(keep)
        if kept not in self._channels:
            self._channels[kept] = self.mixture.marginal(kept)
        return self._channels[kept]

    def inverse_on(self, keep: Sequence[int]) -> Mixture:
        """The channel undone on some of the questions, from reported tables to true ones."""
        kept = tuple(keep)
        if kept not in self._inverses:
            self._inverses[kept] = self._inverse(kept)
        return self._inverses[kept]

    @cached_property
    def _channels(self) -> dict[tuple[int, ...], Mixture]:
        return {}

    @cached_property
    def _inverses(self) -> dict[tuple[int, ...], Mixture]:
        return {}

    def _inverse(self, keep: tuple[int, ...]) -> Mixture:
        if self.mechanism is None:
            return self.channel_on(keep)
        return self.mechanism.inverse(self.questions, keep)

    @cached_property
    def reported(self) -> tuple[Finite, ...]:
        """What is reported of questions with options, as a question of its own.

        Nearly always it is the question itself; where a report has other values than the answer,
        such as how many cards were red, it is a choice among these.
        """
        return tuple(self._report_question(question) for question in self.finite)

    def _report_question(self, question: Finite) -> Finite:
        values = None if self.mechanism is None else self.mechanism.report_values(question)
        if values is None:
            return question
        return Choice(question.name, tuple(values), question.text, ordered=True)

    @cached_property
    def report_sizes(self) -> tuple[int, ...]:
        """How many different reports each question has."""
        grid = self.report_grid()
        return tuple(q.size for q in self.reported) if grid is None else (grid.size,)

    def report_grid(self) -> Grid | None:
        """The intervals in which a number's reports are counted; None for a finite question."""
        question = self.questions[0]
        return question.grid if self.mechanism is None else self.mechanism.report_grid(question)
