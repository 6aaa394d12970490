"""A server that serves authentic scripts and weights that disguise nothing, or another page."""

import contextlib
import gzip
import hashlib
import json
import re
import socket
import threading

import pytest
from support.web_browser import answered, hurry, lock_answers
from support.web_surveys import ARABIC, campus, noisy, plant, small

from confide.errors import ConfideError
from confide.surveys.seal import compute_seal, write_document, write_words
from confide.web.blind_signatures import SigningKey, find_public_key
from confide.web.ready_answers import ReadyAnswer
from confide.web.respondent import endpoints, page_script
from confide.web.respondent.survey_page import render_page
from confide.web.static_files import SCRIPTS, read_static_files
from confide.web.verification import verify_server

HELD = re.compile(r'(?<=id="survey">).*?(?=</script>)', re.DOTALL)


def disguise_nothing(html):
    """The page with weights under which every answer is sent as it is, and all else the same."""
    document = json.loads(HELD.search(html)[0])
    for block in document["blocks"]:
        for table in (block["weights"] or {}).get("questions", []):
            for branch in table:
                total = sum(branch[0])
                branch[:] = [
                    [total if report == truth else 0 for report in range(len(row))]
                    for truth, row in enumerate(branch)
                ]
    return HELD.sub(lambda _: str(page_script.embed_json(document)), html)


def nearly_nothing(html):
    """The page with weights that rarely disguise."""
    return html.replace('"questions":[[[[3,1],[1,3]]]]', '"questions":[[[[999,1],[1,999]]]]')


@pytest.fixture
def tampered(serve, monkeypatch):
    """Serve a survey by a server that changes its page."""

    def tampered(survey, change):
        genuine = render_page(survey, survey.language, is_open=True)
        assert change(genuine) != genuine
        monkeypatch.setattr(endpoints, "render_page", lambda *a, **k: change(render_page(*a, **k)))
        return serve(survey)[0]

    return tampered


def found(address, survey=None):
    return {each.part: each for each in verify_server(address, survey)}


def bad(address, survey=None):
    return {part for part, each in found(address, survey).items() if not each.good}


def test_the_seal_that_the_script_computes_is_the_one_that_python_prints(page, serve):
    for survey in (small(), campus(language="de"), noisy(language="ar", texts=ARABIC)):
        address, _ = serve(survey)
        page.goto("about:blank")
        page.goto(f"{address}/#{compute_seal(survey)}")
        page.wait_for_selector("#begin:not([hidden])")
        assert page.text_content("#seal") == compute_seal(survey)


@pytest.mark.parametrize("change", [disguise_nothing, nearly_nothing])
def test_a_sealed_link_refuses_weights_that_are_not_the_designs(page, tampered, change):
    survey = small()
    address = tampered(survey, change)
    page.goto(f"{address}/#{compute_seal(survey)}")
    page.wait_for_selector("#stop:not([hidden])")
    assert "not the one that its link" in page.text_content("#stop")
    assert not page.is_visible("#start") and not page.is_visible("#questions")
    assert page.text_content("#seal") != compute_seal(survey)


def test_without_a_seal_weights_that_disguise_nothing_contradict_the_promise(page, tampered):
    page.goto(tampered(small(), disguise_nothing))
    page.wait_for_selector("#stop:not([hidden])")
    assert not page.is_visible("#start")


def test_without_a_seal_the_odds_that_people_read_are_those_of_the_weights(page, tampered):
    survey = small()
    page.goto(tampered(survey, nearly_nothing))
    page.wait_for_selector("#begin:not([hidden])")
    assert "In 999 of 1000 cases your answer is sent as it is" in page.text_content("#cards")
    assert "right in 999 of 1000 cases" in page.text_content("#cards")
    assert page.text_content("#seal") != compute_seal(survey)


def swap_options(html):
    """The page with the labels of yes and no swapped."""
    return html.replace(">No<", ">~<").replace(">Yes<", ">No<").replace(">~<", ">Yes<")


def other_question(html):
    return html.replace('<legend dir="auto">Ever cheated?', '<legend dir="auto">Ever slept?')


@pytest.mark.parametrize("change", [swap_options, other_question])
def test_a_page_that_asks_something_else_than_its_document_is_refused(page, tampered, change):
    page.goto(tampered(small(), change))
    page.wait_for_selector("#stop:not([hidden])")
    assert not page.is_visible("#start")


def test_a_box_that_the_server_ticked_does_not_make_the_coin_ones_own(page, tampered):
    """Where the person is said to draw, answers would be sent as they are."""
    box = '<input type="checkbox" id="own"'
    address = tampered(small(), lambda html: html.replace(box, box + " checked"))
    page.goto(address)
    page.click("#start")
    answered(page, small(), [1, 1])
    assert json.loads(lock_answers(page))["mode"] == "bc"


@pytest.mark.parametrize(
    "fragment", ["0" * 64, "0" * 64 + "." + "a" * 32, "0" * 63, "a" * 31, "x", "0" * 64 + ".a"]
)
def test_a_link_with_another_seal_or_not_whole_asks_nothing(page, serve, fragment):
    address, _ = serve(small())
    page.goto(f"{address}/#{fragment}")
    page.wait_for_selector("#stop:not([hidden])")
    assert not page.is_visible("#start")


def test_an_invitation_with_its_seal_admits(page, serve):
    survey = small(invitation=True)
    address, store = serve(survey)
    token = "ab" * 16
    store.invite([hashlib.sha256(bytes.fromhex(token)).digest()])
    hurry(page)
    page.goto(f"{address}/#{compute_seal(survey, find_public_key(store))}.{token}")
    page.click("#start")
    answered(page, small(), [1, 1])
    lock_answers(page)
    page.click("#send")
    page.wait_for_selector("#done:not([hidden])")
    assert store.count() == 1


def give_another_key(html):
    """The page with a key that nobody else was given."""
    key = SigningKey.generate().public
    return re.sub(r'"key":"[0-9a-f]{512}"', f'"key":"{key}"', html)


@pytest.fixture
def personal(serve, monkeypatch):
    """Serve a survey by a server that gives each visitor a key of their own."""

    def personal(survey):
        async def make_anew(_, __, make, headers=None):
            page = give_another_key(make()).encode()
            return ReadyAnswer(page, "text/html", headers or {})

        monkeypatch.setattr(endpoints.Respondent, "_make_once", make_anew)
        return serve(survey)

    return personal


def test_a_key_of_ones_own_breaks_the_seal(page, personal):
    """By its own key each report could be tied to the person it was given to."""
    survey = small(invitation=True)
    address, store = personal(survey)
    link = f"{compute_seal(survey, find_public_key(store))}.{'ab' * 16}"
    posts = []
    page.on("request", lambda r: r.method == "POST" and posts.append(r.url))
    page.goto(f"{address}/#{link}")
    page.wait_for_selector("#stop:not([hidden])")
    assert "not the one that its link" in page.text_content("#stop")
    assert not page.is_visible("#start")
    page.goto(f"{address}/upload#{link}")
    page.set_input_files(
        "#file", {"name": "r.json", "mimeType": "application/json", "buffer": b'{"ticket":""}'}
    )
    page.click("#send")
    page.wait_for_selector("#status:has-text('not the one that its link')")
    assert posts == []


def test_verify_finds_a_key_that_not_all_were_given(personal):
    survey = small(invitation=True)
    address, _ = personal(survey)
    assert bad(address) == {"visitors"}
    assert "/upload" in found(address)["visitors"].told
    assert {"visitors", "offline form", "upload page"} <= bad(address, survey)


def test_verify_shows_the_key_and_finds_one_that_cannot_be(tampered, serve):
    survey = small(invitation=True)
    address, store = serve(survey)
    assert "key of tickets" not in found(serve(small())[0])
    digest = hashlib.sha256(find_public_key(store).encode()).hexdigest()
    assert digest in found(address, survey)["key of tickets"].told
    short = tampered(survey, lambda html: html.replace('"key":"', '"key":"00'))
    assert {"key of tickets", "offline form"} <= bad(short, survey)


def test_a_changed_script_is_not_run(page, serve):
    """Its hash stands in the page: a browser checks it before it runs the script."""
    address, _ = serve(small())
    for name in ("page.js", "sampler.js"):
        page.route(
            f"**/static/{name}",
            lambda route: route.fulfill(
                response=(answer := route.fetch()), body=answer.body() + b"\n// changed\n"
            ),
        )
        page.goto(address)
        page.wait_for_timeout(500)
        assert page.text_content("#seal") == "" and not page.is_visible("#start")
        page.unroute(f"**/static/{name}")


@pytest.mark.parametrize("survey", [small(), campus(language="de"), noisy(invitation=True)])
def test_verify_finds_nothing_wrong_with_an_honest_server(serve, survey):
    address, store = serve(survey)
    assert bad(address, survey) == bad(address) == set()
    assert found(address)["seal"].told == compute_seal(survey, find_public_key(store))
    store.set_open(False)
    assert bad(address, survey) == bad(address) == set()


@pytest.mark.parametrize("change", [disguise_nothing, nearly_nothing])
def test_verify_finds_weights_that_are_not_the_designs(tampered, change):
    survey = small()
    address = tampered(survey, change)
    assert bad(address, survey) == {"weights and words", "page"}
    assert bad(address) == {"weights"}


@pytest.mark.parametrize(
    "change",
    [
        lambda html: html.replace("</body>", '<script src="/static/extra.js"></script></body>'),
        lambda html: html.replace("<main", '<main onclick="send()"'),
        lambda html: html.replace("</body>", '<iframe src="https://elsewhere"></iframe></body>'),
        lambda html: re.sub(r' integrity="[^"]*"', "", html),
    ],
)
def test_verify_finds_what_does_not_belong_on_the_page(tampered, change):
    survey = small()
    address = tampered(survey, change)
    assert bad(address, survey) == bad(address) == {"page"}


def test_verify_finds_other_words_only_with_the_survey_file(tampered):
    survey = small()
    address = tampered(survey, lambda html: html.replace("What is not promised", "Trust us"))
    assert bad(address, survey) == {"page"}
    assert bad(address) == set()


def change_body(answer, change):
    """Change what an answer says, which is packed."""
    answer.body = gzip.compress(change(gzip.decompress(answer.body).decode()).encode())
    answer.headers["content-length"] = str(len(answer.body))


def test_verify_finds_a_page_for_some_languages_or_browsers_alone(serve, monkeypatch):
    survey = small()
    address, _ = serve(survey)
    genuine = endpoints.Respondent.page

    async def cloaked(self, request):
        answer = await genuine(self, request)
        if "de" in request.headers["accept-language"]:
            change_body(answer, disguise_nothing)
        return answer

    monkeypatch.setattr(endpoints.Respondent, "page", cloaked)
    other, _ = serve(survey)
    assert bad(address, survey) == set()
    assert bad(other, survey) == {"visitors"}


def test_verify_finds_changed_scripts_and_headers(serve, monkeypatch):
    survey = small()
    address, _ = serve(survey)
    genuine = endpoints.serve_static

    async def changed(request):
        answer = await genuine(request)
        if request.path_params["name"] == "sampler.js":
            change_body(answer, lambda script: script + "\n")
        answer.headers["set-cookie"] = "you=1"
        return answer

    monkeypatch.setattr(endpoints, "serve_static", changed)
    other, _ = serve(survey)
    assert bad(address) == set()
    assert bad(other) == {"sampler.js", "headers"}


@pytest.mark.parametrize(
    "address", ["survey.example", "ftp://survey.example", "http://127.0.0.1:9"]
)
def test_verify_says_in_one_line_that_an_address_cannot_be_reached(address):
    with pytest.raises(ConfideError):
        verify_server(address)


@pytest.mark.parametrize(
    "answer",
    [
        b"nonsense\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnone",
    ],
)
def test_verify_says_in_one_line_that_a_server_speaks_nonsense(answer):
    with socket.create_server(("127.0.0.1", 0)) as server:

        def speak():
            with contextlib.suppress(OSError):
                while True:
                    peer, _ = server.accept()
                    with peer:
                        peer.recv(4096)
                        peer.sendall(answer)

        threading.Thread(target=speak, daemon=True).start()
        with pytest.raises(ConfideError, match="cannot reach"):
            verify_server(f"http://127.0.0.1:{server.getsockname()[1]}")


def test_the_document_is_canonical_and_cannot_end_its_element():
    import confide as cf
    from confide.surveys.survey import Survey

    nasty = "</script><script>alert(1)</script>\r\n\u2028é"
    survey = Survey(cf.Design([cf.Choice("q", ["a", "b"], nasty)]))
    for written in (write_document(survey), write_words(survey, "en")):
        assert "<" not in written
        again = json.dumps(
            json.loads(written), ensure_ascii=False, sort_keys=True, separators=(",", ":")
        )
        assert again.replace("<", "\\u003c") == written


def test_every_script_is_listed_with_its_hash(page, serve):
    address, _ = serve(small())
    page.goto(address)
    for name in SCRIPTS:
        digest = hashlib.sha256(read_static_files()[name][0]).hexdigest()
        assert digest in page.text_content("body")


def other_consent(html):
    return html.replace('data-said="consent">I take part.', 'data-said="consent">I pay.')


def other_words(html):
    """The page with other words than those whose hash is sealed, on the page and beside it."""
    return html.replace("My boss is fair.", "My boss is unfair.")


def other_order(html):
    return html.replace('"questions":[3,4]', '"questions":[4,3]')


@pytest.mark.parametrize("change", [other_consent, other_words, other_order])
def test_other_words_or_sheets_than_the_sealed_ones_are_refused(page, tampered, change):
    page.goto(tampered(plant(), change))
    page.wait_for_selector("#stop:not([hidden])")
    assert not page.is_visible("#start")


def test_verify_visits_every_language(serve, monkeypatch):
    survey = plant()
    address, _ = serve(survey)
    assert bad(address, survey) == bad(address) == set()
    genuine = render_page

    def changed(asked, language, **more):
        html = genuine(asked, language, **more)
        return other_words(html.replace("Mein Chef ist gerecht.", "Mein Chef ist ungerecht."))

    monkeypatch.setattr(endpoints, "render_page", changed)
    other, _ = serve(survey)
    assert bad(other, survey) == {"page", "words"}
    assert bad(other) == {"words"}
