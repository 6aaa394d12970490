"""What a respondent can reach: what is taken, what is refused, and what is said."""

import json
import secrets

import httpx
import pytest
from support.blinding import Invited, hash_token
from support.web_reports import body, invite, post, redeem
from support.web_surveys import ARABIC, campus, noisy, plant, small, workplace

import confide as cf
from confide.formats import PREFER_NOT
from confide.reports.store import StoreError
from confide.reports.submissions import Submission
from confide.reports.wire import read_report, receipt_id
from confide.surveys.explanations import explain_blocks, explain_total
from confide.surveys.page_settings import Page
from confide.surveys.page_texts import LANGUAGES, built_in, find_placeholders
from confide.surveys.results_texts import results_texts_in
from confide.surveys.survey import Survey
from confide.web.guard import Rate
from confide.web.respondent.survey_page import render_page
from confide.web.static_files import SCRIPTS, read_static_files

SMALL = small()


@pytest.fixture
def client(serve):
    """Serve a survey; gives a client that knows the store behind it."""
    opened = []

    def client(survey, rate=0.0):
        address, store = serve(survey, rate=Rate(rate, 3))
        opened.append(httpx.Client(base_url=address))
        opened[-1].store = store
        return opened[-1]

    yield client
    for each in opened:
        each.close()


def test_a_report_is_taken_once_however_often_it_comes(client):
    survey = small()
    with_client = client(survey)
    sent = body(survey)
    answers = [post(with_client, sent) for _ in range(3)]
    assert {(a.status_code, a.text) for a in answers} == {(200, '{"stored":true}')}
    assert with_client.store.count() == 1


def test_other_bytes_under_a_used_id_are_refused(client):
    survey = small()
    with_client = client(survey)
    receipt = secrets.token_hex(16)
    assert post(with_client, body(survey, receipt=receipt)).status_code == 200
    assert post(with_client, body(survey, (0, 1), receipt=receipt)).status_code == 409
    assert with_client.store.count() == 1


def test_a_receipt_shows_and_deletes_the_report_and_its_replay_stays_out(client):
    survey = campus()
    with_client = client(survey)
    receipt = secrets.token_hex(16)
    sent = body(survey, (1, 2, 0, 11, 64, 4, 0, 1), receipt=receipt)
    assert post(with_client, sent).status_code == 200
    asked = json.dumps({"receipt": receipt})
    shown = post(with_client, asked, "/receipt").json()
    assert shown["words"]["age"] == "80"
    assert shown["words"]["income"] == "5000 – 10000"
    assert shown["report"] == [1, 2, 0, 11, 64, 4, 0, 1]
    assert post(with_client, asked, "/receipt/delete").json() == {"deleted": True}
    assert post(with_client, asked, "/receipt").status_code == 404
    assert post(with_client, asked, "/receipt/delete").status_code == 404
    assert post(with_client, sent).status_code == 410
    assert with_client.store.count() == 0


def test_an_invited_survey_takes_one_report_an_invitation(client):
    survey = small(invitation=True)
    with_client = client(survey)
    person = invite(with_client.store, survey)
    assert post(with_client, body(survey)).status_code == 403
    ticket = person.ticket(redeem(with_client, person).json()["signature"])
    sent = person.report(ticket)
    assert [post(with_client, sent).status_code for _ in range(2)] == [200, 200]
    assert post(with_client, body(survey, ticket=ticket)).status_code == 403
    assert with_client.store.count() == 1


def test_a_lost_answer_to_a_redemption_loses_nothing(client):
    """The same blinded message gets the same signature; another one gets none."""
    survey = small(invitation=True)
    with_client = client(survey)
    person = invite(with_client.store, survey)
    answers = [redeem(with_client, person) for _ in range(3)]
    assert {(each.status_code, each.text) for each in answers} == {(200, answers[0].text)}
    other = Invited(survey, person.key, person.token)
    refused = redeem(with_client, other)
    assert (refused.status_code, refused.json()) == (
        403, {"error": "this invitation is unknown or was used."},
    )  # fmt: skip
    with_client.store.set_open(False)
    closed = redeem(with_client, person)
    assert (closed.status_code, closed.json()) == (403, {"error": "the survey is closed."})


@pytest.mark.parametrize(
    "given",
    [
        {"token": "a" * 32},
        {"token": "a" * 31, "blinded": "00" * 256},
        {"token": "a" * 32, "blinded": "00" * 255},
        {"token": "a" * 32, "blinded": "ff" * 256},
        {"token": "a" * 32, "blinded": "0G" * 256},
        {"token": "a" * 32, "blinded": "0" * 511},
        {"token": "a" * 32, "blinded": ["00" * 256]},
        {"token": "a" * 32, "blinded": 5},
        {"token": "a" * 32, "blinded": "00" * 256, "more": 1},
        ["a" * 32],
    ],
)
def test_what_cannot_be_signed_is_refused_and_uses_nothing_up(client, given):
    with_client = client(small(invitation=True))
    with_client.store.invite([hash_token("a" * 32)])
    refused = post(with_client, json.dumps(given), "/ticket")
    assert refused.status_code == 400
    assert "aaaa" not in refused.text
    assert with_client.store.count_invitations() == (1, 1)


def test_a_survey_for_everyone_signs_nothing(client):
    with_client = client(small())
    given = json.dumps({"token": "a" * 32, "blinded": "00" * 256})
    assert post(with_client, given, "/ticket").status_code == 403


def test_a_closed_survey_says_so(client):
    survey = small()
    with_client = client(survey)
    with_client.store.set_open(False)
    refused = post(with_client, body(survey))
    assert refused.status_code == 403
    assert refused.json() == {"error": "the survey is closed."}
    assert '"open": false' in with_client.get("/").text


def altered(survey, **changes):
    return json.dumps({**json.loads(body(survey)), **changes})


@pytest.mark.parametrize(
    "change",
    [
        {"design": "0" * 64},
        {"id": "0" * 31},
        {"id": "G" * 32},
        {"id": 7},
        {"ticket": "x"},
        {"ticket": "0" * 575},
        {"ticket": None},
        {"mode": "cc"},
        {"mode": "bb"},
        {"mode": "b"},
        {"mode": None},
        {"report": ["1"]},
        {"report": ["2", "0"]},
        {"report": ["1", "0", "0"]},
        {"report": [1, 0]},
        {"report": ["-", "0"]},
        {"report": ["01", "0"]},
        {"report": ["١", "0"]},
        {"report": "10"},
        {"more": 1},
    ],
)
def test_what_the_design_forbids_is_refused_and_never_repeated(client, change):
    survey = small()
    with_client = client(survey)
    refused = post(with_client, altered(survey, **change))
    assert refused.status_code == 400
    for value in change.values():
        assert len(str(value)) < 2 or str(value) not in refused.json()["error"]
    assert with_client.store.count() == 0


def test_bodies_of_the_wrong_kind_or_size_are_refused(client):
    survey = small()
    with_client = client(survey)
    assert with_client.post("/report", content=body(survey)).status_code == 415
    assert post(with_client, b"{" * 5000).status_code == 413
    assert post(with_client, b"[" * 300).status_code == 400
    assert post(with_client, b"\xff\xfe").status_code == 400
    assert post(with_client, b"").status_code == 400
    assert with_client.get("/report").status_code == 405
    assert with_client.get("/nothing").status_code == 404


def test_requests_that_another_site_made_are_refused(client):
    survey = small()
    with_client = client(survey)
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://elsewhere.example"}):
        assert post(with_client, body(survey), **headers).status_code == 403
    good = {"Sec-Fetch-Site": "same-origin", "Origin": str(with_client.base_url)}
    assert post(with_client, body(survey), **good).status_code == 200


def test_who_comes_too_often_waits(client):
    survey = small()
    with_client = client(survey, rate=0.01)
    statuses = [post(with_client, body(survey)).status_code for _ in range(5)]
    assert statuses == [200, 200, 200, 429, 429]


def test_a_store_that_fails_gives_503_and_no_acknowledgement(client, monkeypatch):
    survey = small()
    with_client = client(survey)

    def gone(*_):
        raise StoreError("gone")

    with monkeypatch.context() as patched:
        patched.setattr(with_client.store, "write", gone)
        refused = post(with_client, body(survey))
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "2")
    assert post(with_client, body(survey)).status_code == 200
    assert with_client.store.count() == 1


def test_every_answer_carries_the_headers_that_keep_others_out(client):
    with_client = client(small())
    for path in ("/", "/static/page.js", "/receipt", "/design.json", "/nothing"):
        headers = with_client.get(path).headers
        policy = headers["content-security-policy"]
        assert "unsafe" not in policy
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["x-content-type-options"] == "nosniff"
        assert "camera=()" in headers["permissions-policy"]
        assert "set-cookie" not in headers


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("make", [campus, noisy, workplace, plant])
def test_page_and_scripts_weigh_at_most_thirty_kilobytes(make, language):
    """By invitation, which takes a key and more words."""
    import gzip

    survey, key = make(invitation=True), secrets.token_hex(256)
    parts = [render_page(survey, language, is_open=True, key=key).encode()]
    names = [*SCRIPTS, "style.css", "icon.svg"]
    parts += [read_static_files()[name][0] for name in names]
    assert sum(len(gzip.compress(part)) for part in parts) <= 30_000


def test_the_page_holds_nothing_of_another_origin_and_nothing_inline():
    html = render_page(campus(), "en", is_open=True)
    for foreign in ('="http', '="//', " style=", " onclick=", "<style", "javascript:", "url("):
        assert foreign not in html.lower()
    assert html.count("<script") == 5
    assert html.count('<script type="application/json"') == 3


def test_texts_of_a_survey_cannot_leave_their_place():
    nasty = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
    design = cf.Design([cf.Choice("q", [nasty, "b"], nasty)], title=nasty)
    html = render_page(Survey(design, Page(organiser=nasty)), "en", is_open=True)
    assert "<img" not in html
    assert "alert(1)</script>" not in html
    assert html.count("<script") == 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_the_same_things(language):
    english, other = built_in("en"), built_in(language)
    assert list(english) == list(other)
    for key, text in english.items():
        fields = sorted(part.split("}")[0] for part in text.split("{")[1:])
        assert fields == sorted(part.split("}")[0] for part in other[key].split("{")[1:]), key
    assert " lie" not in " ".join(english.values()).lower()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_results_say_the_same_in_every_language(language):
    english, other = results_texts_in("en"), results_texts_in(language)
    assert list(english) == list(other)
    for key, text in english.items():
        assert find_placeholders(other[key]) == find_placeholders(text), key


@pytest.mark.parametrize(
    "path", ["/", "/receipt", "/upload", "/offline.html", "/?lang=de", "/?lang=en"]
)
def test_the_page_speaks_the_language_of_its_questions_whatever_the_browser_wishes(client, path):
    wish = {"Accept-Language": "de-CH,en;q=0.5"}
    english = client(small()).get(path, headers=wish).text
    assert '<html lang="en" dir="ltr">' in english
    assert built_in("de")["exit"] not in english
    german = client(small(language="de")).get(path, headers={"Accept-Language": "en"}).text
    assert '<html lang="de" dir="ltr">' in german
    assert built_in("en")["exit"] not in german


def test_a_language_may_have_a_country_and_one_that_is_not_built_in_its_texts(client):
    swiss = client(small(language="de-CH")).get("/").text
    assert '<html lang="de-CH" dir="ltr">' in swiss
    assert "In {kept} von {total} Fällen" in swiss
    arabic = client(small(language="ar", texts=ARABIC)).get("/").text
    assert '<html lang="ar" dir="rtl">' in arabic
    assert "إرسال" in arabic


@pytest.mark.parametrize("language", ["xx", "XX-ch", "qaa"])
def test_a_language_without_texts_is_refused_and_told_which_there_are(language):
    with pytest.raises(cf.DesignError, match=rf"{' or '.join(LANGUAGES)}, .*\[page\.texts\]"):
        Page(language=language)
    assert Page(language=language, texts=built_in("en")).language == language


def test_a_language_with_some_of_its_texts_is_told_which_are_missing():
    most = {name: text for name, text in built_in("en").items() if name not in ("lock", "send")}
    with pytest.raises(cf.DesignError, match=r"^language .* Got 'qaa' without lock, send\.$"):
        Page(language="qaa", texts=most)
    more = len(built_in("en")) - 1 - 20
    with pytest.raises(cf.DesignError, match=rf"without skip, .* and {more} more\.$") as told:
        Page(language="qaa", texts={"send": "Envoyer"})
    assert " send" not in str(told.value) and "\n" not in str(told.value)


@pytest.mark.parametrize("language", ["German", "d", "de_DE", "de DE", "<b>"])
def test_a_language_is_a_code(language):
    with pytest.raises(cf.DesignError, match="a code such as"):
        Page(language=language, texts={"send": "Envoyer"})


def asked(client, token, **headers):
    return post(client, json.dumps({"token": token}), "/invitation", **headers)


def test_whether_an_invitation_is_good_can_be_asked_and_nothing_is_used_up(client):
    survey = small(invitation=True)
    with_client = client(survey)
    person = invite(with_client.store, survey)
    token, other = person.token, secrets.token_hex(16)
    answers = [asked(with_client, token) for _ in range(3)]
    assert {(a.status_code, a.text) for a in answers} == {(200, '{"good":true}')}
    assert "set-cookie" not in answers[0].headers
    assert with_client.store.count_invitations() == (1, 1)
    assert asked(with_client, other).status_code == 403
    assert redeem(with_client, person).status_code == 200
    used, unknown = asked(with_client, token), asked(with_client, other)
    assert (used.status_code, used.json()) == (unknown.status_code, unknown.json())
    assert used.json() == {"error": "this invitation is unknown or was used."}
    assert token not in used.text


@pytest.mark.parametrize("token", ["", "ab", "G" * 32, 7, None, ["a" * 32], "a" * 33])
def test_what_is_no_token_is_refused_and_never_repeated(client, token):
    refused = asked(client(small(invitation=True)), token)
    assert refused.status_code == 400
    assert "32 hexadecimal digits" in refused.json()["error"]
    assert len(str(token)) < 2 or str(token) not in refused.json()["error"]


def test_an_invitation_is_asked_about_from_this_page_alone_and_not_too_often(client):
    with_client = client(small(invitation=True), rate=0.01)
    elsewhere = {"Sec-Fetch-Site": "cross-site"}
    assert "another site" in asked(with_client, "a" * 32, **elsewhere).json()["error"]
    statuses = [asked(with_client, "a" * 32).status_code for _ in range(5)]
    assert statuses == [403, 403, 403, 429, 429]
    assert asked(client(small()), "a" * 32).status_code == 200  # where none is needed


def explained(survey):
    """What the page's script says of a survey, as Python says it."""
    form, texts = survey.questionnaire, survey.texts("en")
    blocks = [sentence for block in explain_blocks(form, texts) for sentence in block.sentences]
    return " ".join([*blocks, *explain_total(form, texts)])


def test_the_explanation_says_how_far_noise_moves_a_number():
    html = explained(noisy())
    assert "a random amount between −10 years and +10 years added" in html
    assert "yours is at most 10 years away from it" in html
    assert "outside 16 years to 80 years tells more" in html
    # P(|noise| < 5.75) = 0.528 with deviation 8 in steps of 0.5; P(|noise| < 3.5) = 0.583
    assert "in 53 of 100 cases at most 5.5 kg up or down, in 47 of 100 further" in html
    assert "in 59 of 100 cases at most 3 up or down, in 41 of 100 further" in html
    assert "have no fixed limit" in html


def test_noise_is_the_browsers_to_draw_and_codes_outside_its_reach_are_refused():
    form = noisy().questionnaire
    good = json.loads(body(noisy(), (84, 1, 336, 60)))
    assert read_report(form, json.dumps(good).encode()).codes == (84, 1, 336, 60)
    assert form.fields[0].label(84) == "90"
    assert "own" not in render_page(noisy(), "en", is_open=True).split('data-blocks="0"')[1][:200]
    for change in ({"mode": "obbb"}, {"report": ["85", "1", "000", "00"]}):
        with pytest.raises(cf.ReportsError):
            read_report(form, json.dumps({**good, **change}).encode())
    read_report(form, json.dumps({**good, "mode": "bobb"}).encode())


def test_the_explanation_says_odds_conclusions_and_sum():
    html = explained(small())
    assert "In 3 of 4 cases your answer is sent as it is, in 1 of 4 the opposite." in html
    assert "would be right in 3 of 4 cases" in html
    assert "odds of at most 3 to 1" in html
    assert small().design.fingerprint in render_page(small(), "en", is_open=True)


def test_a_survey_file_says_how_the_page_looks(tmp_path):
    path = tmp_path / "survey.toml"
    design = small().design
    design.save(path)
    plain = path.read_text()
    path.write_text(plain + '\n[page]\norganiser = "us"\nminimum = 20\n[page.texts]\nsend = "Go"\n')
    survey = Survey.load(path)
    assert survey.design.fingerprint == design.fingerprint
    assert (survey.page.organiser, survey.page.minimum) == ("us", 20)
    assert survey.texts("de")["send"] == "Go"


@pytest.mark.parametrize(
    ("page", "complaint"),
    [
        ('organizer = "us"', "unknown key 'organizer'"),
        ("organiser = 3", "organiser of the page must be a text"),
        ("minimum = 0", "at least 1"),
        ("minimum = true", "whole number"),
        ('exit = "javascript:alert(1)"', "https://"),
        ('texts = { sned = "Go" }', "no text 'sned'"),
        ('personal = { absent = "?" }', "no question 'absent'"),
        ('language = "xx"', "whose texts are built in"),
        ('test = "0"', "must be above 0"),
        ('test = "0.0"', "must be above 0"),
        ('test = "0/7"', "must be above 0"),
    ],
)
def test_a_mistake_in_the_page_is_named(tmp_path, page, complaint):
    path = tmp_path / "survey.toml"
    small().design.save(path)
    path.write_text(f"{path.read_text()}\n[page]\n{page}\n")
    with pytest.raises(cf.ConfideError, match=complaint):
        Survey.load(path)


CERTAIN = "where “prefer not to say” is sent, it is certain"
LIKE_AN_ANSWER = "is disguised like an answer"
COVERS = {
    "related": (cf.RelatedQuestion("3/4"), LIKE_AN_ANSWER),
    "birthday": (cf.UnrelatedQuestion("1/2", {"q": {"yes": "1/4", "no": "3/4"}}), CERTAIN),
    "joint": (cf.UnrelatedQuestion("1/2", {("yes",): "1/4", ("no",): "3/4"}), CERTAIN),
    "forced": (cf.ForcedResponse("1/2", {"q": {"yes": 0.5, "no": 0.5}}), CERTAIN),
    "never": (cf.ForcedResponse("1/2", {"q": {"yes": 0.5, "no": 0.5, PREFER_NOT: 0}}), CERTAIN),
    "covered": (
        cf.ForcedResponse("1/2", {"q": {"yes": 0.4, "no": 0.4, PREFER_NOT: 0.2}}),
        LIKE_AN_ANSWER,
    ),
    "matrix": (
        cf.ChannelMatrix([[0.8, 0.2, 0.2], [0.2, 0.8, 0.2], [0, 0, 0.6]]),
        CERTAIN,
    ),
    "clear": (None, "and is sent as that"),
}


@pytest.mark.parametrize("case", COVERS)
def test_the_page_says_of_an_answer_left_out_only_what_is_so(case):
    mechanism, expected = COVERS[case]
    groups = [cf.Group(["q"], mechanism)] if mechanism else []
    design = cf.Design([cf.YesNo("q", missing="option")], groups)
    html = render_page(Survey(design), "en", is_open=True)
    hint = html.split('class="hint optional">')[1].split("</p>")[0]
    assert expected in hint
    assert (LIKE_AN_ANSWER in html) == (expected == LIKE_AN_ANSWER)
    if mechanism:
        certain = any(PREFER_NOT in said for said in cf.privacy.of(design).groups[0].certainties)
        assert certain == (expected == CERTAIN)


def test_who_holds_the_receipt_of_a_damaged_report_is_told(serve):
    address, store = serve(small())
    receipt = "ab" * 16
    store.settle([Submission(bytes.fromhex(receipt_id(receipt)), b"\1\7bc")])
    answer = httpx.post(f"{address}/receipt", json={"receipt": receipt})
    assert (answer.status_code, "damaged" in answer.text) == (410, True)
    answer = httpx.post(f"{address}/receipt/delete", json={"receipt": receipt})
    assert answer.status_code == 200
