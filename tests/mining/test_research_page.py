"""The tables of the page on the default learner are those that its commands print."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "docs" / "tables.py"
COMMAND = "auto_ablation.py xor --repeats 2"
TABLE = "| set | lead |\n|---|---|\n| xor | {} |\n"
SUMMARY = "    default tree: {}\n    default bayes: {}\n"
PAGE = "# Steps\n\n    python benchmarks/{}\n\nBy groups:\n\n{}\nAnd so:\n\n{}\nThe end.\n"


@pytest.fixture
def tables():
    spec = importlib.util.spec_from_file_location("tables", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write_page(folder, number, table=TABLE):
    page = folder / "page.md"
    page.write_text(
        PAGE.format(COMMAND, table.format(number), SUMMARY.format(number, number)), "utf-8"
    )
    return page


def keep_printed(folder, text):
    folder.mkdir()
    (folder / "auto-ablation.py-xor-repeats-2.txt").write_text(text, "utf-8")


def test_tables_and_summaries_become_those_that_the_command_printed(tables, tmp_path):
    keep_printed(tmp_path / "run", TABLE.format(2) + "\n" + SUMMARY.format(2, 2))
    page = write_page(tmp_path, 1)
    tables.main(tmp_path / "run", page)
    written = page.read_text("utf-8")
    assert written == write_page(tmp_path, 2).read_text("utf-8")


def test_a_page_with_other_tables_than_are_printed_is_left_as_it_is(tables, tmp_path):
    keep_printed(tmp_path / "run", TABLE.format(2))
    page = write_page(tmp_path, 1)
    before = page.read_text("utf-8")
    with pytest.raises(SystemExit, match="prints 1 tables and summaries; below it stand 2"):
        tables.main(tmp_path / "run", page)
    assert page.read_text("utf-8") == before


def test_every_command_of_the_page_has_its_tables_below(tables):
    before, *rest = tables.COMMAND.split(tables.PAGE.read_text("utf-8"))
    assert len(rest) > 10
    assert not tables.BLOCK.search(before)
    assert [
        command
        for command, below in zip(rest[::2], rest[1::2], strict=True)
        if not tables.BLOCK.search(below)
    ] == []
