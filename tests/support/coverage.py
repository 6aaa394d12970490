"""The coverage map of `make coverage`, as a module that tests may ask."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

PATH = Path(__file__).parents[2] / "benchmarks" / "coverage_map.py"
SPEC = importlib.util.spec_from_file_location("coverage_map", PATH)
coverage_map = importlib.util.module_from_spec(SPEC)
sys.modules["coverage_map"] = coverage_map
SPEC.loader.exec_module(coverage_map)
Case = coverage_map.Case
