"""How requests are read from a connection: of limited size, in limited time."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_BESIDE_THE_BODY = 16_384
"""How many bytes a request may have beside its body: first line, headers, marks of chunks."""

LONGEST = 20.0
"""Seconds within which a request must have arrived whole."""

_TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-length: 0\r\nconnection: close\r\n\r\n"
)


class BoundedProtocol(HttpToolsProtocol):
    """Closes a connection whose request is too large or too slow, before it costs memory.

    Everything that is not body counts: what a parser keeps until a request is complete is in there.
    How large a body may be is for who reads it to say.
    """

    _beside = 0
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._done_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), MOST_BESIDE_THE_BODY):
            part = data[start : start + MOST_BESIDE_THE_BODY]
            self._beside += len(part)
            super().data_received(part)
            if self.transport.is_closing():
                return
            if self._beside > MOST_BESIDE_THE_BODY:
                self._refuse()
                return
        if self._beside and self._waiting is None:  # another request has begun
            self._wait()

    def on_body(self, body: bytes) -> None:
        self._beside -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._beside = 0
        self._done_waiting()
        super().on_message_complete()

    def _refuse(self) -> None:
        answering = self.cycle is not None and not self.cycle.response_complete
        if not answering:
            self.transport.write(_TOO_LARGE)
        self.transport.close()

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(LONGEST, self.transport.close)

    def _done_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
