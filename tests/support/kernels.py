"""Linear-algebra kernels of this processor other than the one it uses by itself.

OpenBLAS and numpy choose their code by processor: sums run in another order, and numbers differ in
the last digits. As a program it runs a command under the kernel that differs most, the plainest
with one thread, or with --all once under each:

    python tests/support/kernels.py [--all] COMMAND …
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import numpy as np
from threadpoolctl import threadpool_info

NEEDS = {"SkylakeX": "AVX512", "Haswell": "AVX2", "Sandybridge": "AVX", "Prescott": "SSE"}
"""OpenBLAS's kernels for x86 that differ from each other, and what a processor needs for each."""
ALIKE = {"Zen": "Haswell", "Cooperlake": "SkylakeX", "SapphireRapids": "SkylakeX"}
LEVELS = {"X86_V4": ("AVX512", "AVX2", "AVX"), "X86_V3": ("AVX2", "AVX")}
"""What newer versions of numpy call several features together."""


def others() -> list[dict[str, str]]:
    """Settings of the environment: the plainest kernel with one thread, the best other with two."""
    found = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    plain, best = {"OPENBLAS_NUM_THREADS": "1"}, {"OPENBLAS_NUM_THREADS": "2"}
    if kernels := _kernels(found):
        plain["OPENBLAS_CORETYPE"], best["OPENBLAS_CORETYPE"] = kernels[-1], kernels[0]
    if found:
        plain["NPY_DISABLE_CPU_FEATURES"] = " ".join(found)
    return [plain, best]


def _kernels(found: list[str]) -> list[str]:
    """The other kernels that this processor can run, the fastest first; no other may be tried."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return ["ARMV8"] if platform.machine() in ("aarch64", "arm64") else []
    has = {"SSE", *found, *(name for level in found for name in LEVELS.get(level, ()))}
    if "AVX512_SKX" in has:
        has.add("AVX512")
    used = {each.get("architecture") for each in threadpool_info()}
    used |= {ALIKE.get(kernel) for kernel in used}
    return [kernel for kernel, needed in NEEDS.items() if needed in has and kernel not in used]


def main(command: list[str]) -> int:
    """Run a command under the plainest kernel, or under each; the first failure ends it."""
    chosen = others()[:1]
    if command[:1] == ["--all"]:
        chosen, command = others(), command[1:]
    for settings in chosen:
        print(*(f"{name}={value!r}" for name, value in settings.items()), flush=True)  # noqa: T201
        if failed := subprocess.run(command, env=os.environ | settings, check=False).returncode:
            return failed
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
