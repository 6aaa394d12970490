"""Attacks on whether a survey can be answered: silent connections, heavy pages, other names."""

import resource
import socket
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpx
import pytest
from support.web_reports import body, post
from support.web_surveys import campus, small

import confide as cf
from confide.surveys.survey import Survey
from confide.web.respondent.survey_page import render_page
from confide.web.static_files import SCRIPTS

SILENT = 3_000
HEAD = b"POST /report HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
UNFINISHED = [b"", b"GET / HTTP/1.1\r\nHo", HEAD + b"Content-Length: 300\r\n\r\n{"]


@pytest.fixture
def many_files():
    """Allow this process as many connections as the attack takes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2 * SILENT:
        pytest.skip(f"a process may open {hard} files here, and the attack takes more")
    resource.setrlimit(resource.RLIMIT_NOFILE, (2 * SILENT, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def open_silent(held, port, count, start, source="127.0.0.1"):
    """Open connections that say nothing, or no more than a start, and keep them."""
    for _ in range(count):
        address = ("127.0.0.1", port)
        connection = socket.create_connection(address, timeout=20, source_address=(source, 0))
        held.enter_context(connection)
        if start:
            connection.sendall(start)


def check_waiting(waited, alone):
    """The first may wait while hundreds of connections are accepted beside other tests."""
    first, *others = waited
    assert first < max(5.0, 100 * alone)
    assert max(others) < max(1.0, 20 * alone)


def time_answers(port, count=5):
    """How long some who come one after the other wait for the page."""
    waited = []
    for _ in range(count):
        begun = time.perf_counter()
        assert httpx.get(f"http://127.0.0.1:{port}/", timeout=20).status_code == 200
        waited.append(time.perf_counter() - begun)
    return waited


@pytest.mark.slow
@pytest.mark.usefixtures("many_files")
def test_thousands_of_silent_connections_keep_nobody_out(program):
    """Some say nothing, some begin a header, some a body. Before, all others were answered 503."""
    server = program()
    alone = statistics.median(time_answers(server.port))
    with ExitStack() as held:
        for start in UNFINISHED:
            open_silent(held, server.port, SILENT // len(UNFINISHED), start)
            check_waiting(time_answers(server.port), alone)
    assert "Traceback" not in server.stopped()


@pytest.mark.slow
@pytest.mark.usefixtures("many_files")
def test_silent_connections_from_many_addresses_keep_nobody_out(program):
    server = program()
    alone = statistics.median(time_answers(server.port))
    with ExitStack() as held:
        for last in range(2, 12):
            open_silent(held, server.port, SILENT // 10, b"GET", f"127.0.0.{last}")
        check_waiting(time_answers(server.port), alone)
    assert "Traceback" not in server.stopped()


@pytest.mark.slow
def test_a_connection_that_is_used_outlives_the_silent_ones(program, many_files):  # noqa: ARG001
    """Whoever asks now and then keeps a connection while hundreds of silent ones come and go.

    Those of three rounds may be accepted at once on a busy machine: together fewer than are let in.
    """
    server = program()
    with ExitStack() as held, httpx.Client(base_url=f"http://127.0.0.1:{server.port}") as client:
        ports = set()
        for _ in range(15):
            open_silent(held, server.port, 60, b"")
            answer = client.get("/design.json")
            ports.add(answer.extensions["network_stream"].get_extra_info("client_addr"))
    assert len(ports) == 1


def heavy():
    """Thirty questions of a hundred options each: a page of half a megabyte."""
    options = [f"Option number {i}" for i in range(100)]
    return Survey(cf.Design([cf.Choice(f"q{i}", options) for i in range(30)], title="Heavy"))


@pytest.mark.slow
def test_a_report_does_not_wait_for_forty_people_who_open_a_heavy_page(program):
    """Before, the page was made for each of them, and a report waited for eleven seconds."""
    survey = heavy()
    server = program(survey=survey)
    address = f"http://127.0.0.1:{server.port}"

    def send(client):
        begun = time.perf_counter()
        assert post(client, body(survey, (0,) * 30)).status_code == 200
        return time.perf_counter() - begun

    with httpx.Client(base_url=address) as client, ThreadPoolExecutor(40) as people:
        alone = statistics.median(send(client) for _ in range(5))
        opened = [people.submit(httpx.get, address, timeout=60) for _ in range(40)]
        waited = [send(client) for _ in range(5)]
        assert {each.result().status_code for each in opened} == {200}
    assert statistics.median(waited) < max(0.2, 20 * alone)


@pytest.mark.slow
def test_pages_and_scripts_are_packed_for_who_can_unpack_them(serve):
    survey = campus()
    address, _ = serve(survey)
    total = 0
    paths = ["/", "/static/style.css", "/static/icon.svg", *(f"/static/{n}" for n in SCRIPTS)]
    with httpx.Client(base_url=address) as client:
        for path in paths:
            packed = client.get(path, headers={"Accept-Encoding": "gzip, br"})
            plain = client.get(path, headers={"Accept-Encoding": "identity"})
            assert packed.headers["content-encoding"] == "gzip"
            assert "content-encoding" not in plain.headers
            assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
            assert packed.content == plain.content
            assert int(packed.headers["content-length"]) < len(plain.content)
            total += int(packed.headers["content-length"])
        assert client.get("/").text == render_page(survey, "en", is_open=True)
    assert total <= 30_000


@pytest.mark.slow
def test_the_page_made_once_says_so_when_the_survey_is_closed_and_opened(serve):
    address, store = serve(small())
    pages = []
    for is_open in (True, False, True):
        store.set_open(is_open)
        pages.append(httpx.get(address).text)
    assert pages[0] == pages[2] != pages[1]


@pytest.mark.slow
def test_with_an_address_other_names_are_refused_and_browsers_told_to_use_tls(program):
    server = program(options=("--address", "https://survey.example"))
    statuses = {}
    with httpx.Client(base_url=f"http://127.0.0.1:{server.port}") as client:
        for host in ("survey.example", "127.0.0.1", "evil.example", "survey.example.evil", ""):
            answer = client.get("/", headers={"Host": host})
            statuses[host] = answer.status_code
            assert "max-age=31536000" in answer.headers["strict-transport-security"]
    refused = {host for host, status in statuses.items() if status == 400}
    assert refused == {"evil.example", "survey.example.evil", ""}
