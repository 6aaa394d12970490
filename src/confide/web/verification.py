"""Whether a server serves exactly what this release serves for a survey.

It is visited as several browsers in several languages would visit it. Page, scripts, weights and
headers are compared byte for byte with what this release makes of the survey file; without the
file, with what it makes of the design that the server publishes, as far as that goes.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from itertools import product
from urllib.parse import urlsplit

from confide.design.plain_values import from_dict
from confide.errors import ConfideError, show
from confide.files import Json
from confide.surveys.page_settings import Page
from confide.surveys.page_texts import is_language
from confide.surveys.seal import describe_survey, write_document
from confide.surveys.survey import Survey
from confide.web.addresses import HERE
from confide.web.blind_signatures import BITS
from confide.web.guard import PAGE_HEADERS
from confide.web.respondent.plain_pages import render_upload_page
from confide.web.respondent.survey_page import render_offline_page, render_page
from confide.web.static_files import SCRIPTS, hash_for_browser, read_static_files, write_import_map
from confide.web.visiting import Fetched, fetch

_BROWSERS = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/126.0.0.0 Safari/537.36",
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
    "Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
)
_LANGUAGES = ("en-US,en;q=0.9", "de-CH,de;q=0.9,en;q=0.5", "ar")
_FILES = (*SCRIPTS, "style.css", "icon.svg")
_PAGES = ("/", "/offline.html", "/upload")
_MOST_LANGUAGES = 50


@dataclass(frozen=True)
class PartCheck:
    """What was found of one part of what a server serves.

    Parameters
    ----------
    part : str
        What was looked at.
    good : bool
        Whether it is as this release serves it.
    told : str
        What was found.
    """

    part: str
    good: bool
    told: str


def verify_server(address: str, survey: Survey | None = None) -> list[PartCheck]:
    """Visit a survey's address and say of each part whether it is what this release serves."""
    if urlsplit(address).scheme not in ("http", "https"):
        raise ConfideError(f"an address starts with https:// or http://. Got {show(address)}.")
    base = address.split("#")[0].rstrip("/")
    visitors = list(product(_BROWSERS, _LANGUAGES))
    first = fetch(base + "/", *visitors[0]).body
    pages = [page + chosen for chosen in _list_choices(first) for page in _PAGES]
    paths = [*pages, "/design.json", *(f"/static/{name}" for name in _FILES)]
    visits = {path: [fetch(base + path, *visitor) for visitor in visitors] for path in paths}
    page, design = visits["/"][0].body, visits["/design.json"][0].body
    document = _find_element(page, "survey")
    seal = hashlib.sha256(document).hexdigest() if document else ""
    return [
        PartCheck("seal", bool(document), seal or "the page holds no document to be sealed"),
        _check_words(
            document, [visits[path][0].body for path in pages if not path.startswith("/u")]
        ),
        *_check_key(document),
        _compare_visits(visits),
        *_compare_scripts(visits),
        _compare_headers(visits),
        *(
            _compare_design(page, document, design)
            if survey is None
            else _compare_survey(survey, document, {p: visits[p][0].body for p in pages})
        ),
    ]


def _compare_visits(visits: dict[str, list[Fetched]]) -> PartCheck:
    differing = [path for path, found in visits.items() if len({each.body for each in found}) > 1]
    refused = [path for path, found in visits.items() if any(each.status != 200 for each in found)]
    count = f"{len(_BROWSERS)} browsers in {len(_LANGUAGES)} languages"
    if differing:
        return PartCheck("visitors", False, f"{count} got different {', '.join(differing)}")
    if refused:
        return PartCheck("visitors", False, f"not served to everyone: {', '.join(refused)}")
    return PartCheck("visitors", True, f"{count} got the same")


def _compare_scripts(visits: dict[str, list[Fetched]]) -> Iterator[PartCheck]:
    for name in _FILES:
        bodies = {each.body for each in visits[f"/static/{name}"]}
        good = bodies == {read_static_files()[name][0]}
        told = "as in this release" if good else "other bytes than in this release"
        yield PartCheck(name, good, told)


def _compare_headers(visits: dict[str, list[Fetched]]) -> PartCheck:
    wrong: dict[str, None] = {}
    for each in (answer for found in visits.values() for answer in found):
        for name, value in PAGE_HEADERS.items():
            if each.headers.get(name.lower()) != value:
                wrong[name] = None
        if "set-cookie" in each.headers:
            wrong["Set-Cookie"] = None
    told = f"missing, changed or too many: {', '.join(wrong)}" if wrong else "as in this release"
    return PartCheck("headers", not wrong, told)


def _compare_survey(survey: Survey, document: bytes, served: dict[str, bytes]) -> list[PartCheck]:
    """Compare everything with what this release makes of a survey file."""
    key = _find_key(document)
    same = document == write_document(survey, key).encode()
    same &= bool(key) == survey.page.invitation
    good = {"page": True, "offline form": True, "upload page": True}
    for language in survey.languages:
        chosen = "" if language == survey.language else f"?language={language}"
        page, offline, upload = (served.get(path + chosen) for path in _PAGES)
        good["page"] &= page in [
            render_page(survey, language, is_open=is_open, has_model=has_model, key=key).encode()
            for is_open, has_model in product((True, False), repeat=2)
        ]
        good["offline form"] &= offline == render_offline_page(survey, language, key).encode()
        good["upload page"] &= upload == render_upload_page(survey, language, key).encode()
    told = [
        PartCheck(part, each, _tell(each, "what the survey file gives"))
        for part, each in good.items()
    ]
    return [PartCheck("weights and words", same, _tell(same, "those of the survey file")), *told]


def _check_words(document: bytes, pages: list[bytes]) -> PartCheck:
    """Whether every page and form says the words that the sealed document names by their hash."""
    named = _read(document).get("words")
    hashes = [hashlib.sha256(_find_element(page, "words")).hexdigest() for page in pages]
    good = isinstance(named, dict) and set(hashes) == set(named.values())
    return PartCheck("words", good, _tell(good, "those that the seal covers, in every language"))


def _list_choices(page: bytes) -> list[str]:
    """List how a page is asked for in each of its languages, that of its questions first."""
    own = _read(_find_element(page, "words")).get("language")
    named = _read(_find_element(page, "survey")).get("words")
    others = [each for each in named if each != own] if isinstance(named, dict) else []
    return ["", *(f"?language={each}" for each in others if is_language(each))][:_MOST_LANGUAGES]


def _read(document: bytes) -> Json:
    try:
        found = json.loads(document)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _check_key(document: bytes) -> Iterator[PartCheck]:
    """Show the key of a survey by invitation: it is the survey's own, and the same for everyone."""
    key = _find_key(document)
    if key:
        good = re.fullmatch(rf"[89a-f][0-9a-f]{{{BITS // 4 - 1}}}", key) is not None
        digest = hashlib.sha256(key.encode()).hexdigest()
        told = f"SHA-256 {digest}" if good else f"not {BITS} bits in hexadecimal digits"
        yield PartCheck("key of tickets", good, told)


def _find_key(document: bytes) -> str:
    key = _read(document).get("key")
    return key if isinstance(key, str) else ""


def _compare_design(page: bytes, document: bytes, design: bytes) -> list[PartCheck]:
    """Compare with what this release makes of the design that the server publishes."""
    foreign = list(_find_foreign(page))
    told = f"not of this release: {'; '.join(foreign)}" if foreign else "no part of another kind"
    return [
        PartCheck("weights", *_compare_weights(document, design)),
        PartCheck("page", not foreign, f"{told}; its words need --survey"),
    ]


def _compare_weights(document: bytes, design: bytes) -> tuple[bool, str]:
    try:
        given, published = json.loads(document), from_dict(json.loads(design))
        survey = Survey(published, Page(invitation=bool(given["invitation"])))
        made = describe_survey(survey)
        same = all(given[key] == made[key] for key in ("design", "modes", "blocks"))
        same &= given["fields"] == json.loads(json.dumps(made))["fields"]
    except (ConfideError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False, "the page or the published design cannot be read"
    return same, _tell(same, "those of the design that is published")


def _tell(same: bool, what: str) -> str:
    return what if same else f"not {what}"


def _find_element(page: bytes, name: str) -> bytes:
    """Find a text that the page's script works with, such as the "survey" that it seals."""
    _, _, rest = page.partition(f'<script type="application/json" id="{name}">'.encode())
    return rest.partition(b"</script>")[0]


def _find_foreign(page: bytes) -> Iterator[str]:
    """Find whatever could run or reach out in a page and is not of this release."""
    parser = _Elements()
    parser.feed(page.decode("utf-8", "replace"))
    names = {f"{HERE}/static/{name}": hash_for_browser(name) for name in SCRIPTS}
    for tag, given in parser.found:
        if tag in ("base", "embed", "form", "iframe", "object", "style"):
            yield f"<{tag}>"
        if any(name.startswith("on") or name == "style" for name in given):
            yield f"<{tag}> with code of its own"
        if tag == "script" and given.get("type") not in ("application/json", "importmap"):
            source = str(given.get("src"))
            if source not in names or names[source] != given.get("integrity"):
                yield f"the script {show(source)}"
    if f'<script type="importmap">{write_import_map(HERE)}</script>'.encode() not in page:
        yield "other hashes of scripts"
    if sum(tag == "script" for tag, _ in parser.found) != 5:
        yield "another number of scripts"


class _Elements(HTMLParser):
    """Lists the elements of a page with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
