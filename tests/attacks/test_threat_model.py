"""The threat model itself: every promise names an attack that exists, or says "not tried"."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "ideas" / "threat-model.md").read_text("utf-8")


def promises():
    """The rows of the table of promises."""
    _, _, rest = TEXT.partition("## What is promised")
    table, _, _ = rest.partition("## What is not promised")
    rows = [line for line in table.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]


def test_every_promise_names_its_attack_or_says_that_none_was_tried():
    assert len(promises()) > 15
    for promise, _, attack in promises():
        assert "`tests/" in attack or "not tried" in attack, promise


def test_every_test_that_is_named_is_there():
    named = set(re.findall(r"`(tests/[^`: ]+)`", TEXT))
    assert len(named) > 8
    assert [each for each in named if not (ROOT / each).exists()] == []


def test_every_attack_is_named():
    files = {f"tests/attacks/{each.name}" for each in Path(__file__).parent.glob("test_*.py")}
    files.remove("tests/attacks/test_threat_model.py")
    assert [each for each in files if each not in TEXT] == []
