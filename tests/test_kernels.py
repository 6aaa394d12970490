"""No number that a person sees depends on the processor or the number of threads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support import kernels

PROGRAM = Path(__file__).parent / "support" / "numbers_shown.py"


def shown(settings):
    """All numbers, as a process with these settings prints them."""
    command = [sys.executable, str(PROGRAM)]
    process = subprocess.run(
        command, env=os.environ | settings, capture_output=True, text=True, check=True
    )
    return json.loads(process.stdout)


@pytest.mark.slow
def test_the_plainest_kernel_with_one_thread_gives_the_same_numbers():
    """To eight digits behind the point, privacy statements among them."""
    expected, found = shown({}), shown(kernels.others()[0])
    for room, results in expected.items():
        for one, other in zip(results, found[room], strict=True):
            np.testing.assert_allclose(other, one, rtol=0, atol=1e-8, err_msg=room)


def test_no_kernel_is_tried_that_the_processor_lacks(monkeypatch):
    monkeypatch.setattr(kernels.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(kernels, "threadpool_info", lambda: [{"architecture": "Zen"}])
    assert kernels._kernels(["X86_V3"]) == ["Sandybridge", "Prescott"]
    assert kernels._kernels(["AVX", "F16C"]) == ["Sandybridge", "Prescott"]
    assert kernels._kernels([]) == ["Prescott"]
    assert kernels._kernels(["X86_V3", "X86_V4"]) == ["SkylakeX", "Sandybridge", "Prescott"]
    monkeypatch.setattr(kernels, "threadpool_info", lambda: [{"architecture": "SapphireRapids"}])
    assert kernels._kernels(["AVX2", "AVX", "AVX512_SKX"]) == ["Haswell", "Sandybridge", "Prescott"]
