"""The JSON Schema for editors says what the reader of survey files says."""

import copy
import json
from dataclasses import asdict

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.designs import designs
from support.properties import examples
from support.written_designs import EVERY_KEY, damaged_surveys, written_designs

import confide as cf
from confide.design.plain_values import from_dict, to_dict
from confide.design.questions import QUESTIONS
from confide.design.survey_file import SurveyFile
from confide.design.survey_schema import survey_schema
from confide.mechanisms import MECHANISMS
from confide.surveys.page_settings import Page
from confide.surveys.survey import find_survey_problems

SCHEMA = survey_schema()
JUDGE = jsonschema.Draft202012Validator(SCHEMA)

KINDS = {kind.kind for kind in (*QUESTIONS, *MECHANISMS)}


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("kind", [*QUESTIONS, *MECHANISMS], ids=lambda kind: kind.kind)
def test_the_schema_names_every_key_of_every_kind(kind):
    described = SCHEMA["$defs"][kind.kind]
    own = {"kind"} if kind in QUESTIONS else {"questions", "mechanism"}
    assert set(described["properties"]) == {*kind.needed_keys, *kind.optional_keys} | own
    assert set(described["required"]) == {*kind.needed_keys} | own
    assert described["additionalProperties"] is False


@pytest.mark.parametrize("whole", ["question", "group"])
def test_the_schema_knows_every_kind(whole):
    named = [branch["$ref"].removeprefix("#/$defs/") for branch in SCHEMA["$defs"][whole]["oneOf"]]
    assert named == [kind.kind for kind in (QUESTIONS if whole == "question" else MECHANISMS)]


@given(designs() | written_designs() | st.just(EVERY_KEY))
def test_every_design_fits_the_schema(design):
    JUDGE.validate(to_dict(design))


@pytest.mark.parametrize("truth", [0.75, 1, "3/4", "0.75", ".75", "1"])
def test_a_probability_may_be_written_in_all_these_ways(truth):
    survey = to_dict(EVERY_KEY)
    survey["group"][0]["truth"] = truth
    survey["$schema"] = "survey.schema.json"
    JUDGE.validate(survey)
    from_dict(survey)


@given(damaged_surveys())
def test_what_the_reader_accepts_the_schema_accepts(survey):
    try:
        from_dict(survey)
    except cf.DesignError:
        return
    JUDGE.validate(survey)


def places(value, path=()):
    """Every place in a nest of tables and lists, as the keys that lead there."""
    if path:
        yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


def changed(survey, path, value):
    """A copy of the survey with another value in one place."""
    copied = copy.deepcopy(survey)
    *way, last = path
    inner = copied
    for key in way:
        inner = inner[key]
    inner[last] = value
    return copied


WRONG_TYPES = [None, True, "?", [["?"]]]


@pytest.mark.slow
@pytest.mark.parametrize("wrong", WRONG_TYPES, ids=json.dumps)
def test_a_wrong_type_that_the_schema_refuses_in_any_place_is_refused_by_the_reader(wrong):
    survey = to_dict(EVERY_KEY)
    refused = 0
    for path in places(survey):
        damaged = changed(survey, path, wrong)
        if not JUDGE.is_valid(damaged):
            refused += 1
            with pytest.raises(cf.DesignError):
                from_dict(damaged)
    assert refused > 50


TABLES = [p for p in places(to_dict(EVERY_KEY)) if len(p) == 2] + [("group", 2, "personal", 0)]


@pytest.mark.parametrize("path", [(), *TABLES], ids=str)
def test_an_unknown_key_in_any_table_is_refused_by_both(path):
    survey = changed(to_dict(EVERY_KEY), (*path, "colour"), "1/2")
    assert not JUDGE.is_valid(survey)
    with pytest.raises(cf.DesignError, match=r"unknown key 'colour'|see its cell 1"):
        from_dict(survey)


@pytest.mark.parametrize("path", [p for p in places(to_dict(EVERY_KEY)) if len(p) == 3], ids=str)
def test_a_key_that_the_reader_does_not_miss_the_schema_does_not_miss(path):
    survey = to_dict(EVERY_KEY)
    del survey[path[0]][path[1]][path[2]]
    try:
        from_dict(survey)
    except cf.DesignError:
        return
    JUDGE.validate(survey)


@pytest.mark.parametrize("key", ["kind", "mechanism"])
@examples(20)
@given(word=st.text().filter(lambda word: word not in KINDS))
def test_an_unknown_kind_or_mechanism_is_refused_by_both(key, word):
    survey = to_dict(EVERY_KEY)
    survey["question" if key == "kind" else "group"][0][key] = word
    assert not JUDGE.is_valid(survey)
    with pytest.raises(cf.DesignError, match="must be one of"):
        from_dict(survey)


PAGE = {
    "language": "de",
    "organiser": "us",
    "consent": "I agree.",
    "own_device": False,
    "invitation": True,
    "minimum": 20,
    "wanted": 400,
    "exit": "https://example.org/",
    "test": "3/4",
    "thanks": "See you.",
    "redirect": "https://panel.example/done",
    "personal": {"party": "Is your birthday in May?"},
    "help": {"party": "Think of the last election."},
    "texts": {"send": "Go", "range": "{low} – {high}"},
    "translations": {
        "en": {
            "consent": "I do.",
            "thanks": "Bye.",
            "personal": {"party": "Were you born in May?"},
            "help": {"party": "The last one."},
            "section": [{"title": "All", "text": "Of it."}],
        }
    },
    "section": [{"questions": ["party"], "title": "Alles", "text": "Davon.", "look": "several"}],
}


def with_page(page):
    """A survey that can be served, with this page."""
    group = cf.Group(["party"], cf.UnrelatedQuestion("1/2", {"party": {"yes": "1/2", "no": "1/2"}}))
    return {**to_dict(cf.Design([cf.YesNo("party")], [group])), "page": page}


def served(survey):
    return not find_survey_problems(SurveyFile("survey.json", survey))


def test_the_schema_names_every_key_of_the_page_with_its_default():
    described = SCHEMA["$defs"]["page"]["properties"]
    assert set(described) == set(PAGE) == set(asdict(Page()))
    for key, default in asdict(Page()).items():
        assert described[key].get("default", type(default)()) == default


def test_both_take_a_page_with_every_key_and_with_none():
    for page in (PAGE, {}, asdict(Page())):
        JUDGE.validate(with_page(page))
        assert served(with_page(page))


@pytest.mark.parametrize("wrong", [None, True, 3, -1, 0.5, "?", [], {}, {"a": 1}], ids=json.dumps)
@pytest.mark.parametrize("key", PAGE)
def test_what_the_schema_refuses_in_a_page_serve_refuses(key, wrong):
    survey = with_page({**PAGE, key: wrong})
    if served(survey):
        JUDGE.validate(survey)
    if not JUDGE.is_valid(survey):
        assert not served(survey)


def test_an_unknown_key_of_the_page_is_refused_by_both():
    survey = with_page({**PAGE, "organizer": "us"})
    assert not JUDGE.is_valid(survey)
    assert not served(survey)
    from_dict(survey)  # for all but the web it is no part of the survey
