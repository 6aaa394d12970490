"""The command `confide report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from confide import privacy
from confide.cli.options import ReportsArgument, SurveyArgument
from confide.cli.output import print_text, show_spinner, show_work
from confide.counts import Counts
from confide.crowd import Crowd
from confide.errors import ConfideError, QueryError
from confide.extras import explain_missing
from confide.reports.store import open_store
from confide.surveys.page_texts import LANGUAGES
from confide.surveys.seal import compute_seal
from confide.surveys.survey import Survey


def report(
    survey: SurveyArgument,
    reports: ReportsArgument,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Write the report to this .html or .pdf file.")
    ],
    language: Annotated[
        str | None, typer.Option(help="The report's language; left out, that of the survey.")
    ] = None,
) -> None:
    """Write everything that the reports say into one document, fit for an appendix.

    It has the method, the sample, the odds, every table and picture, what a report gives away, the
    limits, the design and its seal, and needs no other file. Nothing is said of fewer people than
    the survey's minimum. A PDF takes an installed Chromium or Chrome.

    Example: `confide report survey.toml reports.parquet -o report.html`
    """
    with explain_missing("confide[serve]", "a report"):
        from confide.web.admin.background_learning import summarize_privacy
        from confide.web.admin.results_report import write_report
        from confide.web.admin.shown_people import check_enough
        from confide.web.pdf import check_printable, write_printable

    check_printable(output)
    asked = Survey.load(survey)
    known = (*asked.languages, *LANGUAGES)
    if language is not None and language not in known:
        raise QueryError(
            f"a report is in {', '.join(dict.fromkeys(known))}. Got {language[:20]!r}."
        )
    with show_work("Counting reports"):
        counts = Counts.of(asked.design, reports)
        check_enough(asked, counts.n)
    with show_spinner("Estimating"):
        crowd = Crowd(asked.design, counts)
        disclosure = summarize_privacy(privacy.of(asked.design, crowd))
        seal, days = _find_seal(asked, reports), _find_days(asked, reports)
        text = write_report(asked, counts, disclosure, seal, language or asked.language, days)
    with show_spinner("Writing"):
        write_printable(text, output)
    print_text(f"{counts.n:,} reports, {len(asked.design.names)} questions: {output}")


def _find_days(survey: Survey, reports: str) -> dict[str, int]:
    """How many reports a database released on each day; nothing where they are in a file."""
    if "://" not in reports:
        return {}
    store = open_store(reports, survey.design)
    try:
        return store.count_days()
    finally:
        store.close()


def _find_seal(survey: Survey, reports: str) -> str:
    """The survey's seal; "" where it names a key and the reports are in no database that has it."""
    if not survey.page.invitation:
        return compute_seal(survey)
    with explain_missing("confide[serve]", "the seal of a survey by invitation"):
        from confide.web.server import read_public_key
    try:
        return compute_seal(survey, read_public_key(survey, reports))
    except ConfideError:
        return ""
