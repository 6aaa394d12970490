"""Every verb, its files and its mistakes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import confide as cf


def one_clear_line(ran):
    assert ran.code == 2
    assert ran.err.startswith("confide: ")
    assert ran.err.strip().count("\n") == 0
    assert "Traceback" not in ran.err + ran.out
    return ran.err


@pytest.mark.slow
def test_the_whole_walk_from_a_survey_to_estimates(confide, survey):
    assert "sound" in confide("check", survey).out
    ran = confide("disguise", survey, "answers.csv", "-o", "reports.parquet", "--seed", 1)
    assert ran.code == 0
    assert "2,000 people" in ran.out
    ran = confide("estimate", "survey.toml", "reports.parquet", "cheated", "--json")
    cells = json.loads(ran.out)["estimates"][0]["cells"]
    truth = sum(v == "yes" for v in pa.csv.read_csv("answers.csv")["cheated"].to_pylist()) / 2_000
    (yes,) = (cell for cell in cells if cell["cheated"] == "yes")
    assert abs(yes["share"] - truth) < 4 * yes["standard_error"]
    assert "cheated" in confide("estimate", "survey.toml", "reports.parquet").out


@pytest.mark.parametrize("command", ["check", "privacy"])
@pytest.mark.parametrize("columns", ["80", "40"])
def test_a_table_in_a_narrow_terminal_cuts_nothing_off(confide, monkeypatch, columns, command):
    monkeypatch.setenv("COLUMNS", columns)
    confide("init", "survey.toml")
    shown = confide(command, "survey.toml").out
    assert "…" not in shown
    assert ("unrelated-question" in shown) == (columns == "80")


@pytest.mark.slow
def test_an_estimate_is_written_to_a_file_at_the_wanted_level(confide, survey):
    confide("disguise", survey, "answers.csv", "-o", "reports.csv", "--seed", "1")
    asked = ("estimate", survey, "reports.csv", "cheated", "-o", "found.json")
    assert "80 %" in confide(*asked, "--level", "0.8").out
    narrow = json.loads(Path("found.json").read_text(encoding="utf-8"))
    confide(*asked)
    wide = json.loads(Path("found.json").read_text(encoding="utf-8"))
    assert (narrow["level"], wide["level"]) == (0.8, 0.95)
    cells = [found["estimates"][0]["cells"][0] for found in (narrow, wide)]
    assert cells[1]["low"] < cells[0]["low"] < cells[0]["high"] < cells[1]["high"]
    assert "level must be between" in one_clear_line(confide(*asked, "--level", "95"))


@pytest.mark.slow
@pytest.mark.slow
def test_the_level_is_that_of_a_numbers_histogram_too(confide, survey):
    confide("disguise", survey, "answers.csv", "-o", "reports.csv", "--seed", 1)
    asked = ("estimate", survey, "reports.csv", "age", "--level", "0.8")
    assert "80 %" in confide(*asked).out and "mean" in confide(*asked).out
    found = [
        json.loads(confide(*asked[:-1], level, "--json").out)["estimates"][0]
        for level in ("0.8", "0.95")
    ]
    narrow, wide = (each["intervals"][0] for each in found)
    assert wide[0] < narrow[0] < narrow[1] < wide[1]
    assert found[1]["mean"]["low"] < found[0]["mean"]["low"]


def test_csv_and_parquet_give_the_same_estimates(confide, survey):
    for answers in ("answers.csv", "answers.parquet"):
        for reports in ("reports.csv", "reports.parquet"):
            assert confide("disguise", survey, answers, "-o", reports, "--seed", 5).code == 0
    asked = ("cheated", "faculty", "--json")
    first = confide("estimate", survey, "reports.csv", *asked).out
    assert first == confide("estimate", survey, "reports.parquet", *asked).out


def test_reports_in_parquet_carry_the_designs_fingerprint(confide, survey):
    confide("disguise", survey, "answers.csv", "-o", "reports.parquet")
    metadata = pq.read_schema("reports.parquet").metadata
    assert metadata[b"confide.fingerprint"].decode() == cf.Design.load(survey).fingerprint
    other = survey.with_name("other.toml")
    other.write_text(survey.read_text().replace('truth = "3/4"', 'truth = "4/5"'))
    assert "another design" in one_clear_line(confide("estimate", other, "reports.parquet"))


def test_without_a_seed_two_disguises_differ(confide, survey):
    for name in ("one.csv", "two.csv"):
        confide("disguise", survey, "answers.csv", "-o", name)
    assert Path("one.csv").read_bytes() != Path("two.csv").read_bytes()


@pytest.mark.slow
def test_a_sub_population_and_a_method_can_be_chosen(confide, survey):
    confide("disguise", survey, "answers.csv", "-o", "reports.csv")
    ran = confide(
        "estimate", survey, "reports.csv", "cheated", "--where", "faculty=law", "--where",
        "age=20", "--method", "likelihood", "--json",
    )  # fmt: skip
    (table,) = json.loads(ran.out)["estimates"]
    assert table["method"] == "likelihood"
    assert all(0 <= cell["share"] <= 1 for cell in table["cells"])
    ran = confide("estimate", survey, "reports.csv", "--where", "faculty=law")
    assert ran.code == 0
    assert "where faculty=law" in ran.out


@pytest.mark.slow
def test_numbers_are_cut_and_chosen_by_ranges(confide, survey):
    confide("disguise", survey, "answers.csv", "-o", "reports.csv", "--seed", 1)
    crowd = cf.Crowd(cf.Design.load(survey), "reports.csv")
    asked = ("estimate", survey, "reports.csv", "cheated", "age@20,25", "--json")
    (table,) = json.loads(confide(*asked).out)["estimates"]
    expected = crowd.table(["cheated", cf.cut("age", [20, 25])])
    assert [cell["share"] for cell in table["cells"]] == expected.values.ravel().tolist()
    ran = confide("estimate", survey, "reports.csv", "cheated", "--given", "age=20..25", "--json")
    (table,) = json.loads(ran.out)["estimates"]
    young = crowd.given({"age": (20, 25)}).proportion({"cheated": "yes"})
    (share,) = (cell["share"] for cell in table["cells"] if cell["cheated"] == "yes")
    assert share == pytest.approx(young.value)
    for wrong, said in (("age=20..x", "two numbers"), ("age=25..20", "the lower first")):
        assert said in one_clear_line(confide("estimate", survey, "reports.csv", "--given", wrong))
    assert "is cut like" in one_clear_line(confide("estimate", survey, "reports.csv", "age@x"))


def test_weights_strata_and_clusters_are_columns_beside_the_reports(confide, survey):
    design, answers = cf.Design.load(survey), pq.read_table("answers.parquet")
    people = answers.append_column("w", pa.array([1.0, 3.0] * 1_000))
    people = people.append_column("school", pa.array(list(range(20)) * 100))
    reports = design.disguise(people, seed=1, keep=["w", "school"])
    pq.write_table(reports, "reports.parquet")
    asked = ("estimate", survey, "reports.parquet", "cheated", "--json")
    drawn = ("--weights", "w", "--clusters", "school", "--population", "50000")
    (table,) = json.loads(confide(*asked, *drawn).out)["estimates"]
    crowd = cf.Crowd(design, reports, weights="w", clusters="school", population=50_000)
    expected = crowd.table(["cheated"])
    assert [c["share"] for c in table["cells"]] == pytest.approx(expected.values.tolist())
    errors = [c["standard_error"] for c in table["cells"]]
    assert errors == pytest.approx(expected.standard_errors.tolist())
    assert "no column 'v'" in one_clear_line(confide(*asked, "--weights", "v"))


@pytest.mark.slow
def test_reports_under_two_surveys_are_pooled(confide, survey):
    other = survey.with_name("other.toml")
    other.write_text(survey.read_text().replace('truth = "3/4"', 'truth = "4/5"'))
    for file, reports in ((survey, "one.parquet"), (other, "two.parquet")):
        confide("disguise", file, "answers.csv", "-o", reports, "--seed", 1)
    ran = confide(
        "estimate", survey, "one.parquet", "cheated", "--pool", f"{other}=two.parquet", "--json"
    )
    found = json.loads(ran.out)
    crowds = [
        cf.Crowd(cf.Design.load(s), r) for s, r in ((survey, "one.parquet"), (other, "two.parquet"))
    ]
    expected = cf.Crowd.pool(crowds).table(["cheated"]).values.tolist()
    assert found["n"] == 4_000
    assert [cell["share"] for cell in found["estimates"][0]["cells"]] == expected


@pytest.mark.slow
def test_the_demo_shows_the_truth_beside_the_estimates(confide):
    ran = confide("demo", "--json")
    rows = json.loads(ran.out)
    assert {row["question"] for row in rows} == {"cheated", "drugs", "harassed", "faculty"}
    for row in rows:
        assert abs(row["share"] - row["truth"]) <= 4 * row["standard_error"] + 1e-12
    assert "truth" in confide("demo", "--terminal", "--respondents", 200).out


def test_init_never_replaces_a_file_unasked(confide, survey):
    survey.write_text("mine")
    assert "--force" in one_clear_line(confide("init", "survey.toml"))
    assert survey.read_text() == "mine"
    assert confide("init", "survey.toml", "--force").code == 0
    assert cf.Design.load(survey).title == "Campus life"


def edited(survey, old, new):
    text = survey.read_text()
    assert old in text
    survey.write_text(text.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('questions = ["drugs"]', 'questions = ["drugz"]', "drugz"),
        ('name = "drugs"', 'name = "cheated"', "cheated"),
        ('options = ["arts", "law", "science"]', 'options = ["arts"]', "at least two"),
        ('truth = "3/4"', "truth = 1.5", "between 0 and 1"),
        ('truth = "3/4"', "truth = 0.5", "says nothing"),
        ('questions = ["harassed"]', 'questions = ["cheated"]', "twice"),
        ('yes = "1/4"', 'yes = "1/3"', "sum to 1"),
        ('kind = "number"', 'kind = "nomber"', "kind must be one of"),
        ("low = 16", 'low = "sixteen"', "low of question"),
        ("[[group]]", "[[group", "TOML"),
    ],
)
def test_an_unsound_survey_is_one_clear_line(confide, survey, old, new, message):
    edited(survey, old, new)
    assert message in one_clear_line(confide("check", survey))


def test_a_survey_that_is_no_text_or_far_too_long_is_refused(confide, survey):
    survey.write_bytes(b"title = '\xff\xfe'")
    assert "UTF-8" in one_clear_line(confide("check", survey))
    survey.write_text("# " + "x" * 10_000_000)
    assert "bytes" in one_clear_line(confide("check", survey))
    assert "cannot read" in one_clear_line(confide("check", "nowhere.toml"))
    assert "cannot read .: Is a directory" in one_clear_line(confide("check", "."))


SECRET = "zzsecretzz"


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda text: text.replace("cheated", "cheeted", 1), "no column 'cheated'"),
        (lambda text: text.replace(',"no",', f',"{SECRET}",', 1), "none of its options"),
        (lambda text: text.replace(',"no",', ",,", 1), "missing"),
        (lambda text: text + f'"no","no","never","law",{SECRET}\n', "no number from 16 to 80"),
        (lambda text: text + '"no","no","never","law",\n', "age"),
        (lambda text: text + '"no","no","never","law",1000\n', "no number from 16 to 80"),
        (lambda text: text.splitlines()[0] + "\n", "no answers"),
        (lambda text: text[:0], "no column"),
        (lambda text: text + "\x00\udcff", "cannot read"),
    ],
)
def test_bad_answers_are_refused_without_showing_one_and_leave_no_file(
    confide, survey, damage, message
):
    path = survey.with_name("answers.csv")
    path.write_text(damage(path.read_text()), errors="surrogateescape")
    ran = confide("disguise", survey, path, "-o", "reports.parquet")
    assert message in one_clear_line(ran)
    assert SECRET not in ran.err + ran.out
    assert sorted(p.name for p in survey.parent.iterdir()) == [
        "answers.csv",
        "answers.parquet",
        "survey.toml",
    ]


def test_damaged_reports_are_refused(confide, survey):
    confide("disguise", survey, "answers.csv", "-o", "reports.parquet")
    whole = Path("reports.parquet").read_bytes()
    Path("reports.parquet").write_bytes(whole[: len(whole) // 2])
    assert "damaged" in one_clear_line(confide("estimate", survey, "reports.parquet"))
    assert "no file" in one_clear_line(confide("estimate", survey, "nowhere.csv"))
    Path("few.csv").write_text("cheated,drugs\nyes,no\n")
    assert "no column" in one_clear_line(confide("estimate", survey, "few.csv"))


@pytest.mark.slow
def test_wrong_questions_and_conditions_are_named(confide, survey):
    confide("disguise", survey, "answers.csv", "-o", "reports.csv")
    assert "chated" in one_clear_line(confide("estimate", survey, "reports.csv", "chated"))
    for where, message in [
        ("law", "question=answer"),
        ("faculty=art", "arts"),
        ("age=x", "number"),
    ]:
        ran = confide("estimate", survey, "reports.csv", "--where", where)
        assert message in one_clear_line(ran)


def test_a_folder_that_cannot_be_written_is_named(confide, survey):
    ran = confide("disguise", survey, "answers.csv", "-o", "no/such/folder.csv")
    assert "cannot write" in one_clear_line(ran)


@pytest.mark.slow
def test_help_shows_an_example_and_the_program_starts_by_itself():
    for verb in ([], ["disguise"], ["estimate"], ["check"], ["init"], ["demo"]):
        command = [sys.executable, "-m", "confide", *verb, "--help"]
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
        assert "confide " in ran.stdout
    assert "Example" in ran.stdout


NAMIBIA = """
[[question]]
name = "country"
kind = "choice"
options = ["NA", "ZA", "[/x]"]
missing = "option"

[[group]]
questions = ["country"]
mechanism = "randomized-choice"
keep = "9/10"
"""


def test_options_are_read_and_shown_as_they_are(confide, tmp_path, monkeypatch):
    """NA is a country, brackets are no markup, and columns that nobody asks for are not read."""
    monkeypatch.chdir(tmp_path)
    Path("survey.toml").write_text(NAMIBIA)
    rows = ["country,id", *["NA,1"] * 60, *["ZA,2"] * 30, "[/x],x17"]
    Path("answers.csv").write_text("\n".join(rows) + "\n")
    ran = confide("disguise", "survey.toml", "answers.csv", "-o", "REPORTS.CSV", "--seed", 1)
    assert ran.code == 0, ran.err
    assert Path("REPORTS.CSV").read_text().count("NA") > 40
    ran = confide("estimate", "survey.toml", "REPORTS.CSV")
    assert ran.code == 0 and "[/x]" in ran.out


@pytest.mark.slow
def test_what_is_given_twice_or_held_by_nobody_is_one_line(confide, survey):
    confide("disguise", survey, "answers.csv", "-o", "reports.parquet", "--seed", 1)
    twice = ("--where", "cheated=yes", "--where", "cheated=no")
    assert "twice" in one_clear_line(confide("estimate", survey, "reports.parquet", *twice))
    twice = ("--respondents", "100", "--prevalence", "cheated=0.1", "--prevalence", "cheated=0.2")
    assert "twice" in one_clear_line(confide("plan", survey, *twice))


def test_an_estimate_of_some_people_says_how_many_they_are(confide, survey):
    confide("disguise", survey, "answers.csv", "-o", "reports.parquet", "--seed", 1)
    asked = ("estimate", survey, "reports.parquet", "cheated", "--where", "faculty=law")
    found = json.loads(confide(*asked, "--json").out)
    (law,) = found["estimates"]
    assert 0 < law["n"] < found["n"]
    assert f"where faculty=law: about {law['n']:,} people" in confide(*asked).out


@pytest.mark.filterwarnings("default")
def test_an_estimate_needs_only_the_columns_that_it_asks_for(confide, tmp_path):
    questions = [cf.YesNo("cheated"), cf.Number("age", 16, 80, step=1)]
    design = cf.Design(questions, [cf.Group(["cheated"], cf.RelatedQuestion("3/4"))])
    design.save(tmp_path / "two.toml")
    (tmp_path / "reports.csv").write_text("cheated\nyes\nno\nyes\n")
    ran = confide("estimate", "two.toml", "reports.csv", "cheated")
    assert ran.code == 0 and "3 reports" in ran.out
    assert "design.only" in confide("estimate", "two.toml", "reports.csv").err
    (tmp_path / "gaps.csv").write_text("cheated,age\nyes,20\nno,\nyes,30\n")
    assert confide("estimate", "two.toml", "gaps.csv", "age").code == 2
    ran = confide("estimate", "two.toml", "gaps.csv", "age", "--missing-at-random")
    assert ran.code == 0 and "2 reports" in ran.out
    assert "1 of 3 reports are left out" in ran.err
