"""The pages of the administration, and the forms that they send."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from confide.web.guard import RefusedError, read_body
from confide.web.template_environment import load_environment

_LARGEST_FORM = 4096


def render_admin_page(template: str, **values: object) -> Response:
    """Render a page of the administration."""
    return HTMLResponse(load_environment().get_template(template).render(**values))


async def read_form(request: Request) -> dict[str, str]:
    """Read a small form, as browsers send it."""
    body = await read_body(request, _LARGEST_FORM)
    try:
        return dict(parse_qsl(body.decode()))
    except ValueError:
        raise RefusedError(400, "the form cannot be read.") from None
