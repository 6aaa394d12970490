"""How the site is built: make docs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from sphinx.application import Sphinx

from confide import __version__

extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx_design",
    "generated",
]

project = "confide"
author = "the confide authors"
version = release = __version__
language = "en"
exclude_patterns = ["pictures"]
default_role = "py:obj"  # a name in a docstring links to what it names

# Pages are Markdown; blocks of Python are run by tests/test_documents.py, notebooks by
# tests/test_site.py. Building the site runs nothing.
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
nb_execution_mode = "off"

autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings say it in words
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

html_theme = "pydata_sphinx_theme"
html_title = "confide"
html_favicon = "../src/confide/web/static/icon.svg"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {
    "header_links_before_dropdown": 7,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "show_prev_next": False,
    "footer_start": [],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"index": [], "faq": []}


def leave_out_others(_app: Any, _what: str, _name: str, found: Any, *_: Any) -> bool | None:
    """Leave out what scikit-learn adds to every estimator: it is not ours to explain."""
    module = getattr(found, "__module__", None) or ""
    return True if module.startswith("sklearn") else None


def setup(app: Sphinx) -> None:
    """Tell Sphinx about it."""
    app.connect("autodoc-skip-member", leave_out_others)
