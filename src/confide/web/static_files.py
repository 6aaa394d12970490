"""Scripts, the stylesheet and the icon, as the app serves them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

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
