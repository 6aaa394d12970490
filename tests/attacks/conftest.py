"""Stores whose files can be stolen."""

import pytest
from support.cluster import Cluster
from support.thief import Thief


@pytest.fixture(scope="module")
def server():
    """A PostgreSQL server of our own, whose files can be read; it need not survive a power cut."""
    pytest.importorskip("psycopg", reason="PostgreSQL takes confide[postgres]")
    cluster = Cluster()
    cluster.start("fsync=off")
    yield cluster
    cluster.__exit__()


@pytest.fixture(params=["sqlite", "postgresql"])
def thief(request, tmp_path):
    if request.param == "sqlite":
        return Thief(f"sqlite:///{tmp_path}/survey.db", tmp_path)
    return request.getfixturevalue("postgres_thief")  # or it is skipped


@pytest.fixture
def postgres_thief(server):
    import psycopg

    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS attacked")
        connection.execute("CREATE DATABASE attacked")
        sql = "SELECT oid FROM pg_database WHERE datname = 'attacked'"
        oid = connection.execute(sql).fetchone()[0]
    url = server.url.removesuffix("postgres") + "attacked"
    connect = lambda: psycopg.connect(url, autocommit=True)  # noqa: E731
    return Thief(url, server.data / "base" / str(oid), connect)
