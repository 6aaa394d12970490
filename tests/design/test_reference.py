"""The reference of survey files: its examples are read, and it names every key of a question."""

import re
from pathlib import Path

import pytest

import confide as cf
from confide.design.questions import QUESTIONS

DOCS = Path(__file__).parents[2] / "docs"
REFERENCE = (DOCS / "reference" / "survey-files.md").read_text("utf-8")


def blocks(language):
    """The examples in one language."""
    return re.findall(rf"```{language}\n(.*?)```", REFERENCE, re.DOTALL)


@pytest.mark.parametrize(("language", "count"), [("toml", 3), ("json", 2)])
def test_every_survey_and_form_is_read(tmp_path, language, count):
    for text in blocks(language):
        (tmp_path / f"survey.{language}").write_text(text, encoding="utf-8")
        assert cf.Design.load(tmp_path / f"survey.{language}").groups
    assert len(blocks(language)) == count


@pytest.mark.parametrize("kind", QUESTIONS, ids=lambda kind: kind.kind)
def test_every_kind_of_question_and_its_keys_are_described(kind):
    for word in (kind.kind, *kind.needed_keys, *kind.optional_keys):
        assert f"`{word}`" in REFERENCE
