"""A group: the questions that one draw disguises together, and how."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from confide.design.questions import Question, check_text
from confide.errors import DesignError, show
from confide.mechanisms import Mechanism


@dataclass(frozen=True)
class Group:
    """The questions that one draw of one mechanism disguises together.

    Parameters
    ----------
    questions : sequence of str
        Their names.
    mechanism : Mechanism
        How they are disguised.
    """

    questions: Sequence[str]
    mechanism: Mechanism

    def __post_init__(self) -> None:
        if isinstance(self.questions, str) or not isinstance(self.questions, Iterable):
            raise DesignError(
                'questions of a group must be a list such as ["cheated"]. '
                f"Got {show(self.questions)}."
            )
        object.__setattr__(self, "questions", tuple(self.questions))
        for name in self.questions:
            check_text(name, "each question that a group names")
        if not self.questions:
            raise DesignError("a group must name at least one question.")
        if not isinstance(self.mechanism, Mechanism):
            raise DesignError(
                f"mechanism of the group {', '.join(self.questions)} must be a mechanism such as "
                f"RelatedQuestion(truth=0.75). Got {type(self.mechanism).__name__}."
            )

    def narrow(self, asked: Sequence[Question], kept: Container[str]) -> Group | None:
        """The group without the questions that are not kept; None where none is left."""
        keep = [place for place, name in enumerate(self.questions) if name in kept]
        names = [self.questions[place] for place in keep]
        return Group(names, self.mechanism.narrow(asked, keep)) if keep else None
