"""What every model file begins and ends with: its format, its version, its checksum."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np

from confide.errors import ModelError
from confide.files import Json, write_atomically

VERSION = 1
LARGEST_FILE = 1 << 28


def close_envelope(contents: Json) -> Json:
    """Put format and version before a model's contents, and the checksum of all after them.

    Its parameters may be numbers of numpy.
    """
    parameters = {
        name: value.item() if isinstance(value, np.generic) else value
        for name, value in contents["parameters"].items()
    }
    whole = {
        "format": "confide-model",
        "version": VERSION,
        **contents,
        "parameters": parameters,
    }
    return {**whole, "checksum": _checksum(whole)}


def write_envelope(path: Path, closed: Json) -> None:
    """Write what `close_envelope` gave; nothing is left half-written."""
    with write_atomically(path) as temporary:
        temporary.write_text(json.dumps(closed) + "\n", encoding="utf-8")


def open_envelope(path: Path) -> Json:
    """Read a model file; refuse what is no model, of another version, or changed."""
    name, contents = path.name, _read_json(path)
    if not isinstance(contents, dict) or contents.get("format") != "confide-model":
        raise ModelError(f"{name} is no model of confide.")
    if contents.get("version") != VERSION:
        raise ModelError(
            f"{name} is a model of version {contents.get('version')!r:.20}; this program reads "
            f"version {VERSION}. Learn it again, or use the program that wrote it."
        )
    if contents.get("checksum") != _checksum(contents):
        raise ModelError(f"{name} was changed after it was written. Ask for the file anew.")
    return contents


def _checksum(contents: Json) -> str:
    rest = {key: value for key, value in contents.items() if key != "checksum"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _read_json(path: Path) -> object:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise ModelError(f"{path.name} is too large for a model. Is it the right file?")
        return json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise ModelError(f"{path.name} is no JSON file, or is damaged.") from None
    except OSError as error:
        raise ModelError(f"cannot read {path.name}: {error.strerror}.") from None
