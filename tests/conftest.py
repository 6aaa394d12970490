"""A real database server, made-up data for the papers; property tests that are repeatable.

HYPOTHESIS_PROFILE=quick tries few cases of each property, HYPOTHESIS_PROFILE=exploring new ones.
"""

from __future__ import annotations

import os
import re
import secrets

import pytest
from support.cluster import Cluster

pytest_plugins = ["support.properties", "support.web_fixtures"]
"""How often a property is tried; a real browser and a real server for all who ask."""

SLOW_FIXTURES = {"playwright", "postgres", "program", "run", "serve", "serve_several"}
"""A browser, a database or a web server of its own."""


def pytest_collection_modifyitems(items):
    """Mark what needs a browser; what needs any program of its own is slow."""
    for item in items:
        wanted = set(getattr(item, "fixturenames", ()))
        if "playwright" in wanted:  # it leaves an event loop running, which others must not meet
            item.add_marker(pytest.mark.browser)
        if SLOW_FIXTURES & wanted or re.search("spark|postgres", item.nodeid.lower()):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def postgres():
    """A PostgreSQL server of our own on a free port, unless CONFIDE_POSTGRES names one."""
    pytest.importorskip("psycopg", reason="PostgreSQL takes confide[postgres]")
    if given := os.environ.get("CONFIDE_POSTGRES"):
        yield given
        return
    with Cluster() as cluster:
        yield cluster.url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """The address of a database of each kind that keeps reports."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/survey.db"
    return request.getfixturevalue("postgres")


@pytest.fixture
def new_url(url):
    """The address of a database of each kind that holds nothing yet."""
    return url if url.startswith("sqlite") else _make_database(url)


@pytest.fixture
def new_database(postgres):
    """The address of a new database in PostgreSQL."""
    return _make_database(postgres)


def _make_database(url):
    import psycopg

    name = f"new_{secrets.token_hex(8)}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return url.rpartition("/")[0] + f"/{name}"


@pytest.fixture
def made_up_data(monkeypatch, tmp_path):
    """A folder of small made-up data sets that pass for the papers'."""
    from support import stand_ins

    from confide.papers.split_people import load_people

    load_people.cache_clear()
    folder = tmp_path / "data"
    folder.mkdir()
    yield stand_ins.put_in_place(monkeypatch, folder)
    load_people.cache_clear()
