"""A survey file to a running web app."""

from __future__ import annotations

import asyncio
import socket
import sys
import warnings
from collections.abc import Callable, Sequence
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette

from confide.errors import ConfideError
from confide.files import write_atomically
from confide.reports.sqlite_unused import set_aside_unused
from confide.reports.store import Store, StoreError, address_beside, open_store
from confide.surveys.seal import compute_seal
from confide.surveys.survey import Survey
from confide.web.app import create_app
from confide.web.blind_signatures import find_public_key, load_signing_key
from confide.web.bounded_http import BoundedProtocol
from confide.web.builder.endpoints import Builder
from confide.web.guard import Rate
from confide.web.nearby import Certificate
from confide.web.preview.draft import Draft
from confide.web.preview.endpoints import Preview, build_preview
from confide.web.respondent.survey_page import render_offline_page

if TYPE_CHECKING:
    from confide.web.admin.simulated_truth import Simulation
    from confide.web.model.published import Published

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_SHORT_TURN = 0.0005  # seconds that a thread may work while another one waits; Python has 0.005


def default_database(path: Path) -> str:
    """The database of a survey file for which none is named: a SQLite file beside it."""
    return f"sqlite:///{path.with_suffix('.db')}"


def open_survey_store(survey: Survey, database: str) -> Store:
    """Open a survey's database, or make it, and where it is by invitation its signing key.

    A survey may be changed until somebody has reported or was invited: a SQLite file that holds
    its earlier form, and nothing else, is set aside. PostgreSQL keeps each design by itself.
    """
    if database.startswith("sqlite:///"):
        path = Path(database.removeprefix("sqlite:///"))
        if aside := set_aside_unused(path, survey.design, survey.page.invitation):
            warnings.warn(
                f"{path.name} held an earlier form of the survey and no reports. It is "
                f"{aside.name} now; you can delete it.",
                stacklevel=2,
            )
    store = open_store(database, survey.design, by_invitation=survey.page.invitation)
    load_signing_key(store)
    return store


def seal_survey(survey: Survey, store: Store) -> str:
    """Compute the seal of a survey that is served from a store."""
    return compute_seal(survey, find_public_key(store))


def read_public_key(survey: Survey, database: str) -> str:
    """Read the public key of a survey by invitation from its database; "" where all may report."""
    if not survey.page.invitation:
        return ""
    try:
        store = open_store(database, survey.design)
    except StoreError as error:
        raise ConfideError(
            f"the page of a survey by invitation names the key that its database keeps: {error} "
            "`confide invite` and `confide serve` make it; say where it is with --database."
        ) from None
    try:
        return find_public_key(store)
    finally:
        store.close()


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def check_proxies(proxies: Sequence[str]) -> None:
    """Refuse what is no address of a proxy."""
    for each in proxies:
        try:
            ip_network(each)
        except ValueError:
            raise ConfideError(
                f"--trusted-proxy is an address such as 127.0.0.1 or a network such as "
                f"10.0.0.0/8. Got {each[:60]!r}."
            ) from None


def run_server(
    app: Starlette,
    host: str,
    port: int,
    started: Callable[[], None],
    trusted_proxies: Sequence[str] = (),
    certificate: Certificate | None = None,
) -> None:
    """Run the app until it is interrupted; nothing about who comes is logged.

    Who comes is who connects, unless that is a trusted proxy: then whom its headers name.
    """
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_keep_alive=15,
        limit_concurrency=2000,
        http=BoundedProtocol,
        ws="none",
        proxy_headers=bool(trusted_proxies),
        forwarded_allow_ips=list(trusted_proxies),
        ssl_certfile=certificate.certificate if certificate else None,
        ssl_keyfile=certificate.key if certificate else None,
    )
    # the writer's thread needs the interpreter for a moment at a time, and often
    sys.setswitchinterval(_SHORT_TURN)
    server = uvicorn.Server(config)

    async def run() -> None:
        serving = asyncio.create_task(server.serve())
        while not server.started and not serving.done():
            await asyncio.sleep(0.01)
        if server.started:
            started()
        await serving

    asyncio.run(run())


def build_app(
    survey: Survey,
    store: Store,
    host: str,
    published: Published | None = None,
    test_store: Store | None = None,
    rate: Rate | None = None,
    address: str | None = None,
    simulation: Simulation | None = None,
) -> Starlette:
    """Build the app for a host.

    On loopback it answers only to this machine's names. Where an address is given, by which people
    reach it through a proxy, it answers to that name, to this machine's and to its own host alone.
    """
    return create_app(
        survey,
        store,
        published=published,
        test_store=test_store,
        hosts=name_hosts(host, address),
        rate=rate,
        always_tls=bool(address),  # it starts with https://
        simulation=simulation,
    )


def name_hosts(host: str, address: str | None = None) -> tuple[str, ...]:
    """The names under which an app may be reached."""
    named = (urlsplit(address).hostname or "",) if address else ()
    known = bool(address) or is_loopback(host)
    return (*_LOOPBACK, host, *named) if known else ("*",)


def build_preview_app(path: Path, host: str) -> Starlette:
    """Build the app that shows a survey file as it is now, and stores nothing."""
    return build_preview(Preview(lambda: Draft.read(path)), name_hosts(host))


def build_builder_app(path: Path, host: str) -> tuple[Starlette, str]:
    """Build the app in which a survey file is written by clicking; give it with its key."""
    try:
        builder = Builder(path)
    except ValueError as error:
        raise ConfideError(f"{path.name} is not valid TOML: {error}") from None
    except OSError as error:
        raise ConfideError(f"cannot read {path.name}: {error.strerror}.") from None
    preview = Preview(lambda: builder.draft)
    return build_preview(preview, name_hosts(host), builder.routes()), builder.key


def load_published(survey: Survey, path: Path) -> Published:
    """Read the model that is to be published."""
    from confide.web.model.published import Published

    return Published.load(survey, path)


def open_test_store(model: Published, database: str) -> Store | None:
    """Open what keeps the test round of a model, apart from the reports."""
    if model.model_test is None:
        return None
    name = f"-test-{model.model_test.design.fingerprint[:8]}"
    return open_survey_store(model.model_test.survey_of_bits, address_beside(database, name))


def write_offline_form(survey: Survey, path: Path, key: str = "") -> None:
    """Write the respondent's page as one file."""
    with write_atomically(path) as temporary:
        temporary.write_text(render_offline_page(survey, survey.language, key), encoding="utf-8")


def check_port(host: str, port: int) -> None:
    """Say early, and in words, that a port is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((host, port))
        except OSError as error:
            raise ConfideError(
                f"cannot listen on {host}, port {port}: {error.strerror}. Choose another with "
                "--port."
            ) from None


def find_free_port(host: str) -> int:
    """Find a port on which nobody listens."""
    with socket.socket() as tried:
        tried.bind((host, 0))
        port: int = tried.getsockname()[1]
        return port
