"""Options that are given several times, each for another question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from confide.errors import QueryError


def read_once(option: str, pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Questions with what was given for each; one that was given twice is refused.

    >>> read_once("--where", [("faculty", "law"), ("cheated", "yes")])
    {'faculty': 'law', 'cheated': 'yes'}
    """
    if len(dict(pairs)) < len(pairs):
        raise QueryError(f"{option} gives one question twice; give each question once.")
    return dict(pairs)
