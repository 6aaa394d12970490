"""Write docs/deploy/requirements.txt: all that [serve] installs, each version with its hashes.

    python scripts/pin_serve.py

Run it where confide[serve] is installed with the versions of constraints.txt. The hashes are those
of the wheels on PyPI; the file names no address, so whoever installs from it chooses their own
index, and gets these bytes or none.
"""

from __future__ import annotations

import re
import urllib.request
from importlib.metadata import requires, version
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

ROOT = Path(__file__).parents[1]
PINS = ROOT / "docs" / "deploy" / "requirements.txt"
INDEX = "https://pypi.org/simple"
OLDEST = 11
"""The oldest Python 3 that confide runs on."""

HEAD = """\
# What confide[serve] installs: names, versions and the SHA-256 of their wheels.
# Made by scripts/pin_serve.py, for Linux and macOS. Install it before confide itself:
#     pip install --require-hashes --only-binary :all: -r requirements.txt
#     pip install --no-deps confide
"""
LINK = re.compile(r"/([^/\"#]+\.whl)#sha256=([0-9a-f]{64})")


def main() -> None:
    """Write the file."""
    found = find_installed("confide", {"serve"})
    parts = [write_pin(name, pinned, find_hashes(name, pinned)) for name, pinned in found.items()]
    PINS.write_text(HEAD + "".join(parts), "utf-8")


def find_installed(package: str, extras: set[str]) -> dict[str, str]:
    """Find all that a package with some extras needs on this machine, with its versions."""
    found: dict[str, str] = {}
    todo = [(package, frozenset(extras))]
    while todo:
        name, wanted = todo.pop()
        for line in requires(name) or ():
            needed = Requirement(line)
            if not any(_applies(needed, extra) for extra in wanted or {""}):
                continue
            key = canonicalize_name(needed.name)
            if key not in found:
                found[key] = version(key)
                todo.append((key, frozenset(needed.extras)))
    return dict(sorted(found.items()))


def _applies(needed: Requirement, extra: str) -> bool:
    return needed.marker is None or needed.marker.evaluate({"extra": extra})


def find_hashes(name: str, pinned: str) -> list[str]:
    """Find the hashes of all wheels of a version that a Python of today can install."""
    with urllib.request.urlopen(f"{INDEX}/{name}/", timeout=60) as answer:
        page = answer.read().decode()
    found = {digest for file, digest in LINK.findall(page) if is_wanted(file, pinned)}
    if not found:
        raise SystemExit(f"the index has no wheel of {name} {pinned}.")
    return sorted(found)


def is_wanted(file: str, pinned: str) -> bool:
    """Whether a wheel is of a version, and for a Python that confide runs on.

    >>> is_wanted("numpy-2.4.6-cp312-cp312-macosx_14_0_arm64.whl", "2.4.6")
    True
    >>> is_wanted("numpy-2.4.6-cp310-cp310-macosx_14_0_arm64.whl", "2.4.6")
    False
    >>> is_wanted("click-8.5.1-py3-none-any.whl", "8.5.0")
    False
    """
    try:
        _, given, _, tags = parse_wheel_filename(file.replace("%2B", "+"))
    except ValueError:
        return False
    return str(given) == pinned and any(map(_is_supported, tags))


def _is_supported(tag: object) -> bool:
    interpreter, abi, platform = str(tag).split("-", 2)
    if platform.startswith("win"):
        return False
    if interpreter.startswith("py3") or abi == "abi3":
        return True
    return interpreter.startswith("cp3") and int(interpreter[3:]) >= OLDEST


def write_pin(name: str, pinned: str, hashes: list[str]) -> str:
    """Write a package as pip reads it.

    >>> print(write_pin("a", "1.0", ["00", "11"]), end="")
    a==1.0 \\
        --hash=sha256:00 \\
        --hash=sha256:11
    """
    return (
        " \\\n    ".join([f"{name}=={pinned}", *(f"--hash=sha256:{each}" for each in hashes)])
        + "\n"
    )


if __name__ == "__main__":
    main()
