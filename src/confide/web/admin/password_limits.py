"""How many passwords may be tried, at all the surveys of a server together."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from confide.web.guard import Rate


@dataclass(frozen=True, eq=False)
class PasswordLimits:
    """Limits wrong passwords, for each address and in all, and how many are looked at at a time.

    Two are: the hash of one takes a processor and memory for a while.
    """

    room: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(2))
    _of_address: Rate = field(default_factory=lambda: Rate(1.0, 10, "wrong passwords"))
    _of_all: Rate = field(default_factory=lambda: Rate(5.0, 40, "wrong passwords"))

    def check(self, address: str) -> None:
        """Refuse a password from an address, or from anybody, after too many wrong ones."""
        self._of_address.check(address)
        self._of_all.check("")

    def forgive(self, address: str) -> None:
        """Take back that a password was tried: it was the right one."""
        self._of_address.forgive(address)
        self._of_all.forgive("")
