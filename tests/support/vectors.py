"""The script that makes the vectors, as a module."""

import importlib.util
from pathlib import Path

VECTORS = Path(__file__).parents[2] / "vectors"


def maker():
    """The module `vectors/make.py`."""
    spec = importlib.util.spec_from_file_location("make_vectors", VECTORS / "make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
