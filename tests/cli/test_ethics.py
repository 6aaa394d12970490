"""What an ethics board and the people who are asked are told follows from the survey."""

import re

import pytest
from support.web_surveys import worked, workplace

from confide import privacy
from confide.cli.ethics import write_for_ethics
from confide.surveys.starting_points import list_starting_points


@pytest.mark.parametrize("name", [each.name for each in list_starting_points()])
def test_every_question_and_all_that_it_gives_away_is_in_both_texts(name):
    survey = worked(name)
    summary, consent = write_for_ethics(survey).split("# Text for the people who are asked")
    for question in survey.design.questions:
        assert question.text in summary and question.text in consent
    for sentence in privacy.of(survey.design).sentences():
        assert sentence in summary
    clear = [n for n in survey.design.names if survey.design.block(n).mechanism is None]
    assert f"They are: {', '.join(clear)}." in summary
    assert consent.count("Asked in the clear: your answer is sent as it is.") == len(clear)
    assert survey.design.fingerprint in summary and "$" not in summary + consent


def test_who_may_answer_and_who_is_asked_what_is_said():
    assert "more than once" in write_for_ethics(workplace())
    invited = write_for_ethics(workplace(invitation=True, minimum=80))
    assert "blind signature" in invited and "fewer than 80 reports" in invited
    assert "more than once" not in invited and not re.search("Seal: `[0-9a-f]", invited)
    assert "Only people who answer contact with “yes”" in write_for_ethics(worked("corruption"))


def test_the_command_writes_markdown(confide, survey):
    ran = confide("check", survey, "--for", "ethics")
    assert ran.code == 0 and ran.out.startswith("# Campus life: a summary for an ethics board")
    assert "[who asks]" in ran.out  # what only people know is left for them
    assert confide("check", survey, "--for", "lawyers").code == 2
