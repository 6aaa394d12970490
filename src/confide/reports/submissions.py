"""A report on its way into a store, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum


class Outcome(Enum):
    """What became of a report."""

    STORED = "stored"
    CONFLICT = "another report has this id"
    WITHDRAWN = "this report was deleted"
    CLOSED = "the survey is closed"
    NOT_INVITED = "this invitation is unknown or was used"

    @property
    def reason(self) -> str:
        """The outcome as a sentence."""
        return f"{self.value}."


@dataclass(frozen=True)
class Submission:
    """A checked report on its way into a store.

    Parameters
    ----------
    id : bytes
        16 random bytes that name the report.
    record : bytes
        The report as `Questionnaire.pack` writes it.
    """

    id: bytes
    record: bytes


def decide_outcome(
    submission: Submission,
    known: Mapping[bytes, bytes | None],
    *,
    is_open: bool,
    is_same: Callable[[bytes, bytes], bool],
) -> Outcome:
    """Decide what becomes of a report; nothing is stored here.

    Parameters
    ----------
    submission : Submission
        The report.
    known : mapping
        The records that are stored already, by their ids; None for one that was withdrawn.
    is_open : bool
        Whether the survey takes reports.
    is_same : callable
        Whether a record that is kept is of the report that was sent.
    """
    if submission.id in known:
        record = known[submission.id]
        if record is None:
            return Outcome.WITHDRAWN
        return Outcome.STORED if is_same(record, submission.record) else Outcome.CONFLICT
    return Outcome.STORED if is_open else Outcome.CLOSED
