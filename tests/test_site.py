"""The documentation site: it builds without a warning, names what exists, and is read in a browser.

Leave it out of a fast run with ``-m "not site"``.
"""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import threading
import tomllib
import zlib
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from support.machine import program

import confide as cf
from confide.design.survey_schema import survey_schema
from confide.mechanisms import MECHANISMS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PHONE = {"width": 390, "height": 844}


@pytest.mark.slow
@pytest.mark.site
def test_the_site_is_sound_complete_and_at_home_in_a_browser(tmp_path, subtests):
    """One build, and all that is asked of it."""
    site = tmp_path / "site"
    command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going"]
    ran = subprocess.run(
        [*command, "--doctree-dir", str(tmp_path / "doctrees"), str(DOCS), str(site)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    with subtests.test("nothing is loaded from outside"):
        assert [*outside_html(site), *outside_css(site)] == []
    with subtests.test("every public name has its place in the reference"):
        assert public_names() - documented(site) == set()
    with subtests.test("every command is described"):
        text = (site / "reference" / "command-line.html").read_text(encoding="utf-8")
        assert [name for name in commands() if f'id="confide-{name}"' not in text] == []
    with subtests.test("pages load, fit a phone and are found by the search"):
        check_in_a_browser(site)


def pages(site):
    """All pages but the theme's own template among its assets."""
    return sorted(path for path in site.rglob("*.html") if "_static" not in path.parts)


def outside_html(site):
    """What a page of the site would load from elsewhere."""
    for path in pages(site):
        loads = Loads()
        loads.feed(path.read_text(encoding="utf-8"))
        yield from (f"{path.name}: {url}" for url in loads.urls if is_outside(url))


class Loads(HTMLParser):
    """The addresses that a browser loads by itself; not those of links that people follow."""

    def __init__(self):
        super().__init__()
        self.urls = []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.urls += [given[name] for name in ("src", "srcset", "poster", "data") if name in given]
        if tag == "link" and given.get("rel") not in ("author", "canonical", "license"):
            self.urls.append(given.get("href", ""))


def outside_css(site):
    for path in sorted(site.rglob("*.css")):
        urls = re.findall(r"(?:url\(|@import)\s*[\"']?([^\"')]+)", path.read_text(encoding="utf-8"))
        yield from (f"{path.name}: {url}" for url in urls if is_outside(url))


def is_outside(url):
    return bool(re.match(r"\s*(https?:)?//", url))


def test_the_check_notices_what_is_loaded_from_elsewhere(tmp_path):
    (tmp_path / "a.html").write_text(
        '<script src="https://cdn.example/x.js"></script><a href="//b">'
    )
    (tmp_path / "a.css").write_text("@font-face { src: url('//fonts.example/x.woff2') }")
    assert list(outside_html(tmp_path)) == ["a.html: https://cdn.example/x.js"]
    assert list(outside_css(tmp_path)) == ["a.css: //fonts.example/x.woff2"]


def public_names():
    rooms = {"compliance": cf.compliance, "privacy": cf.privacy}
    names = {f"confide.{name}" for name in cf.__all__ if name not in rooms}
    for room, module in rooms.items():
        names |= {f"confide.{room}.{name}" for name in module.__all__ if name not in cf.__all__}
    return names


def documented(site):
    """The names in the site's inventory, which is four lines and then packed."""
    packed = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    return {line.split()[0] for line in zlib.decompress(packed).decode().splitlines()}


def commands():
    from confide.cli.app import COMMANDS

    return [command.__name__.rstrip("_") for command in COMMANDS]


def check_in_a_browser(site):
    """Every page loads from the site alone and is no wider than a phone; the search finds pages."""
    from playwright.sync_api import sync_playwright

    chromium = program("chromium", "chromium")
    handler = partial(QuietHandler, directory=str(site))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home = f"http://127.0.0.1:{server.server_port}/"
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium, args=["--no-sandbox", "--disable-dev-shm-usage"]
            )
            page = browser.new_page(viewport=PHONE)
            asked, failed = [], []
            page.on("request", lambda request: asked.append(request.url))
            page.on("response", lambda answer: answer.status < 400 or failed.append(answer.url))
            page.on("pageerror", lambda error: failed.append(str(error)))
            wide = []
            for path in pages(site):
                page.goto(home + str(path.relative_to(site)))
                width = page.evaluate("document.documentElement.scrollWidth")
                if width > PHONE["width"]:
                    wide.append(f"{path.relative_to(site)}: {width}")
            page.goto(f"{home}search.html?q=negative+share")
            page.wait_for_selector("ul.search li a")
            found = page.locator("ul.search li a").all_inner_texts()
            browser.close()
    finally:
        server.shutdown()
        server.server_close()
    assert [url for url in asked if not url.startswith((home, "data:"))] == []
    assert failed == []
    assert wide == []
    assert any("Read the results" in title for title in found), found


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Say nothing."""


@pytest.mark.slow
@pytest.mark.site
@pytest.mark.parametrize("path", sorted(DOCS.rglob("*.ipynb")), ids=lambda path: path.name)
def test_a_notebook_runs_and_prints_what_it_shows(path, tmp_path):
    import nbformat
    from nbclient import NotebookClient

    shown = nbformat.read(path, as_version=4)
    ran = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(ran, timeout=300, resources=resources).execute()
    assert [printed(cell) for cell in ran.cells] == [printed(cell) for cell in shown.cells]


def printed(cell):
    """What a cell has printed, as text."""
    outputs = cell.get("outputs", [])
    return [output.get("text") or output.get("data", {}).get("text/plain") for output in outputs]


@pytest.mark.parametrize("page", [ROOT / "README.md", DOCS / "start" / "install.md"])
@pytest.mark.parametrize("name", ["confide", "."])
def test_every_extra_has_its_install_line_at_the_top(page, name):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = set(project["optional-dependencies"]) - {"test", "test-serve"}
    top = "\n".join(page.read_text(encoding="utf-8").splitlines()[:30])
    lines = re.findall(rf'`pip install "{re.escape(name)}\[([a-z,]+)\]"`', top)
    named = {extra for line in lines for extra in line.split(",")}
    assert named <= extras and extras <= named
    assert f"`pip install {name}`" in top


PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]
MAPS = {ROOT / "CONTRIBUTING.md", *(DOCS / "ideas" / "papers").glob("[!i]*.md")}  # no index
NAMED = re.compile(r"`((?:src|tests|benchmarks|docs|scripts|vectors)/[^`\s]+|confide\.[\w.]+)`")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_page_names_files_functions_and_tests_that_exist(path):
    names = NAMED.findall(path.read_text(encoding="utf-8"))
    assert path not in MAPS or len(names) > 10
    assert [name for name in names if not exists(name)] == []


def exists(name):
    """Whether a dotted name, a file, or a function or constant of a file (``file.py::name``) is."""
    if name.startswith("confide."):
        return resolves(name)
    file, _, function = name.partition("::")
    path = ROOT / file
    if not function:
        return path.exists()
    return path.is_file() and bool(
        re.search(
            rf"^\s*(def|class) {function}\b|^{function}\b.* = ",
            path.read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    )


def resolves(name):
    """Whether Python finds the name, going from the package inwards."""
    parts = name.split(".")
    found = importlib.import_module(parts[0])
    for place, part in enumerate(parts[1:], start=2):
        if not hasattr(found, part):
            try:
                importlib.import_module(".".join(parts[:place]))
            except ImportError:
                return False
        found = getattr(found, part)
    return True


def test_a_name_that_is_gone_would_be_noticed():
    assert exists("confide.Crowd.pool")
    assert not exists("confide.Crowd.pooled")
    assert exists("tests/test_site.py::exists")
    assert not exists("tests/test_site.py::vanished")
    assert exists("tests/test_site.py::MAPS")
    assert not exists("tests/test_site.py::CHARTS")
    assert not exists("src/confide/vanished.py")


def test_the_pages_made_from_the_program_say_what_the_program_says():
    sys.path.insert(0, str(DOCS))
    try:
        generated = importlib.import_module("generated")
    finally:
        sys.path.remove(str(DOCS))
    text = generated.survey_schema()
    keys = [part.get("properties", {}) for part in survey_schema()["$defs"].values()]
    assert all(f"| `{key}` |" in text for part in keys for key in part)
    for kind in MECHANISMS:
        assert f"| `{kind.kind}` | `{next(iter(kind.needed_keys))}`" in generated.mechanism_table()
        assert f"autoclass:: confide.{kind.__name__}\n" in generated.mechanisms()
    assert all(f"{path}`" in generated.http_api() for path in generated.openapi()["paths"])
