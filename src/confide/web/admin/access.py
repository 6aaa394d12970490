"""Who may see the results: the one-time link, passwords, sessions, and links for readers."""

from __future__ import annotations

import hmac
import secrets
from base64 import b64decode
from dataclasses import dataclass, field

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from confide.errors import ConfideError
from confide.reports.secret_store import SecretStore
from confide.web.admin.accounts import (
    ADMIN_KEY,
    Accounts,
    Role,
    check_length,
    find_key,
    hash_password,
)
from confide.web.admin.password_limits import PasswordLimits
from confide.web.admin.sessions import HOURS, Sessions
from confide.web.guard import RefusedError, check_origin, find_sender
from confide.web.writer import Writer


@dataclass(eq=False)
class Access:
    """Passwords, sessions and the one-time link.

    Parameters
    ----------
    store : SecretStore
        Keeps the accounts and the sessions.
    writer : Writer
        Who writes them.
    name : str
        The survey's name among others in its server, which share a browser's cookies; else "".
    limits : PasswordLimits
        How many passwords may be tried, which the surveys of a server share.
    """

    store: SecretStore
    writer: Writer
    name: str = ""
    limits: PasswordLimits = field(default_factory=PasswordLimits)
    link: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    """The secret of the one-time link: it sets the first password, and is void afterwards."""
    without_password: bool = False
    """Whether the link lets in at once, and nobody is asked for a password: for a demonstration."""

    @property
    def _cookie(self) -> str:
        return f"__Host-confide-{self.name}" if self.name else "__Host-confide"

    @property
    def _sessions(self) -> Sessions:
        return Sessions(self.store)

    @property
    def accounts(self) -> Accounts:
        """Who may come in."""
        return Accounts(self.store)

    async def has_password(self) -> bool:
        """Whether a password was ever set."""
        return await run_in_threadpool(self.store.read_secret, ADMIN_KEY) is not None

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
        if self.store.read_secret(ADMIN_KEY) is not None:
            return False
        self.accounts.set_password(password)
        return True

    async def let_in_once(self, link: str) -> bool:
        """Use up the one-time link of a demonstration; return whether it was the right one."""
        if not self.without_password or not self._is_link(link) or await self.has_password():
            return False
        self.link = secrets.token_urlsafe(24)
        return True

    def _is_link(self, link: str) -> bool:
        return hmac.compare_digest(link.encode(), self.link.encode())

    async def find_by_password(self, name: str, password: str, request: Request) -> str | None:
        """Find whose name and password these are; how many may be tried is limited.

        A name that nobody has takes as long as one that somebody has.
        """
        address, key = find_sender(request), find_key(name)
        self.limits.check(address)
        async with self.limits.room:
            kept = await run_in_threadpool(self.accounts.read_password, key)
            salt = kept[:16] if kept else bytes(16)
            given = await run_in_threadpool(hash_password, password, salt)
        if kept is None or not hmac.compare_digest(given, kept):
            return None
        self.limits.forgive(address)
        return key

    async def find_by_link(self, code: str, request: Request) -> str | None:
        """Find whom the code of a link lets in; how many may be tried is limited."""
        address = find_sender(request)
        self.limits.check(address)
        key = await run_in_threadpool(self.accounts.find_link, code)
        if key is not None:
            self.limits.forgive(address)
        return key

    async def start_session(self, response: Response, account: str = ADMIN_KEY) -> None:
        """Start a session of some hours in the browser."""
        code = await self.writer.run(lambda: self._sessions.begin(account))
        response.set_cookie(
            self._cookie,
            code,
            max_age=HOURS * 3600,
            path="/",
            secure=True,
            httponly=True,
            samesite="strict",
        )

    async def end_session(self, request: Request, response: Response) -> None:
        """End the session of a request: on the server, and in the browser."""
        code = request.cookies.get(self._cookie, "")
        await self.writer.run(lambda: self._sessions.end(code))
        response.delete_cookie(
            self._cookie, path="/", secure=True, httponly=True, samesite="strict"
        )

    async def find_role(self, request: Request) -> Role | None:
        """Find what a request may do by its session, or by a name and password as HTTP Basic has.

        None where it has neither. The role is that of this moment, not of when a session began.
        """
        account = await self._find_account(request)
        return (
            None if account is None else await run_in_threadpool(self.accounts.find_role, account)
        )

    async def _find_account(self, request: Request) -> str | None:
        kind, _, credentials = request.headers.get("authorization", "").partition(" ")
        if kind.lower() == "basic":
            try:
                name, _, password = b64decode(credentials, validate=True).decode().partition(":")
            except ValueError:
                return None
            return await self.find_by_password(name, password, request)
        code = request.cookies.get(self._cookie)
        return None if code is None else await run_in_threadpool(self._sessions.find_account, code)

    async def check(self, request: Request, least: Role = Role.OWNER) -> Role:
        """Refuse a request of nobody, of a reader who may not do this, or of another site's making.

        Whoever may is given back as what they are.
        """
        if request.method not in ("GET", "HEAD"):
            check_origin(request.headers)
        role = await self.find_role(request)
        if role is None:
            raise RefusedError(401, "log in first.")
        if least is Role.OWNER and role is not Role.OWNER:
            raise RefusedError(403, "only an owner may do this.")
        return role
