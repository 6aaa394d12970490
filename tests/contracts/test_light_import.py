"""`import confide` brings in nothing heavy that its first line may never use."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("scipy", "sklearn", "duckdb", "pandas", "polars", "pyarrow.parquet", "typer", "rich")


@pytest.mark.slow
def test_importing_confide_loads_nothing_heavy():
    code = f"import confide, sys; print([m for m in {HEAVY} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
