"""Copies of what a survey has collected, and their way back."""

from __future__ import annotations

import csv
import secrets
from pathlib import Path

import pytest
from support.blinding import hash_token

import confide as cf
from confide.reports.invitation_store import Redemption
from confide.reports.store import open_store
from confide.reports.submissions import Submission
from confide.surveys.questionnaire import Questionnaire
from confide.surveys.survey import Survey
from confide.web.server import seal_survey


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


INVITED = """
title = "Invited"
[page]
invitation = true
[[question]]
name = "asked"
kind = "yes-no"
[[group]]
questions = ["asked"]
mechanism = "related-question"
truth = "3/4"
"""


def copy_invited(confide):
    """Invite people to a survey, and copy its database with and without its key; give a link."""
    Path("survey.toml").write_text(INVITED)
    invited = ["invite", "survey.toml", "--count", "3", "-o", "links.csv"]
    assert confide(*invited).code == 0
    made = confide("backup", "survey.toml", "-o", "copy.db", "--key", "key.pem")
    assert made.code == 0
    assert "whoever has it can send reports without an invitation" in made.out
    with Path("links.csv").open(newline="") as file:
        return next(csv.DictReader(file))["link"].rpartition("#")[2].split(".")


@pytest.mark.slow
def test_links_that_were_sent_stay_good_where_the_key_is_restored(confide, url):
    seal, token = copy_invited(confide)
    url = url.replace("survey.db", "new.db")
    ran = confide("restore", "survey.toml", "copy.db", "--database", url, "--key", "key.pem")
    assert (ran.code, ran.out.strip()) == (0, "0 reports are restored.")
    survey = Survey.load("survey.toml")
    store = open_store(url, survey.design)
    assert seal_survey(survey, store) == seal
    (signed,) = store.redeem([Redemption(hash_token(token), bytes(32))])
    assert signed
    assert (store.count(), store.count_invitations()) == (0, (3, 2))
    store.close()


@pytest.mark.slow
def test_without_the_key_links_that_were_sent_are_said_to_be_void(confide):
    seal, _ = copy_invited(confide)
    ran = confide("restore", "survey.toml", "copy.db", "--database", "sqlite:///new.db")
    assert "links that were sent are void" in ran.out
    survey = Survey.load("survey.toml")
    store = open_store("sqlite:///new.db", survey.design)
    assert seal_survey(survey, store) != seal  # which the page refuses
    store.close()


@pytest.mark.slow
def test_the_key_is_in_its_own_file_alone_and_for_its_owner(confide):
    copy_invited(confide)
    held, key = Path("copy.db").read_bytes(), Path("key.pem")
    store = open_store("sqlite:///survey.db", Survey.load("survey.toml").design)
    secret = store.read_secret("signing key")
    store.close()
    assert key.stat().st_mode & 0o777 == 0o600
    assert not any(secret[at : at + 16] in held for at in range(0, len(secret) - 16, 16))
    refused = confide("backup", "survey.toml", "-o", "more.db", "--key", "key.pem")
    assert (refused.code, refused.err) == (2, "confide: cannot write key.pem: File exists.\n")
    pem = key.read_bytes()
    Path("other.pem").write_bytes(pem[:7] + b"0" * 64 + pem[71:])  # named by a fingerprint
    for wrong in ("survey.toml", "absent.pem", "other.pem"):
        ran = confide("restore", "survey.toml", "copy.db", "--key", wrong)
        assert ran.code == 2
        assert wrong in ran.err and len(ran.err.splitlines()) == 1
