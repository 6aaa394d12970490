"""Who may see the results: one administrator, by a one-time link and then a password."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from base64 import b64decode
from dataclasses import dataclass, field

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from confide.errors import ConfideError
from confide.reports.secret_store import SecretStore
from confide.web.admin.sessions import HOURS, Sessions
from confide.web.guard import Rate, RefusedError, check_origin
from confide.web.writer import Writer

SHORTEST = 10
"""A password has at least this many characters."""

_COOKIE = "__Host-confide"
_SCRYPT = {"n": 2**15, "r": 8, "p": 1, "maxmem": 2**26, "dklen": 32}


def hash_password(password: str, salt: bytes) -> bytes:
    """Compute the salted scrypt of a password; the salt stands before it."""
    return salt + hashlib.scrypt(password.encode(), salt=salt, **_SCRYPT)


def check_length(password: str) -> None:
    """Refuse a password that is too short."""
    if len(password) < SHORTEST:
        raise ConfideError(f"a password has at least {SHORTEST} characters.")


def set_password(store: SecretStore, password: str) -> None:
    """Keep the hash of a password, and end all sessions that an earlier one began."""
    store.set_secret("password", hash_password(password, secrets.token_bytes(16)))
    Sessions(store).end_all()


@dataclass(eq=False)
class Access:
    """Password, sessions and the one-time link.

    Parameters
    ----------
    store : SecretStore
        Keeps the password's hash and the sessions.
    writer : Writer
        Who writes them.
    """

    store: SecretStore
    writer: Writer
    link: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    """The secret of the one-time link: it sets the first password, and is void afterwards."""
    without_password: bool = False
    """Whether the link lets in at once, and nobody is asked for a password: for a demonstration."""
    _tries: Rate = field(default_factory=lambda: Rate(1.0, 10, "wrong passwords"))
    _all_tries: Rate = field(default_factory=lambda: Rate(5.0, 40, "wrong passwords"))
    _room: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(2))

    async def has_password(self) -> bool:
        """Whether a password was ever set."""
        return await run_in_threadpool(self.store.read_secret, "password") is not None

    async def set_first_password(self, link: str, password: str) -> None:
        """Set the password with the one-time link."""
        used = RefusedError(403, "this link has been used or is not valid.")
        if not self._is_link(link) or await self.has_password():
            raise used
        try:
            check_length(password)
        except ConfideError as error:
            raise RefusedError(400, str(error)) from None
        if not await self.writer.run(lambda: self._set_first(password)):
            raise used
        self.link = secrets.token_urlsafe(24)

    def _set_first(self, password: str) -> bool:
        """Set the password unless someone was quicker; return whether it was set."""
        if self.store.read_secret("password") is not None:
            return False
        set_password(self.store, password)
        return True

    async def let_in_once(self, link: str) -> bool:
        """Use up the one-time link of a demonstration; return whether it was the right one."""
        if not self.without_password or not self._is_link(link) or await self.has_password():
            return False
        self.link = secrets.token_urlsafe(24)
        return True

    def _is_link(self, link: str) -> bool:
        return hmac.compare_digest(link.encode(), self.link.encode())

    async def check_password(self, password: str, request: Request) -> bool:
        """Whether this is the password; wrong ones are limited, for each address and in all.

        Two are looked at at a time: the hash takes a processor and memory for a while.
        """
        address = request.client.host if request.client else ""
        self._tries.check(address)
        self._all_tries.check("")
        async with self._room:
            kept = await run_in_threadpool(self.store.read_secret, "password")
            salt = kept[:16] if kept else bytes(16)
            given = await run_in_threadpool(hash_password, password, salt)
        right = kept is not None and hmac.compare_digest(given, kept)
        if right:
            self._tries.forgive(address)
            self._all_tries.forgive("")
        return right

    @property
    def _sessions(self) -> Sessions:
        return Sessions(self.store)

    async def start_session(self, response: Response) -> None:
        """Start a session of some hours in the browser."""
        code = await self.writer.run(self._sessions.begin)
        response.set_cookie(
            _COOKIE,
            code,
            max_age=HOURS * 3600,
            path="/",
            secure=True,
            httponly=True,
            samesite="strict",
        )

    async def end_session(self, request: Request, response: Response) -> None:
        """End the session of a request: on the server, and in the browser."""
        code = request.cookies.get(_COOKIE, "")
        await self.writer.run(lambda: self._sessions.end(code))
        response.delete_cookie(_COOKIE, path="/", secure=True, httponly=True, samesite="strict")

    async def is_admitted(self, request: Request) -> bool:
        """Whether a request comes with a session, or with the password as HTTP Basic does."""
        kind, _, credentials = request.headers.get("authorization", "").partition(" ")
        if kind.lower() == "basic":
            try:
                password = b64decode(credentials, validate=True).decode().partition(":")[2]
            except ValueError:
                return False
            return await self.check_password(password, request)
        code = request.cookies.get(_COOKIE)
        return code is not None and await run_in_threadpool(self._sessions.is_good, code)

    async def check(self, request: Request) -> None:
        """Refuse a request without a session or password, and one that another site caused."""
        if request.method not in ("GET", "HEAD"):
            check_origin(request.headers)
        if not await self.is_admitted(request):
            raise RefusedError(401, "log in first.")
