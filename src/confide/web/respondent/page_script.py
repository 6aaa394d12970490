"""What the page's script is given, as JSON within the page."""

from __future__ import annotations

import json

from markupsafe import Markup

from confide.files import Json
from confide.reports.submissions import Outcome
from confide.surveys.survey import Survey
from confide.web.respondent.odds import Odds
from confide.web.respondent.questions import describe_fields

_SPOKEN = (
    *("practice_result", "no", "yes", "missing", "out_of_range", "off_step", "sending", "unsent"),
    *("refused", "already", "insecure", "uninvited", "closed", "spent"),
    *("decimal_mark", "group_mark"),
)


def make_script(survey: Survey, texts: dict[str, str], is_open: bool) -> Json:
    """Collect what the page's script needs: fields, labels and the texts it says itself."""
    script = survey.questionnaire.script()
    script["fields"] = describe_fields(survey, texts)
    spoken = {key: texts[key] for key in _SPOKEN}
    terms = {"open": is_open, "invitation": survey.page.invitation}
    words = {"texts": spoken, "reasons": list_reasons(texts)}
    return {**script, **terms, **words, "practice": _find_practice(survey)}


def list_reasons(texts: dict[str, str]) -> dict[str, str]:
    """List why the server keeps a report out: its words, and those of the page's language."""
    keys = {
        Outcome.CONFLICT: "conflict",
        Outcome.WITHDRAWN: "withdrawn",
        Outcome.CLOSED: "closed",
        Outcome.NOT_INVITED: "spent",
    }
    return {outcome.reason: texts[key] for outcome, key in keys.items()}


def _find_practice(survey: Survey) -> Json | None:
    """Find the weights of a yes-no question to practise on; None where chance turns nothing.

    It has the odds of the first question that chance can turn either way.
    """
    for block in survey.questionnaire.blocks:
        first = survey.questionnaire.fields[block.positions[0]]
        if first.disguised and first.finite:
            odds = Odds.of(block, 0)
            kept = min(row[t] for t, row in enumerate(odds.table))
            rest = odds.total - kept
            if kept and rest:
                return {"branches": [1], "questions": [[[[kept, rest], [rest, kept]]]]}
    return None


def embed_json(value: object) -> Markup:
    """Write a value as JSON that no text in it can end early."""
    return Markup(json.dumps(value, ensure_ascii=False).replace("<", "\\u003c"))
