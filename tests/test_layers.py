"""Imports point up the list of rooms, never down."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "confide"
ROOMS = [
    "errors",
    "extras",
    "arrays",
    "files",
    "progress",
    "worker_processes",
    "mechanisms",
    "formats",
    "design",
    "surveys",
    "reports",
    "counts",
    "estimators",
    "crowd",
    "privacy",
    "planning",
    "regression",
    "compliance",
    "mining",
    "papers",
    "web",
    "cli",
]
STRANGERS = {
    "privacy",
    "mining",
    "planning",
    "regression",
    "compliance",
}  # they do not know each other
HEAVY = [
    "pandas",
    "polars",
    "pyspark",
    "altair",
    "starlette",
    "sklearn",
    "duckdb",
    "openpyxl",
    "pyxform",
    "formulaic",
]


def imported_modules(path: Path) -> set[tuple[str, ...]]:
    """Everything of confide that a file imports, such as ("crowd", "_moments", "Moments")."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = [
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    ]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert node.module and node.level == 0, f"{path.name} has a relative import"
            names.append(node.module)
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    parts = (tuple(name.split(".")) for name in names)
    return {part[1:] for part in parts if part[0] == "confide" and len(part) > 1}


def forbidden(room: str, module: tuple[str, ...]) -> bool:
    """Whether a room may not import a module: of a room below it, of a stranger, or private."""
    other, *inside = module
    if other not in ROOMS or room == other:
        return False
    if any(name.startswith("_") for name in inside):
        return True
    return ROOMS.index(other) > ROOMS.index(room) or {room, other} <= STRANGERS


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda p: str(p.name))
def test_imports_point_up_only(path):
    room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    if room not in ROOMS:
        assert path.parent == SOURCE, f"{room} is no room"
        return
    assert not [module for module in imported_modules(path) if forbidden(room, module)]


def test_the_check_would_notice_an_import_that_points_down():
    assert forbidden("mechanisms", ("design",))
    assert forbidden("privacy", ("mining",))
    assert forbidden("mining", ("crowd", "_moments"))
    assert not forbidden("crowd", ("counts",))
    assert not forbidden("crowd", ("crowd", "_moments"))


@pytest.mark.slow
def test_importing_confide_brings_in_nothing_heavy():
    code = f"import sys, confide; print([m for m in {HEAVY} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


@pytest.mark.slow
def test_the_first_page_waits_for_no_engine():
    engines = ["narwhals", "scipy", "pyarrow.compute", "psycopg", "vl_convert", *HEAVY]
    engines.remove("starlette")
    code = (
        "import sys, confide.cli.app, confide.web.server; "
        f"print([m for m in {engines} if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
