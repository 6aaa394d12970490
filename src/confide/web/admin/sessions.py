"""The administrator's sessions: kept on the server, so that they can be ended there."""

from __future__ import annotations

import hashlib
import secrets
import time
from dataclasses import dataclass
from struct import Struct

from confide.reports.secret_store import SecretStore

HOURS = 12
"""How long a session lasts."""

_PREFIX = "session "
_CLOCKS_DIFFER = 300  # seconds by which the clocks of two servers may
_TIMES = Struct(">QQ")  # when it began, until when it is good


@dataclass(frozen=True)
class Session:
    """A session as the server keeps it: the hash of its code, and its times.

    Parameters
    ----------
    name : str
        The first digits of the hash, to tell sessions apart.
    began, until : int
        Seconds since 1970.
    """

    name: str
    began: int
    until: int


@dataclass(frozen=True, eq=False)
class Sessions:
    """Begins, checks, lists and ends sessions; a stolen database holds no code that opens one.

    Parameters
    ----------
    store : SecretStore
        Keeps the SHA-256 of each session's code, and its times.
    """

    store: SecretStore

    def begin(self) -> str:
        """Begin a session, forget those that are over, and return the code of the new one."""
        code, now = secrets.token_urlsafe(32), int(time.time())
        known = self.store.find_secrets(_PREFIX)
        self.store.delete_secrets([n for n, kept in known.items() if not _is_good(kept, now)])
        self.store.set_secret(_name(code), _TIMES.pack(now, now + HOURS * 3600))
        return code

    def is_good(self, code: str) -> bool:
        """Whether a code opens a session that has neither ended nor been ended."""
        kept = self.store.read_secret(_name(code))
        return kept is not None and _is_good(kept, int(time.time()))

    def end(self, code: str) -> None:
        """End the session of a code."""
        self.store.delete_secrets([_name(code)])

    def end_all(self) -> int:
        """End every session; return how many were good."""
        ended = len(self.list_good())
        self.store.delete_secrets(list(self.store.find_secrets(_PREFIX)))
        return ended

    def list_good(self) -> list[Session]:
        """List the sessions that are good, the oldest first."""
        now = int(time.time())
        found = [
            Session(name.removeprefix(_PREFIX)[:8], *_TIMES.unpack(kept))
            for name, kept in self.store.find_secrets(_PREFIX).items()
            if _is_good(kept, now)
        ]
        return sorted(found, key=lambda session: (session.began, session.name))


def _name(code: str) -> str:
    return _PREFIX + hashlib.sha256(code.encode()).hexdigest()


def _is_good(kept: bytes, now: int) -> bool:
    if len(kept) != _TIMES.size:
        return False
    began, until = _TIMES.unpack(kept)
    # a clock that was set back must not make a session last longer
    return bool(began <= now + _CLOCKS_DIFFER and now < until)
