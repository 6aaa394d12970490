"""JSON read as strictly as TOML: no key twice, no number that is none."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from confide.errors import shown


def read_json(text: str) -> Any:
    """Read JSON; a mistake is a `ValueError`.

    >>> read_json('{"truth": "3/4"}')
    {'truth': '3/4'}
    """
    return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for key, value in pairs:
        if key in table:
            raise ValueError(f"the key {shown(key)} stands twice in one object")
        table[key] = value
    return table


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")
