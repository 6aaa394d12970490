"""The environment in which pages are rendered from templates."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined


@cache
def load_environment() -> Environment:
    """Load the templates; what they are given is escaped, and must all be there."""
    return Environment(
        loader=PackageLoader("confide.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
