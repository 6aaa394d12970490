"""Takes screenshots of every page, from real servers: python docs/screenshots.py (make pictures).

Respondents' pages are taken on a phone, the others on a desk; some in the dark as well. Needs
Chromium.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

import confide as cf
from confide.cli.example import read_example_survey, simulate_students

FOLDER = Path(__file__).resolve().parent / "pictures" / "pages"
CONFIDE = [sys.executable, "-m", "confide"]
PHONE = {"width": 390, "height": 780}
DESK = {"width": 1100, "height": 760}
PASSWORD = "correct horse battery"
WAITED = {"results-model": "#learned .tree"}


def main() -> None:
    """Take all of them."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        chromium = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        show_survey_and_results(browser)
        show_draft(browser, Path(folder))
        show_model(browser, Path(folder))
        show_folder(browser, Path(folder) / "surveys")
        browser.close()


@contextmanager
def run(*arguments: str, until: str) -> Iterator[str]:
    """Run a command; what it has printed until a certain word."""
    with subprocess.Popen([*CONFIDE, *arguments], stdout=subprocess.PIPE, text=True) as process:
        try:
            printed = ""
            while until not in printed:
                line = process.stdout.readline()
                if not line:
                    raise SystemExit(f"confide {' '.join(arguments)} ended: {printed}")
                printed += line
            yield printed
        finally:
            process.terminate()


def find_addresses(printed: str) -> list[str]:
    """Find the addresses in what was printed."""
    return re.findall(r"https?://[^\s)]+", printed)


@contextmanager
def visit(
    browser: Browser, address: str, size: dict[str, int], dark: bool = False
) -> Iterator[Page]:
    """Open an address as a visitor of its own."""
    colours = "dark" if dark else "light"
    context = browser.new_context(viewport=size, color_scheme=colours, locale="en-GB")
    page = context.new_page()
    page.goto(address)
    yield page
    context.close()


def take(page: Page, name: str, whole: bool = False) -> None:
    """Take one picture, when nothing moves any more."""
    page.wait_for_timeout(500)
    page.screenshot(path=FOLDER / f"{name}.png", full_page=whole, animations="disabled")


def show_survey_and_results(browser: Browser) -> None:
    """Show the example survey to a respondent, and its results to the researcher."""
    demo = ("demo", "--no-browser", "--respondents", "2000", "--seconds", "1")
    with run(*demo, until="ends") as out:
        survey, welcome = find_addresses(out)[:2]
        for dark in (False, True):
            with visit(browser, survey, PHONE, dark) as page:
                show_respondent(page, "-dark" if dark else "")
        with visit(browser, f"{survey}receipt", PHONE) as page:
            take(page, "receipt")
        with visit(browser, f"{survey}upload", PHONE) as page:
            take(page, "upload")
        with visit(browser, welcome, DESK) as page:
            page.wait_for_selector(".result")
            show_results(page, survey)


def show_respondent(page: Page, colours: str) -> None:
    """Go through a survey from the first screen to what is sent."""
    page.wait_for_selector("#begin:not([hidden])")
    page.click("#practice button >> nth=1")
    take(page, f"start{colours}")
    page.click("#start")
    page.wait_for_selector(".sheet:not([hidden])")
    page.click(".sheet:not([hidden]) .protection summary")
    take(page, f"question{colours}")
    while not page.is_visible("#review"):
        answer(page)
        page.click("#next")
        page.wait_for_timeout(100)
    take(page, f"review{colours}")
    page.click("#send")
    page.wait_for_selector("#done:not([hidden])")
    take(page, f"sent{colours}")


def answer(page: Page) -> None:
    """Answer the questions that are shown."""
    for question in page.locator(".question:visible").all():
        if (number := question.locator("input[type=text], input[type=number]")).count():
            number.fill("23")
        else:
            question.locator("input").nth(1).check()


def show_results(page: Page, survey: str) -> None:
    """Go through the results."""
    take(page, "results")
    pages = {
        "results-question": "/admin/question/harassed",
        "results-cross": "/admin/cross?row=faculty&column=cheated",
        "results-demo": "/admin/demo",
        "results-model": "/admin/model?target=drugs&kind=tree",
        "results-privacy": "/admin/privacy",
    }
    for name, path in pages.items():
        page.goto(survey.rstrip("/") + path)
        page.wait_for_selector(WAITED.get(name, "main"), timeout=300_000)
        take(page, name)
    report = page.request.get(f"{survey}admin/report").text()
    page.goto("about:blank")
    page.set_content(report)
    take(page, "report")
    page.set_viewport_size(PHONE)
    for dark in (False, True):
        page.emulate_media(color_scheme="dark" if dark else "light")
        page.goto(f"{survey}admin")
        page.wait_for_selector(".result")
        take(page, "results-phone-dark" if dark else "results-phone")


def show_draft(browser: Browser, folder: Path) -> None:
    """Show a survey while it is written, and as a preview."""
    draft = folder / "harassment.toml"
    shutil.copyfile(files("confide.surveys") / "gallery" / "workplace-harassment.toml", draft)
    write = ("new", str(draft), "--no-browser", "--port", "8391")
    preview = ("serve", str(draft), "--preview", "--port", "8392")
    with run(*write, until="http") as out, visit(browser, find_addresses(out)[0], DESK) as page:
        page.wait_for_selector("#people:not(:empty)")
        take(page, "builder")
    with run(*preview, until="http") as out, visit(browser, find_addresses(out)[0], PHONE) as page:
        take(page, "preview")


def show_model(browser: Browser, folder: Path) -> None:
    """Show a published model and its test, and how a researcher comes in."""
    survey, model = folder / "students.toml", folder / "tree.json"
    survey.write_text(read_example_survey() + '\n[page]\ntest = "3/4"\n', encoding="utf-8")
    design = cf.Design.load(survey)
    reports = design.disguise(simulate_students(4000, 2), seed=3)
    tree = cf.DisguisedTreeClassifier(design, "drugs", max_depth=3).fit(reports)
    others = design.disguise(simulate_students(4000, 4), seed=5)
    tree.save(model, accuracy=tree.score_disguised(others))
    with run("serve", str(survey), "--model", str(model), "--port", "8393", until="Model") as out:
        address, welcome = find_addresses(out)[:2]
        with visit(browser, f"{address}model/test", PHONE) as page:
            take(page, "model-test")
        with visit(browser, f"{address}model", PHONE) as page:
            page.wait_for_selector("#predict:not([disabled])")
            take(page, "model")
            answer(page)
            page.click("#predict")
            page.click("summary >> nth=0")
            page.evaluate("document.getElementById('predict').scrollIntoView()")
            take(page, "model-said")
        with visit(browser, welcome, PHONE) as page:
            take(page, "welcome")
            page.fill("#password", PASSWORD)
            page.keyboard.press("Enter")
            page.wait_for_selector("main")
            page.context.clear_cookies()
            page.goto(f"{address}admin")
            take(page, "login")


def show_folder(browser: Browser, folder: Path) -> None:
    """Show several surveys of one server, a link for readers, and invitations to print."""
    folder.mkdir()
    for name in ("workplace-harassment", "student-misconduct"):
        shutil.copyfile(
            files("confide.surveys") / "gallery" / f"{name}.toml", folder / f"{name}.toml"
        )
    served = ("serve", str(folder), "--port", "8394")
    with run(*served, until="workplace-harassment/admin") as out:
        first, survey, welcome = find_addresses(out)[:3]
        with visit(browser, first, PHONE) as page:
            take(page, "surveys")
        with visit(browser, welcome, PHONE) as page:
            page.fill("#password", PASSWORD)
            page.keyboard.press("Enter")
            page.fill("#link-name", "the student council")
            page.click("#make-link")
            link = page.text_content("#link")
            take(page, "link-made")
            page.goto(f"{survey}admin")
            page.evaluate("document.getElementById('sharing').scrollIntoView()")
            take(page, "sharing")
        with visit(browser, link, PHONE) as page:
            take(page, "shared")
    invited = folder / "invited.toml"
    invited.write_text(read_example_survey() + "\n[page]\ninvitation = true\n", encoding="utf-8")
    written = ("-o", str(folder / "links.csv"), "--cards", str(folder / "cards.html"))
    address = "https://survey.example/s/invited"
    with run("invite", str(invited), "--count", "8", "--address", address, *written, until="links"):
        pass
    with visit(browser, (folder / "cards.html").as_uri(), {"width": 760, "height": 1060}) as page:
        take(page, "cards")


if __name__ == "__main__":
    main()
