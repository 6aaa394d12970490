"""The command `confide serve`."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer

from confide.cli.options import SurveyArgument
from confide.cli.output import print_text
from confide.errors import ConfideError
from confide.extras import explain_missing

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
    if address is not None and not address.startswith("https://"):
        raise ConfideError(f"--address starts with https://. Got {address[:60]!r}.")
    loaded = serving.Survey.load(survey)
    if offline_form is not None:
        key = serving.read_public_key(loaded, database or serving.default_database(survey))
        serving.write_offline_form(loaded, offline_form, key)
        print_text(f"The form is in {offline_form}. Its reports are uploaded at /upload.")
        return
    serving.check_proxies(trusted_proxy or ())
    serving.check_port(host, port)
    database = database or serving.default_database(survey)
    published = None if model is None else serving.load_published(loaded, model)
    store = serving.open_survey_store(loaded, database)
    test_store = None if published is None else serving.open_test_store(published, database)
    app = serving.build_app(loaded, store, host, published, test_store, address=address)
    new = store.read_secret("password") is None
    shown = address.rstrip("/") if address else _write_address(host, port)

    def print_addresses() -> None:
        link = f"/welcome?key={app.state.access.link} (works once)" if new else ""
        typer.echo(f"Survey:  {shown}/\nResults: {shown}/admin{link}")
        typer.echo(f"Seal:    {serving.seal_survey(loaded, store)}")
        if published is not None:
            typer.echo(f"Model:   {shown}/model")
        if not serving.is_loopback(host):
            print_text("Browsers refuse to ask over plain HTTP: put a TLS proxy before this.")

    try:
        serving.run_server(app, host, port, print_addresses, trusted_proxy or ())
    finally:
        store.close()
        if test_store is not None:
            test_store.close()


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
) -> None:
    """Make single-use invitations. The survey file must say `invitation = true` under `[page]`.

    Example: `confide invite survey.toml --count 200 -o links.csv`
    """
    serving = import_serving()
    loaded = serving.Survey.load(survey)
    if not loaded.page.invitation:
        raise ConfideError(
            f"{survey.name} takes reports from everyone. Write invitation = true under [page] "
            "before it is first served."
        )
    if output.exists():
        raise ConfideError(f"{output.name} exists already. Choose another name.")
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
        serving.invite(store, count, address.rstrip("/") + page, output)
    finally:
        store.close()
    print_text(f"{count:,} links in {output}. Whoever holds one can send one report.")


def import_serving() -> ModuleType:
    """Import the web app, or say what must be installed for it."""
    with explain_missing("confide[serve]", "the web app"):
        from confide.web import server as serving
    return serving
