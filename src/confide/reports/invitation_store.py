"""The interface of a database that keeps a survey's invitations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Redemption:
    """An invitation that is to be redeemed for a signature.

    Parameters
    ----------
    invitation : bytes
        The SHA-256 of the invitation's token.
    blinded : bytes
        The SHA-256 of what is to be signed, which the person's browser has blinded.
    """

    invitation: bytes
    blinded: bytes


class InvitationStore(ABC):
    """Keeps the SHA-256 of each invitation, and for what it was redeemed."""

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
    def find_listed(self, invitations: Sequence[bytes]) -> set[bytes]:
        """Find the invitations among some that are unused, or were redeemed lately.

        Those that are not among them were redeemed before a whole batch of reports was released, so
        that who is told which they are learns no more than a copy of the database tells.
        """

    @abstractmethod
    def find_redeemed(self, invitations: Sequence[bytes]) -> dict[bytes, bytes]:
        """Find the invitations among some that were redeemed, and what was signed for each."""

    @abstractmethod
    def redeem(self, batch: Sequence[Redemption]) -> list[bool]:
        """Redeem many invitations in one transaction; return of each whether it may be signed for.

        An invitation is redeemed once; asked again for the same it may be signed for again.
        """

    @abstractmethod
    def count_invitations(self) -> tuple[int, int]:
        """Count the invitations ever made, and those that are unused."""
