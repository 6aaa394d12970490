"""A group bound to its questions: the unit in which the algebra works."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from confide.design.questions import Finite, Number, Question
from confide.errors import QueryError
from confide.mechanisms import Channel, FiniteMechanism, Grid, Mechanism, Mixture, NumberMechanism


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

    @cached_property
    def channel(self) -> Channel:
        """The exact channel of a group of finite questions."""
        assert isinstance(self.mechanism, FiniteMechanism)
        return self.mechanism.channel(self.finite)

    @cached_property
    def mixture(self) -> Mixture:
        """The channel, from true tables to reported ones."""
        if self.mechanism is None:
            return Mixture.identity([question.size for question in self.questions])
        if isinstance(self.mechanism, NumberMechanism):
            return self.mechanism.mixture(self.number)
        return self.channel.mixture

    @property
    def invertible(self) -> bool:
        """Whether the channel can be undone exactly: not so for noise on a number."""
        return not isinstance(self.mechanism, NumberMechanism)

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
        if not isinstance(self.mechanism, FiniteMechanism):
            raise QueryError(
                f"{self.questions[0].name} is disguised by {self.mechanism.name}, which has no "
                'inverse. Use method="likelihood".'
            )
        return self.mechanism.inverse(self.finite, keep)

    @cached_property
    def report_sizes(self) -> tuple[int, ...]:
        """How many different reports each question has."""
        grid = self.report_grid()
        return tuple(q.size for q in self.questions) if grid is None else (grid.size,)

    def report_grid(self) -> Grid | None:
        """The intervals in which a number's reports are counted; None for a finite question."""
        question = self.questions[0]
        if isinstance(self.mechanism, NumberMechanism):
            return self.mechanism.report_grid(self.number)
        return question.grid
