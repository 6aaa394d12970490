"""The interface of a database that keeps a survey's reports."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence


class ReportStore(ABC):
    """Keeps one survey's reports, each under its id, and whether the survey takes more.

    A report is a record: the bytes that `Questionnaire.pack` writes.
    """

    @abstractmethod
    def is_open(self) -> bool:
        """Whether the survey takes reports."""

    @abstractmethod
    def set_open(self, is_open: bool) -> None:
        """Close or reopen the survey.

        Closing rewrites the reports in the order of their random ids, so that nothing tells in
        which order they came.
        """

    @abstractmethod
    def find_records(self, ids: Sequence[bytes]) -> dict[bytes, bytes | None]:
        """Find the reports that are stored among some ids; None for one that was withdrawn."""

    @abstractmethod
    def insert_reports(self, reports: Iterable[tuple[bytes, bytes | None]]) -> None:
        """Insert reports, each as its id and record, within a transaction."""

    @abstractmethod
    def withdraw(self, report_id: bytes) -> bool:
        """Forget what a report said, for good; return whether there was one."""

    @abstractmethod
    def count(self) -> int:
        """Count the reports."""

    @abstractmethod
    def read_records(self) -> list[bytes]:
        """Read all reports in the order of their random ids, damaged ones too."""

    @abstractmethod
    def count_patterns(self) -> list[tuple[bytes, int]]:
        """Count how often each distinct report came, damaged ones too."""
