"""The same seeds give the same table on any processor."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support import kernels

PROGRAM = Path(__file__).parents[1] / "support" / "cells_measured.py"


def measured(settings):
    """The rows, as a process with these settings prints them."""
    process = subprocess.run(
        [sys.executable, str(PROGRAM)],
        env=os.environ | settings,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(process.stdout)


@pytest.mark.slow
def test_the_plainest_kernel_with_one_thread_gives_the_same_rows():
    """To the last digit that is stored."""
    expected, found = measured({}), measured(kernels.others()[0])
    assert len(expected) > 30
    for row, other in zip(expected, found, strict=True):
        assert other == row
