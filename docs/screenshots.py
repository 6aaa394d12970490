"""Makes the web app's screenshots: python docs/screenshots.py CHROMIUM (Debian's by default)."""

from __future__ import annotations

import asyncio
import secrets
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import uvicorn
from playwright.sync_api import Page, sync_playwright

import confide as cf
from confide.cli.example import read_example_survey, simulate_students
from confide.reports.store import open_store
from confide.reports.submissions import Submission
from confide.surveys.sampler import secure_words
from confide.surveys.survey import Survey
from confide.web.app import create_app
from confide.web.model.published import Published
from confide.web.server import build_builder_app

FOLDER = Path(__file__).parent / "pictures"
PORT = 8642
PEOPLE = 4000


def main() -> None:
    """Serve the example survey with simulated people, and photograph it."""
    chromium = sys.argv[1] if len(sys.argv) > 1 else "/usr/bin/chromium"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "survey.toml"
        path.write_text(read_example_survey(), encoding="utf-8")
        survey = Survey.load(path)
        store = open_store(f"sqlite:///{folder}/survey.db", survey.design, by_invitation=False)
        store.settle(list(_people(survey)))
        published = Published(survey, _tree(survey))
        app = create_app(survey, store, published=published)
        server = uvicorn.Server(uvicorn.Config(app, port=PORT, log_level="warning"))
        threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True).start()
        while not server.started:
            time.sleep(0.05)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium, args=["--no-sandbox", "--disable-dev-shm-usage"]
            )
            _respondent(browser)
            _model(browser)
            _builder(browser, Path(folder))
            _collector(browser, app.state.access.link)
            browser.close()
        server.should_exit = True


def _people(survey: Survey) -> Any:
    words, form = secure_words(), survey.questionnaire
    for person in simulate_students(PEOPLE, 2).to_pylist():
        record = form.pack(form.disguise(person, words), form.modes())
        yield Submission(secrets.token_bytes(16), record)


def _tree(survey: Survey) -> Any:
    """A tree for drugs, with the accuracy that other people's reports give it."""
    design, (train, test) = survey.design, (simulate_students(PEOPLE, seed) for seed in (2, 3))
    tree = cf.DisguisedTreeClassifier(design, target="drugs", max_depth=3)
    tree.fit(design.disguise(train, seed=4))
    tree.accuracy_ = tree.score_disguised(design.disguise(test, seed=5))
    return tree


def _model(browser: Any) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 780})
    page.goto(f"http://127.0.0.1:{PORT}/model")
    page.wait_for_selector("#predict:not([disabled])")
    _photograph(page, "model")
    for question in page.locator("fieldset.question").all():
        question.locator("input >> nth=1").check()
    for question in page.locator("input[type=number]").all():
        question.fill("23")
    page.click("#predict")
    page.click("summary >> nth=0")
    page.evaluate("document.getElementById('predict').scrollIntoView()")
    _photograph(page, "model-said")
    page.close()


def _respondent(browser: Any) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 780})
    page.goto(f"http://127.0.0.1:{PORT}/")
    page.click("#practice button >> nth=1")
    _photograph(page, "page")
    page.click("#start")
    for number in range(5):
        if number == 1:
            page.click(".sheet:not([hidden]) .protection summary")
            _photograph(page, "questions")
        _answer_sheet(page)
        page.click("#next")
    page.wait_for_selector("#review:not([hidden])")
    _photograph(page, "review")
    page.close()
    page = browser.new_page(viewport={"width": 390, "height": 780}, color_scheme="dark")
    page.goto(f"http://127.0.0.1:{PORT}/")
    page.wait_for_selector("#begin:not([hidden])")
    _photograph(page, "page-dark")
    page.close()


def _answer_sheet(page: Page) -> None:
    for question in page.locator(".question:visible").all():
        if (number := question.locator("input[type=text]")).count():
            number.fill("23")
        else:
            question.locator("input").nth(1).check()


def _builder(browser: Any, folder: Path) -> None:
    """The page of `confide new`, with a worked survey and one of its questions in hand."""
    app, key = build_builder_app(folder / "new.toml", "127.0.0.1")
    server = uvicorn.Server(uvicorn.Config(app, port=PORT + 1, log_level="warning"))
    threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"http://127.0.0.1:{PORT + 1}/new#{key}")
    page.select_option("#worked", "workplace-harassment")
    page.get_by_text("1,068 people").first.wait_for()
    page.focus("fieldset >> nth=3 >> textarea >> nth=0")
    page.wait_for_timeout(1500)
    _photograph(page, "builder")
    server.should_exit = True


def _collector(browser: Any, link: str) -> None:
    page = browser.new_page(viewport={"width": 900, "height": 900})
    page.goto(f"http://127.0.0.1:{PORT}/admin/welcome?key={link}")
    page.fill("#password", secrets.token_hex(8))
    page.keyboard.press("Enter")
    page.wait_for_selector(".result", timeout=60_000)
    _photograph(page, "dashboard")
    page.goto(f"http://127.0.0.1:{PORT}/admin/cross?row=faculty&column=cheated")
    page.wait_for_selector(".result")
    _photograph(page, "dashboard-cross")
    page.goto(f"http://127.0.0.1:{PORT}/admin/model?target=drugs&kind=tree")
    page.wait_for_selector("#learned .tree", timeout=300_000)
    _photograph(page, "dashboard-model")
    page.set_viewport_size({"width": 390, "height": 780})
    page.goto(f"http://127.0.0.1:{PORT}/admin")
    page.wait_for_selector(".result")
    _photograph(page, "dashboard-phone")


def _photograph(page: Page, name: str) -> None:
    page.screenshot(path=FOLDER / f"{name}.png")


if __name__ == "__main__":
    main()
