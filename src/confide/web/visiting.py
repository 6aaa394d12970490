"""A server's answers, as a certain browser in a certain language gets them."""

from __future__ import annotations

import urllib.error
import urllib.request
import zlib
from dataclasses import dataclass
from functools import cache
from http.client import HTTPException
from typing import Any

from confide.errors import ConfideError, show

_SECONDS = 20
_MOST_BYTES = 20_000_000  # of one file, packed or not


@dataclass(frozen=True)
class Fetched:
    """An answer of the server: its status, its headers in lower case, its bytes."""

    status: int
    headers: dict[str, str]
    body: bytes


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: what another address serves is not what this one serves."""

    def redirect_request(self, *_: Any) -> None:
        return None


def fetch(address: str, browser: str, language: str) -> Fetched:
    """Fetch an address as a browser in a language would."""
    headers = {
        "User-Agent": browser,
        "Accept-Language": language,
        "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "Accept-Encoding": "gzip",
    }
    request = urllib.request.Request(address, headers=headers)
    try:
        with _open(request) as answer:
            return _read_answer(answer)
    except (OSError, ValueError, HTTPException, zlib.error) as error:
        reason = getattr(error, "reason", error)
        raise ConfideError(f"cannot reach {address}: {show(str(reason))}.") from None


def _open(request: urllib.request.Request) -> Any:
    """Open an address; an answer that is an error is an answer, too."""
    try:
        return _make_opener().open(request, timeout=_SECONDS)
    except urllib.error.HTTPError as error:
        return error


@cache
def _make_opener() -> urllib.request.OpenerDirector:
    """Make what opens addresses, once: it reads the certificates that the machine trusts."""
    return urllib.request.build_opener(_NoRedirect)


def _read_answer(answer: Any) -> Fetched:
    body = answer.read(_MOST_BYTES)
    if answer.headers.get("Content-Encoding") == "gzip":
        body = zlib.decompressobj(31).decompress(body, _MOST_BYTES)
    headers: dict[str, str] = {}
    for name, value in answer.headers.items():
        given = headers.get(name.lower())
        headers[name.lower()] = value if given is None else f"{given}, {value}"
    return Fetched(answer.status, headers, body)
