"""confide reproduce and confide data, as a person types them."""

from __future__ import annotations

import json

import pyarrow.csv
import pyarrow.parquet
import pytest

from confide.papers.catalogue import PAPERS


@pytest.mark.slow
@pytest.mark.usefixtures("made_up_data")
@pytest.mark.parametrize("name", PAPERS)
def test_a_quick_run_leaves_table_figures_claims_and_report(confide, tmp_path, name):
    command = ("reproduce", name, "--quick", "--repeats", "1", "--cores", "1", "-o", "again")
    ran = confide(*command)
    assert ran.code == 0, ran.err
    folder = tmp_path / "again" / name
    table = pyarrow.parquet.read_table(folder / "runs.parquet")
    csv = pyarrow.csv.read_csv(folder / "runs.csv")
    assert csv.column_names == table.column_names
    assert len(csv) == len(table)
    assert {"paper", "experiment", "seed", "fingerprint", "accuracy", "seconds"} <= set(
        table.column_names
    )
    found = json.loads((folder / "claims.json").read_text(encoding="utf-8"))
    claims = found["claims"]
    assert len(claims) == len(PAPERS[name].claims)
    assert {each["verdict"] for each in claims} <= {"holds", "does not hold", "cannot be checked"}
    page = (folder / "report.html").read_text(encoding="utf-8")
    drawn = {path.stem for path in (folder / "figures").glob("*.svg")}
    assert drawn == {each["name"] for each in found["figures"]}
    assert drawn == {path.stem for path in (folder / "figures").glob("*.png")}
    assert all(f'<figure id="{name}">' in page for name in drawn)
    assert {each["figure"] for each in claims} - {None} <= drawn
    # the same command does not run anything again, and another number of cores changes nothing
    before = (folder / "cells.jsonl").read_bytes()
    assert confide(*command).code == 0
    assert (folder / "cells.jsonl").read_bytes() == before
    assert pyarrow.parquet.read_table(folder / "runs.parquet").equals(table)


@pytest.mark.usefixtures("made_up_data")
def test_data_says_where_it_is_and_that_it_is_sound(confide):
    ran = confide("data", "voting")
    assert ran.code == 0
    assert "voting: 120 records in" in ran.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["reproduce", "du-zhan-2004"], "there are the papers du-zhan-2003"),
        (["reproduce", "du-zhan-2003", "--reading", "loud"], "a reading is one of median"),
        (["reproduce", "du-zhan-2003", "--data", "nowhere"], "there is no folder nowhere"),
        (["data", "iris"], "there is data of adult, breast-cancer, voting"),
        (["data", "adult", "--data", "nowhere"], "there is no folder nowhere"),
    ],
)
def test_a_mistake_is_one_clear_line(confide, arguments, words):
    ran = confide(*arguments)
    assert ran.code == 2
    assert words in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.usefixtures("made_up_data")
def test_a_folder_that_holds_something_else_is_left_alone(confide, tmp_path):
    folder = tmp_path / "again" / "du-zhan-2003"
    folder.mkdir(parents=True)
    (folder / "thesis.tex").write_text("mine")
    ran = confide("reproduce", "du-zhan-2003", "--quick", "-o", "again")
    assert ran.code == 2
    assert "something else than a run" in ran.err
    assert [path.name for path in folder.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("command", ["reproduce", "data"])
def test_help_has_an_example(confide, command):
    assert f"Example: confide {command} " in " ".join(confide(command, "--help").out.split())
