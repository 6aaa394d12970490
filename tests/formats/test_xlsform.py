"""XLSForm workbooks: read, written back, and refused where a design cannot follow."""

import sys
from datetime import date, datetime
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook
from support.designs import designs
from support.properties import examples
from support.workbooks import write_workbook
from support.written_designs import EVERY_KEY, LINES, WORDS, written_designs

import confide as cf
from confide.errors import MissingPackageError

COLUMNS = ["type", "name", "label", "hint", "required", "constraint", "appearance", "parameters"]
CHOICES = [
    ["list_name", "name", "label"],
    ["yn", "y", "Yes"],
    ["yn", "n", "No "],
    ["faculty", "a", "arts"],
    ["faculty", "l", "law"],
    ["faculty", "x", "Prefer not to say"],
    ["siblings", "none", 0],
    ["siblings", "one", 1],
]
SURVEY = [
    COLUMNS,
    ["select_one yn", "cheated", "Ever cheated?"],
    ["begin_group", "about", "About you"],
    ["select one faculty", "faculty", "Where?", "Your own.", "yes", None, "likert"],
    ["select_one siblings", "siblings", "siblings"],
    ["end_group"],
    ["integer", "age", "How old?", None, "yes", ". >= 16 and . <= 80"],
    [],
    ["decimal", "share", "Which part?", None, None, ". <= 1 and . >= -.5"],
    ["range", "mood", "How well?", None, None, None, None, "start=0 end=5 step=0.5"],
]
GROUPS = [
    ["questions", "mechanism", "parameters"],
    ["cheated, faculty", "related-question", '{"truth": "3/4"}'],
]


def book(survey=SURVEY, choices=CHOICES, **more):
    """The content of a workbook with these sheets."""
    return write_workbook({"survey": survey, "choices": choices, **more})


def load(folder, content):
    (folder / "form.xlsx").write_bytes(content)
    return cf.Design.load(folder / "form.xlsx")


def refused(folder, content):
    """The message with which a workbook is refused."""
    with pytest.raises(cf.DesignError) as refusal:
        load(folder, content)
    message = str(refusal.value)
    assert message.startswith("form.xlsx: ")
    assert message.isprintable()
    return message


def test_a_plain_form_is_a_design_in_the_clear(tmp_path):
    settings = [["form_title", "form_id"], ["Campus life", "campus"]]
    assert load(tmp_path, book(settings=settings)) == cf.Design(
        [
            cf.YesNo("cheated", "Ever cheated?"),
            cf.Choice(
                "faculty", ["arts", "law"], "Where?\nYour own.", ordered=True, missing="option"
            ),
            cf.Choice("siblings", [0, 1]),
            cf.Number("age", 16, 80, "How old?", step=1),
            cf.Number("share", -0.5, 1, "Which part?"),
            cf.Number("mood", 0, 5, "How well?", step=0.5),
        ],
        title="Campus life",
    )


def test_groups_stand_in_the_sheet_confide(tmp_path):
    (group,) = load(tmp_path, book(confide=GROUPS)).groups
    assert group == cf.Group(["cheated", "faculty"], cf.RelatedQuestion("3/4"))


@pytest.mark.parametrize(
    ("kind", "constraint", "limits"),
    [
        ("integer", ".>=16 and .<=80", (16, 80)),
        ("integer", ". > 15 and . < 81", (16, 80)),
        ("integer", ".  <= 80\n and . >= -16", (-16, 80)),
        ("decimal", ". >= 0.25 and . <= 9007199254740992", (0.25, 2**53)),
    ],
)
def test_a_constraint_is_a_range(tmp_path, kind, constraint, limits):
    design = load(tmp_path, book([COLUMNS, [kind, "a", "A", None, None, constraint]]))
    (number,) = design.questions
    assert (number.low, number.high) == limits
    assert number.step == (1 if kind == "integer" else None)


@pytest.mark.slow
@examples(25)
@given(written_designs(names=WORDS, texts=LINES))
def test_a_design_comes_back_from_its_workbook(tmp_path_factory, design):
    path = tmp_path_factory.getbasetemp() / "design.xlsx"
    try:
        design.save(path)
    except cf.DesignError as error:
        assert "cannot be written as an XLSForm" in str(error)
        return
    assert cf.Design.load(path).fingerprint == design.fingerprint


@pytest.mark.slow
@examples(25)
@given(designs() | st.just(EVERY_KEY))
def test_no_ordinary_design_is_refused(tmp_path_factory, design):
    design.save(tmp_path_factory.getbasetemp() / "design.xlsx")


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        (cf.Choice("q", ["Yes", "No"]), "kind of question 'q' would come back as 'yes-no'"),
        (cf.Choice("q", [" a", "b"]), "options of question 'q' would come back as ['a', 'b']"),
        (cf.YesNo("q", "q"), "text of question 'q' would come back as None"),
        (cf.YesNo("two words"), "Names must begin with a letter"),
        (cf.YesNo("q", "\x1b[31m"), "no control characters: see label of 'q'"),
        (cf.YesNo("q", "Why ${q}?"), "column label"),
        (cf.YesNo("q", "long" * 10_000), "text of question 'q' would come back as 'long"),
    ],
)
def test_a_design_that_would_come_back_another_is_not_written(tmp_path, question, reason):
    with pytest.raises(cf.DesignError, match="cannot be written as an XLSForm") as refusal:
        cf.Design([question]).save(tmp_path / "design.xlsx")
    assert reason in str(refusal.value)
    assert not list(tmp_path.iterdir())


def test_a_text_that_looks_like_a_formula_stays_a_text(tmp_path):
    design = cf.Design([cf.Choice("q", ["=1+1", "#N/A"], "=cmd|' /C calc'!A0")])
    design.save(tmp_path / "design.xlsx")
    kinds = {
        cell.data_type
        for sheet in load_workbook(tmp_path / "design.xlsx")
        for row in sheet.iter_rows()
        for cell in row
        if cell.value is not None
    }
    assert kinds == {"s"}
    assert cf.Design.load(tmp_path / "design.xlsx") == design


def row(kind, **cells):
    """A survey of one row."""
    return [["type", "name", "label", *cells], [kind, "age", "How old?", *cells.values()]]


REFUSED = {
    "a text": (row("text"), "row 2 (age), column type: 'text' is not supported"),
    "several answers": (row("select_multiple yn"), "'select_multiple yn' is not supported"),
    "other": (row("select_one yn or_other"), "'select_one yn or_other' is not supported"),
    "a note": (row("note"), "'note' is not supported"),
    "the device": (row("deviceid"), "'deviceid' is not supported"),
    "a repeat": (
        [*row("begin_repeat"), ["integer", "a", "A"], ["end_repeat"]],
        "'begin_repeat' is not supported",
    ),
    "no range": (row("integer"), "column constraint must give the range of whole numbers"),
    "half a range": (row("integer", constraint=". > 0"), "Got '. > 0'"),
    "twice one end": (row("integer", constraint=". > 0 and . > 1"), "column constraint must give"),
    "broken ends": (row("integer", constraint=". > 0.5 and . < 9"), "range of whole numbers"),
    "open ends": (row("decimal", constraint=". > 0 and . < 9"), "range of numbers"),
    "an endless end": (row("decimal", constraint=f". > 0 and . < {'9' * 5000}"), "range of"),
    "range turned": (row("integer", constraint=". > 9 and . < 1"), "low of question 'age' must be"),
    "range of words": (
        row("range", parameters="start=a end=9 step=1"),
        "not a sound XLSForm: [row : 2] On the 'survey' sheet, the 'parameters' value is invalid",
    ),
    "an own default": (
        row("integer", constraint=". > 0 and . < 9", default=3),
        "row 2 (age), column default is not supported",
    ),
    "a picture": (row("select_one yn", **{"media::image": "a.jpg"}), "column media::image"),
    "a constrained choice": (row("select_one yn", constraint=". != 'y'"), "column constraint is"),
    "a filtered choice": (row("select_one yn", choice_filter="true()"), "column choice_filter"),
    "shuffled choices": (row("select_one yn", parameters="randomize=true"), "column parameters"),
    "two languages": (
        [["type", "name", "label::a", "label::b"], ["integer", "age", "Age", "Alter"]],
        "row 2 has several columns label",
    ),
    "branching": (
        [*row("select_one yn", relevant=None), ["select_one yn", "b", "B", "${age} = 'y'"]],
        "row 3 (b), column relevant is not supported: confide asks every question of everyone",
    ),
    "a wide sheet": ([[*COLUMNS, *map(str, range(200))], ["integer", "age", "A"]], "200 columns"),
    "unknown list": (row("select_one zz"), "not a sound XLSForm: [row : 2] List name not in"),
    "same name": ([*row("integer"), ["integer", "age", "B"]], "not a sound XLSForm"),
    "no type": ([["name"], ["a"]], "not a sound XLSForm"),
    "nothing": ([], "not a sound XLSForm"),
    "no question": ([["type", "name", "label"]], "at least one question"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_a_design_cannot_say_is_refused_with_place_and_reason(tmp_path, case):
    survey, reason = REFUSED[case]
    assert reason in refused(tmp_path, book(survey))


@pytest.mark.parametrize(
    ("column", "condition"),
    [
        ("relevant", "${cheated} = 'y'"),
        ("relevance", "${siblings} = 'one' and ${cheated} = 'y'"),
        ("bind::relevant", "${cheated} = 'y'"),
        ("required", "${cheated} = 'y'"),
        ("read_only", "${cheated} = 'y'"),
        ("constraint", ". > 0 and ${cheated} = 'y'"),
        ("calculation", "if(${cheated} = 'y', 1, 2)"),
        ("default", "${cheated}"),
        ("label", "You said ${cheated}"),
    ],
)
def test_a_branch_on_a_disguised_answer_is_refused_because_it_tells_it(tmp_path, column, condition):
    columns = list(dict.fromkeys([*COLUMNS, column]))
    number = dict(zip(COLUMNS, SURVEY[6], strict=False)) | {"name": "then", column: condition}
    survey = [columns, *SURVEY[1:], [number.get(each) for each in columns]]
    message = refused(tmp_path, book(survey, confide=GROUPS))
    assert f"row {len(SURVEY) + 1} (then), column {column}" in message
    assert "depends on the answer to 'cheated', which is disguised" in message
    assert "disguised" not in refused(tmp_path, book(survey))


def test_a_group_of_questions_after_a_disguised_answer_is_refused(tmp_path):
    group = ["begin_group", "then", "Then", *[None] * 5, "${cheated} = 'y'"]
    survey = [[*COLUMNS, "relevant"], SURVEY[1], group, SURVEY[6], ["end_group"]]
    confide = [GROUPS[0], ["cheated", *GROUPS[1][1:]]]
    message = refused(tmp_path, book(survey, confide=confide))
    assert "row 3 (then), column relevant depends on the answer to 'cheated'" in message


@pytest.mark.parametrize(
    ("groups", "reason"),
    [
        ([["questions"], ["cheated"]], "sheet confide, row 2 must have the columns"),
        ([[*GROUPS[0], "truth"], [*GROUPS[1], "3/4"]], "sheet confide, row 2 must have"),
        ([GROUPS[0], ["cheated", "related-question", "3/4"]], "parameters must be JSON"),
        ([GROUPS[0], ["cheated", "related-question", "[]"]], "it must be an object"),
        ([GROUPS[0], ["cheated", "related-question", '{"a":1,"a":1}']], "stands twice"),
        ([GROUPS[0], ["cheated", "related-question"]], "group 1: this group lacks the key 'truth'"),
        ([GROUPS[0], ["cheated", "magic", "{}"]], "group 1: mechanism must be one of"),
        ([GROUPS[0], ["stole", *GROUPS[1][1:]]], "names the question 'stole'"),
    ],
)
def test_an_unsound_sheet_confide_is_refused(tmp_path, groups, reason):
    assert reason in refused(tmp_path, book(confide=groups))


def test_a_damaged_workbook_is_refused(tmp_path):
    content = book()
    for damaged in (b"", b"PK", b"no workbook", content[: len(content) // 2], content[:-30]):
        assert "it is not a sound XLSForm" in refused(tmp_path, damaged)
    torn = BytesIO()
    with ZipFile(BytesIO(content)) as whole, ZipFile(torn, "w") as archive:
        for name in whole.namelist():
            archive.writestr(name, whole.read(name).replace(b"<row", b"<rwo"))
    refused(tmp_path, torn.getvalue())


@pytest.mark.slow
def test_a_workbook_that_unpacks_without_end_is_refused(tmp_path):
    bomb = BytesIO(book())
    with ZipFile(bomb, "a", ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet9.xml", b" " * (1 << 26))
    assert len(bomb.getvalue()) < 1 << 20
    assert "unpacks to more than 32 MiB" in refused(tmp_path, bomb.getvalue())


def test_a_day_is_an_option_as_people_read_it(tmp_path):
    choices = [CHOICES[0], ["day", "a", date(2020, 5, 17)], ["day", "b", datetime(2021, 1, 2, 8)]]
    design = load(tmp_path, book([COLUMNS, ["select_one day", "day", "When?"]], choices))
    assert design.question("day").labels == ("2020-05-17", "2021-01-02 08:00:00")


def test_other_sheets_of_the_standard_are_refused(tmp_path):
    entities = [["list_name", "label"], ["trees", "a"]]
    assert "sheet entities is not supported" in refused(tmp_path, book(entities=entities))


def test_without_the_packages_the_way_out_is_named(tmp_path, monkeypatch):
    content = book()
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(MissingPackageError, match=r'pip install "confide\[forms\]"'):
        load(tmp_path, content)
