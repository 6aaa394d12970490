"""What the page's script is given beside the sealed document, as JSON within the page."""

from __future__ import annotations

import json

from markupsafe import Markup

from confide.reports.submissions import Outcome


def list_reasons(texts: dict[str, str]) -> dict[str, str]:
    """List why the server keeps a report out: its words, and those of the page's language."""
    keys = {
        Outcome.CONFLICT: "conflict",
        Outcome.WITHDRAWN: "withdrawn",
        Outcome.CLOSED: "closed",
        Outcome.NOT_INVITED: "spent",
    }
    return {outcome.reason: texts[key] for outcome, key in keys.items()}


def embed_json(value: object) -> Markup:
    """Write a value as JSON that no text in it can end early."""
    return Markup(json.dumps(value, ensure_ascii=False).replace("<", "\\u003c"))
