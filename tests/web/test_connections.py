"""Clients that hang up, send endlessly or hardly at all, against the program itself."""

import socket
import time
from contextlib import ExitStack

import httpx
import pytest

HEAD = b"POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
PAGE = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"


def rest(connection: socket.socket) -> bytes:
    """All that still comes, until the other side closes."""
    parts = []
    try:
        while part := connection.recv(65536):
            parts.append(part)
    except ConnectionError:
        pass
    return b"".join(parts)


@pytest.mark.slow
def test_who_hangs_up_leaves_no_traceback(program):
    server = program()
    for path in (b"/report", b"/receipt", b"/receipt/delete", b"/admin/login", b"/admin/welcome"):
        head = HEAD % path
        for sent in (
            head[:20],
            head,
            head + b"Content-Length: 400\r\n\r\n",
            head + b'Content-Length: 400\r\n\r\n{"design":',
            head + b'Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n',
        ):
            with server.connected() as connection:
                connection.sendall(sent)
                time.sleep(0.02)
    address = f"http://127.0.0.1:{server.port}"
    with httpx.Client(base_url=address, timeout=60) as client:
        given = {"key": server.key, "password": "correct horse battery"}
        cookie = client.post("/admin/welcome", data=given).headers["set-cookie"].split(";")[0]
        for path in ("/admin/export/csv", "/admin/backup", "/api/estimates", "/admin", "/offline"):
            for wait in (0, 0.05, 0.5):
                with server.connected() as connection:
                    asked = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookie}\r\n\r\n"
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
                    connection.sendall(asked.encode())
                    time.sleep(wait)
        assert client.get("/admin/state", headers={"Cookie": cookie}).status_code == 200
    server.works()
    log = server.stopped()
    assert "Traceback" not in log and "Error" not in log and "ClientDisconnect" not in log, log


@pytest.mark.slow
@pytest.mark.parametrize(
    "start",
    [
        PAGE + b"X-Long: ",
        b"GET /",
        b"\r\n",
        PAGE + b"X",
        HEAD % b"/report" + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n0\r\nX-Trailer: ",
        HEAD % b"/report" + b"Transfer-Encoding: chunked\r\n\r\n1;extension=",
    ],
    ids=["header", "line", "nothing", "name", "trailer", "extension"],
)
def test_an_endless_head_is_cut_off_and_costs_no_memory(program, start):
    server = program()
    server.works()
    before, sent = server.memory(), 0
    endless = start if start == b"\r\n" else b"x"
    with server.connected() as connection:
        connection.sendall(start)
        try:
            while sent < 50_000_000:
                connection.sendall(endless * (65536 // len(endless)))
                sent += 65536
        except ConnectionError:
            pass
    assert sent < 20_000_000  # what the system's own buffers took
    assert server.memory() - before < 4000
    server.works()


def test_too_many_headers_are_refused_with_a_reason(program):
    server = program()
    for headers in (b"a:b\r\n" * 5000, b"Cookie: " + b"c" * 20_000 + b"\r\n"):
        with server.connected() as connection:
            connection.sendall(PAGE + headers)
            assert rest(connection).startswith(b"HTTP/1.1 431 ")
    with server.connected() as connection:
        connection.sendall(PAGE + b"Cookie: " + b"c" * 9000 + b"\r\nConnection: close\r\n\r\n")
        assert rest(connection).startswith(b"HTTP/1.1 200 ")


def test_many_requests_over_one_connection_are_all_answered(program):
    server = program()
    with server.connected() as connection:
        connection.sendall((PAGE + b"Cookie: " + b"c" * 1000 + b"\r\n\r\n") * 40)
        connection.sendall(PAGE + b"Connection: close\r\n\r\n")
        assert rest(connection).count(b"HTTP/1.1 200 ") == 41


def test_a_large_body_is_refused_by_its_size(program):
    server = program()
    with server.connected() as connection:
        connection.sendall(HEAD % b"/report" + b"Content-Length: 1000000\r\n\r\n")
        connection.sendall(b"x" * 100_000)
        assert connection.recv(65536).startswith(b"HTTP/1.1 413 ")
    server.works()


@pytest.mark.slow
@pytest.mark.parametrize(
    "start",
    [
        b"",
        b"\r\n",
        b"GET / HT",
        PAGE,
        HEAD % b"/report" + b"Content-Length: 400\r\n\r\n{",
        PAGE + b"Content-Length: 400\r\n\r\n",
        PAGE + b"\r\n" + PAGE,
    ],
    ids=["silence", "newline", "line", "headers", "body", "unread", "second"],
)
def test_who_dawdles_is_let_go(program, start):
    """One byte now and then does not keep a connection; 15 seconds idle ends it in any case."""
    server = program(longest=1.0)
    with server.connected() as connection:
        begun = time.monotonic()
        connection.sendall(start)
        connection.settimeout(0.2)
        closed = False
        while not closed and time.monotonic() < begun + 8:
            try:
                if start:
                    connection.sendall(b"\n" if start == b"\r\n" else b"x")
                while connection.recv(65536):
                    pass
                closed = True
            except TimeoutError:
                continue
            except ConnectionError:
                closed = True
        assert closed
    server.works()
    assert "Traceback" not in server.stopped()


@pytest.mark.slow
def test_a_slow_answer_is_waited_for(program):
    """The limit is for what the client sends, not for what it is given.

    Two passwords are looked at at a time, so the last of nine has to wait.
    """
    server = program(longest=0.3)
    sent = b"password=wrong"
    head = b"POST /admin/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n"
    with ExitStack() as stack:
        connections = [stack.enter_context(server.connected()) for _ in range(9)]
        for connection in connections:
            connection.sendall(head % len(sent) + sent)
        for connection in connections:
            assert connection.recv(1024).startswith(b"HTTP/1.1 401 ")
