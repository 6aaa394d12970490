"""Files that appear whole or not at all."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from confide.errors import ConfideError


@contextmanager
def written_safely(path: Path) -> Iterator[Path]:
    """Give a temporary path beside the wanted one; it takes its place when all went well."""
    temporary = path.with_name(f".{path.stem}.{secrets.token_hex(4)}{path.suffix}")
    try:
        yield temporary
        temporary.replace(path)
    except OSError as error:
        raise ConfideError(f"cannot write {path}: {error.strerror or error}.") from None
    finally:
        temporary.unlink(missing_ok=True)
