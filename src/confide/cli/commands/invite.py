"""The commands `confide invite` and `confide remind`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from confide.cli.commands.serve import Database, import_serving
from confide.cli.options import SurveyArgument
from confide.cli.output import print_text
from confide.errors import ConfideError
from confide.extras import explain_missing


def invite(
    survey: SurveyArgument,
    count: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many invitations.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The CSV file of links.")],
    address: Annotated[str, typer.Option(help="Where people reach the survey.")] = (
        "http://127.0.0.1:8000"
    ),
    database: Database = None,
    model: Annotated[
        Path | None, typer.Option(help="Invite to the test of this published model instead.")
    ] = None,
    pictures: Annotated[
        Path | None, typer.Option(help="A new folder for each link as a QR code (PNG), too.")
    ] = None,
    cards: Annotated[
        Path | None, typer.Option(help="A .html or .pdf file with a card for each, to print.")
    ] = None,
) -> None:
    """Make single-use invitations. The survey file must say `invitation = true` under `[page]`.

    Cards have the link as a QR code and in letters. A PDF takes an installed Chromium or Chrome.

    Example: `confide invite survey.toml --count 200 -o links.csv`
    """
    serving = import_serving()
    with explain_missing("confide[serve]", "an invitation"):
        from confide.web import invitations
    loaded = serving.Survey.load(survey)
    if not loaded.page.invitation:
        raise ConfideError(
            f"{survey.name} takes reports from everyone. Write invitation = true under [page] "
            "before it is first served."
        )
    with explain_missing("confide[serve]", "a QR code"):
        from confide.web import invitation_cards, pdf, qr_codes
    if cards is not None:
        pdf.check_printable(cards)
    for wanted in (output, pictures, cards):
        if wanted is not None and wanted.exists():
            raise ConfideError(f"{wanted.name} exists already. Choose another name.")
    database = database or serving.default_database(survey)
    if model is None:
        store = serving.open_survey_store(loaded, database)
        page = f"/#{serving.seal_survey(loaded, store)}."
    else:
        page = "/model/test#"
        store = serving.open_test_store(serving.load_published(loaded, model), database)
        if store is None:
            raise ConfideError(f'{survey.name} has no test: write test = "3/4" under [page].')
    try:
        links = invitations.invite(store, count, address.rstrip("/") + page, output)
    finally:
        store.close()
    if pictures is not None:
        qr_codes.write_pictures(links, pictures)
    if cards is not None:
        pdf.write_printable(invitation_cards.write_cards(loaded, links), cards, private=True)
    print_text(f"{count:,} links in {output}. Whoever holds one can send one report.")


def remind(
    survey: SurveyArgument,
    links: Annotated[Path, typer.Argument(help="A CSV file with a column link, and any others.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The CSV file of reminders.")],
    database: Database = None,
) -> None:
    """List the invitations that are not known to be used, to remind their holders.

    People who answered lately are listed, too, so that the list ties nobody to a report: ask
    everyone on it to ignore the reminder if they have answered.

    Example: `confide remind survey.toml links.csv -o reminders.csv`
    """
    serving = import_serving()
    with explain_missing("confide[serve]", "an invitation"):
        from confide.web import invitations
    loaded = serving.Survey.load(survey)
    store = serving.open_store(database or serving.default_database(survey), loaded.design)
    try:
        rows = invitations.list_reminders(store, links)
    finally:
        store.close()
    invitations.write_links(output, rows)
    print_text(f"{len(rows) - 1:,} reminders in {output}; some of these people may have answered.")
