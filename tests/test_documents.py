"""Every Python and console block of the README and the site runs, top to bottom, file by file."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.engines import spark
from support.published_survey import find_nigeria

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```", re.DOTALL | re.MULTILINE)
pytestmark = [pytest.mark.document, pytest.mark.slow]

MAIN = "from confide.cli import main; main()"


def blocks(path):
    text = path.read_text(encoding="utf-8")
    found = BLOCK.finditer(text)
    return [(text[: m.start()].count("\n") + 2, m.group(1), m.group(2)) for m in found]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_its_blocks_run_and_show_what_they_print(path, tmp_path):
    """A line `>>> …` is checked like a doctest; other Python just runs; `$ confide …` is typed."""
    namespace = {"__name__": "document"}
    if any("import SparkSession" in code for _, _, code in blocks(path)):
        spark()  # or skip where there is no Java
    if any("nigeria.csv" in code for _, _, code in blocks(path)):
        shutil.copy(find_nigeria(), tmp_path)  # or skip where it is not at hand
    before = Path.cwd()
    os.chdir(tmp_path)
    try:
        for line, language, code in blocks(path):
            if language == "console":
                check_console(code)
            elif ">>>" in code:
                test = doctest.DocTestParser().get_doctest(code, namespace, path.name, path, line)
                runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
                runner.run(test, clear_globs=False)
                namespace.update(test.globs)
                assert runner.summarize(verbose=False).failed == 0
            else:
                exec(compile("\n" * line + code, str(path), "exec"), namespace)
    finally:
        os.chdir(before)


def check_console(code):
    """Type each command, and find what is shown below it in what it prints, in this order."""
    for typed in re.split(r"^\$ ", code, flags=re.MULTILINE)[1:]:
        command, shown = typed.split("\n", 1)
        program, *arguments = command.split()
        assert program == "confide"
        ran = subprocess.run(
            [sys.executable, "-c", MAIN, *arguments],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "COLUMNS": "200"},
        )
        printed, place = " ".join(ran.stdout.split()), 0
        for part in (" ".join(piece.split()) for piece in shown.split("…")):
            place = printed.find(part, place)
            assert place >= 0, f"`{command}` does not print: {part}"
            place += len(part)


def test_a_console_block_that_shows_something_else_is_caught():
    check_console("$ confide --version\nconfide …\n")
    with pytest.raises(AssertionError, match="does not print"):
        check_console("$ confide --version\nanother program\n")


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "SECURITY.md"])
def test_links_to_files_lead_somewhere(name):
    """Links between the site's own pages are checked when it is built."""
    text = (ROOT / name).read_text(encoding="utf-8")
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", text)
    assert [target for target in targets if not (ROOT / target).exists()] == []
