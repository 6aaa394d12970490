"""What a copy of a store holds, for a backup and for its way back."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass


@dataclass(frozen=True)
class StoreCopy:
    """What a copy of a store holds: no secret, no session, and no report of an unfinished batch.

    Parameters
    ----------
    reports : mapping
        The released records by their ids; None for one that was withdrawn.
    unused : set of bytes
        The invitations that are still good.
    invitations : int
        How many were ever made.
    is_open : bool
        Whether the survey takes reports.
    days : mapping
        How many reports were released on each day.
    """

    reports: Mapping[bytes, bytes | None]
    unused: Set[bytes]
    invitations: int
    is_open: bool
    days: Mapping[str, int]
