"""Where the pages of the results are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlencode


@dataclass(frozen=True)
class Links:
    """Addresses of the pages, which keep the language and the people that results are about.

    Parameters
    ----------
    root : str
        Where the survey is within its server.
    language : str
        The language, where it is not the survey's own; else "".
    among : tuple of str
        The answers that the people share, such as "faculty=law".
    """

    root: str = ""
    language: str = ""
    among: tuple[str, ...] = ()

    def to(self, path: str, among: Sequence[str] | None = None, **given: str) -> str:
        """The address of a page."""
        asked = self.list_kept(among) + list(given.items())
        return self.root + (f"{path}?{urlencode(asked)}" if asked else path)

    def list_kept(self, among: Sequence[str] | None = None) -> list[tuple[str, str]]:
        """What every address keeps, as a form sends it."""
        language = [("language", self.language)] if self.language else []
        return [*language, *(("among", each) for each in (self.among if among is None else among))]

    def question(self, name: str) -> str:
        """The address of a question's own page."""
        return self.to(f"/admin/question/{quote(name, safe='')}")
