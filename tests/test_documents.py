"""Every Python block of the README and the docs runs, top to bottom, in one namespace a file."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def blocks(path):
    text = path.read_text(encoding="utf-8")
    return [(text[: m.start()].count("\n") + 2, m.group(1)) for m in BLOCK.finditer(text)]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_its_python_blocks_run_and_show_what_they_print(path, tmp_path):
    """A line `>>> …` is checked like a doctest; other blocks just run."""
    import doctest

    namespace = {"__name__": "document"}
    before = Path.cwd()
    os.chdir(tmp_path)
    try:
        for line, code in blocks(path):
            if ">>>" in code:
                test = doctest.DocTestParser().get_doctest(code, namespace, path.name, path, line)
                runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
                runner.run(test, clear_globs=False)
                namespace.update(test.globs)
                assert runner.summarize(verbose=False).failed == 0
            else:
                exec(compile("\n" * line + code, str(path), "exec"), namespace)
    finally:
        os.chdir(before)
