"""The administrator's side: who gets in, what they see, and what leaves."""

import asyncio
import io
import re
import secrets
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import httpx
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.cluster import free_port
from support.running import have_ended, list_children
from support.served_program import Program
from support.web_reports import PASSWORD, send
from support.web_surveys import campus, noisy, small

import confide as cf
from confide.reports.sqlite import SQLiteStore
from confide.reports.submissions import Submission
from confide.surveys.page_settings import Page
from confide.surveys.seal import compute_seal
from confide.surveys.survey import Survey
from confide.web.admin import background_learning as models
from confide.web.admin import export as exports
from confide.web.admin.export import write_export
from confide.web.invitations import invite
from confide.web.server import (
    build_app,
    default_database,
    open_survey_store,
    read_public_key,
)


def test_the_link_sets_one_password_once(serve):
    address, _ = serve(small())
    link = serve.link(address)
    with httpx.Client(base_url=address) as client:
        short = client.post("/admin/welcome", data={"key": link, "password": "short"})
        assert "at least 10 characters" in short.text
        wrong = client.post("/admin/welcome", data={"key": "wrong", "password": PASSWORD})
        assert wrong.status_code == 403
        entered = client.post("/admin/welcome", data={"key": link, "password": PASSWORD})
        assert entered.status_code == 303
        cookie = entered.headers["set-cookie"]
        assert cookie.startswith("__Host-confide=")
        for attribute in ("HttpOnly", "Secure", "SameSite=strict", "Path=/"):
            assert attribute in cookie
        again = client.post("/admin/welcome", data={"key": link, "password": PASSWORD})
        assert again.status_code == 403


def test_only_the_password_or_its_session_lets_in(admin):
    client = admin(small())
    assert client.get("/admin").status_code == 200
    outside = httpx.Client(base_url=client.base_url)
    inside_only = ("/admin/state", "/admin/export/csv", "/admin/backup")
    for path in (*inside_only, "/api/counts", "/api/estimates"):
        assert outside.get(path).status_code == 401, path
    assert outside.get("/admin").headers["location"] == "/admin/login"
    forged = {"Cookie": f"__Host-confide=9999999999.{'0' * 64}"}
    assert outside.get("/admin/state", headers=forged).status_code == 401
    for broken in ("Basic !", "Basic", "basic " + "é".encode().hex()):
        assert outside.get("/api/counts", headers={"Authorization": broken}).status_code == 401
    assert outside.get("/api/counts", auth=("admin", "wrong password")).status_code == 401
    assert outside.get("/api/counts", auth=("admin", PASSWORD)).status_code == 200
    assert outside.post("/admin/login", data={"password": "wrong one"}).status_code == 401
    assert outside.post("/admin/login", data={"password": PASSWORD}).status_code == 303
    outside.close()


def test_another_site_cannot_act_for_the_administrator(admin):
    client = admin(small())
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://elsewhere.example"}):
        assert client.post("/admin/open", data={"open": "no"}, headers=headers).status_code == 403
    assert (client.store.is_open(), client.store.by_invitation) == (True, False)


def test_the_dashboard_says_what_a_report_gives_away(admin, tmp_path):
    from confide.cli.example import read_example_survey
    from confide.surveys.survey import Survey

    path = tmp_path / "survey.toml"
    path.write_text(read_example_survey(), encoding="utf-8")
    survey = Survey.load(path)
    shown = admin(survey).get("/admin")
    assert shown.status_code == 200
    for sentence in cf.privacy.of(survey.design).sentences():
        assert sentence in shown.text


def test_closing_and_reopening(admin):
    client = admin(small())
    asked = client.post("/admin/open", data={"open": "no"})
    assert (asked.status_code, "nobody can send a report" in asked.text) == (200, True)
    assert 'name="sure" value="yes"' in asked.text and 'name="open" value="no"' in asked.text
    assert client.get("/admin/state").json()["open"] is True
    assert client.post("/admin/open", data={"open": "no", "sure": "yes"}).status_code == 303
    assert client.get("/admin/state").json()["open"] is False
    client.post("/admin/open", data={"open": "yes"})
    assert client.get("/admin/state").json()["open"] is True


def test_nothing_is_estimated_below_the_minimum(admin):
    survey = small()
    client = admin(survey)
    empty = {"n": 0, "damaged": 0, "minimum": 50, "questions": []}
    assert client.get("/api/estimates").json() == empty
    send(survey, client.store, [(0, 1)] * 49)
    assert client.get("/api/estimates").json()["questions"] == []
    for page in ("/admin", "/admin/question/cheated", "/admin/cross?row=cheated&column=faculty"):
        assert "Nothing is estimated below 50 reports." in client.get(page).text
    crossed = client.get("/api/estimates", params={"question": ["cheated", "faculty"]})
    assert (crossed.status_code, "below 50" in crossed.text) == (400, True)
    for path in ("/admin/export/csv", "/admin/export/parquet"):
        refused = client.get(path)
        assert (refused.status_code, "below 50" in refused.text) == (400, True)
    assert client.get("/api/counts").json()["patterns"] == []
    send(survey, client.store, [(0, 1)])
    assert client.get("/api/estimates").json()["n"] == 49  # one alone is not released
    send(survey, client.store, [(0, 1)] * 19)
    assert len(client.get("/api/estimates").json()["questions"]) == 2
    assert client.get("/api/counts").json()["n"] == 69


def test_damaged_reports_count_nowhere_on_the_dashboard(admin):
    survey = small(invitation=True)
    client = admin(survey)
    client.store.invite(secrets.token_bytes(32) for _ in range(100))
    good = [survey.questionnaire.pack((i % 2, 0), "bc") for i in range(48)]
    records = [*good, *[b"\xff\xff\xff\xff"] * 12]
    client.store.settle([Submission(secrets.token_bytes(16), each) for each in records])
    now, found = client.get("/admin/state").json(), client.get("/api/estimates").json()
    assert (now["n"], now["damaged"]) == (found["n"], found["damaged"]) == (48, 12)
    assert now["unused"] == 40  # who sent a damaged report was invited, too
    assert found["questions"] == []
    refused = client.get("/admin/export/csv")  # 60 are there, but 48 are no crowd of 50
    assert (refused.status_code, "below 50" in refused.text) == (400, True)


def test_estimates_are_the_crowds_and_stand_beside_the_raw_counts(admin):
    survey = campus()
    client = admin(survey)
    generator = np.random.default_rng(1)
    answers = [
        (
            int(u > 0.7),
            int(v * 3),
            int(v * 3),
            int(u * 12),
            16 + int(u * 60),
            v * 9999,
            1,
            int(u > 0.5),
        )
        for u, v in generator.random((400, 2))
    ]
    send(survey, client.store, answers)
    found = client.get("/api/estimates").json()
    crowd = cf.Crowd(
        survey.design, survey.questionnaire.table(b"".join(client.store.read_records()))
    )
    assert found["n"] == crowd.n == 400
    for question in found["questions"]:
        assert sum(row["reports"] for row in question["rows"]) == 400
        assert sum(row["share"] for row in question["rows"]) == pytest.approx(1)
    cheated = found["questions"][0]
    expected = crowd.proportion({"cheated": "yes"})
    assert cheated["rows"][1]["share"] == pytest.approx(expected.value)
    assert cheated["rows"][1]["low"] == pytest.approx(expected.interval()[0])
    assert cheated["influence"] == pytest.approx(2)
    crossed = client.get("/api/estimates", params={"question": ["cheated", "faculty"]}).json()
    pair = crowd.proportion({"cheated": "yes", "faculty": "law"})
    cell = next(row for row in crossed["rows"] if row["answers"] == ["yes", "law"])
    assert cell["share"] == pytest.approx(pair.value)
    assert client.get("/api/estimates", params={"question": "absent"}).status_code == 400


def test_numbers_with_noise_come_back_and_leave_as_the_library_counts_them(admin, tmp_path):
    """Half the people are 20 and half are 60: shares within 5 standard errors."""
    survey = noisy()
    client = admin(survey)
    send(survey, client.store, [(20 + 40 * (i % 2), 0, 70.5, 3) for i in range(600)])
    age, _, weight, _ = client.get("/api/estimates").json()["questions"]
    assert age["influence"] is None and age["disguised"]
    for question in (age, weight):
        assert sum(row["reports"] for row in question["rows"]) == 600
        assert sum(row["share"] for row in question["rows"]) == pytest.approx(1)
    assert age["rows"][0]["answer"] == "below 16"
    assert age["rows"][0]["reports"] > 0 and age["rows"][0]["share"] == 0
    young = [row for row in age["rows"][1:-1] if float(row["answer"].split()[-1]) < 40]
    error = sum(row["standard_error"] ** 2 for row in young) ** 0.5 + (0.25 / 600) ** 0.5
    assert abs(sum(row["share"] for row in young) - 0.5) < 5 * error
    reported = [row["reported"] for row in young]
    assert max(reported) < max(row["share"] for row in young)  # noise had spread them
    crowd = cf.Crowd(
        survey.design, survey.questionnaire.table(b"".join(client.store.read_records()))
    )
    expected = crowd.distribution("age").shares
    assert [row["share"] for row in age["rows"][1:-1]] == pytest.approx(expected.tolist())
    exported = client.get("/admin/export/csv").content
    with zipfile.ZipFile(io.BytesIO(exported)) as archive:
        archive.extractall(tmp_path)
    assert cf.Counts.of(survey.design, tmp_path / "reports.csv").n == 600
    pair = {"row": "age", "column": "cheated"}
    assert "<table" in client.get("/admin/cross", params=pair).text


def test_reports_all_alike_are_said_to_be_no_noise(admin):
    survey = noisy()
    client = admin(survey)
    record = survey.questionnaire.pack((20, 0, 100, 10), survey.questionnaire.modes())
    client.store.settle([Submission(secrets.token_bytes(16), record) for _ in range(60)])
    age = client.get("/api/estimates").json()["questions"][0]
    assert age["rows"] == [] and "lie in one interval" in age["problem"]


def test_models_are_those_of_the_mining_room(admin):
    survey = small()
    client = admin(survey)
    asked = {"target": "cheated", "kind": "tree", "learn": "1"}
    assert "below 50" in client.get("/admin/model", params=asked).text
    generator = np.random.default_rng(2)
    faculty = generator.integers(0, 2, 600)
    cheated = (generator.random(600) < 0.2 + 0.6 * faculty).astype(int)
    send(survey, client.store, np.stack([cheated, faculty], axis=1).tolist())
    crowd = cf.Crowd(
        survey.design, survey.questionnaire.table(b"".join(client.store.read_records()))
    )
    tree = client.get("/admin/model", params=asked).text
    expected = cf.DisguisedTreeClassifier(survey.design, "cheated", max_depth=4).fit(crowd)
    for branch in expected.outline()["branches"]:
        assert f"{100 * branch['node']['chance']:.0f} % of them" in tree
    assert "right about people it has not seen" in tree and "always says" in tree
    bayes = client.get("/admin/model", params={**asked, "kind": "bayes"}).text
    assert "How often each answer is given" in bayes
    to_choose = client.get("/admin/model").text  # no question is named yet
    assert 'id="learn"' in to_choose and "data-load" not in to_choose
    assert "This cannot be shown:" not in to_choose
    for wrong in ({"kind": "forest"}, {"target": "absent"}):
        assert "This cannot be shown:" in client.get("/admin/model", params={**asked, **wrong}).text


def test_a_tree_on_the_page_shows_nobody_as_found_who_cannot_be_told_from_none(admin):
    names = ["cheated", "drugs"]
    design = cf.Design(
        [cf.YesNo(name) for name in names], [cf.Group(names, cf.RelatedQuestion(0.55))]
    )
    survey = Survey(design, Page(minimum=20))
    client = admin(survey)
    form = survey.questionnaire
    reports = [(0, 0)] * 105 + [(1, 1)] * 95  # 50 people of whom both are true, give or take 139
    records = [form.pack(codes, form.modes()) for codes in reports]
    client.store.settle([Submission(secrets.token_bytes(16), record) for record in records])
    crowd = cf.Crowd(design, survey.questionnaire.table(b"".join(client.store.read_records())))
    expected = cf.DisguisedTreeClassifier(design, "cheated", max_depth=4).fit(crowd).outline()
    nodes = [branch["node"] for branch in expected["branches"]]
    unsure = [node for node in nodes if node["at_most"] and node["people"] >= 20]
    assert unsure
    asked = {"target": "cheated", "kind": "tree", "learn": "1"}
    page = client.get("/admin/model", params=asked).text
    for node in unsure:
        assert f"fewer than {node['at_most']:.0f} people, perhaps none" in page


def test_counting_a_store_by_its_address_gives_the_same_crowd(tmp_path):
    from confide.counts.stores import count_address
    from confide.reports.store import open_store

    survey = campus()
    url = f"sqlite:///{tmp_path}/s.db"
    store = open_store(url, survey.design, by_invitation=False)
    with pytest.raises(cf.ReportsError, match="no reports"):
        count_address(survey.design, url)
    answers = [(i % 2, i % 3, i % 3, i % 12, 20 + i % 40, 100.0 * i, 1, 0) for i in range(60)]
    send(survey, store, answers)
    table = survey.questionnaire.table(b"".join(store.read_records()))
    store.close()
    direct, counted = cf.Counts.of(survey.design, table), count_address(survey.design, url)
    assert np.array_equal(direct.patterns, counted.patterns)
    assert np.array_equal(direct.reports, counted.reports)


SPSS = "SPSS files take confide[spss], which is not installed here"


def test_where_spss_files_cannot_be_made_none_is_offered_and_the_extra_is_named(admin, monkeypatch):
    monkeypatch.setattr(exports, "find_spec", lambda name: None if name == "pyreadstat" else name)
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    client = admin(small())
    send(small(), client.store, [(0, 1)] * 50)
    page = client.get("/admin").text
    assert "/admin/export/csv" in page and "/admin/export/sav" not in page
    assert "confide[spss]" in page
    answer = client.get("/admin/export/sav")
    assert answer.status_code == 501
    assert answer.json()["error"].endswith('pip install "confide[spss]".')


def test_exports_hold_every_report_with_the_design_beside(admin, tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat", reason=SPSS)
    survey = campus()
    client = admin(survey)
    answers = [(i % 2, i % 3, i % 3, i % 12, 20 + i % 40, 100.0 * i, 1, 0) for i in range(60)]
    send(survey, client.store, answers)
    expected = cf.Counts.of(
        survey.design, survey.questionnaire.table(b"".join(client.store.read_records()))
    )
    for kind in ("csv", "parquet", "sav"):
        answer = client.get(f"/admin/export/{kind}")
        assert f"reports-{kind}.zip" in answer.headers["content-disposition"]
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            archive.extractall(tmp_path / kind)
        design = cf.Design.load(tmp_path / kind / "design.json")
        assert design.fingerprint == survey.design.fingerprint
        if kind != "sav":
            counts = cf.Counts.of(design, tmp_path / kind / f"reports.{kind}")
            assert np.array_equal(counts.patterns, expected.patterns)
            assert np.array_equal(counts.reports, expected.reports)
    frame, meta = pyreadstat.read_sav(tmp_path / "sav" / "reports.sav", apply_value_formats=True)
    assert len(frame) == 60
    assert set(frame["faculty"]) <= {"arts", "law", "science"}
    assert meta.column_names_to_labels["cheated_disguised"] == (
        "disguised: Have you ever cheated in an exam?"
    )
    metadata = pq.read_schema(tmp_path / "parquet" / "reports.parquet").metadata
    assert metadata[b"confide.fingerprint"].decode() == survey.design.fingerprint
    assert client.get("/admin/export/docx").status_code == 400


def test_a_backup_is_a_store_of_its_own(admin, tmp_path):
    survey = small()
    client = admin(survey)
    send(survey, client.store, [(1, 0)] * 30)
    (tmp_path / "copy.db").write_bytes(client.get("/admin/backup").content)
    copy = SQLiteStore(tmp_path / "copy.db", survey.design)
    assert copy.count() == 30
    assert copy.read_secret("password") is None
    copy.close()


def test_the_api_describes_itself_and_every_example_of_it_exists(admin):
    survey = small()
    client = admin(survey)
    document = client.get("/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    for path, methods in document["paths"].items():
        for method in methods:
            answer = client.request(method, path)
            assert str(answer.status_code) in methods[method]["responses"], path
    counts = client.get("/api/counts").json()
    assert counts == {"n": 0, "questions": ["cheated", "faculty"], "patterns": []}


@pytest.mark.slow
def test_the_program_serves_a_survey_file_and_invites(tmp_path):
    survey = tmp_path / "survey.toml"
    small().design.save(survey)
    survey.write_text(f"{survey.read_text()}\n[page]\ninvitation = true\n")
    program = [sys.executable, "-c", "from confide.cli import main; main()"]
    links = tmp_path / "links.csv"
    command = [*program, "invite", str(survey), "--count", "3", "-o", str(links)]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    loaded = Survey.load(survey)
    seal = compute_seal(loaded, read_public_key(loaded, default_database(survey)))
    tokens = re.findall(rf"/#{seal}\.([0-9a-f]{{32}})\b", links.read_text())
    assert len(set(tokens)) == 3
    port = free_port()
    server = subprocess.Popen(
        [*program, "serve", str(survey), "--port", str(port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        printed = server.stdout.readline() + server.stdout.readline()
        assert f"http://127.0.0.1:{port}/" in printed
        assert re.search(r"/admin/welcome\?key=\S{20,} \(works once\)", printed)
        page = httpx.get(f"http://127.0.0.1:{port}/")
        assert page.status_code == 200
        elsewhere = httpx.get(f"http://127.0.0.1:{port}/", headers={"Host": "evil.example"})
        assert elsewhere.status_code == 400
    finally:
        server.terminate()
        rest = server.stdout.read()
        server.wait(20)
        server.stdout.close()
    assert "127.0.0.1:" not in rest  # nothing about who came
    assert (survey.with_suffix(".db").stat().st_mode & 0o077) == 0


@pytest.mark.slow
def test_inviting_to_an_open_survey_is_refused(tmp_path):
    survey = tmp_path / "survey.toml"
    small().design.save(survey)
    program = [sys.executable, "-c", "from confide.cli import main; main()"]
    command = [*program, "invite", str(survey), "--count", "3", "-o", str(tmp_path / "l.csv")]
    refused = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert refused.returncode == 2
    assert "invitation = true" in refused.stderr


def test_a_strange_cookie_is_no_session_and_no_accident(serve):
    address, _ = serve(small())
    strange = {"Cookie": "__Host-confide=" + "9" * 5000 + ".x"}
    assert httpx.get(f"{address}/admin/state", headers=strange).status_code == 401


@pytest.mark.slow
def test_learning_that_was_interrupted_can_be_tried_again():
    design = small().design
    answers = pa.table({"cheated": ["yes", "no", "no"] * 9, "faculty": ["arts", "law", "law"] * 9})
    counts, target = cf.Counts.of(design, design.disguise(answers, seed=1)), "faculty"
    assert "model" in models.learn_model(counts, "bayes", target)
    for process in models._start_pool()._processes.values():
        process.kill()
    with pytest.raises(cf.QueryError, match="interrupted"):
        models.learn_model(counts, "bayes", target)
    assert "model" in models.learn_model(counts, "bayes", target)


@pytest.mark.slow
def test_a_server_that_is_ended_leaves_no_process_and_no_warning_behind(tmp_path):
    program, survey = Program(tmp_path), small()
    with closing(open_survey_store(survey, default_database(tmp_path / "survey.toml"))) as store:
        send(survey, store, [[1, 0], [0, 1]] * 60)
    given = {"key": program.key, "password": PASSWORD}
    asked = {"target": "cheated", "kind": "bayes", "learn": "1"}
    with httpx.Client(base_url=f"http://127.0.0.1:{program.port}", timeout=60) as client:
        entered = client.post("/admin/welcome", data=given)
        client.headers["Cookie"] = entered.headers["set-cookie"].split(";")[0]
        assert "right about people it has not seen" in client.get("/admin/model", params=asked).text
    started = list_children(program.process.pid)
    assert started
    assert "leaked" not in program.stopped()
    assert have_ended(started)


def test_names_that_spss_cannot_take_are_numbered(tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat", reason=SPSS)
    names = ["q2", "2nd thing", "_x", "ü" * 50, "and", "Q2b", "fine"]
    survey = Survey(cf.Design([cf.YesNo(name) for name in names]), Page())
    with closing(open_survey_store(survey, f"sqlite:///{tmp_path}/s.db")) as store:
        send(survey, store, [[1, 0, 1, 0, 1, 0, 1]] * 20)
        write_export(survey.questionnaire, store, "sav", tmp_path / "s.zip")
    with zipfile.ZipFile(tmp_path / "s.zip") as archive:
        archive.extract("reports.sav", tmp_path)
    frame, held = pyreadstat.read_sav(tmp_path / "reports.sav")
    assert len(set(frame.columns)) == len(names) and "fine" in frame.columns
    assert held.column_labels == names
    assert frame.iloc[0].tolist() == [1, 0, 1, 0, 1, 0, 1]


def test_behind_a_proxy_it_answers_to_the_address_that_people_know(tmp_path):
    survey = small()
    with closing(open_survey_store(survey, f"sqlite:///{tmp_path}/s.db")) as store:
        for address, status in ((None, 400), ("https://survey.example", 200)):
            app = build_app(survey, store, "127.0.0.1", address=address)
            assert first_page(app, "survey.example") == status
            assert first_page(app, "127.0.0.1") == 200


def first_page(app, host):
    """The status of the first page, asked for in a thread: a browser's loop may run in this one."""

    async def get():
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{host}") as client:
            return (await client.get("/")).status_code

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, get()).result()


def test_links_are_for_their_maker_alone_and_a_missing_folder_is_named(tmp_path):
    survey = small(invitation=True)
    with closing(open_survey_store(survey, f"sqlite:///{tmp_path}/s.db")) as store:
        invite(store, 2, "https://survey.example/#", tmp_path / "links.csv")
        assert (tmp_path / "links.csv").stat().st_mode & 0o777 == 0o600
        with pytest.raises(cf.ConfideError, match="cannot write"):
            invite(store, 2, "https://survey.example/#", tmp_path / "nowhere" / "links.csv")


def test_only_an_unrelated_question_has_a_personal_one():
    with pytest.raises(cf.DesignError, match="it has no personal one"):
        campus(personal={"cheated": "Were you born in January?"})
