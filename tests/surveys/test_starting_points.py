"""The worked surveys: sound, disguised where it matters, and honest about their sources."""

import pytest
from support.web_surveys import worked

from confide import privacy
from confide.design.survey_file import SurveyFile
from confide.errors import ConfideError
from confide.surveys.starting_points import find_starting_point, list_starting_points
from confide.surveys.survey import find_survey_problems

NAMES = [each.name for each in list_starting_points()]


def test_there_are_five_and_one_has_eleven_questions():
    assert NAMES == ["corruption", "health", "student-misconduct", "tax", "workplace-harassment"]
    assert len(worked("workplace-harassment").design.questions) == 11


@pytest.mark.parametrize("name", NAMES)
def test_a_worked_survey_is_sound_and_can_be_served(name):
    text = find_starting_point(name).text
    file = SurveyFile.parse(text.encode(), f"{name}.toml")
    assert find_survey_problems(file) == []
    assert file.page["consent"] and file.page["organiser"]
    assert "ours" in text or "AUDIT-C" in text  # whose words they are is said


@pytest.mark.parametrize("name", NAMES)
def test_no_report_of_a_worked_survey_is_certain(name):
    """Every disguised question has a draw of its own, and its odds move by a bounded factor."""
    design = worked(name).design
    assert all(len(group.questions) == 1 for group in design.groups)
    assert all(group.epsilon <= 2.6 for group in privacy.of(design).groups)


def test_another_name_is_refused_with_those_that_there_are():
    with pytest.raises(ConfideError, match="Known are corruption, health"):
        find_starting_point("crime")
