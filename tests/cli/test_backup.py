"""Copies of what a survey has collected, and their way back."""

from __future__ import annotations

import secrets

import pytest

import confide as cf
from confide.reports.store import open_store
from confide.reports.submissions import Submission
from confide.surveys.questionnaire import Questionnaire


@pytest.fixture
def collected(survey):
    """A database beside the survey with a complete batch, and with one report more."""
    form = Questionnaire(cf.Design.load(survey))
    store = open_store("sqlite:///survey.db", form.design, by_invitation=False)
    record = form.pack([0] * len(form.fields), form.modes())
    store.settle([Submission(secrets.token_bytes(16), record) for _ in range(30)])
    store.settle([Submission(secrets.token_bytes(16), record)])
    store.close()
    return form.design


def test_a_copy_is_restored_into_a_new_database(confide, collected):
    made = confide("backup", "survey.toml", "-o", "copy.db")
    assert made.code == 0
    assert made.out.strip() == (
        "30 reports in copy.db. 1 wait for a complete batch and are not in it."
    )
    back = confide("restore", "survey.toml", "copy.db", "--database", "sqlite:///new.db")
    assert (back.code, back.out.strip()) == (0, "30 reports are restored.")
    store = open_store("sqlite:///new.db", collected)
    assert (store.count(), store.is_open()) == (30, True)
    store.close()


@pytest.mark.usefixtures("collected")
@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["backup", "survey.toml", "-o", "survey.db"], "survey.db exists already"),
        (["restore", "survey.toml", "absent.db"], "there is no file absent.db"),
        (["restore", "survey.toml", "survey.db"], "holds reports or invitations already"),
        (["backup", "survey.toml", "-o", "x.db", "--database", "sqlite:///no.db"], "no database"),
    ],
)
def test_what_cannot_be_copied_is_said_in_one_line(confide, arguments, complaint):
    ran = confide(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert complaint in ran.err
    assert len(ran.err.splitlines()) == 1
