"""The interface of a database that keeps a survey's invitations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence


class InvitationStore(ABC):
    """Keeps the SHA-256 of each invitation until a report uses it up."""

    @property
    @abstractmethod
    def by_invitation(self) -> bool:
        """Whether only invited people can report; fixed when the store is made."""

    @abstractmethod
    def invite(self, invitations: Iterable[bytes]) -> None:
        """Add invitations."""

    @abstractmethod
    def find_unused(self, invitations: Sequence[bytes]) -> set[bytes]:
        """Find the invitations among some that are still good."""

    @abstractmethod
    def count_invitations(self) -> tuple[int, int]:
        """Count the invitations ever made, and those that are unused."""
