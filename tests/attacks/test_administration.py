"""Attacks on who may see results, and on the limits of how often one address may come."""

import base64
import re
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress

import httpx
import pytest
from support.web_reports import PASSWORD
from support.web_surveys import small

from confide.web.admin.accounts import Accounts, hash_password
from confide.web.guard import Rate, RefusedError
from confide.web.server import build_app, open_survey_store

SEVERAL = 20
"""So many times as long as one password takes to be looked at may the right one wait."""


def time_one_password():
    """How long this machine, busy as it is, takes to look at one password."""
    start = time.perf_counter()
    hash_password(PASSWORD, bytes(16))
    return time.perf_counter() - start


@pytest.mark.slow
def test_a_hundred_wrong_passwords_do_not_keep_the_administrator_out(admin):
    """All at once, and nobody waits for the answers: before, the right one waited over a minute."""
    client = admin(small())
    port = int(str(client.base_url).rsplit(":", 1)[1].strip("/"))
    wrong = base64.b64encode(b"admin:wrong password").decode()
    asked = f"GET /api/counts HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Basic {wrong}\r\n\r\n"
    for _ in range(100):
        with closing(socket.create_connection(("127.0.0.1", port))) as connection:
            connection.sendall(asked.encode())
    start = time.perf_counter()
    statuses = []
    while 200 not in statuses:
        auth = ("admin", PASSWORD)
        statuses.append(
            httpx.get(f"{client.base_url}/api/counts", auth=auth, timeout=60).status_code
        )
        time.sleep(0.25 * (statuses[-1] != 200))
    assert time.perf_counter() - start < max(2.0, SEVERAL * time_one_password())
    assert set(statuses) <= {200, 429}


@pytest.mark.slow
def test_wrong_passwords_are_limited_and_right_ones_are_not(admin):
    client = admin(small())
    with httpx.Client(base_url=client.base_url, timeout=60) as outside:
        for _ in range(12):
            assert outside.get("/api/counts", auth=("admin", PASSWORD)).status_code == 200
        with ThreadPoolExecutor(30) as pool:
            wrong = [("admin", f"wrong {i}") for i in range(30)]
            tried = list(pool.map(lambda auth: outside.get("/api/counts", auth=auth), wrong))
    limited = [each for each in tried if each.status_code == 429]
    assert limited
    assert {each.status_code for each in tried} == {401, 429}
    assert "wrong passwords" in limited[0].text
    assert client.get("/admin/state").status_code == 200  # who is inside stays inside


def test_who_was_refused_and_tries_again_soon_waits_no_longer(monkeypatch):
    """Before, each refused try took back what had been gained, and who hurried never came in."""
    now = [0.0]
    monkeypatch.setattr("confide.web.guard.time.monotonic", lambda: now[0])
    rate, admitted = Rate(1.0, 10, "wrong passwords"), []
    for _ in range(100):
        with suppress(RefusedError):
            rate.check("")
            admitted.append(now[0])
        now[0] += 0.25
    assert admitted[:10] == [i / 4 for i in range(10)]
    assert admitted[12:] == [float(t) for t in range(3, 25)]


@pytest.mark.slow
@pytest.mark.parametrize(("proxies", "limited"), [((), True), (("127.0.0.1",), False)])
def test_an_address_is_believed_only_from_a_proxy_that_was_named(program, proxies, limited):
    """900 reports at once, each said to come for another address: before, all were taken."""
    named = tuple(each for proxy in proxies for each in ("--trusted-proxy", proxy))
    server = program(options=named)
    head = "POST /report HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    # a body that costs no disk, and counts all the same
    asked = [f"{head}X-Forwarded-For: 10.0.{i // 250}.{i % 250}\r\n" for i in range(900)]
    asked[-1] += "Connection: close\r\n"
    answers = b""
    with closing(server.connected()) as connection, ThreadPoolExecutor(1) as sender:
        whole = "".join(f"{each}Content-Length: 2\r\n\r\n{{}}" for each in asked).encode()
        sending = sender.submit(connection.sendall, whole)
        while part := connection.recv(1 << 16):
            answers += part
        sending.result()
    statuses = re.findall(rb"HTTP/1\.1 (\d+)", answers)
    assert len(statuses) == 900
    assert set(statuses) == ({b"400", b"429"} if limited else {b"400"})


def test_with_an_address_no_other_name_is_answered_to(tmp_path):
    survey = small()
    with closing(open_survey_store(survey, f"sqlite:///{tmp_path}/s.db")) as store:
        app = build_app(survey, store, "0.0.0.0", address="https://survey.example")
        (allowed,) = [m.kwargs for m in app.user_middleware if "allowed_hosts" in m.kwargs]
    assert "survey.example" in allowed["allowed_hosts"]
    assert "*" not in allowed["allowed_hosts"]


def test_what_is_no_proxy_is_named():
    from confide.errors import ConfideError
    from confide.web.server import check_proxies

    check_proxies(["127.0.0.1", "10.0.0.0/8", "::1"])
    with pytest.raises(ConfideError, match="--trusted-proxy is an address"):
        check_proxies(["proxy.example"])


@pytest.mark.slow
def test_a_cookie_is_worth_nothing_after_logout(admin):
    """Before, it was good until it expired, whatever the administrator did."""
    client = admin(small())
    stolen = client.headers["Cookie"]
    assert client.get("/admin/state").status_code == 200
    assert client.post("/admin/logout").status_code == 303
    assert (
        httpx.get(f"{client.base_url}/admin/state", headers={"Cookie": stolen}).status_code == 401
    )


@pytest.mark.slow
def test_a_stolen_database_opens_no_session(admin, tmp_path):
    """All files are copied; what lies in them is tried as a cookie, as it is and by name."""
    client = admin(small())
    name, code = client.headers["Cookie"].split("=", 1)
    held = b"".join(each.read_bytes() for each in tmp_path.rglob("*") if each.is_file())
    backup = client.get("/admin/backup").content
    kept = client.store.find_secrets("session")
    assert len(kept) == 1
    for copy in (held, backup):
        assert code.encode() not in copy
    (digest,) = (each.split()[1] for each in kept)
    assert digest.encode() in held and digest.encode() not in backup
    for forged in (digest, *(value.hex() for value in kept.values())):
        headers = {"Cookie": f"{name}={forged}"}
        tried = httpx.get(f"{client.base_url}/admin/state", headers=headers)
        assert tried.status_code == 401


@pytest.mark.slow
def test_the_printed_link_admits_nobody_once_there_is_a_password(serve):
    """Who reads the terminal or its log later has the link, and gets no further than the login."""
    survey = small()
    address, store = serve(survey)
    link = serve.link(address)
    Accounts(store).set_password(PASSWORD)
    with httpx.Client(base_url=address) as client:
        shown = client.get("/admin/welcome", params={"key": link})
        assert (shown.status_code, shown.headers["location"]) == (303, "/admin/login")
        assert "set-cookie" not in shown.headers
        given = {"key": link, "password": "another password"}
        assert client.post("/admin/welcome", data=given).status_code == 403
        assert client.get("/api/counts", auth=("admin", PASSWORD)).status_code == 200


@pytest.mark.slow
def test_of_many_who_use_the_link_at_once_one_sets_the_password(serve):
    address, _ = serve(small())
    given = [{"key": serve.link(address), "password": f"password number {i}"} for i in range(8)]
    with ThreadPoolExecutor(8) as people, httpx.Client(base_url=address, timeout=60) as client:
        answers = list(people.map(lambda data: client.post("/admin/welcome", data=data), given))
    assert sorted(each.status_code for each in answers) == [303, *[403] * 7]
