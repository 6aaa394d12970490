"""Invitations: made, written as links, and listed for reminders."""

from __future__ import annotations

import csv
import hashlib
import re
import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path

from confide.errors import ConfideError
from confide.files import open_private
from confide.reports.invitation_store import InvitationStore


def invite(store: InvitationStore, count: int, address: str, path: Path) -> list[str]:
    """Make invitations and write their links, which are given back; the database keeps only hashes.

    A link is the address, which ends with "#" or with a seal and a dot, and the invitation's code.
    """
    tokens = [secrets.token_hex(16) for _ in range(count)]
    links = [f"{address}{token}" for token in tokens]
    write_links(path, [["link"], *([link] for link in links)])
    store.invite(hashlib.sha256(bytes.fromhex(token)).digest() for token in tokens)
    return links


def write_links(path: Path, rows: Iterable[Sequence[str]]) -> None:
    """Write rows of links as a new CSV file that only its owner reads."""
    try:
        with open(path, "x", newline="", encoding="utf-8", opener=open_private) as file:
            csv.writer(file).writerows(rows)
    except OSError as error:
        raise ConfideError(f"cannot write {path}: {error.strerror}.") from None


def list_reminders(store: InvitationStore, path: Path) -> list[list[str]]:
    """List the rows of a file of links, head first, whose invitation is not known to be used.

    Those that were redeemed lately are among them, so that the list ties nobody to a report.
    """
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            head, *rows = csv.reader(file)
        column = head.index("link")
        codes = [re.search(r"[0-9a-f]{32}$", row[column].strip()) for row in rows]
    except OSError as error:
        raise ConfideError(f"cannot read {path.name}: {error.strerror}.") from None
    except (ValueError, IndexError, csv.Error):
        raise ConfideError(f"{path.name} must be CSV with a column link in each row.") from None
    if None in codes:
        raise ConfideError(
            f"{path.name}: row {codes.index(None) + 2} holds no link of an invitation."
        )
    hashes = [hashlib.sha256(bytes.fromhex(found[0])).digest() for found in codes if found]
    listed = store.find_listed(hashes)
    return [head, *(row for row, each in zip(rows, hashes, strict=True) if each in listed)]
