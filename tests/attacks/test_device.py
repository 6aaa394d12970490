"""What stays on the respondent's device: every file of a browser's profile is searched."""

import base64
import json
import random

import pytest
from support.fault_harness import FULL
from support.web_browser import FIXED, lock_answers

import confide as cf
from confide.reports.wire import receipt_id
from confide.surveys import sampler
from confide.surveys.page_settings import Page
from confide.surveys.survey import Survey

RECEIPT = bytes(range(16))
ANSWERS = {"weight": 7_654_321, "fortune": 1_928_374_655}
WAIT = 6000 if FULL else 1000
"""Milliseconds. Chromium writes a tab's storage down after five seconds, and when it is closed."""
WORDS = [random.Random(77).randrange(10**9, 2**32) for _ in range(16)]


def survey(**page):
    """Numbers too long to stand in a file by chance: one disguised, one in the clear."""
    questions = [
        cf.YesNo("cheated", "Ever cheated?"),
        cf.Number("weight", 7_654_000, 7_655_000, "A number with noise", step=1),
        cf.Number("fortune", 0, 2_000_000_000, "A number in the clear", step=1),
    ]
    groups = [
        cf.Group(["cheated"], cf.RelatedQuestion("3/4")),
        cf.Group(["weight"], cf.GaussianNoise(100)),
    ]
    return Survey(cf.Design(questions, groups, title="Traces"), Page(**page))


def encodings(text):
    """A text as files may hold it: plain, in two bytes a letter, in hexadecimal, in base64."""
    for raw in (text.encode(), text.encode("utf-16-le"), text.encode("utf-16-be")):
        yield raw
        yield raw.hex().encode()
        yield raw.hex().upper().encode()
        for shift in range(3):  # base64 has three ways to fall on a text within another
            inner = base64.b64encode(b"\0" * shift + raw)[4 if shift else 0 : -4]
            yield inner


def found(folder, secrets):
    """Which secrets some file of a folder holds, in any encoding, and where."""
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    assert len(files) > 10
    held = [(path.relative_to(folder), path.read_bytes()) for path in files]
    return [
        (name, str(path))
        for name, needles in secrets.items()
        for path, content in held
        if any(needle in content for needle in needles)
    ]


def secrets_of(asked):
    """What must not be there: the draw, the receipt, the answers, each in every encoding."""
    draws = sampler.draw(asked.questionnaire.weights, iter(WORDS))
    large = [str(place) for drawn in draws for place in drawn if place > 10**6]
    assert large, "no draw is long enough to be looked for"
    receipt = RECEIPT.hex()
    spaced = " ".join(receipt[i : i + 4] for i in range(0, 32, 4))
    return {
        "draw": [e for text in [*large, json.dumps(draws)] for e in encodings(text)],
        "receipt": [RECEIPT, base64.b64encode(RECEIPT)]
        + [e for text in (receipt, spaced, 'storage": {"receipt') for e in encodings(text)],
        "answer": [e for number in ANSWERS.values() for e in encodings(str(number))],
        "key": [e for text in ('"draws"', '"receipt":"') for e in encodings(text)],
    }


def answer(page, address):
    page.add_init_script(f"({FIXED})({json.dumps(WORDS)})")
    page.goto(address)
    page.click("#start")
    page.check("input[name=q0] >> nth=1")
    page.click("#next")
    page.fill("#q1", str(ANSWERS["weight"]))
    page.click("#next")
    page.fill("#q2", str(ANSWERS["fortune"]))
    page.wait_for_timeout(WAIT)
    page.go_back()
    page.go_forward()
    lock_answers(page)


@pytest.mark.parametrize("sent", [True, False], ids=["sent", "left unsent"])
def test_no_draw_receipt_or_answer_is_in_any_file_of_the_browser(profile, serve, sent):
    folder, page = profile
    asked = survey()
    address, store = serve(asked)
    answer(page, address)
    if sent:
        page.click("#send")
        page.wait_for_selector("#done:not([hidden])")
        assert store.count() == 1
    page.context.close()
    assert found(folder, secrets_of(asked)) == []


def test_the_search_finds_what_a_page_does_store(profile, serve):
    """The wrong twin: what lies in a tab's storage is on disk when the browser is closed."""
    folder, page = profile
    asked = survey()
    address, _ = serve(asked)
    page.goto(address)
    draws = sampler.draw(asked.questionnaire.weights, iter(WORDS))
    kept = json.dumps({"receipt": RECEIPT.hex(), "draws": draws}, separators=(",", ":"))
    page.evaluate("(kept) => sessionStorage.setItem('confide', kept)", kept)
    page.wait_for_timeout(1000)
    page.context.close()
    assert {name for name, _ in found(folder, secrets_of(asked))} >= {"draw", "receipt", "key"}


def test_where_no_answer_comes_back_the_locked_bytes_alone_are_kept(profile, serve):
    folder, page = profile
    asked = survey()
    address, _ = serve(asked)
    answer(page, address)
    locked = page.text_content("#bytes")
    assert receipt_id(RECEIPT.hex()) in locked
    page.context.set_offline(True)
    page.click("#send")
    page.wait_for_selector("#status:has-text('Try again')")
    kept = page.evaluate("Object.values(sessionStorage)")
    page.context.close()
    assert [json.loads(each) for each in kept] == [{"bytes": locked}]
    secrets = secrets_of(asked)
    del secrets["answer"]  # what is asked in the clear is in the bytes
    assert found(folder, secrets) == []
