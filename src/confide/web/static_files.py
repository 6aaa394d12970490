"""Scripts, the stylesheet and the icon, as the app serves them."""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

SCRIPTS = (
    *("sampler.js", "report.js", "words.js", "asking.js", "blinding.js", "sending.js"),
    *("steps.js", "explaining.js", "picturing.js", "practising.js", "page.js"),
)
"""The respondent's scripts, whose hashes the page shows; the last one imports the others."""

_TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


@cache
def read_static_files() -> dict[str, tuple[bytes, str]]:
    """Read every static file: its bytes and their media type, by its name."""
    folder = files("confide.web") / "static"
    return {
        each.name: (each.read_bytes(), _TYPES[each.name.rsplit(".", 1)[1]])
        for each in folder.iterdir()
    }


def hash_files(names: Sequence[str]) -> list[tuple[str, str]]:
    """Compute the SHA-256 of some static files, each beside its name."""
    return [(name, hashlib.sha256(read_static_files()[name][0]).hexdigest()) for name in names]


def hash_for_browser(name: str) -> str:
    """Compute the hash by which a browser checks a script before it runs it."""
    return _hash_as_source(read_static_files()[name][0])


def _hash_as_source(content: bytes) -> str:
    return f"sha256-{b64encode(hashlib.sha256(content).digest()).decode()}"


@cache
def write_import_map(root: str) -> str:
    """Write the hashes of the scripts that others import, as browsers read them.

    A script that a page names carries its hash there. The root is the way there from the page.
    """
    scripts = b"".join(each for each, kind in read_static_files().values() if kind == _TYPES["js"])
    imported = sorted(set(re.findall(rb'from "\./(\w+\.js)"', scripts)))
    hashes = {
        f"{root}/static/{name}": hash_for_browser(name) for name in map(bytes.decode, imported)
    }
    return json.dumps({"integrity": hashes}, separators=(",", ":"))


def name_source(text: str) -> str:
    """Name a text as a Content-Security-Policy does."""
    return f"'{_hash_as_source(text.encode())}'"
