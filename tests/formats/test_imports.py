"""Forms of other tools taken over as far as they go: what is asked, and a word about the rest."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.properties import examples
from support.workbooks import write_workbook

from confide.design.survey_file import SurveyFile
from confide.errors import DesignError
from confide.formats.toml import to_toml
from confide.surveys.form_import import import_form
from confide.surveys.survey import find_survey_problems

COLUMNS = ["type", "name", "label::English (en)", "label::Deutsch (de)", "relevant", "constraint"]
SURVEY = [
    COLUMNS,
    ["start", "start"],
    ["deviceid", "device"],
    ["note", "hello", "Welcome", "Willkommen"],
    ["select_one part", "part", "Where do you work?", "Wo arbeiten Sie?"],
    ["begin_group", "machines", "Machines", "Maschinen", "${part} = ‘p’"],
    ["select_multiple harm", "hurt", "What hurt you?", "Was hat Sie verletzt?"],
    ["integer", "hours", "Hours?", "Stunden?", None, ". >= 0 and . <= 80"],
    ["end_group"],
    ["text", "why", "Why?", "Warum?"],
    ["select_one yn", "office", "Do you like it?", "Gern?", "not(selected(${part}, 'p'))"],
    ["integer", "age", "How old?", "Wie alt?"],
    ["begin_repeat", "child", "Child", "Kind"],
    ["select_one yn", "school", "At school?", "In der Schule?"],
    ["end_repeat"],
    ["select_one yn", "late", "Late, ${age}?", "Spät, ${age}?"],
    ["select_one yn or_other", "tired", "Tired?", "Müde?", "${hours} > 40"],
]
CHOICES = [
    ["list_name", "name", "label::English (en)", "label::Deutsch (de)"],
    ["part", "p", "production", "Produktion"],
    ["part", "o", "office", "Büro"],
    ["yn", "y", "Yes", "Ja"],
    ["yn", "n", "No", "Nein"],
    ["harm", "m", "a machine", "eine Maschine"],
    ["harm", "c", "a colleague", "ein Kollege"],
]


def write_book(survey=SURVEY, choices=CHOICES, **more):
    return write_workbook({"survey": survey, "choices": choices, **more})


def take(elements, language=None, **more):
    return import_form(json.dumps({"elements": elements, **more}).encode(), "f.json", language)


def find_places(remarks):
    return {remark.place.rpartition("(")[2].rstrip(")"): remark.why for remark in remarks}


def test_a_workbook_becomes_a_survey_that_can_be_served():
    imported = import_form(write_book(), "form.xlsx", "en")
    names = [entry["name"] for entry in imported.survey["question"]]
    assert names == ["part", "hurt_m", "hurt_c", "hours", "office"]
    assert imported.survey["question"][0]["text"] == "Where do you work?"
    file = SurveyFile.parse(to_toml(imported.survey).encode(), "survey.toml")
    assert find_survey_problems(file) == []
    only_production = {"question": "part", "answer": "production"}
    assert file.page["section"] == [
        {
            "questions": ["hurt_m", "hurt_c"],
            "look": "several",
            "text": "What hurt you?",
            "only_if": only_production,
        },
        {"questions": ["hours"], "only_if": only_production},
        {"questions": ["office"], "only_if": {"question": "part", "answer": "office"}},
    ]


def test_everything_that_cannot_be_asked_is_named_at_once():
    imported = import_form(write_book(), "form.xlsx", "en")
    left_out = find_places(imported.left_out)
    assert set(left_out) == {"why", "age", "school", "late", "tired"}
    assert "options and numbers" in left_out["why"]
    assert "without a range" in left_out["age"]
    assert "several times" in left_out["school"]
    assert "repeats an earlier answer" in left_out["late"]
    assert "certain answers" in left_out["tired"]
    assert {"start", "device", "hello", "child"} <= set(find_places(imported.skipped))


def test_another_language_is_taken_when_it_is_asked_for():
    imported = import_form(write_book(), "form.xlsx", "de")
    asked = imported.survey["question"][0]
    assert (asked["text"], asked["options"]) == ("Wo arbeiten Sie?", ["Produktion", "Büro"])
    assert imported.survey["page"]["language"] == "de"
    with pytest.raises(DesignError, match=r"no language 'it'. It has English \(en\), Deutsch"):
        import_form(write_book(), "form.xlsx", "it")


def test_a_question_after_a_question_that_is_left_out_is_left_out_too():
    survey = [
        ["type", "name", "label", "relevant"],
        ["text", "job", "Job?"],
        ["select_one yn", "boss", "Boss?", "${job} = 'clerk'"],
    ]
    imported = import_form(write_book(survey), "form.xlsx")
    assert imported.survey["question"] == []
    assert set(find_places(imported.left_out)) == {"job", "boss"}


def test_a_condition_on_a_disguised_question_is_not_taken_over():
    survey = [
        ["type", "name", "label", "relevant"],
        ["select_one yn", "drugs", "Drugs?"],
        ["select_one yn", "often", "Often?", "${drugs} = 'y'"],
    ]
    groups = [
        ["questions", "mechanism", "parameters"],
        ["drugs", "related-question", '{"truth": "3/4"}'],
    ]
    imported = import_form(write_book(survey, confide=groups), "form.xlsx")
    assert [entry["name"] for entry in imported.survey["question"]] == ["drugs"]
    assert "disguised" in find_places(imported.left_out)["often"]
    assert imported.survey["group"][0]["truth"] == "3/4"


def test_boxes_tables_scales_and_numbers_of_surveyjs_are_taken_over():
    imported = take(
        [
            {"type": "html", "name": "hello", "html": "<b>Hi</b>"},
            {"type": "checkbox", "name": "done", "title": "Done?", "choices": ["lied", "stole"],
             "hasNone": True, "showOtherItem": True},
            {"type": "matrix", "name": "mood", "columns": ["low", "high"],
             "rows": ["home", "work"]},
            {"type": "rating", "name": "nps", "rateMin": 0, "rateMax": 3},
            {"type": "text", "name": "age", "inputType": "number", "min": 0,
             "validators": [{"type": "numeric", "minValue": 16, "maxValue": 80}]},
            {"type": "slider", "name": "pain", "max": 10},
        ]
    )  # fmt: skip
    assert imported.left_out == []
    by_name = {entry["name"]: entry for entry in imported.survey["question"]}
    assert list(by_name) == [
        *("done_lied", "done_stole", "done_other", "mood_home", "mood_work", "nps", "age", "pain")
    ]
    assert by_name["age"] == {"name": "age", "kind": "number", "low": 16, "high": 80}
    assert by_name["nps"]["options"] == ["0", "1", "2", "3"]
    looks = [section["look"] for section in imported.survey["page"]["section"]]
    assert looks == ["several", "matrix"]
    assert SurveyFile.parse(to_toml(imported.survey).encode(), "s.toml").problems == []
    assert len(imported.skipped) == 3  # html, none, the text of other


def test_conditions_of_surveyjs_on_two_answers_are_taken_over_and_others_are_not():
    boxes = {"type": "checkbox", "name": "done", "choices": ["lied", "stole"]}
    asked = [
        {"type": "boolean", "name": "smokes"},
        boxes,
        {"type": "boolean", "name": "much", "visibleIf": "{smokes} = true"},
        {"type": "boolean", "name": "never", "visibleIf": "{smokes} != true"},
        {"type": "boolean", "name": "often", "visibleIf": "{done} contains 'lied'"},
        {"type": "boolean", "name": "both", "visibleIf": "{smokes} = true and {much} = true"},
    ]
    imported = take(asked)
    conditions = [section.get("only_if") for section in imported.survey["page"]["section"]]
    assert conditions == [
        None,
        {"question": "smokes", "answer": "yes"},
        {"question": "smokes", "answer": "no"},
        {"question": "done_lied", "answer": "yes"},
    ]
    assert list(find_places(imported.left_out)) == ["both"]


def test_what_surveyjs_asks_beyond_options_and_numbers_is_left_out():
    asked = [
        {"type": "boolean", "name": "a"},
        {"type": "boolean", "name": "a"},
        {"type": "comment", "name": "b"},
        {"type": "text", "name": "c"},
        {"type": "text", "name": "d", "inputType": "number"},
        {"type": "paneldynamic", "name": "e"},
        {"type": "dropdown", "name": "f", "choicesByUrl": {"url": "x"}},
        {"type": "radiogroup", "name": "g", "choices": ["one"]},
        {"type": "text", "name": "h", "inputType": "number", "min": 0, "max": 9,
         "validators": [{"type": "expression", "expression": "{a} = 1"}]},
        {"type": "slider", "name": "i", "sliderType": "range"},
        {"type": "matrix", "name": "j", "columns": ["x", "y"], "rows": ["z"],
         "cellType": "checkbox"},
    ]  # fmt: skip
    imported = take(asked)
    assert [entry["name"] for entry in imported.survey["question"]] == ["a"]
    assert list(find_places(imported.left_out)) == [*"abcdefhijg"]  # what is unsound comes last


def test_a_language_of_surveyjs_is_taken_or_refused():
    title = {"default": "Ever?", "fr": "Jamais ?"}
    asked = [{"type": "boolean", "name": "a", "title": title}]
    assert take(asked).survey["question"][0]["text"] == "Ever?"
    assert take(asked, "fr").survey["question"][0]["text"] == "Jamais ?"
    with pytest.raises(DesignError, match="no language 'it'"):
        take(asked, "it")


@pytest.mark.parametrize(
    ("content", "name", "told"),
    [
        (b"{", "f.json", "not valid JSON"),
        (b"[]", "f.json", "SurveyJS form must be"),
        (b'{"pages": 3}', "f.json", "pages must be a list"),
        (b"PK", "f.xlsx", "not a sound XLSForm"),
        (write_book([["type"]], notes=[["a"]]), "f.xlsx", None),
    ],
)
def test_a_file_that_is_no_form_is_refused_in_one_line(content, name, told):
    if told is None:
        assert import_form(content, name).survey == {"question": []}
        return
    with pytest.raises(DesignError, match=told):
        import_form(content, name)


KEYS = [
    *("type", "name", "title", "description", "choices", "rows", "columns", "validators", "min"),
    *("max", "step", "inputType", "rateValues", "rateMin", "visibleIf", "elements", "labelTrue"),
]
KINDS = [
    "boolean",
    "checkbox",
    "radiogroup",
    "matrix",
    "rating",
    "text",
    "slider",
    "panel",
    "number",
]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3) | st.sampled_from(KINDS),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6)
    ),
    max_leaves=12,
)  # fmt: skip


@given(st.lists(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=8), max_size=4))
@examples(300)
def test_whatever_a_form_holds_it_becomes_a_sound_survey_or_an_error_in_words(elements):
    for element in elements:
        element.setdefault("type", "checkbox")
        element.setdefault("name", "a")
    try:
        imported = take(elements)
    except DesignError:
        return
    if imported.survey["question"]:
        file = SurveyFile.parse(to_toml(imported.survey).encode(), "s.toml")
        assert file.problems == []
        assert not [each for each in find_survey_problems(file) if "section" in each]
