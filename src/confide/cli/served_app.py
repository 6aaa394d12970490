"""What `confide serve` serves: one survey, or all of a folder, with the stores behind them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from confide.errors import ConfideError
from confide.extras import explain_missing

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from confide.reports.store import Store
    from confide.surveys.survey import Survey
    from confide.web.admin.access import Access


@dataclass(frozen=True)
class ServedApp:
    """An app, the stores behind it, and what is printed of it when its address is known."""

    app: Starlette
    stores: list[Store]
    describe: Callable[[str], list[str]]


def open_one(
    serving: ModuleType,
    path: Path,
    database: str | None,
    model: Path | None,
    host: str,
    address: str | None,
) -> ServedApp:
    """Open a survey with its database, its model and the store of the model's test round."""
    survey = serving.Survey.load(path)
    database = database or serving.default_database(path)
    published = None if model is None else serving.load_published(survey, model)
    store = serving.open_survey_store(survey, database)
    test_store = None if published is None else serving.open_test_store(published, database)
    app = serving.build_app(survey, store, host, published, test_store, address=address)

    def describe(shown: str) -> list[str]:
        lines = _describe_survey(serving, survey, store, app.state.access, shown)
        return lines + ([f"Model:   {shown}/model"] if published else [])

    return ServedApp(app, [store] + ([test_store] if test_store else []), describe)


def open_all(
    serving: ModuleType,
    folder: Path,
    database: str | None,
    host: str,
    address: str | None,
    deal: str | None,
) -> ServedApp:
    """Open every survey of a folder with its own database."""
    with explain_missing("confide[serve]", "the web app"):
        from confide.web.addresses import name_root
        from confide.web.dealing import DEAL
        from confide.web.folder import build_folder_app, open_folder

    forms = None if deal is None else _read_pair(deal)
    opened = open_folder(folder, database)
    app = build_folder_app(opened, host, address, forms)

    def describe(shown: str) -> list[str]:
        lines = [f"Surveys: {shown}/", *([f"Deal:    {shown}{DEAL}"] if forms else [])]
        for name, each in app.state.served.items():
            root = shown + name_root(name)
            lines += ["", *_describe_survey(serving, each.survey, each.store, each.access, root)]
        return lines

    return ServedApp(app, [store for _, store in opened.values()], describe)


def _read_pair(deal: str) -> tuple[str, str]:
    first, _, second = deal.partition(",")
    if not first or not second or "," in second:
        raise ConfideError(f"--deal names two surveys, such as a,b. Got {deal[:60]!r}.")
    return first, second


def _describe_survey(
    serving: ModuleType, survey: Survey, store: Store, access: Access, root: str
) -> list[str]:
    """Say where a survey and its results are, with the one-time link while there is no password."""
    new = store.read_secret("password") is None
    link = f"/welcome?key={access.link} (works once)" if new else ""
    return [
        f"Survey:  {root}/",
        f"Results: {root}/admin{link}",
        f"Seal:    {serving.seal_survey(survey, store)}",
    ]
