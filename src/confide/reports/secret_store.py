"""The interface of a database that keeps the administration's secrets."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence


class SecretStore(ABC):
    """Keeps the secrets of the administration, such as the password's hash, by their names."""

    @abstractmethod
    def read_secret(self, name: str) -> bytes | None:
        """Read a secret; None where there is none of this name."""

    @abstractmethod
    def find_secrets(self, prefix: str) -> dict[str, bytes]:
        """Find the secrets whose names begin in one way."""

    @abstractmethod
    def delete_secrets(self, names: Sequence[str]) -> None:
        """Delete secrets; of a name that is not there nothing is."""

    @abstractmethod
    def set_secret(self, name: str, value: bytes) -> None:
        """Keep a secret; it replaces one of the same name."""

    @abstractmethod
    def add_secret(self, name: str, value: bytes) -> bytes:
        """Keep a secret unless there is one of this name; return the one that is kept."""
