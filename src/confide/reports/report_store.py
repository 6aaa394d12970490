"""The interface of a database that keeps a survey's reports."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

BATCH = 20
"""So many reports, at least, are released together."""
EARLIER = ""
"""The day of reports that were released before days were counted."""


class ArchiveSize(NamedTuple):
    """How many reports were ever released, and how many of these were withdrawn.

    Neither ever falls, and whatever changes the released reports raises one of them.
    """

    archived: int
    withdrawn: int


@dataclass(frozen=True)
class PatternCounts:
    """How often each distinct report was released, damaged ones too.

    Parameters
    ----------
    patterns : list of tuple
        Each distinct report, and how often it was released.
    size : ArchiveSize
        How many were released when this was counted.
    is_all : bool
        Whether these are all reports, or only those that came since.
    """

    patterns: list[tuple[bytes, int]]
    size: ArchiveSize
    is_all: bool


class ReportStore(ABC):
    """Keeps one survey's reports, each under its id, and whether the survey takes more.

    A report is a record: the bytes that `Questionnaire.pack` writes. What came lately waits until a
    batch is complete, and is then released together: counted, exported, copied.
    """

    @abstractmethod
    def is_open(self) -> bool:
        """Whether the survey takes reports."""

    @abstractmethod
    def set_open(self, is_open: bool) -> None:
        """Close or reopen the survey.

        The first closing releases the reports of the unfinished batch, however few they are.
        """

    @abstractmethod
    def find_records(self, ids: Sequence[bytes]) -> dict[bytes, bytes | None]:
        """Find the reports that are stored among some ids; None for one that was withdrawn."""

    @abstractmethod
    def withdraw(self, report_id: bytes) -> bool:
        """Forget what a report said, for good; return whether there was one."""

    @abstractmethod
    def count(self) -> int:
        """Count the reports, those of the unfinished batch too."""

    @abstractmethod
    def count_released(self) -> int:
        """Count the reports that are released."""

    @abstractmethod
    def count_days(self) -> dict[str, int]:
        """Count how many reports were released on each day of UTC, in the order of days.

        Reports that were withdrawn since are counted, too.
        """

    @abstractmethod
    def read_records(self) -> list[bytes]:
        """Read the released reports, damaged ones too, in an order that tells nothing."""

    @abstractmethod
    def count_patterns(self) -> list[tuple[bytes, int]]:
        """Count how often each distinct report was released, damaged ones too."""

    @abstractmethod
    def count_patterns_since(self, seen: ArchiveSize | None) -> PatternCounts:
        """Count only what was released since it was counted last, if nothing else has changed.

        Otherwise all is counted again. ``seen`` is the size that was given then; None at first.
        What was given once is forgotten: of several who ask in turn, each is given all.
        """
