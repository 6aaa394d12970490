"""Several surveys of one server, answered and read in one browser; and a link for readers."""

import json

from support.web_browser import (
    answered,
    begin,
    find_violations,
    hurry,
    lock_answers,
    record_requests,
)
from support.web_reports import PASSWORD, send
from support.web_surveys import campus, small

import confide as cf
from confide.surveys.page_settings import Page
from confide.surveys.seal import compute_seal
from confide.surveys.survey import Survey
from confide.web.blind_signatures import find_public_key
from confide.web.invitations import invite

DESK = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}


def form(truth):
    """The same question under one of two designs."""
    group = cf.Group(["cheated"], cf.RelatedQuestion(truth))
    return Survey(cf.Design([cf.YesNo("cheated", "Cheated?")], [group], title="Exams"), Page())


FORMS = {"often": form("9/10"), "seldom": form("7/10")}


def send_locked(page):
    """Lock the answers in and send them; gives the report's id when it is stored."""
    shown = lock_answers(page)
    page.click("#send")
    page.wait_for_selector("#done:not([hidden])")
    return bytes.fromhex(json.loads(shown)["id"])


def find_faults(page, axe):
    """What axe-core holds against a page, and the widths at which it reaches beyond the screen."""
    wide = []
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        if not page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
            wide.append(size["width"])
    return find_violations(page, axe) + wide


def test_two_surveys_at_once_each_get_their_own_reports(page, serve_several, tmp_path):
    """Two tabs of one browser, the same questions in both, one of them by invitation."""
    surveys = {"open": small(), "invited": small(invitation=True)}
    address, served = serve_several(surveys)
    stores = {name: each.store for name, each in served.items()}
    seal = compute_seal(surveys["invited"], find_public_key(stores["invited"]))
    where = f"{address}/s/invited/#{seal}."
    (link,) = invite(stores["invited"], 1, where, tmp_path / "links.csv")
    other, requests = page.context.new_page(), []
    hurry(other)
    for each in (page, other):
        record_requests(each, requests)
    page.goto(address)
    page.click("text=Small")
    page.wait_for_url("**/s/open/")
    page.click("#start")
    begin(other, link)
    answered(page, surveys["open"], [1, 0])
    answered(other, surveys["invited"], [0, 1])
    ids = {"open": send_locked(page), "invited": send_locked(other)}
    for name, store in stores.items():
        assert list(store.find_records(list(ids.values()))) == [ids[name]]
    posted = {each.url.removeprefix(address) for each in requests if each.method == "POST"}
    invited = ("/s/invited/invitation", "/s/invited/ticket", "/s/invited/report")
    assert posted == {"/s/open/report", *invited}
    other.close()


def test_who_has_answered_one_survey_can_answer_its_twin(page, serve_several):
    """What a tab keeps is kept for a survey, not for its design."""
    surveys = {"first": small(), "second": small()}
    address, served = serve_several(surveys)
    for name in surveys:
        begin(page, f"{address}/s/{name}/")
        answered(page, surveys[name], [1, 0])
        send_locked(page)
        page.reload()
        page.wait_for_selector("#stop:not([hidden])")
        assert "already" in page.text_content("#stop")
    assert [each.store.count() for each in served.values()] == [1, 1]


def test_a_receipt_is_shown_and_deleted_within_its_survey(page, serve_several):
    surveys = {"a": small(), "b": small()}
    address, served = serve_several(surveys)
    begin(page, f"{address}/s/b/")
    answered(page, surveys["b"], [1, 0])
    send_locked(page)
    receipt = page.text_content("#receipt")
    page.click("#done a:has-text('report')")
    page.wait_for_url("**/s/b/receipt")
    page.fill("#receipt", receipt)
    page.click("#show")
    page.wait_for_selector("#report:not([hidden])")
    page.check("#sure")
    page.click("#delete")
    page.wait_for_selector("#status:has-text('deleted')")
    assert [each.store.count() for each in served.values()] == [0, 0]


def test_who_is_dealt_answers_one_form_and_reports_to_it(page, serve_several):
    address, served = serve_several(FORMS, deal=("often", "seldom"))
    requests = []
    record_requests(page, requests)
    page.goto(address)
    page.click("text=Exams")
    page.wait_for_url("**/s/*/")
    name = page.url.removeprefix(f"{address}/s/").strip("/")
    assert {each.method for each in requests} == {"GET"}
    page.goto(f"{address}/deal/?language=en")
    page.wait_for_url(f"{address}/s/{name}/?language=en")  # a tab keeps to what it drew
    page.click("#start")
    answered(page, FORMS[name], [1])
    send_locked(page)
    assert {each: served[each].store.count() for each in served} == {
        each: int(each == name) for each in FORMS
    }


def test_the_list_of_surveys_fits_every_screen(page, serve_several, axe):
    address, served = serve_several({"a": small(), "b": campus(), "c": small(invitation=True)})
    page.goto(address)
    assert page.locator(".surveys a").all_text_contents() == ["Small", "Campus life"]
    assert find_faults(page, axe) == []
    for each in served.values():
        each.store.set_open(False)
    page.reload()
    assert page.locator(".surveys a").count() == 0
    assert find_faults(page, axe) == []


def test_an_owner_makes_a_link_a_reader_follows_it_until_it_is_revoked(
    page, chromium, serve_several, axe
):
    survey = campus()
    address, served = serve_several({"campus": survey, "other": small()})
    root, held = f"{address}/s/campus", served["campus"]
    send(survey, held.store, [(i % 2, 0, i % 3, 1, 20 + i % 9, 900, 1, 0) for i in range(120)])
    page.goto(f"{root}/admin/welcome?key={held.access.link}")
    page.fill("#password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_selector(".result")
    assert find_faults(page, axe) == []
    page.fill("#link-name", "the student council")
    page.click("#make-link")
    link = page.text_content("#link")
    assert link.startswith(f"{root}/admin/shared#")
    assert find_faults(page, axe) == []

    context = chromium.new_context(viewport=PHONE, locale="en-GB")
    reader = context.new_page()
    reader.goto(link)
    assert reader.url == f"{root}/admin/shared"  # the history holds no code
    assert find_faults(reader, axe) == []
    reader.click("button.main")
    reader.wait_for_selector(".result")
    assert reader.url == f"{root}/admin"
    assert find_faults(reader, axe) == []
    for hidden in ("#open-button", "a:has-text('parquet')", "a:has-text('backup')", "#make-link"):
        assert reader.locator(hidden).count() == 0
    reader.click(".result h3 a >> nth=0")
    reader.wait_for_url("**/s/campus/admin/question/*")
    reader.goto(f"{address}/s/other/admin")
    assert reader.url == f"{address}/s/other/admin/login"
    assert find_faults(reader, axe) == []

    page.goto(f"{root}/admin")
    assert page.locator("#open-button, #make-link, a:has-text('backup')").count() == 3
    page.click("text=Revoke")
    page.wait_for_selector(".result")
    assert page.locator("text=the student council").count() == 0
    reader.goto(f"{root}/admin")
    assert reader.url == f"{root}/admin/login"
    reader.goto(link)
    reader.click("button.main")
    reader.wait_for_selector("#problem:has-text('revoked')")
    assert find_faults(reader, axe) == []
    context.close()
