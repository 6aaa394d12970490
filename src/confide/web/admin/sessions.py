"""Sessions of who sees the results: kept on the server, so that they can be ended there."""

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
    """A session as the server keeps it: the hash of its code, its times, and whose it is.

    Parameters
    ----------
    name : str
        The first digits of the hash, to tell sessions apart.
    began, until : int
        Seconds since 1970.
    account : str
        Whose it is.
    """

    name: str
    began: int
    until: int
    account: str


@dataclass(frozen=True, eq=False)
class Sessions:
    """Begins, checks, lists and ends sessions; a stolen database holds no code that opens one.

    Parameters
    ----------
    store : SecretStore
        Keeps the SHA-256 of each session's code, its times and its account.
    """

    store: SecretStore

    def begin(self, account: str) -> str:
        """Begin a session of an account, forget those that are over; return the new one's code."""
        code, now = secrets.token_urlsafe(32), int(time.time())
        known = self.store.find_secrets(_PREFIX)
        self.store.delete_secrets([n for n, kept in known.items() if not _is_good(kept, now)])
        self.store.set_secret(_name(code), _TIMES.pack(now, now + HOURS * 3600) + account.encode())
        return code

    def find_account(self, code: str) -> str | None:
        """Find whose session a code opens; None where it has ended or been ended."""
        kept = self.store.read_secret(_name(code))
        good = kept is not None and _is_good(kept, int(time.time()))
        return kept[_TIMES.size :].decode() if kept is not None and good else None

    def end(self, code: str) -> None:
        """End the session of a code."""
        self.store.delete_secrets([_name(code)])

    def end_all(self, account: str | None = None) -> None:
        """End every session, or every one of an account."""
        known = self.store.find_secrets(_PREFIX).items()
        whose = None if account is None else account.encode()
        self.store.delete_secrets([n for n, kept in known if whose in (None, kept[_TIMES.size :])])

    def list_good(self) -> list[Session]:
        """List the sessions that are good, the oldest first."""
        now = int(time.time())
        found = [
            _read_session(name, kept)
            for name, kept in self.store.find_secrets(_PREFIX).items()
            if _is_good(kept, now)
        ]
        return sorted(found, key=lambda session: (session.began, session.name))


def _read_session(name: str, kept: bytes) -> Session:
    began, until = _TIMES.unpack_from(kept)
    return Session(name.removeprefix(_PREFIX)[:8], began, until, kept[_TIMES.size :].decode())


def _name(code: str) -> str:
    return _PREFIX + hashlib.sha256(code.encode()).hexdigest()


def _is_good(kept: bytes, now: int) -> bool:
    if len(kept) < _TIMES.size:
        return False
    began, until = _TIMES.unpack_from(kept)
    # a clock that was set back must not make a session last longer
    return bool(began <= now + _CLOCKS_DIFFER and now < until)
