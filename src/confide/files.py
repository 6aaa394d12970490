"""Files and pictures that appear whole or not at all, and JSON: read strictly, written alike.

What is not known, such as a ratio to nobody, is null. What is infinite, such as an unbounded
privacy loss, is known: it is the word "infinite", or "-infinite".
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf, isnan
from pathlib import Path
from typing import Any, NoReturn

from confide.errors import ConfideError, show
from confide.extras import Altair, explain_missing

Json = dict[str, Any]
"""An object as JSON and TOML files hold it: plain values by their keys."""
_PICTURES = (".svg", ".png", ".html")


@contextmanager
def write_atomically(path: Path) -> Iterator[Path]:
    """Give a temporary path beside the wanted one; it takes its place when all went well."""
    temporary = path.with_name(f".{path.stem}.{secrets.token_hex(4)}{path.suffix}")
    try:
        yield temporary
        temporary.replace(path)
    except OSError as error:
        raise ConfideError(f"cannot write {path}: {error.strerror or error}.") from None
    finally:
        temporary.unlink(missing_ok=True)


def open_private(path: str, flags: int) -> int:
    """Open a file that only its owner reads: an ``opener`` for `open`."""
    return os.open(path, flags, 0o600)


def check_picture(path: Path) -> None:
    """Refuse an ending that is none of a picture."""
    if path.suffix not in _PICTURES:
        raise ConfideError(f"a picture must end in {', '.join(_PICTURES)}. Got {path.name}.")


def save_picture(picture: Altair, path: Path) -> None:
    """Draw a chart of Altair into a file, whole or not at all."""
    check_picture(path)
    with explain_missing("confide[plot]", "a picture"):
        import vl_convert  # noqa: F401  Altair draws with it
    # inline: the page draws itself without asking any server for its scripts.
    how = {"inline": True} if path.suffix == ".html" else {"scale_factor": 2}
    with write_atomically(path) as temporary:
        picture.save(str(temporary), **how)


def read_json(text: str) -> Any:
    """Read JSON; a mistake is a `ValueError`.

    >>> read_json('{"truth": "3/4"}')
    {'truth': '3/4'}
    """
    return json.loads(text, object_pairs_hook=_read_unique, parse_constant=_refuse_constant)


def _read_unique(pairs: list[tuple[str, object]]) -> Json:
    table: Json = {}
    for key, value in pairs:
        if key in table:
            raise ValueError(f"the key {show(key)} stands twice in one object")
        table[key] = value
    return table


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


def to_json_value(value: object) -> object:
    """A value, and all within it, as JSON can hold it.

    >>> to_json_value({"epsilon": inf, "lift": float("nan"), "low": [-inf, 0.5]})
    {'epsilon': 'infinite', 'lift': None, 'low': ['-infinite', 0.5]}
    """
    if isinstance(value, dict):
        return {key: to_json_value(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [to_json_value(each) for each in value]
    if not isinstance(value, float):
        return value
    if isnan(value):
        return None
    return {inf: "infinite", -inf: "-infinite"}.get(value, value)
