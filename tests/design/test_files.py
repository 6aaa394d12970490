"""Survey files: what is written is read back, and what is wrong is named with its place."""

import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.designs import designs
from support.properties import examples
from support.written_designs import JSON, TEXTS, damaged_surveys, written_designs

import confide as cf
from confide.design.plain_values import from_dict
from confide.design.survey_file import LARGEST_FILE
from confide.formats.toml import to_toml

CHEATED = '[[question]]\nname = "cheated"\nkind = "yes-no"\n'
DRUGS = '[[question]]\nname = "drugs"\nkind = "yes-no"\n'
FACULTY = '[[question]]\nname = "faculty"\nkind = "choice"\n'
AGE = '[[question]]\nname = "age"\nkind = "number"\n'
GROUP = '[[group]]\nquestions = ["cheated"]\n'
RELATED = GROUP + 'mechanism = "related-question"\n'
UNRELATED = GROUP + 'mechanism = "unrelated-question"\ntruth = "1/2"\n'


@pytest.mark.slow
@examples(50)
@given(designs() | written_designs())
def test_every_design_comes_back_from_toml_and_json(tmp_path_factory, design):
    folder = tmp_path_factory.getbasetemp()
    for name in ("survey.toml", "survey.json"):
        design.save(folder / name)
        read = cf.Design.load(folder / name)
        assert read.fingerprint == design.fingerprint
        assert read == design


@examples(50)
@given(TEXTS, st.dictionaries(TEXTS, st.lists(TEXTS) | st.dictionaries(TEXTS, st.floats(0, 1))))
def test_toml_holds_any_text_in_any_place(text, table):
    survey = {"title": text, "group": [{"text": text, "forced": table}]}
    assert tomllib.loads(to_toml(survey)) == survey


def test_equal_designs_have_one_fingerprint_however_their_numbers_are_written():
    whole = cf.Design([cf.Number("age", 16, 80, step=1), cf.Choice("size", [1, 2])])
    broken = cf.Design([cf.Number("age", 16.0, 80.0, step=1.0), cf.Choice("size", [1.0, 2.0])])
    assert whole == broken
    assert whole.fingerprint == broken.fingerprint


def test_a_joint_distribution_has_one_fingerprint_in_any_order():
    cells = {("no", "no"): "1/2", ("yes", "no"): "1/4", ("yes", "yes"): "1/4"}
    turned = dict(reversed(cells.items()))
    asked = [cf.YesNo("a"), cf.YesNo("b")]
    prints = {
        cf.Design(asked, [cf.Group(["a", "b"], cf.UnrelatedQuestion("1/2", each))]).fingerprint
        for each in (cells, turned)
    }
    assert len(prints) == 1


def test_a_schema_key_is_no_part_of_the_design(tmp_path):
    (tmp_path / "plain.json").write_text(
        json.dumps({"question": [{"name": "a", "kind": "yes-no"}]})
    )
    survey = {"$schema": "survey.schema.json", "question": [{"name": "a", "kind": "yes-no"}]}
    (tmp_path / "pointed.json").write_text(json.dumps(survey))
    plain, pointed = (cf.Design.load(tmp_path / f"{n}.json") for n in ("plain", "pointed"))
    assert plain.fingerprint == pointed.fingerprint


def test_a_file_with_a_byte_order_mark_is_read(tmp_path):
    (tmp_path / "survey.toml").write_bytes(b"\xef\xbb\xbf" + CHEATED.encode())
    assert cf.Design.load(tmp_path / "survey.toml").names == ("cheated",)


BAD = {
    "unknown question": (CHEATED + RELATED.replace("cheated", "stole") + "truth = 0.75", "'stole'"),
    "duplicate name": (CHEATED + CHEATED, "two questions are named 'cheated'"),
    "no question": ("title = 'Us'", "at least one question"),
    "one option": (FACULTY + 'options = ["arts"]', "question 1 (faculty): options"),
    "equal options": (FACULTY + 'options = ["arts", "arts"]', "must differ"),
    "mixed options": (FACULTY + 'options = ["arts", 1]', "all texts or all whole numbers"),
    "empty option": (FACULTY + 'options = ["arts", " "]', "one line"),
    "option of two lines": (FACULTY + 'options = ["arts", "a\\nb"]', "one line"),
    "prefer not to say": (FACULTY + 'options = ["a", "prefer not to say"]', 'missing = "option"'),
    "huge option": (FACULTY + f"options = [1, 0x{'f' * 9000}]", "2^53"),
    "empty name": (CHEATED.replace("cheated", " "), "question 1 ( ): a question's name"),
    "name with an escape": (CHEATED.replace("cheated", "\\u001b[31m"), "control characters"),
    "truth above one": (CHEATED + RELATED + "truth = 1.5", "between 0 and 1. Got 1.5"),
    "truth below zero": (CHEATED + RELATED + "truth = -0.5", "between 0 and 1. Got -0.5"),
    "truth is half": (CHEATED + RELATED + 'truth = "1/2"', "group 1 (cheated): truth"),
    "truth is nothing": (CHEATED + RELATED + 'truth = "1/0"', "must be a probability"),
    "truth is a tower": (CHEATED + RELATED + 'truth = "1e999999999"', "must be a probability"),
    "truth is a date": (CHEATED + RELATED + "truth = 1979-05-27", "must be a probability"),
    "truth is nan": (CHEATED + RELATED + "truth = nan", "must be a probability"),
    "truth is huge": (CHEATED + RELATED + f"truth = 0x{'f' * 9000}", "between 0 and 1"),
    "truth too fine": (CHEATED + RELATED + 'truth = "1/5000000000"', "2^32"),
    "truth left out": (CHEATED + RELATED, "group 1: this group lacks the key 'truth'"),
    "overlapping groups": (CHEATED + (RELATED + "truth = 0.75\n") * 2, "in a group twice"),
    "twice in a group": (
        CHEATED + RELATED.replace('"cheated"', '"cheated", "cheated"') + "truth = 0.75",
        "in a group twice",
    ),
    "empty group": (CHEATED + RELATED.replace('"cheated"', "") + "truth = 0.75", "at least one"),
    "personal sums to less": (
        CHEATED + UNRELATED + "personal.cheated = { yes = 0.5, no = 0.4 }",
        "group 1: personal of UnrelatedQuestion for cheated must sum to 1. It sums to 9/10",
    ),
    "personal of a stranger": (
        CHEATED + UNRELATED + "personal.stole = { yes = 0.5, no = 0.5 }",
        "must name exactly the questions of its group",
    ),
    "personal option unknown": (
        CHEATED + UNRELATED + "personal.cheated = { maybe = 1 }",
        "names the option 'maybe'",
    ),
    "joint cell twice": (
        CHEATED
        + UNRELATED
        + "personal = [{options = ['yes'], probability = '1/2'}, "
        + "{options = ['yes'], probability = '1/2'}, {options = ['no'], probability = '1/2'}]",
        "see its cell 2",
    ),
    "joint cell with a key too many": (
        CHEATED + UNRELATED + "personal = [{options = ['yes'], probability = 1, weight = 2}]",
        "see its cell 1",
    ),
    "joint cell too long": (
        CHEATED + UNRELATED + "personal = [{options = ['yes', 'no'], probability = 1}]",
        "1 options in each cell",
    ),
    "matrix of letters": (
        CHEATED + GROUP + "mechanism = 'channel-matrix'\nmatrix = ['10', '01']",
        "list of rows",
    ),
    "matrix without a second option": (
        CHEATED + GROUP + "mechanism = 'channel-matrix'\nmatrix = [[1], [0]]",
        "at least as many rows",
    ),
    "matrix column sums": (
        CHEATED + GROUP + "mechanism = 'channel-matrix'\nmatrix = [[1, 0.5], [0, 0.4]]",
        "column 1",
    ),
    "range turned": (AGE + "low = 80\nhigh = 16", "low of question 'age' must be below high"),
    "range too narrow": (AGE + "low = 1\nhigh = 1.0000000000000002", "too narrow"),
    "range infinite": (AGE + "low = 0\nhigh = inf", "between -2^53 and 2^53"),
    "range huge": (AGE + f"low = 0\nhigh = 0x{'f' * 9000}", "between -2^53 and 2^53"),
    "step off": (AGE + "low = 16\nhigh = 80\nstep = 7", "divide the range"),
    "step tiny": (AGE + "low = 16\nhigh = 80\nstep = 5e-324", "divide the range"),
    "noise as text": (
        AGE + "low=0\nhigh=9\n[[group]]\nquestions=['age']\nmechanism='uniform-noise'\n"
        "half_width='5'",
        "half_width of UniformNoise must be a number. Got '5'",
    ),
    "noise out of measure": (
        AGE + "low=0\nhigh=9\n[[group]]\nquestions=['age']\nmechanism='laplace-noise'\nscale=1e15",
        "a thousand times its range, which goes from",
    ),
    "edges as text": (
        AGE + "low=0\nhigh=9\n[[group]]\nquestions=['age']\nmechanism='intervals'\nedges='09'",
        "list of numbers",
    ),
    "edges falling": (
        AGE + "low=0\nhigh=9\n[[group]]\nquestions=['age']\nmechanism='intervals'\nedges=[9, 0]",
        "rising order",
    ),
    "noise on yes-no": (
        CHEATED + GROUP + "mechanism = 'uniform-noise'\nhalf_width = 5",
        "disguises one number question",
    ),
    "coin on a number": (
        AGE + "low=0\nhigh=9\n" + RELATED.replace("cheated", "age") + "truth = 0.75",
        "'age' is a number",
    ),
    "unknown key": ("author = 'me'\n" + CHEATED, "unknown key 'author'"),
    "unknown key of a question": (CHEATED + "low = 1", "question 1 (cheated)"),
    "unknown key of a group": (CHEATED + RELATED + "truth = 1\nkeep = 1", "unknown key 'keep'"),
    "unknown kind": (CHEATED.replace("yes-no", "essay"), "kind must be one of yes-no, choice"),
    "unknown mechanism": (CHEATED + GROUP + "mechanism = 'magic'", "Got 'magic'"),
    "a mechanism is no list": (CHEATED + GROUP + "mechanism = []", "Got []"),
    "question as a table": ('[question]\nname = "a"', "under its own [[question]]"),
    "missing misspelt": (CHEATED + 'missing = "maybe"', '"error" or "option"'),
    "ordered as a word": (FACULTY + 'options = ["a", "b"]\nordered = "yes"', "true or false"),
    "options as a text": (FACULTY + 'options = "abc"', "must be a list"),
    "options as a table": (FACULTY + "options = { a = 1, b = 2 }", "must be a list"),
    "text as a number": (CHEATED + "text = 5", "text of question 'cheated' must be a text"),
    "unit as a number": (AGE + "low = 0\nhigh = 9\nunit = 5", "unit of question 'age'"),
    "low as a text": (AGE + "low = '0'\nhigh = 9", "low of question 'age' must be a number"),
    "high as a truth value": (AGE + "low = 0\nhigh = true", "high of question 'age'"),
    "title as a number": ("title = 5\n" + CHEATED, "title of a design must be a text"),
    "name as a number": (CHEATED.replace('"cheated"', "5"), "question 1: a question's name"),
    "names as a text": (CHEATED + RELATED.replace("[", "").replace("]", ""), "survey.toml"),
    "names as numbers": (CHEATED + RELATED.replace('"cheated"', "5") + "truth = 1", "Got 5"),
    "broken": ('title = "Us"\n\n[[question]\n', "not valid TOML: Expected ']]' at the end"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_survey_file_is_refused_in_one_line_that_names_the_place(tmp_path, case):
    text, expected = BAD[case]
    (tmp_path / "survey.toml").write_text(text, encoding="utf-8")
    with pytest.raises(cf.DesignError) as refusal:
        cf.Design.load(tmp_path / "survey.toml")
    message = str(refusal.value)
    assert expected in message
    assert message.startswith("survey.toml")
    assert message.isprintable()
    assert len(message) < 700


def test_broken_files_are_refused_with_the_line(tmp_path):
    (tmp_path / "survey.toml").write_text('title = "Us"\n\n[[question]\n')
    with pytest.raises(cf.DesignError, match=r"survey.toml is not valid TOML: .*line 3"):
        cf.Design.load(tmp_path / "survey.toml")
    (tmp_path / "survey.json").write_text('{\n"title": }')
    with pytest.raises(cf.DesignError, match=r"survey.json is not valid JSON: .*line 2"):
        cf.Design.load(tmp_path / "survey.json")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b'{"title": "a", "title": "b"}', "the key 'title' stands twice"),
        (b'{"title": NaN}', "NaN is not a number"),
        (b'{"title": ' + b"9" * 5000 + b"}", "not valid JSON"),
        (b"[" * 100_000, "not valid JSON"),
        (b"[]", "must be a table with questions"),
        (b"null", "must be a table with questions"),
        (b'{"question": [{"name": "\\ud800", "kind": "yes-no"}]}', "must be a text"),
        (b'{"question": [{"name": null, "kind": "yes-no"}]}', "no value for the key 'name'"),
        (b'{"question": [null]}', "under its own [[question]]"),
        (b'{"$schema": 5, "question": []}', "$schema must be a text"),
        ("{}".encode("utf-16"), "not UTF-8 text (see byte 0)"),
        (b'{"title": "caf\xe9"}', "not UTF-8 text (see byte 14)"),
        (b" " * 10_000_000, "more than the 1,048,576 bytes"),
    ],
)
def test_json_is_read_as_strictly_as_toml(tmp_path, content, expected):
    (tmp_path / "survey.json").write_bytes(content)
    with pytest.raises(cf.DesignError) as refusal:
        cf.Design.load(tmp_path / "survey.json")
    assert expected in str(refusal.value)
    assert str(refusal.value).isprintable()


def test_what_is_no_file_is_refused_by_name(tmp_path):
    with pytest.raises(cf.DesignError, match=r"cannot read none.toml: No such file"):
        cf.Design.load(tmp_path / "none.toml")
    with pytest.raises(cf.DesignError, match=r"cannot read .*: Is a directory"):
        cf.Design.load(tmp_path)


@pytest.mark.slow
def test_the_largest_survey_file_is_read_in_a_moment(tmp_path):
    asked = [{"name": f"q{i}", "kind": "yes-no", "text": "?" * 1_000} for i in range(1_000)]
    survey = {"question": asked}
    (tmp_path / "survey.json").write_text(json.dumps(survey))
    assert LARGEST_FILE * 0.8 < (tmp_path / "survey.json").stat().st_size < LARGEST_FILE
    design = cf.Design.load(tmp_path / "survey.json")
    assert design.position("q999") == 999
    assert len(design.blocks) == 1_000
    (tmp_path / "survey.json").write_text(json.dumps({"question": [*asked, {}]}))
    with pytest.raises(cf.DesignError, match=r"^survey\.json: it asks 1,001 questions"):
        cf.Design.load(tmp_path / "survey.json")


def test_a_large_group_of_unlike_choices_is_checked_in_a_moment():
    asked = [cf.Choice(f"q{k}", range(k)) for k in range(3, 63)]
    names = [question.name for question in asked]
    cf.Design(asked, [cf.Group(names, cf.RelatedQuestion("3/4"))])
    with pytest.raises(cf.DesignError, match="a report says nothing"):
        cf.Design(asked, [cf.Group(names, cf.RelatedQuestion(f"1/{2 * 7 * 61 + 1}"))])


@examples(200)
@given(JSON | st.fixed_dictionaries({"question": JSON, "group": JSON}) | damaged_surveys())
def test_no_survey_whatever_raises_anything_but_a_design_error(survey):
    try:
        design = from_dict(survey)
    except cf.DesignError as error:
        assert str(error).startswith("the survey")
        assert str(error).isprintable()
    else:
        assert from_dict(json.loads(design.canonical_json())).fingerprint == design.fingerprint
