"""Attacks by readers: each owner's endpoint, and links that are revoked, guessed, or another's."""

import re
import secrets

import httpx
import pytest
from support.web_models import DESIGN, learned
from support.web_reports import PASSWORD, send
from support.web_surveys import small

from confide.reports.store import open_store
from confide.surveys.page_settings import Page
from confide.surveys.survey import Survey
from confide.web.admin.accounts import Accounts, Role
from confide.web.admin.sessions import Sessions
from confide.web.app import create_app, create_app_of_several
from confide.web.model.published import Published
from confide.web.server import open_test_store

pytestmark = pytest.mark.slow  # each has a server of its own

READABLE = {
    *("/admin", "/admin/question/{name:path}", "/admin/cross", "/admin/privacy", "/admin/model"),
    *("/admin/report", "/admin/published", "/admin/state", "/admin/address.svg"),
    *("/admin/logout", "/api/estimates", "/api/model"),
}
"""All that a reader may reach behind the login, written down once more."""

FOR_ALL = {"/admin/welcome", "/admin/login", "/admin/shared"}


def log_in(store, key, name="__Host-confide"):
    return {"Cookie": f"{name}={Sessions(store).begin(key)}"}


@pytest.fixture
def survey():
    return small()


@pytest.fixture
def store(survey, tmp_path):
    made = open_store(f"sqlite:///{tmp_path}/survey.db", survey.design, by_invitation=False)
    yield made
    made.close()


@pytest.fixture
def reader(store):
    """The header of a reader who has logged in by a link."""
    accounts = Accounts(store)
    return log_in(store, accounts.find_link(accounts.make_link("the council")))


@pytest.fixture
def client(survey, store, run_app):
    with httpx.Client(base_url=run_app(create_app(survey, store)), timeout=60) as client:
        yield client
    run_app.stop()


def follow(client, code, root="", **headers):
    """Follow a link as its page does; gives the answer."""
    return client.post(f"{root}/admin/shared", data={"code": code}, headers=headers)


def test_a_reader_reaches_what_is_for_readers_and_nothing_else(tmp_path, run_app):
    """Every route of the app behind the login, by each of its methods, from every role."""
    published = Published(
        Survey(DESIGN, Page(test="3/4")), learned("tree", method="literal", max_depth=2)
    )
    url = f"sqlite:///{tmp_path}/moods.db"
    store = open_store(url, DESIGN, by_invitation=False)
    test_store = open_test_store(published, url)
    app = create_app(published.survey, store, published=published, test_store=test_store)
    accounts = Accounts(store)
    accounts.set_password(PASSWORD, "anna", Role.READER)
    readers = [
        log_in(store, "user anna"),
        log_in(store, accounts.find_link(accounts.make_link("board"))),
    ]
    behind = [
        (route.path, method)
        for route in app.routes
        if route.path.startswith(("/admin", "/api")) and route.path not in FOR_ALL
        for method in sorted(route.methods - {"HEAD"})
    ]
    assert len(behind) > 15 and {path for path, _ in behind} > READABLE
    with httpx.Client(base_url=run_app(app), timeout=60) as client:
        for path, method in behind:
            filled = path.replace("{name:path}", "mood").replace("{kind}", "csv")
            filled = filled.replace("{state}", "close")
            assert client.request(method, filled).status_code in (401, 303)
            if path == "/admin/logout":
                continue
            for reader in readers:
                answer = client.request(method, filled, headers=reader)
                assert (answer.status_code != 403) == (path in READABLE), (path, method)
        for reader in readers:
            assert client.get("/admin/state", headers=reader).json()["open"] is True
    assert (store.is_open(), test_store.is_open()) == (True, True)
    run_app.stop()
    store.close()
    test_store.close()


def test_a_reader_who_posts_what_an_owner_would_changes_nothing(client, store, reader):
    before = Accounts(store).list_all()
    board = before[-1].key
    for path, data in (
        ("/admin/open", {"open": "no", "sure": "yes"}),
        ("/admin/links", {"name": "another"}),
        ("/admin/links/remove", {"account": board}),
        ("/admin/links/remove", {"account": "password"}),
    ):
        assert client.post(path, data=data, headers=reader).status_code == 403
    assert store.is_open() and Accounts(store).list_all() == before


def test_a_reader_is_shown_no_way_to_what_only_owners_may(client, survey, store, reader):
    send(survey, store, [(i % 2, i % 2) for i in range(200)])
    owner = client.get("/admin", headers=log_in(store, "password")).text
    shown = client.get("/admin", headers=reader).text
    paths = ("/admin/export", "/admin/backup", "/admin/open", "/admin/links", "the council")
    assert all(path in owner for path in paths)
    assert not any(path in shown for path in paths)
    assert "/admin/report" in shown and 'class="card result"' in shown


def test_a_reader_sees_nothing_below_the_minimum(client, survey, store, reader):
    send(survey, store, [(0, 1)] * 49)
    for path in ("/admin", "/admin/question/cheated", "/admin/cross"):
        shown = client.get(path, headers=reader)
        assert "Nothing is estimated below 50 reports." in shown.text
        assert "result" not in re.findall(r'class="card (\w+)"', shown.text)
    assert client.get("/admin/report", headers=reader).status_code == 400
    assert client.get("/api/estimates", headers=reader).json()["questions"] == []
    assert client.get("/api/counts", headers=reader).status_code == 403


def test_a_revoked_link_lets_nobody_in_and_ends_what_it_began(client, store):
    owner = log_in(store, "password")
    made = client.post("/admin/links", data={"name": "the board"}, headers=owner)
    link = re.search(r"<output[^>]*>([^<]+)</output>", made.text)[1]
    page, code = link.split("#")
    assert page == f"{str(client.base_url).rstrip('/')}/admin/shared"
    assert client.get("/admin/shared").status_code == 200
    cookie = follow(client, code).headers["set-cookie"].split(";")[0]
    assert client.get("/admin/state", headers={"Cookie": cookie}).status_code == 200
    (key,) = [each.key for each in Accounts(store).list_all() if each.by_link]
    assert code not in key and code.encode() not in store.read_secret(key)
    gone = client.post("/admin/links/remove", data={"account": key}, headers=owner)
    assert (gone.status_code, gone.headers["location"]) == (303, "/admin")
    assert client.get("/admin/state", headers={"Cookie": cookie}).status_code == 401
    tried = follow(client, code)
    assert (tried.status_code, "set-cookie" in tried.headers) == (401, False)
    assert "was revoked" in tried.text
    assert (
        client.post("/admin/links/remove", data={"account": key}, headers=owner).status_code == 404
    )


def test_what_is_neither_user_nor_link_cannot_be_removed(client, store):
    for name in ("password", "session x", "signing key"):
        store.set_secret(name, b"kept")
    owner, before = log_in(store, "password"), store.find_secrets("")
    for name in (*before, ""):
        tried = client.post("/admin/links/remove", data={"account": name}, headers=owner)
        assert tried.status_code == 404
    assert store.find_secrets("") == before


def test_guessed_links_are_limited_and_let_nobody_in(client, store):
    code = Accounts(store).make_link("board")
    (key,) = store.find_secrets("link")
    guesses = [code[:-1], code.upper(), key, key.split()[1], "", "é", secrets.token_urlsafe(32)]
    for guess in guesses:
        tried = follow(client, guess)
        assert (tried.status_code, "set-cookie" in tried.headers) == (401, False)
    statuses = {follow(client, secrets.token_urlsafe(32)).status_code for _ in range(20)}
    assert statuses == {401, 429}


def test_a_link_to_one_survey_opens_no_other(survey, tmp_path, run_app):
    stores = {
        name: open_store(f"sqlite:///{tmp_path}/{name}.db", survey.design, by_invitation=False)
        for name in "ab"
    }
    code = Accounts(stores["a"]).make_link("board")
    app = create_app_of_several({name: (survey, each) for name, each in stores.items()})
    with httpx.Client(base_url=run_app(app)) as client:
        assert follow(client, code, "/s/b").status_code == 401
        entered = follow(client, code, "/s/a")
        assert entered.headers["location"] == "/s/a/admin"
        cookie = entered.headers["set-cookie"].split(";")[0]
        for name, status in (("a", 200), ("b", 401)):
            renamed = cookie.replace("-a=", f"-{name}=", 1)
            found = client.get(f"/s/{name}/admin/state", headers={"Cookie": renamed})
            assert found.status_code == status
    run_app.stop()
    for store in stores.values():
        store.close()


def test_another_site_can_neither_make_revoke_nor_follow_a_link(client, store):
    owner, code = log_in(store, "password"), Accounts(store).make_link("board")
    before = store.find_secrets("link")
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://elsewhere.example"}):
        for path, data in (
            ("/admin/links", {"name": "x"}),
            ("/admin/links/remove", {"account": next(iter(before))}),
        ):
            assert client.post(path, data=data, headers=owner | headers).status_code == 403
        assert follow(client, code, **headers).status_code == 403
    assert store.find_secrets("link") == before
    assert client.get(f"/admin/shared?code={code}").headers.get("set-cookie") is None


def test_a_role_is_that_of_this_moment(client, store):
    """Who is made a reader, or removed, is so at the next request: no session outlives it."""
    accounts = Accounts(store)
    accounts.set_password(PASSWORD, "ben", Role.OWNER)
    session = log_in(store, "user ben")
    assert client.get("/api/counts", headers=session).status_code == 200
    accounts.set_password(PASSWORD, "ben", Role.READER)
    assert client.get("/api/counts", headers=session).status_code == 401
    session = log_in(store, "user ben")
    assert client.get("/api/counts", headers=session).status_code == 403
    assert accounts.remove("user ben")
    assert client.get("/api/estimates", headers=session).status_code == 401
    accounts.set_password(PASSWORD, "ben", Role.READER)  # of the same name, and somebody else
    assert client.get("/api/estimates", headers=session).status_code == 401


def test_a_name_lets_in_with_its_own_password_alone(client, store):
    accounts = Accounts(store)
    accounts.set_password(PASSWORD)
    accounts.set_password("a password for anna", "anna", Role.READER)
    for name, password, status in (
        ("anna", "a password for anna", 200),
        ("anna", PASSWORD, 401),
        ("admin", "a password for anna", 401),
        ("admin", PASSWORD, 200),
        ("password", PASSWORD, 401),
    ):
        found = client.get("/api/estimates", auth=(name, password))
        assert found.status_code == status, name
    assert client.get("/api/counts", auth=("anna", "a password for anna")).status_code == 403
    given = {"user": "anna", "password": "a password for anna"}
    entered = client.post("/admin/login", data=given)
    assert entered.status_code == 303
    cookie = {"Cookie": entered.headers["set-cookie"].split(";")[0]}
    assert (
        client.post("/admin/open", data={"open": "no", "sure": "yes"}, headers=cookie).status_code
        == 403
    )


def test_a_stolen_database_holds_no_code_of_a_link(store, tmp_path):
    code = Accounts(store).make_link("board")
    copy = tmp_path / "copy.db"
    store.backup(copy)
    held = b"".join(each.read_bytes() for each in tmp_path.glob("survey.db*"))
    assert code.encode() not in held and b"board" in held
    assert b"board" not in copy.read_bytes()
