"""The report: one document with the method, the sample, every table and picture, and the limits."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from confide._version import __version__
from confide.counts import Counts
from confide.files import Json
from confide.surveys.explanations import explain_blocks
from confide.surveys.survey import Survey
from confide.web.admin.admin_pages import render_template
from confide.web.admin.release_days import show_days
from confide.web.admin.result_views import ResultViews
from confide.web.admin.result_words import ResultWords
from confide.web.admin.shown_people import ShownPeople, can_be_given
from confide.web.static_files import read_static_files

_MOST_GROUPS = 8  # of a question by which the others are shown


def write_report(
    survey: Survey,
    counts: Counts,
    disclosure: Json,
    seal: str,
    language: str,
    days: Mapping[str, int],
) -> str:
    """Write the report as one HTML file that needs nothing else.

    Parameters
    ----------
    survey : Survey
        What was asked.
    counts : Counts
        The reports; fewer than the survey's minimum are refused.
    disclosure : dict
        What a report gives away, as `summarize_privacy` says it.
    seal : str
        The survey's seal; "" where it is not known.
    language : str
        The language of the report.
    days : mapping
        How many reports were released on each day; empty where it is not known.
    """
    words = ResultWords(survey, language)
    views, people = ResultViews(words), ShownPeople(survey, counts)
    fields = survey.questionnaire.fields
    texts = words.wording.texts
    odds = [
        {"questions": [words.name(field) for field in block.fields], "sentences": block.sentences}
        for block in explain_blocks(survey.questionnaire, texts)
    ]
    styles = [read_static_files()[name][0].decode() for name in ("style.css", "results.css")]
    return render_template(
        "report.html",
        words,
        styles="\n".join(styles),
        made=words.say("report_made", date=date.today().isoformat(), version=__version__),
        n=counts.n,
        days=show_days(words, days),
        minimum=survey.page.minimum,
        noise=any(field.noise is not None for field in fields),
        odds=odds,
        questions=[views.show_question(people, field) for field in fields],
        crossed=_list_crossed(views, people),
        lines=views.list_privacy_lines(disclosure),
        sentences=disclosure["sentences"],
        design=survey.design.canonical_json(),
        fingerprint=survey.design.fingerprint,
        seal=seal,
        organiser=words.wording.say("organiser"),
        consent=words.wording.say("consent"),
    )


def _list_crossed(views: ResultViews, people: ShownPeople) -> list[Json]:
    """Every question by each question with few options that was asked in the clear."""
    fields = people.survey.questionnaire.fields
    return [
        views.show_crossed(people, by.name, other.name, "rows")
        for by in fields
        if by.finite and not by.disguised and by.size <= _MOST_GROUPS and can_be_given(by)
        for other in fields
        if other is not by
    ]
