"""The environment in which pages are rendered from templates."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from confide.web.static_files import hash_for_browser, write_import_map


@cache
def load_environment() -> Environment:
    """Load the templates; what they are given is escaped, and must all be there."""
    environment = Environment(
        loader=PackageLoader("confide.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals["load_script"] = load_script
    for name in environment.list_templates():  # all now: an upgrade does not change a running app
        environment.get_template(name)
    return environment


def load_script(name: str, root: str) -> Markup:
    """Write the elements that load a script; the browser checks it, and all that it imports."""
    return Markup(
        f'<script type="importmap">{write_import_map(root)}</script>\n'
        f'<script type="module" src="{root}/static/{name}" '
        f'integrity="{hash_for_browser(name)}"></script>'
    )
