"""Many reports as one piece of bytes that does not tell in which order they came.

Each report takes the same room: its id, whether it was withdrawn, its record. They stand in the
order of their ids, which are random, so the bytes depend on which reports there are and on nothing
else. A withdrawn report leaves its id behind, so that it cannot be sent again, and zeros.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ID = 16
"""How many bytes an id has."""

_LIVE, _WITHDRAWN = b"\1", b"\2"  # zeros are room that no report has taken


@dataclass(frozen=True)
class Packing:
    """How the reports of a design are packed.

    Parameters
    ----------
    record : int
        How many bytes a record has.
    """

    record: int

    @property
    def room(self) -> int:
        """How many bytes a report takes."""
        return ID + 1 + self.record

    def pack(self, reports: Mapping[bytes, bytes | None]) -> bytes:
        """Pack reports, given by their ids; None for one that was withdrawn.

        >>> Packing(2).pack({b"b" * 16: None, b"a" * 16: b"xy"})
        b'aaaaaaaaaaaaaaaa\\x01xybbbbbbbbbbbbbbbb\\x02\\x00\\x00'
        """
        return b"".join(sorted(self._pack_one(*report) for report in reports.items()))

    def _pack_one(self, report_id: bytes, record: bytes | None) -> bytes:
        return report_id + (_WITHDRAWN + bytes(self.record) if record is None else _LIVE + record)

    def _split(self, packed: bytes) -> list[bytes]:
        """Split packed reports; room that no report has taken is passed over."""
        starts = range(0, len(packed) - self.room + 1, self.room)
        return [packed[start : start + self.room] for start in starts if packed[start + ID]]

    def merge(self, packed: bytes, reports: Mapping[bytes, bytes | None]) -> bytes:
        """Put reports among packed ones; one of the same id is replaced."""
        others = [each for each in self._split(packed) if each[:ID] not in reports]
        fresh = [self._pack_one(*report) for report in reports.items()]
        return b"".join(sorted(others + fresh))

    def unpack(self, packed: bytes) -> dict[bytes, bytes | None]:
        """Unpack reports by their ids."""
        return {each[:ID]: self._read_record(each) for each in self._split(packed)}

    def _read_record(self, one: bytes) -> bytes | None:
        return None if one[ID : ID + 1] == _WITHDRAWN else one[ID + 1 :]

    def find(self, packed: bytes, report_id: bytes) -> dict[bytes, bytes | None]:
        """Find a report among packed ones, as `unpack` would give it; nothing if it is not there.

        >>> Packing(1).find(Packing(1).pack({b"a" * 16: b"x"}), b"a" * 16)
        {b'aaaaaaaaaaaaaaaa': b'x'}
        """
        start = packed.find(report_id)
        while start >= 0 and start % self.room:
            start = packed.find(report_id, start + 1)
        if start < 0:
            return {}
        return self.unpack(packed[start : start + self.room])

    def live(self, packed: bytes) -> NDArray[np.void]:
        """Give the records that were not withdrawn, of any number of packed pieces in a row."""
        whole = len(packed) - len(packed) % self.room
        kind = [("id", f"V{ID}"), ("state", "S1"), ("record", f"V{self.record}")]
        rows = np.frombuffer(packed[:whole], np.dtype(kind))
        records: NDArray[np.void] = rows["record"][rows["state"] == _LIVE]
        return records


def choose_bucket(report_id: bytes, key: bytes, buckets: int) -> int:
    """Choose the bucket of an id by a hash with a secret key: nobody can aim at one bucket."""
    hashed = hashlib.blake2b(report_id, key=key, digest_size=8).digest()
    return int.from_bytes(hashed) % buckets


def sort_into_buckets(
    reports: Mapping[bytes, bytes | None], key: bytes, buckets: int
) -> dict[int, dict[bytes, bytes | None]]:
    """Sort reports into their buckets."""
    found: dict[int, dict[bytes, bytes | None]] = {}
    for report_id, record in reports.items():
        found.setdefault(choose_bucket(report_id, key, buckets), {})[report_id] = record
    return found


def pack_redeemed(redeemed: Mapping[bytes, bytes]) -> bytes:
    """Pack what invitations were redeemed for, pairs of hashes, in the hashes' own order."""
    return b"".join(sorted(map(b"".join, redeemed.items())))


def unpack_redeemed(packed: bytes) -> dict[bytes, bytes]:
    """Unpack what invitations were redeemed for.

    >>> unpack_redeemed(pack_redeemed({b"a" * 32: b"b" * 32})) == {b"a" * 32: b"b" * 32}
    True
    """
    pairs = [packed[start : start + 64] for start in range(0, len(packed), 64)]
    return {pair[:32]: pair[32:] for pair in pairs}


def split_inbox(reports: bytes, redeemed: bytes) -> tuple[list[int], list[str]]:
    """Split an inbox into numbered pieces of text, for rows that cannot grow.

    PostgreSQL empties a table of these three times as fast.

    >>> join_inbox("".join(split_inbox(b"reports", b"redeemed")[1]))
    (b'reports', b'redeemed')
    """
    packed = (len(reports).to_bytes(8) + reports + redeemed).hex()
    pieces = [packed[start : start + 400] for start in range(0, len(packed), 400)]
    return list(range(len(pieces))), pieces


def join_inbox(pieces: str) -> tuple[bytes, bytes]:
    """Join the pieces of an inbox."""
    packed = bytes.fromhex(pieces)
    end = 8 + int.from_bytes(packed[:8])
    return packed[8:end], packed[end:]
