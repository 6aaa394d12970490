"""Addresses as pictures that telephones read."""

from __future__ import annotations

from io import BytesIO, StringIO
from pathlib import Path

import segno

from confide.errors import ConfideError


def draw_for_terminal(address: str) -> str:
    """Draw an address with characters that a terminal shows."""
    drawn = StringIO()
    segno.make(address, micro=False).terminal(drawn, compact=True, border=2)
    return drawn.getvalue()


def draw_for_page(address: str) -> str:
    """Draw an address as SVG, dark on white whatever the page's colours are.

    >>> draw_for_page("https://survey.example").startswith("<svg")
    True
    """
    drawn = BytesIO()
    code = segno.make(address, micro=False, error="m")
    code.save(drawn, kind="svg", xmldecl=False, light="#fff", scale=4, title=address, nl=False)
    return drawn.getvalue().decode()


def draw_for_print(address: str) -> str:
    """Draw an address as SVG that takes the size of its place.

    >>> "viewBox" in draw_for_print("https://survey.example")
    True
    """
    code = segno.make(address, micro=False, error="m")
    return str(code.svg_inline(omitsize=True, light="#fff"))


def write_pictures(links: list[str], folder: Path) -> None:
    """Write each link as a PNG file into a new folder that only its owner reads."""
    try:
        folder.mkdir(mode=0o700)
        for number, link in enumerate(links, 1):
            path = folder / f"{number:0{len(str(len(links)))}}.png"
            path.touch(mode=0o600)
            segno.make(link, micro=False, error="m").save(str(path), scale=8)
    except OSError as error:
        raise ConfideError(f"cannot write {folder}: {error.strerror}.") from None
