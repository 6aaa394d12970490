"""Answers that are the same for everyone: made once, and packed once for browsers that unpack."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response


@dataclass(frozen=True)
class ReadyAnswer:
    """The bytes of a page or a file, plain and packed.

    Parameters
    ----------
    content : bytes
        What is served.
    media_type : str
        Such as ``text/html``.
    headers : mapping
        Headers of its own.
    """

    content: bytes
    media_type: str
    headers: Mapping[str, str] = field(default_factory=dict)
    _packed: bytes = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_packed", gzip.compress(self.content, 9, mtime=0))

    def give(self, request: Request) -> Response:
        """Answer a request: packed where its browser can unpack."""
        headers = {**self.headers, "Vary": "Accept-Encoding"}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(self.content, media_type=self.media_type, headers=headers)
        headers["Content-Encoding"] = "gzip"
        return Response(self._packed, media_type=self.media_type, headers=headers)
