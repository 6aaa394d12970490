"""The command `confide serve`."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import TYPE_CHECKING, Annotated

import typer

from confide.cli.options import SurveyArgument
from confide.cli.output import print_text
from confide.errors import ConfideError
from confide.extras import explain_missing

if TYPE_CHECKING:
    from confide.web.nearby import Certificate

Database = Annotated[
    str | None,
    typer.Option(help="sqlite:///file.db or postgresql://…; left out, a file beside the survey."),
]
Model = Annotated[
    Path | None,
    typer.Option(help="A model file of `confide tree` or `confide bayes`, for people to try."),
]


def serve(
    survey: SurveyArgument,
    database: Database = None,
    host: Annotated[str, typer.Option(help="Where to listen; others can reach 0.0.0.0.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port.")] = 8000,
    address: Annotated[
        str | None,
        typer.Option(help="Where people reach it through a proxy: https://survey.example."),
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(help="The proxy's address, whose X-Forwarded-For is believed; repeatable."),
    ] = None,
    model: Model = None,
    offline_form: Annotated[
        Path | None,
        typer.Option(help="Only write the form as one HTML file that needs no network."),
    ] = None,
    nearby: Annotated[
        bool,
        typer.Option("--nearby", help="Let people in the same network try it, by a QR code."),
    ] = False,
    preview: Annotated[
        bool,
        typer.Option("--preview", help="Store nothing; show the file anew whenever it is saved."),
    ] = False,
) -> None:
    """Collect answers on the web without being able to know them.

    A published model is at /model: people's own browsers predict with it, and send nothing. With
    test = "3/4" under [page] they can also test it at /model/test, and send one disguised bit.

    Example: `confide serve survey.toml --model tree.json`
    """
    serving = import_serving()
    if preview:
        _serve_preview(serving, survey, host, port)
        return
    if nearby and (address is not None or trusted_proxy):
        raise ConfideError("--nearby has an address of its own: leave out --address and proxies.")
    if address is not None and not address.startswith("https://"):
        raise ConfideError(f"--address starts with https://. Got {address[:60]!r}.")
    loaded = serving.Survey.load(survey)
    if offline_form is not None:
        key = serving.read_public_key(loaded, database or serving.default_database(survey))
        serving.write_offline_form(loaded, offline_form, key)
        print_text(f"The form is in {offline_form}. Its reports are uploaded at /upload.")
        return
    serving.check_proxies(trusted_proxy or ())
    if nearby:
        with explain_missing("confide[serve]", "a certificate"):
            from confide.web.nearby import find_own_address, make_certificate
        host = find_own_address()
        address = f"https://{host}:{port}"
    serving.check_port(host, port)
    database = database or serving.default_database(survey)
    published = None if model is None else serving.load_published(loaded, model)
    store = serving.open_survey_store(loaded, database)
    test_store = None if published is None else serving.open_test_store(published, database)
    app = serving.build_app(loaded, store, host, published, test_store, address=address)
    new = store.read_secret("password") is None
    shown = address.rstrip("/") if address else _write_address(host, port)

    def print_addresses() -> None:
        if nearby:
            _print_nearby(shown, certificate)
        link = f"/welcome?key={app.state.access.link} (works once)" if new else ""
        typer.echo(f"Survey:  {shown}/\nResults: {shown}/admin{link}")
        typer.echo(f"Seal:    {serving.seal_survey(loaded, store)}")
        if published is not None:
            typer.echo(f"Model:   {shown}/model")
        if not nearby and not serving.is_loopback(host):
            print_text("Browsers refuse to ask over plain HTTP: put a TLS proxy before this.")

    with TemporaryDirectory() as folder:
        certificate = make_certificate(host, Path(folder)) if nearby else None
        try:
            serving.run_server(app, host, port, print_addresses, trusted_proxy or (), certificate)
        finally:
            store.close()
            if test_store is not None:
                test_store.close()


def _print_nearby(address: str, certificate: Certificate | None) -> None:
    """Print the address as a telephone reads it, and what its browser will ask."""
    with explain_missing("confide[serve]", "a QR code"):
        from confide.web.qr_codes import draw_for_terminal
    assert certificate is not None
    typer.echo(draw_for_terminal(f"{address}/"))
    print_text(
        "Scan it with a telephone in the same network. Its browser warns, because this machine "
        "vouches for itself: for a trial among people who know you, never for strangers. It can "
        "show you this SHA-256 of the certificate:"
    )
    typer.echo(certificate.fingerprint)


def _serve_preview(serving: ModuleType, survey: Path, host: str, port: int) -> None:
    if not survey.is_file():
        raise ConfideError(f"there is no file {survey}. Write one: confide init {survey}")
    serving.check_port(host, port)
    app = serving.build_preview_app(survey, host)

    def print_address() -> None:
        typer.echo(f"Preview: {_write_address(host, port)}/")
        print_text(f"Nothing is stored. Save {survey.name}, and the page shows it anew.")

    serving.run_server(app, host, port, print_address)


def _write_address(host: str, port: int) -> str:
    named = {"0.0.0.0": "localhost"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{named}:{port}"


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
) -> None:
    """Make single-use invitations. The survey file must say `invitation = true` under `[page]`.

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
    for wanted in (output, pictures):
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
        with explain_missing("confide[serve]", "a QR code"):
            from confide.web.qr_codes import write_pictures
        write_pictures(links, pictures)
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
    print_text(f"{len(rows) - 1:,} reminders in {output}; some of these people have answered.")


def import_serving() -> ModuleType:
    """Import the web app, or say what must be installed for it."""
    with explain_missing("confide[serve]", "the web app"):
        from confide.web import server as serving
    return serving
