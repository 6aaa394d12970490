"""Who may see the results: one administrator, by a one-time link and then a password."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import time
from base64 import b64decode
from dataclasses import dataclass, field

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from confide.reports.secret_store import SecretStore
from confide.web.guard import Rate, RefusedError, check_origin
from confide.web.writer import Writer

SHORTEST = 10
"""A password has at least this many characters."""

_COOKIE = "__Host-confide"
_HOURS = 12
_SCRYPT = {"n": 2**15, "r": 8, "p": 1, "maxmem": 2**26, "dklen": 32}


def hash_password(password: str, salt: bytes) -> bytes:
    """Compute the salted scrypt of a password; the salt stands before it."""
    return salt + hashlib.scrypt(password.encode(), salt=salt, **_SCRYPT)


def set_password(store: SecretStore, password: str) -> None:
    """Keep the hash of a password, and a new key that signs sessions."""
    store.set_secret("password", hash_password(password, secrets.token_bytes(16)))
    store.set_secret("session", secrets.token_bytes(32))


@dataclass(eq=False)
class Access:
    """Password, sessions and the one-time link.

    Parameters
    ----------
    store : SecretStore
        Keeps the password's hash and the key that signs sessions.
    writer : Writer
        Who writes them.
    """

    store: SecretStore
    writer: Writer
    link: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    """The secret of the one-time link: it sets the first password, or lets in where there is one,
    and is then void."""
    _tries: Rate = field(default_factory=lambda: Rate(1.0, 10, "wrong passwords"))
    _all_tries: Rate = field(default_factory=lambda: Rate(5.0, 40, "wrong passwords"))
    _room: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(2))

    async def has_password(self) -> bool:
        """Whether a password was ever set."""
        return await run_in_threadpool(self.store.read_secret, "password") is not None

    async def set_first_password(self, link: str, password: str) -> None:
        """Set the password with the one-time link."""
        if not self._is_link(link) or await self.has_password():
            raise RefusedError(403, "this link has been used or is not valid.")
        if len(password) < SHORTEST:
            raise RefusedError(400, f"a password has at least {SHORTEST} characters.")
        await self.writer.run(lambda: set_password(self.store, password))
        self.link = secrets.token_urlsafe(24)

    async def let_in_once(self, link: str) -> bool:
        """Use up the one-time link where a password is set; return whether it was the right one."""
        if not await self.has_password() or not self._is_link(link):
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

    async def start_session(self, response: Response) -> None:
        """Start a session of some hours in the browser."""
        until = str(int(time.time()) + _HOURS * 3600)
        response.set_cookie(
            _COOKIE,
            f"{until}.{await self._sign(until)}",
            max_age=_HOURS * 3600,
            path="/",
            secure=True,
            httponly=True,
            samesite="strict",
        )

    def end_session(self, response: Response) -> None:
        """End the browser's session."""
        response.delete_cookie(_COOKIE, path="/", secure=True, httponly=True, samesite="strict")

    async def _sign(self, until: str) -> str:
        key = await run_in_threadpool(self.store.read_secret, "session")
        if key is None:
            raise RefusedError(403, "no password has been set yet.")
        return hmac.new(key, until.encode(), hashlib.sha256).hexdigest()

    async def is_admitted(self, request: Request) -> bool:
        """Whether a request comes with a session, or with the password as HTTP Basic does."""
        kind, _, credentials = request.headers.get("authorization", "").partition(" ")
        if kind.lower() == "basic":
            try:
                password = b64decode(credentials, validate=True).decode().partition(":")[2]
            except ValueError:
                return False
            return await self.check_password(password, request)
        until, _, signature = request.cookies.get(_COOKIE, "").partition(".")
        if not (len(until) < 20 and until.isascii() and until.isdigit()):
            return False
        if int(until) <= time.time():
            return False
        return hmac.compare_digest(signature.encode(), (await self._sign(until)).encode())

    async def check(self, request: Request) -> None:
        """Refuse a request without a session or password, and one that another site caused."""
        if request.method not in ("GET", "HEAD"):
            check_origin(request.headers)
        if not await self.is_admitted(request):
            raise RefusedError(401, "log in first.")
