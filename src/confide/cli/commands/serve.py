"""The command `confide serve`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import TYPE_CHECKING, Annotated

import typer

from confide.cli.output import print_text
from confide.cli.served_app import ServedApp, open_all, open_one
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
    survey: Annotated[Path, typer.Argument(help="The survey file, or a folder of them.")],
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
    deal: Annotated[
        str | None,
        typer.Option(help="Two surveys of the folder, a,b: each browser draws one, at /deal/."),
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

    Each survey file of a folder has an address of its own, /s/NAME, and its own database beside it;
    the first page lists those that everyone can answer now.

    A published model is at /model: people's own browsers predict with it, and send nothing. With
    test = "3/4" under [page] they can also test it at /model/test, and send one disguised bit.

    Example: `confide serve survey.toml --model tree.json`
    """
    serving = import_serving()
    if survey.is_dir() and (preview or model is not None or offline_form is not None):
        raise ConfideError(
            "--preview, --model and --offline-form are for one survey: name its file, not a folder."
        )
    if deal is not None and not survey.is_dir():
        raise ConfideError("--deal is for a folder of surveys.")
    if preview:
        _serve_preview(serving, survey, host, port)
        return
    if nearby and (address is not None or trusted_proxy):
        raise ConfideError("--nearby has an address of its own: leave out --address and proxies.")
    if address is not None and not address.startswith("https://"):
        raise ConfideError(f"--address starts with https://. Got {address[:60]!r}.")
    if offline_form is not None:
        _write_form(serving, survey, database, offline_form)
        return
    serving.check_proxies(trusted_proxy or ())
    if nearby:
        with explain_missing("confide[serve]", "a certificate"):
            from confide.web.nearby import find_own_address
        host = find_own_address()
        address = f"https://{host}:{port}"
    serving.check_port(host, port)
    served = (
        open_all(serving, survey, database, host, address, deal)
        if survey.is_dir()
        else open_one(serving, survey, database, model, host, address)
    )
    shown = address.rstrip("/") if address else _write_address(host, port)
    _run(serving, served, host, port, shown, trusted_proxy or (), nearby)


def _run(
    serving: ModuleType,
    served: ServedApp,
    host: str,
    port: int,
    shown: str,
    proxies: Sequence[str],
    nearby: bool,
) -> None:
    """Serve until it is interrupted, and close the stores."""

    def print_addresses() -> None:
        if nearby:
            _print_nearby(shown, certificate)
        for line in served.describe(shown):
            typer.echo(line)
        if not nearby and not serving.is_loopback(host):
            print_text("Browsers refuse to ask over plain HTTP: put a TLS proxy before this.")

    with TemporaryDirectory() as folder:
        certificate = _make_certificate(host, Path(folder)) if nearby else None
        try:
            serving.run_server(served.app, host, port, print_addresses, proxies, certificate)
        finally:
            for store in served.stores:
                store.close()


def _make_certificate(host: str, folder: Path) -> Certificate:
    with explain_missing("confide[serve]", "a certificate"):
        from confide.web.nearby import make_certificate

    return make_certificate(host, folder)


def _write_form(serving: ModuleType, survey: Path, database: str | None, output: Path) -> None:
    loaded = serving.Survey.load(survey)
    key = serving.read_public_key(loaded, database or serving.default_database(survey))
    serving.write_offline_form(loaded, output, key)
    print_text(f"The form is in {output}. Its reports are uploaded at /upload.")


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


def import_serving() -> ModuleType:
    """Import the web app, or say what must be installed for it."""
    with explain_missing("confide[serve]", "the web app"):
        from confide.web import server as serving
    return serving
