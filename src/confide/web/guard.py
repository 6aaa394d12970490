"""What stands before every endpoint: headers, sizes, rates and origins."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from confide.web.addresses import ABOVE, HERE, is_administration
from confide.web.static_files import name_source, write_import_map

_IMPORTS = " ".join(name_source(write_import_map(root)) for root in (HERE, ABOVE))
_PAGE = (
    f"default-src 'none'; script-src 'self' {_IMPORTS}; "
    "style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; object-src 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'; "
    "sandbox allow-scripts allow-same-origin allow-downloads"
)
_ADMIN = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
_EVERYWHERE = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Permissions-Policy": (
        "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), "
        "microphone=(), payment=(), usb=(), browsing-topics=()"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


PAGE_HEADERS = {**_EVERYWHERE, "Content-Security-Policy": _PAGE}
"""The headers of every page and file that respondents reach."""


def _encode_headers(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode(), value.encode()) for name, value in headers.items()]


_ADMIN_HEADERS = _encode_headers({**_EVERYWHERE, "Content-Security-Policy": _ADMIN})
_LONGEST_READ = 10.0  # seconds, for a body
_TLS_HEADER = (b"strict-transport-security", b"max-age=31536000")


class SecurityHeaders:
    """Adds the headers that keep everything else out of the pages.

    Parameters
    ----------
    app : ASGIApp
        Who answers.
    always_tls : bool
        Whether people reach it by TLS alone, though a proxy may not say so. Then, as over TLS
        itself, browsers are told to come by no other way.
    page_headers : mapping
        The headers of all but the administration.
    """

    def __init__(
        self,
        app: ASGIApp,
        always_tls: bool = False,
        page_headers: Mapping[str, str] = PAGE_HEADERS,
    ) -> None:
        self._app, self._always_tls = app, always_tls
        self._page_headers = _encode_headers(page_headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        added = _ADMIN_HEADERS if is_administration(scope["path"]) else self._page_headers
        if self._always_tls or scope["scheme"] == "https":
            added = [*added, _TLS_HEADER]

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *added]
            await send(message)

        await self._app(scope, receive, send_with_headers)


class RefusedError(Exception):
    """A request that is answered with an error."""

    def __init__(self, status: int, reason: str, *, retry_after: int | None = None) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.retry_after = retry_after


async def answer_refused(_: Request, error: Exception) -> Response:
    """Answer a refused request with its reason."""
    assert isinstance(error, RefusedError)
    headers = {"Retry-After": str(error.retry_after)} if error.retry_after else None
    return JSONResponse({"error": error.reason}, error.status, headers)


async def read_json_body(request: Request, most: int) -> bytes:
    """Read a JSON body of limited size in limited time."""
    if request.headers.get("content-type", "").split(";")[0].strip() != "application/json":
        raise RefusedError(415, "the body must be application/json.")
    return await read_body(request, most)


async def read_body(request: Request, most: int) -> bytes:
    """Read a body of limited size in limited time."""
    body = b""
    try:
        async with asyncio.timeout(_LONGEST_READ):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    raise RefusedError(413, f"the body has more than {most} bytes.")
    except TimeoutError:
        raise RefusedError(408, "the body took too long to arrive.") from None
    return body


def check_origin(headers: Headers) -> None:
    """Refuse what another site made the browser send."""
    site = headers.get("sec-fetch-site")
    origin = headers.get("origin")
    if site is not None:  # it says more: without referrers a form's origin is null
        elsewhere = site != "same-origin"
    else:
        elsewhere = origin is not None and urlsplit(origin).netloc != headers.get("host", "")
    if elsewhere:
        raise RefusedError(403, "this request came from another site.")


def find_sender(request: Request) -> str:
    """Find the network address that a request comes from; "" where it is not known."""
    return request.client.host if request.client else ""


class Rate:
    """How often each address may come: a bucket that fills steadily. Kept in memory alone.

    Parameters
    ----------
    rate : float
        Requests a second in the long run; 0 for no limit.
    burst : int
        Requests at once: a whole lecture hall may share one address.
    what : str
        What there may be too many of.
    """

    _MOST_ADDRESSES = 10_000

    def __init__(self, rate: float = 20.0, burst: int = 400, what: str = "reports") -> None:
        self._rate, self._burst, self._what = rate, burst, what
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def check(self, address: str) -> None:
        """Refuse a request from an address that sends too often.

        A refused request uses nothing up: who tries again soon does not wait the longer for it.
        """
        if not self._rate:
            return
        now = time.monotonic()
        left, then = self._buckets.pop(address, (float(self._burst), now))
        left = min(self._burst, left + (now - then) * self._rate)
        self._buckets[address] = (left - (left >= 1), now)
        if len(self._buckets) > self._MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        if left < 1:
            raise RefusedError(429, f"too many {self._what} from this address.", retry_after=1)

    def forgive(self, address: str) -> None:
        """Take back that an address came once."""
        if address in self._buckets:
            left, then = self._buckets[address]
            self._buckets[address] = (left + 1, then)
