"""Several surveys in one server: each by itself, the limits for all."""

from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from support.web_reports import PASSWORD, body, invite, post, report_invited
from support.web_surveys import campus, small

from confide.errors import ConfideError
from confide.surveys.seal import compute_seal
from confide.web.admin.accounts import Accounts
from confide.web.blind_signatures import find_public_key
from confide.web.folder import build_folder_app, open_folder
from confide.web.guard import Rate
from confide.web.verification import verify_server


def enter(client, root, served):
    """Choose a survey's password by its one-time link; gives the cookie."""
    given = {"key": served.access.link, "password": PASSWORD}
    entered = client.post(f"{root}/admin/welcome", data=given)
    assert (entered.status_code, entered.headers["location"]) == (303, f"{root}/admin")
    return entered.headers["set-cookie"].split(";")[0]


def test_each_report_goes_to_its_own_survey(serve_several):
    surveys = {"a": small(), "b": campus(), "twin": small()}
    address, served = serve_several(surveys)
    with httpx.Client(base_url=address) as client:
        for root, codes, times in (("/s/a", (1, 0), 3), ("/s/twin", (0, 1), 2)):
            for _ in range(times):
                assert post(client, body(surveys["a"], codes), f"{root}/report").status_code == 200
        assert post(client, body(surveys["a"]), "/s/b/report").status_code == 400
        for path in ("/report", "/s/nobody/report", "/s/a/s/b/report"):
            assert post(client, body(surveys["a"]), path).status_code in (404, 405)
    assert [each.store.count() for each in served.values()] == [3, 0, 2]


def test_an_invitation_to_one_survey_admits_to_no_other(serve_several):
    surveys = {"a": small(invitation=True), "b": small(invitation=True)}
    address, served = serve_several(surveys)
    stores = [each.store for each in served.values()]
    assert find_public_key(stores[0]) != find_public_key(stores[1])
    person = invite(stores[0], surveys["a"])
    with (
        httpx.Client(base_url=f"{address}/s/b") as other,
        httpx.Client(base_url=f"{address}/s/a") as own,
    ):
        # 400 where the blinded number is larger than the other survey's key
        assert post(other, person.redemption, "/ticket").status_code in (400, 403)
        signed = post(own, person.redemption, "/ticket").json()["signature"]
        assert post(other, person.report(person.ticket(signed))).status_code == 403
        assert post(own, person.report(person.ticket(signed))).status_code == 200
        assert report_invited(own, invite(stores[0], surveys["a"])).status_code == 200
    assert [each.count() for each in stores] == [2, 0]


def test_the_first_page_lists_titles_of_surveys_that_everyone_can_answer_now(serve_several):
    surveys = {"a": small(), "b": campus(), "c": small(invitation=True)}
    address, served = serve_several(surveys)
    with httpx.Client(base_url=address) as client:
        shown = client.get("/").text
        assert 'href="./s/a/"' in shown and 'href="./s/b/"' in shown and "Campus life" in shown
        assert "/s/c" not in shown
        assert not any(each.design.fingerprint in shown for each in surveys.values())
        served["a"].store.set_open(False)
        assert "/s/a/" not in client.get("/").text
        served["b"].store.set_open(False)
        assert "No survey is open to everyone now." in client.get("/").text
        assert client.get("/s/a").headers["location"] == "/s/a/"
        assert client.get("/s/a/").status_code == 200  # who has its address sees that it is closed


@pytest.mark.parametrize(
    ("languages", "said"),
    [(("de", "de-CH"), "Offene Umfragen"), (("de", "en"), "Open surveys"), (("ar",) * 2, "rtl")],
)
def test_the_first_page_speaks_the_language_that_all_surveys_share(serve_several, languages, said):
    surveys = {name: small(language=each) for name, each in zip("ab", languages, strict=True)}
    address, _ = serve_several(surveys)
    assert said in httpx.get(address).text


def test_a_survey_is_the_same_bytes_alone_and_among_others(serve, serve_several):
    survey = campus(language="de")
    alone, _ = serve(survey)
    address, _ = serve_several({"a": survey, "b": small()})
    for path in ("/", "/?language=en", "/upload", "/receipt", "/offline.html", "/design.json"):
        one, other = httpx.get(alone + path), httpx.get(f"{address}/s/a{path}")
        assert one.content == other.content
        assert one.headers["content-security-policy"] == other.headers["content-security-policy"]


def test_verify_takes_the_address_of_one_survey_among_others(serve_several):
    surveys = {"a": small(invitation=True), "b": campus()}
    address, served = serve_several(surveys)
    for name, survey in surveys.items():
        for written in (f"{address}/s/{name}", f"{address}/s/{name}/"):
            found = {each.part: each for each in verify_server(written, survey)}
            assert [part for part, each in found.items() if not each.good] == []
            key = find_public_key(served[name].store)
            assert found["seal"].told == compute_seal(survey, key)
    swapped = verify_server(f"{address}/s/a", surveys["b"])
    assert {each.part for each in swapped if not each.good} >= {"weights and words", "page"}
    assert not all(each.good for each in verify_server(address))


def test_two_administrators_in_one_browser_do_not_meet(serve_several):
    """Cookies are a host's: each survey has one of its own name, good for that survey alone."""
    address, served = serve_several({"a": small(), "b": small()})
    with httpx.Client(base_url=address) as client:
        cookies = {name: enter(client, f"/s/{name}", each) for name, each in served.items()}
        names = [each.split("=")[0] for each in cookies.values()]
        assert names == ["__Host-confide-a", "__Host-confide-b"]
        both = {"Cookie": "; ".join(cookies.values())}
        for root in ("/s/a", "/s/b"):
            assert client.get(f"{root}/admin/state", headers=both).status_code == 200
        code = cookies["a"].split("=", 1)[1]
        stolen = {"Cookie": f"__Host-confide-b={code}; __Host-confide={code}"}
        assert client.get("/s/b/admin/state", headers=stolen).status_code == 401
        assert client.post("/s/a/admin/logout", headers=both).status_code == 303
        assert client.get("/s/a/admin/state", headers=both).status_code == 401
        assert client.get("/s/b/admin/state", headers=both).status_code == 200


def test_every_address_in_the_results_stays_within_the_survey(serve_several):
    import re

    address, served = serve_several({"a": small(), "b": small()})
    with httpx.Client(base_url=address) as client:
        inside = {"Cookie": enter(client, "/s/a", served["a"])}
        for path in ("/admin", "/admin/cross", "/admin/question/cheated", "/admin/model"):
            shown = client.get(f"/s/a{path}", headers=inside)
            named = re.findall(r'(?:href|src|action|data-load)="([^"#]+)"', shown.text)
            assert len(named) > 5
            assert [each for each in named if not each.startswith("/s/a/")] == []
        assert client.get("/s/a/openapi.json").json()["servers"] == [{"url": "/s/a/"}]
        assert client.get("/s/a/admin").headers["location"] == "/s/a/admin/login"
        drawn = client.get("/s/a/admin/address.svg", headers=inside).text
        assert f"<title>{address}/s/a/</title>" in drawn


@pytest.mark.parametrize("path", ["/", "/s/a/", "/s/a/nothing", "/s/a/admin/state", "/nothing"])
def test_every_answer_has_the_headers_that_keep_others_out(serve_several, path):
    address, _ = serve_several({"a": small()})
    headers = httpx.get(address + path).headers
    admin = "/admin" in path
    assert ("trusted-types" in headers["content-security-policy"]) != admin
    assert headers["x-content-type-options"] == "nosniff"
    assert headers.get_list("cache-control") == ["no-store"]


def test_an_address_that_floods_one_survey_is_held_back_at_all(serve_several):
    surveys = {"a": small(), "b": small()}
    address, _ = serve_several(surveys, rate=Rate(0.001, 4))
    with httpx.Client(base_url=address) as client:
        sent = [
            post(client, body(surveys["a"]), f"/s/{name}/report").status_code
            for name in ("a", "b", "a", "b", "a", "b")
        ]
        assert sent == [200] * 4 + [429] * 2


def test_passwords_are_tried_at_all_surveys_together(serve_several):
    """Ten wrong ones at once of an address, and not ten at each of two surveys."""
    address, _ = serve_several({"a": small(), "b": small()})
    wrong = {"code": "a wrong code"}  # counted as a password is, and quicker to look at
    with httpx.Client(base_url=address, timeout=60) as client, ThreadPoolExecutor(20) as people:
        paths = [f"/s/{name}/admin/shared" for name in "ab"] * 10
        tried = list(people.map(lambda path: client.post(path, data=wrong).status_code, paths))
    assert 10 <= tried.count(401) < 15
    assert set(tried) == {401, 429}


@pytest.fixture
def folder(tmp_path):
    """Two sound surveys, and three files that are none."""
    made = tmp_path / "surveys"
    made.mkdir()
    small().design.save(made / "a.toml")
    campus().design.save(made / "b-2.toml")
    (made / "broken.toml").write_text("title = [")
    (made / "notes.txt").write_text("no survey")
    small().design.save(made / "two words.toml")
    return made


def test_a_broken_file_is_one_line_and_the_others_are_served(folder):
    with pytest.warns(UserWarning) as said:
        opened = open_folder(folder)
    try:
        assert list(opened) == ["a", "b-2"]
        lines = sorted(str(each.message) for each in said)
        assert len(lines) == 2 and not any("\n" in line for line in lines)
        assert lines[0].startswith("broken.toml is not served: ") and "valid TOML" in lines[0]
        assert lines[1].startswith("two words.toml is not served: its name is part of its address")
        assert (folder / "a.db").exists() and (folder / "b-2.db").exists()
        app = build_folder_app(opened, "127.0.0.1")
        for each in app.state.served.values():
            for writer in each.writers:
                writer.close()
    finally:
        for _, store in opened.values():
            store.close()


def test_a_folder_without_surveys_and_a_single_sqlite_file_are_refused(tmp_path):
    with pytest.raises(ConfideError, match="holds no survey that can be served"):
        open_folder(tmp_path)
    with pytest.raises(ConfideError, match="a SQLite file of its own beside it"):
        open_folder(tmp_path, f"sqlite:///{tmp_path}/all.db")


def test_in_postgresql_surveys_share_a_database_and_no_secrets(new_database, folder):
    small().design.save(folder / "twin.toml")
    with pytest.warns(UserWarning) as said:
        opened = open_folder(folder, new_database)
    try:
        assert list(opened) == ["a", "b-2"]
        assert any(
            "twin.toml is not served: it has the same design as a" in str(s.message) for s in said
        )
        Accounts(opened["a"][1]).set_password(PASSWORD)
        assert opened["b-2"][1].read_secret("password") is None
    finally:
        for _, store in opened.values():
            store.close()
