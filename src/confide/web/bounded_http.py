"""How requests are read from connections: of limited size, in limited time, of limited number."""

from __future__ import annotations

import asyncio
from weakref import WeakKeyDictionary

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

MOST_BESIDE_THE_BODY = 16_384
"""How many bytes a request may have beside its body: first line, headers, marks of chunks."""

LONGEST = 20.0
"""Seconds within which a request must have arrived whole."""

MOST_WAITING_OF_AN_ADDRESS = 200
MOST_WAITING = 800
"""How many connections may be open over which no whole request has come; then the oldest goes."""

_TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-length: 0\r\nconnection: close\r\n\r\n"
)


class BoundedProtocol(HttpToolsProtocol):
    """Closes a connection whose request is too large or too slow, before it costs memory.

    Everything that is not body counts: what a parser keeps until a request is complete is in there.
    How large a body may be is for who reads it to say. A connection that waits for a request gives
    way to newer ones when there are too many: whoever asks is answered, however many are silent.
    """

    _beside = 0
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._room = _ROOMS.setdefault(self.server_state, WaitingRoom())
        self._room.enter(self)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._room.leave(self)
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
        self._room.leave(self)
        self._done_waiting()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        answering = self.cycle is not None and not self.cycle.response_complete
        if not answering and not self.transport.is_closing():
            self._room.enter(self)

    @property
    def address(self) -> str:
        """Who is at the other end."""
        return self.client[0] if self.client else ""

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


class WaitingRoom:
    """The connections of a server that wait for a request, in the order in which they came."""

    def __init__(self) -> None:
        self._all: dict[BoundedProtocol, None] = {}
        self._by_address: dict[str, dict[BoundedProtocol, None]] = {}

    def enter(self, connection: BoundedProtocol) -> None:
        """Let a connection wait; where there are too many the one that waits longest is closed."""
        here = self._by_address.setdefault(connection.address, {})
        self._all[connection] = here[connection] = None
        if len(here) > MOST_WAITING_OF_AN_ADDRESS:
            self._close(next(iter(here)))
        elif len(self._all) > MOST_WAITING:
            self._close(next(iter(self._all)))

    def leave(self, connection: BoundedProtocol) -> None:
        """Forget a connection that waits no longer."""
        self._all.pop(connection, None)
        here = self._by_address.get(connection.address, {})
        here.pop(connection, None)
        if not here:
            self._by_address.pop(connection.address, None)

    def _close(self, connection: BoundedProtocol) -> None:
        self.leave(connection)
        connection.transport.close()


_ROOMS: WeakKeyDictionary[ServerState, WaitingRoom] = WeakKeyDictionary()
