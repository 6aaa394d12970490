"""Documents for paper: one HTML file that needs nothing else, or the same as PDF."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from os import geteuid
from pathlib import Path

from confide.errors import ConfideError, MissingPackageError, QueryError
from confide.files import write_atomically

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


def check_printable(path: Path) -> None:
    """Refuse a file that is neither .html nor .pdf, and a .pdf where no browser prints one."""
    if path.suffix not in (".html", ".pdf"):
        raise QueryError(f"a document is written as .html or .pdf. Got {str(path)[:80]!r}.")
    if path.suffix == ".pdf":
        _find_browser()


def write_printable(html: str, path: Path, *, private: bool = False) -> None:
    """Write a document as its file's ending says; a private one only its owner reads."""
    with write_atomically(path) as temporary:
        temporary.touch(mode=0o600 if private else 0o666)
        if path.suffix == ".pdf":
            _print_pdf(html, temporary, path.name)
        else:
            temporary.write_text(html, encoding="utf-8")


def _find_browser() -> str:
    found = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if found is None:
        raise MissingPackageError(
            f"a PDF takes a browser, and none of {', '.join(_BROWSERS)} is installed. Write it as "
            ".html, open that in any browser and print it from there."
        )
    return found


def _print_pdf(html: str, path: Path, name: str) -> None:
    """Print a document with a browser that is installed."""
    browser = _find_browser()
    with tempfile.TemporaryDirectory() as folder:
        page, printed = Path(folder) / "document.html", Path(folder) / "document.pdf"
        page.write_text(html, encoding="utf-8")
        command = [browser, "--headless", "--disable-gpu", "--no-pdf-header-footer"]
        if geteuid() == 0:  # its sandbox refuses the administrator of the machine
            command.append("--no-sandbox")
        command += [f"--user-data-dir={folder}/profile", f"--print-to-pdf={printed}", page.as_uri()]
        done = subprocess.run(command, check=False, capture_output=True, timeout=120)
        if done.returncode or not printed.exists():
            raise ConfideError(
                f"{browser} could not print {name}. Write it as .html and print it from there."
            )
        shutil.copyfile(printed, path)
