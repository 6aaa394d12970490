"""`confide disguise`: kept columns, and files of many kinds."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

import confide as cf

SURVEY = """
[[question]]
name = "cheated"
kind = "yes-no"
[[question]]
name = "age"
kind = "number"
low = 16
high = 80
[[group]]
questions = ["cheated"]
mechanism = "related-question"
truth = "3/4"
"""
ROWS = {
    "id": ["007", "008", "009"] * 20,
    "cheated": ["yes", "no", "no"] * 20,
    "weight": ["1.50", "", "2,5"] * 20,
    "age": [16.0, 33.5, 80.0] * 20,
}
NAMES = [
    "a.csv",
    "A.CSV.GZ",
    "a.tsv",
    "a.tsv.gz",
    "a.feather",
    "a.arrow",
    "a.Parquet",
]


@pytest.fixture(autouse=True)
def _files(confide):  # noqa: ARG001  (it goes to an empty folder)
    Path("survey.toml").write_text(SURVEY)
    pa.csv.write_csv(pa.table(ROWS), "answers.csv")


def one_clear_line(ran):
    assert ran.code == 2
    assert ran.err.startswith("confide: ")
    assert ran.err.strip().count("\n") == 0
    return ran.err


@pytest.mark.slow
def test_dropped_columns_are_said_on_the_error_channel_and_kept_ones_stay(confide):
    ran = confide("disguise", "survey.toml", "answers.csv", "-o", "r.parquet")
    assert ran.code == 0
    assert "'id', 'weight'" in ran.err and "--keep" in ran.err and "id" not in ran.out
    assert pq.read_schema("r.parquet").names == ["cheated", "age"]
    ran = confide(
        "disguise", "survey.toml", "answers.csv", "-o", "r.parquet", "--keep", "weight",
        "--keep", "id",
    )  # fmt: skip
    assert ran.code == 0 and "left out" not in ran.err
    table = pq.read_table("r.parquet")
    assert table.column_names == ["cheated", "age", "weight", "id"]
    assert table["id"].to_pylist() == ROWS["id"]
    assert [word or "" for word in table["weight"].to_pylist()] == ROWS["weight"]
    assert cf.Counts.of(cf.Design.load("survey.toml"), "r.parquet").n == 60
    for wrong in ("age", "wage"):
        run = ("disguise", "survey.toml", "answers.csv", "-o", "x.csv", "--keep", wrong)
        assert wrong in one_clear_line(confide(*run))
    assert not Path("x.csv").exists()


def test_the_file_of_the_answers_is_not_overwritten(confide):
    before = Path("answers.csv").read_bytes()
    Path("link.csv").symlink_to("answers.csv")
    for output in ("answers.csv", "./answers.csv", "link.csv"):
        said = one_clear_line(confide("disguise", "survey.toml", "answers.csv", "-o", output))
        assert "holds the answers" in said and "--output" in said
    assert Path("answers.csv").read_bytes() == before


def test_a_column_in_other_letters_or_without_a_heading_is_refused_with_what_it_is_called(confide):
    head, *rows = Path("answers.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    for text in ("".join([head.replace("cheated", "Cheated"), *rows]), "".join(rows)):
        Path("other.csv").write_text(text, encoding="utf-8")
        said = one_clear_line(confide("disguise", "survey.toml", "other.csv", "-o", "r.csv"))
        assert "no column 'cheated'" in said
        assert "called as its question, letter by letter" in said and "first line" in said
        assert "yes" not in said


def forget_fingerprint(path):
    """Make a file of reports one of answers."""
    if path.suffix.lower() == ".parquet":
        pq.write_table(pq.read_table(path).replace_schema_metadata(), path)
    elif path.suffix in (".arrow", ".feather"):
        feather.write_feather(feather.read_table(path).replace_schema_metadata(), path)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_kind_of_file_is_written_and_read(confide, name):
    run = ("disguise", "survey.toml", "answers.csv", "--keep", "id", "--keep", "weight")
    assert confide(*run, "-o", "plain.parquet", "--seed", 1).code == 0
    assert confide(*run, "-o", name, "--seed", 1).code == 0
    design = cf.Design.load("survey.toml")
    first, second = (cf.Counts.of(design, path) for path in ("plain.parquet", name))
    assert (first.patterns == second.patterns).all() and (first.reports == second.reports).all()
    forget_fingerprint(Path(name))
    again = ("disguise", "survey.toml", name, "-o", "again.parquet", "--keep", "id")
    assert confide(*again).code == 0
    assert pq.read_table("again.parquet")["id"].to_pylist() == ROWS["id"]
    assert sorted(p.name for p in Path().iterdir() if p.name.startswith(".")) == []


def test_answers_in_json_are_read(confide):
    Path("answers.json").write_text(json.dumps(pa.table(ROWS).to_pylist()))
    assert confide("disguise", "survey.toml", "answers.json", "-o", "r.csv").code == 0


def test_categories_in_a_file_stay(confide):
    table = pa.table(ROWS)
    table = table.set_column(1, "cheated", table["cheated"].dictionary_encode())
    pq.write_table(table, "answers.parquet", row_group_size=7)
    for name in ("r.parquet", "r.csv", "r.feather"):
        assert confide("disguise", "survey.toml", "answers.parquet", "-o", name).code == 0
    assert pa.types.is_dictionary(pq.read_schema("r.parquet").field("cheated").type)


@pytest.mark.parametrize("name", ["r.json", "r.xlsx", "r.parquet.gz", "r", "r.gz", "r.csv.zip"])
def test_other_kinds_of_output_are_refused_with_those_that_are_allowed(confide, name):
    ran = confide("disguise", "survey.toml", "answers.csv", "-o", name)
    assert ".parquet, .feather, .arrow, .csv or .tsv" in one_clear_line(ran)


@pytest.mark.parametrize("name", ["a.xlsx", "a.parquet.gz", "a", "a.txt"])
def test_other_kinds_of_input_are_refused_with_those_that_are_allowed(confide, name):
    Path(name).write_bytes(Path("answers.csv").read_bytes())
    for command in (
        ("disguise", "survey.toml", name, "-o", "r.csv"),
        ("estimate", "survey.toml", name),
    ):
        assert "must end in .parquet, .feather" in one_clear_line(confide(*command))


@pytest.mark.slow
@pytest.mark.parametrize("name", [*NAMES, "a.json", "a.ndjson", "a.json.gz"])
def test_a_damaged_file_of_any_kind_is_one_line(confide, name):
    Path(name).write_bytes(b"\x1f\x8b\xff\x00 no such file \xff")
    for command in (
        ("disguise", "survey.toml", name, "-o", "r.csv"),
        ("estimate", "survey.toml", name),
    ):
        assert name in one_clear_line(confide(*command))
