"""The coverage maps of `make coverage`, as modules that tests may ask."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "benchmarks"


def load(name):
    """Load a benchmark under its name, by which others import it."""
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


coverage_map = load("coverage_map")
likelihood_map = load("likelihood_map")
Case = coverage_map.Case
