"""Who may come in to a survey's results: owners and readers, by a password or by a link.

An account is a secret of the store. A session holds the name of the secret that began it, and is
good for as long as that is there: who is removed, or whose link is revoked, is out at once.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from dataclasses import dataclass
from enum import StrEnum
from struct import Struct

from confide.errors import ConfideError
from confide.reports.secret_store import SecretStore
from confide.web.admin.sessions import Sessions

ADMIN = "admin"
"""The name of the first owner."""

ADMIN_KEY = "password"
"""The secret by which the first owner comes in."""

SHORTEST = 10
"""A password has at least this many characters."""

_USER, _LINK = "user ", "link "
_NAME = re.compile(r"[^\s:\x00-\x1f](?:[^:\x00-\x1f]{0,58}[^\s:\x00-\x1f])?")  # : ends it in HTTP
_MADE = Struct(">Q")
_SCRYPT = {"n": 2**15, "r": 8, "p": 1, "maxmem": 2**26, "dklen": 32}


class Role(StrEnum):
    """What an account may do: an owner everything, a reader see results and nothing else."""

    OWNER = "owner"
    READER = "reader"


@dataclass(frozen=True)
class Account:
    """Who may come in.

    Parameters
    ----------
    key : str
        The name of the secret that lets them in.
    name : str
        Whom or what it is for.
    role : Role
        What they may do.
    by_link : bool
        Whether a link lets them in, and not a password.
    """

    key: str
    name: str
    role: Role
    by_link: bool = False


def hash_password(password: str, salt: bytes) -> bytes:
    """Compute the salted scrypt of a password; the salt stands before it."""
    return salt + hashlib.scrypt(password.encode(), salt=salt, **_SCRYPT)


def check_length(password: str) -> None:
    """Refuse a password that is too short."""
    if len(password) < SHORTEST:
        raise ConfideError(f"a password has at least {SHORTEST} characters.")


def check_name(name: str) -> str:
    """Refuse what cannot name a person or a link; give the name without spaces around it."""
    name = name.strip()
    if not _NAME.fullmatch(name):
        raise ConfideError("a name has 1 to 60 characters, and none of them is a colon.")
    return name


@dataclass(frozen=True, eq=False)
class Accounts:
    """Makes, finds, lists and removes accounts.

    Parameters
    ----------
    store : SecretStore
        Keeps the hash of each password and of each link's code, which opens nothing by itself.
    """

    store: SecretStore

    def set_password(self, password: str, name: str = ADMIN, role: Role = Role.OWNER) -> None:
        """Let somebody in by a password, and end the sessions that an earlier one began.

        Another password of the first owner ends the sessions of all.
        """
        hashed, key = hash_password(password, secrets.token_bytes(16)), find_key(name)
        kept = hashed if key == ADMIN_KEY else role[0].encode() + hashed
        self.store.set_secret(key, kept)
        Sessions(self.store).end_all(None if key == ADMIN_KEY else key)

    def read_password(self, key: str) -> bytes | None:
        """Read the salted hash of an account's password."""
        kept = self.store.read_secret(key)
        return kept if kept is None or key == ADMIN_KEY else kept[1:]

    def make_link(self, name: str) -> str:
        """Make a link that lets a reader in; give its code, which is not kept."""
        code = secrets.token_urlsafe(32)
        made = _MADE.pack(int(time.time()))
        self.store.set_secret(_name_link(code), made + check_name(name).encode())
        return code

    def find_link(self, code: str) -> str | None:
        """Find the account that a link's code lets in."""
        key = _name_link(code)
        return None if self.store.read_secret(key) is None else key

    def find_role(self, key: str) -> Role | None:
        """Find what an account may do; None where there is no such account any more."""
        if key == ADMIN_KEY:
            return Role.OWNER
        kept = self.store.read_secret(key)
        return None if kept is None else _read_role(key, kept)

    def list_all(self) -> list[Account]:
        """List all accounts: the first owner, those with passwords, the links in their order."""
        users = self.store.find_secrets(_USER)
        links = sorted(self.store.find_secrets(_LINK).items(), key=lambda each: (each[1], each[0]))
        return [
            Account(ADMIN_KEY, ADMIN, Role.OWNER),
            *(Account(k, k.removeprefix(_USER), _read_role(k, users[k])) for k in sorted(users)),
            *(
                Account(key, kept[_MADE.size :].decode(), Role.READER, by_link=True)
                for key, kept in links
            ),
        ]

    def remove(self, key: str) -> bool:
        """Remove an account and end its sessions; return whether there was one to remove."""
        if not key.startswith((_USER, _LINK)) or self.store.read_secret(key) is None:
            return False
        self.store.delete_secrets([key])
        Sessions(self.store).end_all(key)
        return True


def find_key(name: str) -> str:
    """Find the name of the secret that keeps somebody's password."""
    return ADMIN_KEY if name == ADMIN else _USER + name


def _name_link(code: str) -> str:
    return _LINK + hashlib.sha256(code.encode()).hexdigest()


def _read_role(key: str, kept: bytes) -> Role:
    owner = key.startswith(_USER) and kept[:1] == Role.OWNER[0].encode()
    return Role.OWNER if owner else Role.READER
