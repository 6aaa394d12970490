"""The archive of a store: buckets of packed reports that do not tell when any of them came.

Each report is in the bucket that a hash of its random id names. Which bytes the archive holds
depends on which reports there are, and not on when they came. Only what is in the archive is
counted, exported or copied.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from confide.reports.mixed_modes import mix_modes
from confide.reports.packed_reports import choose_bucket, sort_into_buckets
from confide.reports.recent_releases import Release
from confide.reports.report_store import ArchiveSize, PatternCounts
from confide.reports.sql_days import SQLDays, count_live
from confide.reports.sql_transactions import Reports
from confide.reports.store import StoreError

ROOM = 64
"""How many reports a bucket has room for; it holds half as many on average, at most."""


class SQLArchive(SQLDays):
    """The reports of one design that were released."""

    def _check_whole(self, where: str) -> None:
        """Refuse a database of which parts are missing."""
        sql = "SELECT buckets, (SELECT count(*) FROM archive) FROM state"
        ((buckets, held),) = self._rows(sql)
        if buckets != held:
            raise StoreError(
                f"{where} is damaged: {buckets - held:,} of {buckets:,} parts of its reports are "
                "missing. Restore a backup: confide restore."
            )

    def _choose_buckets(self, ids: Sequence[bytes]) -> dict[bytes, int]:
        """Find the number of the bucket of each report, whether or not it is there."""
        now = self._now
        return {each: choose_bucket(each, now.key, now.buckets) for each in ids}

    def _find_archived(self, ids: Sequence[bytes]) -> Reports:
        """Find the reports that are in the archive among some ids."""
        chosen = self._choose_buckets(ids)
        held = self._read_buckets(sorted(set(chosen.values())))
        found: Reports = {}
        for report_id, number in chosen.items():
            found |= self._packing.find(held[number], report_id)
        return found

    def _withdraw_archived(self, report_id: bytes) -> None:
        """Forget what a report in the archive said, within a transaction."""
        (number,) = self._choose_buckets([report_id]).values()
        self._write_buckets(self._merge({number: {report_id: None}}))
        self._execute("UPDATE state SET withdrawn = withdrawn + 1")

    def _release(self, reports: Reports) -> Release:
        """Put reports into the archive, within a transaction, and count them to their day."""
        release = self._archive(reports)
        self._note_released(reports)
        return release

    def _archive(self, reports: Mapping[bytes, bytes | None]) -> Release:
        """Put reports into the archive, within a transaction; who drew is mixed among them."""
        reports = mix_modes(self._questionnaire, reports)
        sql = "SELECT hash_key, buckets, archived, withdrawn FROM state"
        ((key, buckets, archived, withdrawn),) = self._rows(sql)
        wanted = buckets
        while archived + len(reports) > wanted * ROOM // 2:
            wanted *= 2
        changed: Mapping[int, bytes] = {}
        if wanted == buckets:
            changed = self._merge(sort_into_buckets(reports, key, buckets))
        if wanted > buckets or any(map(self._is_overfull, changed.values())):
            wanted = self._rewrite({**self._read_archived(), **reports}, key, wanted)
        else:
            self._write_buckets(changed)
        self._execute(
            "UPDATE state SET buckets = ?, archived = archived + ?, withdrawn = withdrawn + ?",
            (wanted, len(reports), len(reports) - count_live(reports)),
        )
        if self._begun is not None:
            self._begun.buckets = wanted
        return Release(ArchiveSize(archived, withdrawn), reports)

    def _merge(self, fresh: Mapping[int, Reports]) -> dict[int, bytes]:
        """Merge reports into what their buckets hold."""
        held = self._read_buckets(sorted(fresh))
        return {n: self._packing.merge(held[n], reports) for n, reports in fresh.items()}

    def _is_overfull(self, packed: bytes) -> bool:
        return len(packed) > ROOM * self._packing.room

    def _rewrite(self, reports: Reports, key: bytes, buckets: int) -> int:
        """Write the archive anew with so many buckets, or as many more as it takes."""
        found = sort_into_buckets(reports, key, buckets)
        while any(len(each) > ROOM for each in found.values()):
            buckets *= 2
            found = sort_into_buckets(reports, key, buckets)
        self._write_archive([self._packing.pack(found.get(n, {})) for n in range(buckets)])
        return buckets

    def _read_archived(self) -> Reports:
        found: Reports = {}
        for (packed,) in self._rows("SELECT reports FROM archive"):
            found |= self._packing.unpack(packed)
        return found

    def read_records(self) -> list[bytes]:
        rows = self._read("SELECT reports FROM archive ORDER BY number")
        return self._unpack_records(packed for (packed,) in rows)

    def _unpack_records(self, buckets: Iterable[bytes]) -> list[bytes]:
        room, size = self._packing.room, self._packing.record
        whole = b"".join(packed[: len(packed) - len(packed) % room] for packed in buckets)
        records = self._packing.live(whole).tobytes()
        return [records[start : start + size] for start in range(0, len(records), size)]

    def count_released(self) -> int:
        ((n,),) = self._read("SELECT archived - withdrawn FROM state")
        return int(n)

    def count_patterns(self) -> list[tuple[bytes, int]]:
        return sorted(Counter(self.read_records()).items())

    def count_patterns_since(self, seen: ArchiveSize | None) -> PatternCounts:
        ((archived, withdrawn),) = self._read("SELECT archived, withdrawn FROM state")
        now = ArchiveSize(archived, withdrawn)
        recent = self._recent.take(seen, now)
        if recent is not None:
            return PatternCounts(sorted(recent.items()), now, is_all=False)
        # in one statement, for the size must be that of the reports that are read
        size = "(SELECT archived FROM state), (SELECT withdrawn FROM state)"
        rows = self._read(f"SELECT {size}, reports FROM archive ORDER BY number")
        records = self._unpack_records(packed for *_, packed in rows)
        now = ArchiveSize(*rows[0][:2])
        return PatternCounts(sorted(Counter(records).items()), now, is_all=True)
