"""Attacks on logs: whoever reads all that every library writes, at level DEBUG, learns nothing.

Reports, tickets, receipts and passwords are sent, good ones and bad ones, and once the database
fails underneath them. The log of PostgreSQL itself is read, too, as it is unless told otherwise.
"""

import json
import os
import secrets
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from support.blinding import Invited, hash_token
from support.cluster import Cluster, free_port
from support.fault_harness import INVITED, ROOT

from confide.reports.store import open_store
from confide.web.blind_signatures import find_public_key

SERVED = """
import logging, sys
logging.basicConfig(level=logging.DEBUG)
from confide.reports.store import open_store
from confide.web.app import create_app
from confide.web.server import run_server
from support.fault_harness import INVITED

def started():
    for name in list(logging.root.manager.loggerDict):
        logging.getLogger(name).setLevel(logging.DEBUG)
    print("ready", flush=True)

store = open_store(sys.argv[1], INVITED.design, by_invitation=True)
app = create_app(INVITED, store)
run_server(app, "0.0.0.0", int(sys.argv[2]), started, ["127.0.0.0/8"])
"""
PEER, CLAIMED = "127.83.42.7", "203.0.113.77"
PASSWORD = "a-password-that-is-wrong"
AGENT = "browser-of-one-person"


@pytest.fixture(params=["sqlite", "postgresql"])
def logged(request, tmp_path):
    """The address of a database, its folder, and how to break it for reports."""
    if request.param == "sqlite":
        file = tmp_path / "survey.db"
        yield f"sqlite:///{file}", tmp_path, lambda: file.rename(tmp_path / "away.db")
        return
    psycopg = pytest.importorskip("psycopg", reason="PostgreSQL takes confide[postgres]")
    with Cluster() as cluster:

        def fail():
            """Let PostgreSQL fail while it takes a report in, as it does when the disk is full."""
            table = f"confide_{INVITED.design.fingerprint[:16]}.inbox"
            with psycopg.connect(cluster.url, autocommit=True) as connection:
                connection.execute(
                    "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS "
                    "$$ BEGIN RAISE EXCEPTION 'no room is left'; END $$"
                )
                connection.execute(
                    f"CREATE TRIGGER fail BEFORE INSERT ON {table} "
                    "FOR EACH STATEMENT EXECUTE FUNCTION fail()"
                )

        yield cluster.url, cluster.data, fail


def send_all_kinds(client, person):
    """Everything that people and strangers send; gives the report."""
    kind = {"Content-Type": "application/json"}
    sent = [person.redemption, person.redemption[:-9], person.redemption.replace(b'"', b"'")]
    answers = [client.post("/ticket", content=each, headers=kind) for each in sent]
    report = person.report(person.ticket(answers[0].json()["signature"]))
    changed = report.replace(b'["1"', b'["0"')
    assert changed != report
    sent = [report, report, changed, report[:-5], b"\xff" + report]
    answers = [client.post("/report", content=each, headers=kind) for each in sent]
    assert [each.status_code for each in answers] == [200, 200, 409, 400, 400]
    for path in ("/receipt", "/receipt/delete", "/receipt"):
        client.post(path, json={"receipt": person.receipt})
    client.post("/invitation", json={"token": person.token})
    client.post("/admin/login", data={"password": PASSWORD})
    client.get("/api/counts", auth=("admin", PASSWORD))
    client.get(f"/?token={person.token}&language=xx")
    client.get(f"/static/{person.token}")
    return json.loads(report)


@pytest.mark.slow
def test_no_log_holds_an_answer_a_code_or_an_address(logged, tmp_path):
    database, folder, fail = logged
    store = open_store(database, INVITED.design, by_invitation=True)
    key = find_public_key(store)
    people = [Invited(INVITED, key, secrets.token_hex(16), (1, 0, 2)) for _ in range(2)]
    store.invite(hash_token(each.token) for each in people)
    store.close()
    port, log = free_port(), tmp_path / "log.txt"
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")])
    with log.open("w") as file:
        server = subprocess.Popen(
            [sys.executable, "-c", SERVED, database, str(port)],
            stdout=subprocess.PIPE,
            stderr=file,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )
    try:
        assert server.stdout.readline() == "ready\n"
        with httpx.Client(
            base_url=f"http://127.0.0.1:{port}",
            transport=httpx.HTTPTransport(local_address=PEER),
            headers={"X-Forwarded-For": CLAIMED, "User-Agent": AGENT},
            timeout=60,
        ) as client:
            report = send_all_kinds(client, people[0])
            fail()
            refused = client.post(
                "/ticket",
                content=people[1].redemption,
                headers={"Content-Type": "application/json"},
            )
            assert refused.status_code == 503
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(20)
        server.stdout.close()
    held = log.read_text() + read_log_of_database(folder)
    assert "DEBUG" in held  # it is read
    ids = [report["ticket"][:32], people[0].id, people[0].receipt]
    tokens = [text for each in people for text in (each.token, hash_token(each.token).hex())]
    blinded = [json.loads(each.redemption)["blinded"][:32] for each in people]
    for secret in (PEER, CLAIMED, PASSWORD, AGENT, *ids, *tokens, *blinded, '"report"', '["1"'):
        assert secret not in held.lower().replace("\\x", ""), held


def read_log_of_database(folder: Path) -> str:
    """What PostgreSQL has logged, where it is PostgreSQL: what failed is in there."""
    log = folder / "log"
    if not log.exists():
        return ""
    assert "no room is left" in log.read_text()
    return log.read_text()
