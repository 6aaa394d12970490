"""Attacks of someone who may see results and looks twice: before a person reported, and after."""

import io
import secrets
import time
import zipfile
from itertools import pairwise

import pytest
from support.fault_harness import FULL
from support.web_reports import body, invite, post, report_invited
from support.web_surveys import small

from confide.reports.report_store import BATCH
from confide.reports.sqlite import SQLiteStore


def look(client, survey, folder):
    """All that the administrator can be shown: numbers of reports, and of what was given out."""
    state, results = client.get("/admin/state").json(), client.get("/api/estimates").json()
    counts = client.get("/api/counts").json()
    export = client.get("/admin/export/csv")
    rows = 0
    if export.status_code == 200:
        with zipfile.ZipFile(io.BytesIO(export.content)) as archive:
            rows = len(archive.read("reports.csv").splitlines()) - 1
    path = folder / f"{secrets.token_hex(4)}.db"
    path.write_bytes(client.get("/admin/backup").content)
    copy = SQLiteStore(path, survey.design)
    copied, password = len(copy.read_copy().reports), copy.read_secret("password")
    by_day = sum(copy.count_days().values())
    copy.close()
    assert password is None
    return {
        "state": state["n"],
        "unused": state["unused"],
        "results": results["n"],
        "counts": counts["n"],
        "rows": rows,
        "copied": copied,
        "by day": by_day,
    }


@pytest.mark.slow
def test_two_looks_never_differ_by_fewer_reports_than_a_batch(admin, new_url, tmp_path):
    """Everything is looked at around the end of each of three batches; at full length always."""
    survey = small(invitation=True, minimum=50)
    client = admin(survey, database=new_url)
    people = [invite(client.store, survey) for _ in range(70)]
    looks = [look(client, survey, tmp_path)]
    for n, person in enumerate(people[:62], 1):
        assert report_invited(client, person).status_code == 200
        # PostgreSQL lets a complete batch wait a moment; what comes meanwhile would go with it
        while n % BATCH == 0 and client.store.count_released() < n:
            time.sleep(0.05)
        if FULL or n % BATCH in (0, 1, 2, BATCH - 1):
            looks.append(look(client, survey, tmp_path))
    looks.append(look(client, survey, tmp_path))
    for before, after in pairwise(looks):
        for what in before:
            step = abs(after[what] - before[what])
            assert step == 0 or step >= BATCH, what
    assert looks[-1] == {
        "state": 60,
        "unused": 10,
        "results": 60,
        "counts": 60,
        "rows": 60,
        "copied": 60,
        "by day": 60,
    }
    assert all(each[what] == 0 or each[what] >= 50 for each in looks for what in ("rows", "counts"))


@pytest.mark.slow
def test_the_holder_of_a_receipt_still_sees_and_deletes_a_report_that_waits(admin, new_url):
    survey = small()
    client = admin(survey, database=new_url)
    receipt = secrets.token_hex(16)
    assert post(client, body(survey, (1, 0), receipt=receipt)).status_code == 200
    shown = client.post("/receipt", json={"receipt": receipt})
    assert (shown.status_code, shown.json()["report"]) == (200, [1, 0])
    assert client.post("/receipt/delete", json={"receipt": receipt}).status_code == 200
    assert client.post("/receipt", json={"receipt": receipt}).status_code == 404
    assert client.store.count() == 0


@pytest.mark.slow
def test_closing_and_reopening_does_not_show_reports_one_by_one(admin, new_url, tmp_path):
    survey = small(minimum=1)
    client = admin(survey, database=new_url)
    closing, seen = {"open": "no", "sure": "yes"}, []
    for _ in range(4):
        assert post(client, body(survey)).status_code == 200
        client.post("/admin/open", data=closing)
        seen.append(look(client, survey, tmp_path)["rows"])
        client.post("/admin/open", data={"open": "yes"})
    assert seen == [1, 1, 1, 1]  # the first closing gave out what there was
