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
def test_every_kernel_and_number_of_threads_gives_the_same_rows():
    """To the last digit that is stored."""
    expected = measured({})
    assert len(expected) > 30
    for settings in kernels.others():
        for row, other in zip(expected, measured(settings), strict=True):
            assert other == row
