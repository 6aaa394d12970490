"""Where a survey is within its server: alone at the root, or among others under /s/NAME.

Pages of respondents name what they load and link by the way there ("./static/page.js"), so that
they are the same bytes wherever they are served. Pages of the administration lie at several depths:
they name the whole path, which begins with the survey's root.
"""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import RedirectResponse

HERE, ABOVE = ".", ".."
"""The way to a survey's root from its pages: those beside its first one, and /model/test."""

SHARED = "/admin/shared"
"""Where a link for readers leads; its code stands behind #."""

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}")
"""How a survey among others may be named."""

_ADMINISTRATION = re.compile(rf"(/s/{NAME.pattern})?/admin(/|$)")


def name_root(name: str) -> str:
    """The root of a survey among others.

    >>> name_root("campus")
    '/s/campus'
    """
    return f"/s/{name}"


def find_root(request: Request) -> str:
    """Find the root of the survey that a request is for: "" where it is alone."""
    return str(request.scope.get("root_path", ""))


def find_address(request: Request) -> str:
    """Find the survey's address as this very request came by it: people reach it so, too."""
    return str(request.url.replace(path=f"{find_root(request)}/", query=""))


def lead_to(request: Request, path: str) -> RedirectResponse:
    """Lead to another page of the same survey."""
    return RedirectResponse(find_root(request) + path, 303)


def is_administration(path: str) -> bool:
    """Whether a path of a server belongs to the administration of a survey.

    >>> [is_administration(each) for each in ("/admin/open", "/s/campus/admin", "/s/campus/")]
    [True, True, False]
    """
    return _ADMINISTRATION.match(path) is not None
