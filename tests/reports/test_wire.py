"""A report as it travels: what is read, what is refused, and that no length tells an answer."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.properties import examples
from support.web_reports import body
from support.web_surveys import campus, noisy, small

import confide as cf
from confide.reports.wire import read_report, write_report

SMALL = small()


@examples(150)
@given(st.binary(max_size=300) | st.text(max_size=100).map(str.encode))
def test_reading_any_bytes_gives_a_report_or_a_named_mistake(sent):
    form = SMALL.questionnaire
    try:
        report = read_report(form, sent)
    except cf.ReportsError:
        return
    assert read_report(form, write_report(form, report)) == report


@examples(150)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40),
        lambda inner: st.lists(inner, max_size=4),
        max_leaves=8,
    ),
    st.sampled_from(["design", "id", "ticket", "mode", "report"]),
)
def test_any_value_in_any_place_gives_a_report_or_a_named_mistake(value, key):
    changed = json.dumps({**json.loads(body(SMALL)), key: value}).encode()
    try:
        report = read_report(SMALL.questionnaire, changed)
    except cf.ReportsError:
        return
    assert json.loads(write_report(SMALL.questionnaire, report))[key] == value


@pytest.mark.parametrize("survey", [campus(), noisy()], ids=["campus", "noisy"])
def test_all_reports_of_a_survey_have_one_length(survey):
    sizes = [field.size for field in survey.questionnaire.fields]
    lengths = {
        len(body(survey, tuple((size - 1) * end for size in sizes), modes=modes))
        for end in (0, 1)
        for modes in (
            survey.questionnaire.modes(),
            survey.questionnaire.modes(survey.questionnaire.by_hand),
        )
    }
    assert len(lengths) == 1
