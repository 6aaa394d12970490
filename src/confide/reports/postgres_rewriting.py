"""Tables of PostgreSQL that are written anew whenever they change.

PostgreSQL keeps what was overwritten, and with each row the number of its transaction. So nothing
is overwritten: a table is built from the one before, in an order that tells nothing, and takes its
place when the transaction ends. Building takes long where there is much; nobody waits for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from confide.reports.packed_reports import join_inbox, split_inbox
from confide.reports.postgres_connection import PostgresConnection, Statement, Values
from confide.reports.sql_store import is_complete
from confide.reports.sql_tables import Found

_PIECES = "(SELECT string_agg(piece, '' ORDER BY place) FROM inbox)"
# TRUNCATE takes this lock: two who hold a lesser one would wait for each other
_TAKE_INBOX = (
    ("LOCK TABLE inbox IN ACCESS EXCLUSIVE MODE", ()),
    (f"SELECT is_open, hash_key, buckets, {_PIECES} FROM survey, state", ()),
)
NO_STATISTICS = {
    "archive": ("reports",),
    "inbox": ("piece",),
    "invitation": ("hash",),
    "redemption": ("hash", "blinded"),
    "secret": ("name", "value"),
}
"""Columns of which PostgreSQL would else keep examples, for planning, after they are deleted."""
_CHANGED_BUCKETS = """
WITH changed AS (
    SELECT * FROM unnest(%(numbers)s::bigint[], %(buckets)s::bytea[]) AS each (number, reports)
)
INSERT INTO new_archive
    SELECT * FROM archive WHERE NOT EXISTS (
        SELECT FROM changed WHERE changed.number = archive.number
    )
    UNION ALL SELECT * FROM changed ORDER BY 1
"""
_ALL_BUCKETS = """
INSERT INTO new_archive SELECT * FROM unnest(%(numbers)s::bigint[], %(buckets)s::bytea[])
"""
_OTHER_INVITATIONS = """
INSERT INTO new_invitation
    SELECT hash FROM invitation WHERE NOT EXISTS (
        SELECT FROM unnest(%s::bytea[]) AS deleted WHERE deleted = hash
    )
    ORDER BY hash
"""
# who reads a table keeps it from being put in place, and those who write wait meanwhile
_SHORT_WAIT = ("SET LOCAL lock_timeout = 1000", ())  # milliseconds
_SHORTEST_WAIT = ("SET LOCAL lock_timeout = 100", ())


class PostgresRewriting(PostgresConnection):
    """The inbox, the archive and the invitations of a survey.

    Processes take turns: each locks the inbox while it writes. Whoever writes the archive or the
    invitations anew first takes the right to, and the inbox only when they are built.
    """

    _built: tuple[str, ...] = ()
    """The tables that were built in this transaction, and take their places with its end."""

    @contextmanager
    def _rewriting(self) -> Iterator[None]:
        with self._guard(), self._alone():
            self._make_new_tables()
            with self.transaction():
                self._run_all(_SHORT_WAIT)
                yield

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep others from writing the archive and the invitations anew."""
        connection, right = self._connection, (f"{self._schema} rewriting",)
        connection.execute("SELECT pg_advisory_lock(hashtext(%s))", right)
        try:
            yield
        finally:
            if not connection.closed:  # else the server has taken the right back
                connection.execute("SELECT pg_advisory_unlock(hashtext(%s))", right)

    def _begin(self) -> Found:
        return self._take_inbox(("BEGIN", ()))

    def _take_inbox(self, *first: Statement) -> Found:
        """Keep others from writing, and find what there is."""
        ((is_open, key, buckets, pieces),) = self._run_all(*first, *_TAKE_INBOX)
        return is_open, key, buckets, *join_inbox(pieces)

    def _commit(self, inbox: tuple[bytes, bytes] | None) -> None:
        self._put_in_place()
        filling = () if inbox is None else _fill_inbox(*inbox)
        self._run_all(*filling, ("COMMIT", ()))

    def _rollback(self) -> None:
        self._built = ()
        super()._rollback()

    def _put_in_place(self) -> None:
        """Let the tables that were built take the places of those before."""
        for table in self._built:
            renaming = f"ALTER TABLE new_{table} RENAME TO {table}"
            self._run_all((f"DROP TABLE {table}", ()), (renaming, ()))
        self._built = ()

    def _start_state(self) -> None:
        super()._start_state()
        self._put_in_place()
        self._make_new_tables()

    def _make_new_tables(self) -> None:
        """Make the tables that are to be filled, outside of the transaction that fills them.

        Of a table that was made by a transaction in which it crashed PostgreSQL keeps the file.
        """
        statements = []
        for each in ("archive", "invitation") if self._by_invitation else ("archive",):
            statements.append(f"DROP TABLE IF EXISTS new_{each}")
            statements.append(f"CREATE TABLE new_{each} (LIKE {each} INCLUDING ALL)")
            statements += keep_no_statistics(each, f"new_{each}")
        self._run_all(*((statement, ()) for statement in statements))

    def release(self) -> None:
        """Release all that the inbox holds, if it is a batch; others write while it is built."""
        with self._guard(), self._alone():
            held = self._unpack_inbox(*self._read_inbox())
            if not is_complete(held.reports):
                return
            self._make_new_tables()
            try:
                self._run_all(("BEGIN", ()))
                release = self._release(held.reports)
                kept = dict(held.redeemed)
                self._put_redeemed_away(kept)
                now = self._unpack_inbox(*self._take_inbox()[-2:])
                for each in held.reports:
                    del now.reports[each]
                for each in set(held.redeemed) - set(kept):
                    del now.redeemed[each]
                self._run_all(_SHORTEST_WAIT)
                self._commit(self._pack_inbox(now))
            except BaseException:
                self._rollback()
                raise
            self._recent.note(release)

    def _build(self, table: str, filling: str, values: Values) -> None:
        """Build what is to take the place of a table when the transaction ends."""
        self._run_all((filling, values))
        self._built += (table,)

    def _read_inbox(self) -> tuple[bytes, bytes]:
        ((pieces,),) = self._rows(f"SELECT {_PIECES}")
        return join_inbox(pieces)

    def _write_inbox(self, reports: bytes, redeemed: bytes) -> None:
        self._run_all(*_fill_inbox(reports, redeemed))

    def _read_buckets(self, numbers: Sequence[int]) -> dict[int, bytes]:
        sql = "SELECT number, reports FROM archive WHERE number = ANY(%s)"
        return dict(self._rows(sql, (list(numbers),)))

    def _write_buckets(self, buckets: Mapping[int, bytes]) -> None:
        values = {"numbers": list(buckets), "buckets": list(buckets.values())}
        self._build("archive", _CHANGED_BUCKETS, values)

    def _write_archive(self, buckets: Sequence[bytes]) -> None:
        values = {"numbers": list(range(len(buckets))), "buckets": list(buckets)}
        self._build("archive", _ALL_BUCKETS, values)

    def _delete_invitations(self, invitations: Sequence[bytes]) -> None:
        if invitations:
            self._build("invitation", _OTHER_INVITATIONS, (list(invitations),))


def _fill_inbox(reports: bytes, redeemed: bytes) -> tuple[Statement, Statement]:
    """Write the statements that overwrite the inbox."""
    filling = "INSERT INTO inbox SELECT * FROM unnest(%s::bigint[], %s::varchar[])"
    return ("TRUNCATE inbox", ()), (filling, split_inbox(reports, redeemed))


def keep_no_statistics(kind: str, table: str) -> list[str]:
    """Write the statements by which PostgreSQL keeps no examples of what a table held.

    >>> keep_no_statistics("archive", "new_archive")
    ['ALTER TABLE new_archive ALTER reports SET STATISTICS 0']
    """
    columns = NO_STATISTICS[kind]
    return [f"ALTER TABLE {table} ALTER {each} SET STATISTICS 0" for each in columns]
