"""SurveyJS forms: read, written back, and refused where a design cannot follow."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.designs import designs
from support.written_designs import EVERY_KEY, JSON, written_designs

import confide as cf

FORM = {
    "title": "Campus life",
    "logoPosition": "right",
    "pages": [
        {
            "name": "page1",
            "elements": [
                {"type": "boolean", "name": "cheated", "title": "Ever cheated?"},
                {
                    "type": "panel",
                    "name": "about",
                    "title": "About you",
                    "elements": [
                        {
                            "type": "radiogroup",
                            "name": "faculty",
                            "isRequired": True,
                            "choices": ["arts", {"value": "l", "text": "law"}, {"value": "none"}],
                        },
                        {"type": "dropdown", "name": "siblings", "choices": [0, 1, 2]},
                    ],
                },
            ],
        },
        {
            "name": "page2",
            "elements": [
                {
                    "type": "rating",
                    "name": "mood",
                    "title": {"default": "How are you?"},
                    "description": "Today.",
                    "rateMax": 4,
                    "minRateDescription": "bad",
                    "maxRateDescription": "well",
                },
                {"type": "text", "name": "age", "inputType": "number", "min": 16, "max": 80},
            ],
        },
    ],
}


def elements(form):
    return form["pages"][0]["elements"]


def disguised(form):
    group = {"questions": ["cheated"], "mechanism": "related-question", "truth": "3/4"}
    return {**copy.deepcopy(form), "confide": {"group": [group]}}


def test_a_plain_form_is_a_design_in_the_clear(tmp_path):
    (tmp_path / "form.json").write_text(json.dumps(FORM))
    assert cf.Design.load(tmp_path / "form.json") == cf.Design(
        [
            cf.YesNo("cheated", "Ever cheated?"),
            cf.Choice("faculty", ["arts", "law", "none"]),
            cf.Choice("siblings", [0, 1, 2]),
            cf.Choice(
                "mood", [1, 2, 3, 4], "How are you?\nToday.\n1 = bad, 4 = well", ordered=True
            ),
            cf.Number("age", 16, 80),
        ],
        title="Campus life",
    )


def test_groups_stand_in_the_key_confide():
    (group,) = cf.Design.from_surveyjs(disguised(FORM)).groups
    assert group == cf.Group(["cheated"], cf.RelatedQuestion("3/4"))


@pytest.mark.parametrize(
    ("element", "question"),
    [
        ({"type": "radiogroup", "choices": ["Yes", "No"]}, cf.YesNo("q")),
        (
            {"type": "dropdown", "choices": ["NO", "yes ", "Prefer not to say"]},
            cf.YesNo("q", missing="option"),
        ),
        (
            {"type": "radiogroup", "choices": ["a", "b"], "showRefuseItem": True},
            cf.Choice("q", ["a", "b"], missing="option"),
        ),
        ({"type": "radiogroup", "choices": [1, 2, "more"]}, cf.Choice("q", ["1", "2", "more"])),
        (
            {"type": "boolean", "labelTrue": "Ja", "labelFalse": "Nein"},
            cf.Choice("q", ["Nein", "Ja"]),
        ),
        ({"type": "boolean", "labelTrue": "Yes!"}, cf.Choice("q", ["no", "Yes!"])),
        ({"type": "rating"}, cf.Choice("q", [1, 2, 3, 4, 5], ordered=True)),
        (
            {"type": "rating", "rateMin": 0, "rateMax": 10, "rateStep": 5},
            cf.Choice("q", [0, 5, 10], ordered=True),
        ),
        ({"type": "rating", "rateCount": 3}, cf.Choice("q", [1, 2, 3], ordered=True)),
        (
            {"type": "rating", "rateValues": [{"value": 2, "text": "high"}, "low"]},
            cf.Choice("q", ["high", "low"], ordered=True),
        ),
        (
            {"type": "text", "inputType": "number", "min": 0, "max": 1, "step": 0.5, "unit": "m"},
            cf.Number("q", 0, 1, unit="m", step=0.5),
        ),
    ],
)
def test_an_element_becomes_the_question_people_read(element, question):
    assert cf.Design.from_surveyjs({"elements": [{"name": "q", **element}]}).questions == (
        question,
    )


@given(designs() | written_designs())
def test_a_design_comes_back_from_its_form_or_is_refused(design):
    try:
        form = json.loads(json.dumps(design.to_surveyjs()))
    except cf.DesignError as error:
        assert "cannot be written as a SurveyJS form" in str(error)
        return
    assert cf.Design.from_surveyjs(form).fingerprint == design.fingerprint


@given(designs() | st.just(EVERY_KEY))
def test_no_ordinary_design_is_refused(design):
    design.to_surveyjs()


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        (cf.Choice("q", ["Yes", "No"]), "kind of question 'q' would come back as 'yes-no'"),
        (
            cf.Choice("q", ["a", "b", "Prefer not to say"]),
            "options of question 'q' would come back as ['a', 'b']",
        ),
        (cf.YesNo("q", "Why {q}?"), "pages[0].elements[0].title is not supported"),
    ],
)
def test_a_design_that_would_come_back_another_is_not_written(question, reason):
    with pytest.raises(cf.DesignError, match="cannot be written as a SurveyJS form") as refusal:
        cf.Design([question]).to_surveyjs()
    assert reason in str(refusal.value)


REFUSED = {
    "a comment": ({"type": "comment"}, "pages[0].elements[0] ('cheated') is of type 'comment'"),
    "several answers": ({"type": "checkbox", "choices": ["a"]}, "is of type 'checkbox'"),
    "no type": ({"type": None}, "is of type None"),
    "a free text": ({"type": "text"}, 'Write "inputType": "number", "min" and "max"'),
    "a number without range": ({"type": "text", "inputType": "number"}, '"min" and "max"'),
    "other": (
        {"type": "radiogroup", "choices": ["a", "b"], "showOtherItem": True},
        "pages[0].elements[0].showOtherItem is not supported",
    ),
    "choices from afar": (
        {"type": "dropdown", "choicesByUrl": {"url": "x"}},
        "elements[0].choicesByUrl",
    ),
    "no choices": ({"type": "dropdown"}, "elements[0].choices must be a list"),
    "choice of a list": ({"type": "dropdown", "choices": [[1]]}, "choices[0] must be a text"),
    "choice of a truth": ({"type": "dropdown", "choices": [True]}, "choices[0] must be a text"),
    "one choice": ({"type": "dropdown", "choices": ["a"]}, "question 1 (cheated): options"),
    "conditional choice": (
        {"type": "dropdown", "choices": [{"value": "a", "visibleIf": "{siblings} > 1"}]},
        "elements[0].choices[0].visibleIf is not supported: confide asks every question",
    ),
    "a picture": (
        {"type": "dropdown", "choices": [{"value": "a", "imageLink": "x"}]},
        "elements[0].choices[0].imageLink is not supported",
    ),
    "an endless rating": ({"type": "rating", "rateMax": 10**9}, "must rise in whole steps"),
    "a falling rating": ({"type": "rating", "rateMax": 0}, "must rise in whole steps"),
    "a rating of words": ({"type": "rating", "rateMax": "5"}, "must rise in whole steps"),
    "two languages": (
        {"type": "boolean", "title": {"default": "a", "de": "b"}},
        "elements[0].title is not supported: a design has one language",
    ),
    "a numeric title": ({"type": "boolean", "title": 5}, "elements[0].title"),
    "a quoted answer": (
        {"type": "boolean", "title": "Why {siblings}?"},
        "elements[0].title is not supported: confide shows every text as it is",
    ),
    "a default": ({"type": "boolean", "defaultValue": True}, "elements[0].defaultValue"),
    "hidden": ({"type": "boolean", "visible": False}, "elements[0].visible is not supported"),
    "branching": (
        {"type": "boolean", "visibleIf": "{siblings} > 1"},
        "elements[0].visibleIf is not supported: confide asks every question of everyone",
    ),
    "no name": ({"type": "boolean", "name": None}, "question 1: this question has no value"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_a_design_cannot_say_is_refused_with_path_and_reason(tmp_path, case):
    element, reason = REFUSED[case]
    form = copy.deepcopy(FORM)
    elements(form)[0] = {"name": "cheated", **element}
    (tmp_path / "form.json").write_text(json.dumps(form))
    with pytest.raises(cf.DesignError) as refusal:
        cf.Design.load(tmp_path / "form.json")
    assert reason in str(refusal.value)
    assert str(refusal.value).startswith("form.json: ")
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize("key", ["visibleIf", "enableIf", "requiredIf", "resetValueIf"])
@pytest.mark.parametrize("condition", ["{cheated} = true", "{age} > 3 and {CHEATED} notempty"])
@pytest.mark.parametrize("place", ["question", "panel", "page", "choice"])
def test_a_branch_on_a_disguised_answer_is_refused_because_it_tells_it(key, condition, place):
    form = disguised(FORM)
    panel = elements(form)[1]
    target = {
        "question": panel["elements"][0],
        "panel": panel,
        "page": form["pages"][1],
        "choice": panel["elements"][0]["choices"][1],
    }[place]
    target[key] = condition
    with pytest.raises(cf.DesignError, match=r"'cheated', which is disguised: .* tell the answer"):
        cf.Design.from_surveyjs(form)
    del form["confide"]
    with pytest.raises(cf.DesignError, match="confide asks every question of everyone"):
        cf.Design.from_surveyjs(form)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("triggers", [{"type": "complete", "expression": "{cheated} = true"}]),
        ("calculatedValues", [{"name": "x", "expression": "iif({cheated}, 1, 2)"}]),
        ("navigateToUrlOnCondition", [{"url": "x", "expression": "{cheated} = true"}]),
        ("completedHtml", "You said {cheated}"),
    ],
)
def test_what_the_whole_form_does_with_a_disguised_answer_is_refused(key, value):
    with pytest.raises(cf.DesignError, match=f"{key} depends on the answer to 'cheated'"):
        cf.Design.from_surveyjs({**disguised(FORM), key: value})


@pytest.mark.parametrize("own", [[], "x", {"groups": []}, {"group": 5}, {"group": [5]}])
def test_an_unsound_key_confide_is_refused(own):
    with pytest.raises(cf.DesignError, match=r"confide must be|its own \[\[group"):
        cf.Design.from_surveyjs({**FORM, "confide": own})


@pytest.mark.parametrize("form", [None, [], {}, {"question": []}])
def test_what_is_no_form_is_refused(form):
    with pytest.raises(cf.DesignError, match='with "pages" or "elements"'):
        cf.Design.from_surveyjs(form)


def test_a_form_nested_too_deeply_is_refused():
    form = {"type": "boolean", "name": "a"}
    for _ in range(5000):
        form = {"type": "panel", "elements": [form]}
    with pytest.raises(cf.DesignError, match="nested too deeply"):
        cf.Design.from_surveyjs({"elements": [form]})


@st.composite
def damaged_forms(draw):
    form = disguised(FORM)
    place = form
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = draw(st.sampled_from(keys))
        if isinstance(place[key], dict | list) and place[key] and draw(st.integers(0, 4)):
            place = place[key]
            continue
        place[key] = draw(JSON)
        return form


@given(damaged_forms() | st.fixed_dictionaries({"pages": JSON, "confide": JSON}))
def test_no_form_whatever_raises_anything_but_a_design_error(form):
    try:
        cf.Design.from_surveyjs(form)
    except cf.DesignError as error:
        assert str(error).startswith("the form")
        assert str(error).isprintable()
