"""A connection to PostgreSQL that is opened when it is needed, and again after it was lost."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import ClassVar

import psycopg
from psycopg.conninfo import conninfo_to_dict

from confide.design import Design
from confide.reports.sql_store import SQLStore
from confide.reports.sql_tables import Row
from confide.reports.store import StoreError

Values = Sequence[object] | Mapping[str, object]
Statement = tuple[str, Values]
"""A statement, and the values for its placeholders."""

_PATIENCE = 5_000  # milliseconds that a statement waits for others to end theirs


class PostgresConnection(SQLStore):
    """The statements of a survey, over one connection at which threads take turns.

    Parameters
    ----------
    url : str
        ``postgresql://user@host/database``.
    design : Design
        The design of the survey.
    """

    placeholder: ClassVar[str] = "%s"

    def __init__(self, url: str, design: Design) -> None:
        super().__init__(design)
        self._url = _check_address(url)
        self._schema = f"confide_{design.fingerprint[:16]}"
        self._lock = threading.RLock()
        self._open_connection: psycopg.Connection[Row] | None = None

    @property
    def _connection(self) -> psycopg.Connection[Row]:
        if self._open_connection is None or self._open_connection.closed:
            self._open_connection = self._connect()
        return self._open_connection

    def _connect(self) -> psycopg.Connection[Row]:
        # a server that is told to acknowledge early would make us acknowledge falsely
        options = f"-c search_path={self._schema} -c synchronous_commit=on"
        options += f" -c lock_timeout={_PATIENCE}"
        return psycopg.connect(self._url, connect_timeout=3, autocommit=True, options=options)

    def _read(self, sql: str) -> list[Row]:
        try:
            with self._connect() as connection:
                return connection.execute(sql.encode(), binary=True).fetchall()
        except psycopg.Error as error:
            raise StoreError(f"PostgreSQL: {_reason(error)}") from None

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Let one thread in at a time, and turn the database's errors into `StoreError`."""
        with self._lock:
            try:
                yield
            except psycopg.Error as error:
                if self._open_connection is not None:
                    self._open_connection.close()
                    self._open_connection = None
                raise StoreError(f"PostgreSQL: {_reason(error)}") from None

    def _rollback(self) -> None:
        # where the connection is lost the server does it
        if self._open_connection is not None and not self._open_connection.closed:
            self._open_connection.rollback()

    def _rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        with self._guard():
            return self._connection.execute(sql.encode(), values, binary=True).fetchall()

    def _run_all(self, *statements: Statement) -> list[Row]:
        """Run statements on one way to the server and back; return the rows of the last.

        Values travel apart from the statements: the server's log has only those when one fails.
        """
        with self._connection.pipeline():
            cursors = [self._connection.execute(sql.encode(), v) for sql, v in statements]
        return cursors[-1].fetchall() if cursors[-1].description else []

    def close(self) -> None:
        with self._lock:
            if self._open_connection is not None:
                self._open_connection.close()


def _check_address(url: str) -> str:
    """Give the address back; refuse one whose parts are misread: errors would show a password."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.Error:
        parts = {"host": "@"}
    host, port = str(parts.get("host", "")), str(parts.get("port", "0"))
    if "@" in host or not port.replace(",", "").isdigit():
        raise StoreError(
            "the address of the database cannot be read. It is postgresql://user@host/database; "
            "write @, :, / and % in a password as %40, %3A, %2F and %25."
        )
    return url


def _reason(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
