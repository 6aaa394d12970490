"""What leaves: nothing that a spreadsheet would run, every column named for what it holds."""

import csv
import re
import secrets
import subprocess
import sys
import zipfile
from contextlib import closing
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from support.web_surveys import campus, noisy

import confide as cf
from confide.reports.submissions import Submission
from confide.surveys.page_settings import Page
from confide.surveys.survey import Survey
from confide.web.admin.export import list_offered_kinds, write_export
from confide.web.server import open_survey_store

RUN = ["=1+1", "@SUM(A1)", "+49 170", "-1+2", '=HYPERLINK("http://x","y")', "'=1+1", "＝1", "law"]


def unpacked(survey, tmp_path, kind, records):
    """Export some records and give the folder in which they lie unpacked."""
    with closing(open_survey_store(survey, f"sqlite:///{tmp_path}/{kind}.db")) as store:
        store.settle([Submission(secrets.token_bytes(16), record) for record in records])
        write_export(survey.questionnaire, store, kind, tmp_path / f"{kind}.zip")
    with zipfile.ZipFile(tmp_path / f"{kind}.zip") as archive:
        archive.extractall(tmp_path / kind)
    return tmp_path / kind


def spreadsheets_nightmare():
    questions = [
        cf.Choice("=cmd|' /C calc'!A0", RUN, "=2+5"),
        cf.Choice("@plain", RUN),
        cf.Choice("score", [-2, -1, 0, 1], ordered=True),
        cf.Number("balance", -500, 500, step=1),
        cf.YesNo("-x"),
        cf.YesNo("'@plain"),
    ]
    groups = [
        cf.Group(["=cmd|' /C calc'!A0"], cf.RandomizedChoice("1/2")),
        cf.Group(["-x"], cf.RelatedQuestion("3/4")),
        cf.Group(["balance"], cf.UniformNoise(50)),
    ]
    return Survey(cf.Design(questions, groups), Page())


def records_of(survey, n=80):
    generator = np.random.default_rng(3)
    form = survey.questionnaire
    return [
        form.pack([int(generator.integers(f.size)) for f in form.fields], form.modes())
        for _ in range(n)
    ]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_nothing_in_a_csv_is_run_and_confide_reads_the_same_labels_back(tmp_path, kind):
    survey = spreadsheets_nightmare()
    records = records_of(survey)
    expected = cf.Counts.of(survey.design, survey.questionnaire.table(b"".join(records)))
    folder = unpacked(survey, tmp_path, kind, records)
    read = cf.Counts.of(cf.Design.load(folder / "design.json"), folder / f"reports.{kind}")
    assert np.array_equal(read.patterns, expected.patterns)
    assert np.array_equal(read.reports, expected.reports)
    if kind == "csv":
        with (folder / "reports.csv").open(newline="", encoding="utf-8") as lines:
            rows = list(csv.reader(lines))
        number = re.compile(r"-?\d+(\.\d+)?")
        for cell in (cell for row in rows for cell in row):
            assert not re.match(r"[=+\-@\t\r\n＝＋－＠]", cell) or number.fullmatch(cell), cell
        assert {row[2] for row in rows[1:]} == {"-2", "-1", "0", "1"}
        assert any(float(row[3]) < 0 for row in rows[1:])


@pytest.mark.slow
def test_the_command_line_estimates_from_the_export(tmp_path):
    survey = spreadsheets_nightmare()
    folder = unpacked(survey, tmp_path, "csv", records_of(survey))
    program = [sys.executable, "-c", "from confide.cli import main; main()"]
    given = [str(folder / "design.json"), str(folder / "reports.csv")]
    for end in ([], ["--", "@plain", "-x"]):
        command = [*program, "estimate", "--json", *given, *end]
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        assert '"=1+1"' in done.stdout and "'@SUM" not in done.stdout


@pytest.mark.parametrize("survey", [campus(), noisy()])
def test_columns_labels_and_readme_say_what_is_disguised(tmp_path, survey):
    pandas, pyreadstat = map(pytest.importorskip, ("pandas", "pyreadstat"))
    records = records_of(survey)
    fields = survey.questionnaire.fields
    names = [f.name + "_disguised" if f.disguised else f.name for f in fields]
    folder = unpacked(survey, tmp_path, "csv", records)
    assert pandas.read_csv(folder / "reports.csv").columns.tolist() == names
    readme = (folder / "README.txt").read_text(encoding="utf-8")
    assert survey.design.fingerprint in readme
    for field, name in zip(fields, names, strict=True):
        how = f"disguised by {field.block.mechanism.kind}" if field.disguised else "not disguised"
        assert f"\n{name}: {how}\n" in readme
        for odds in getattr(field.block.mechanism, "truth", Fraction(3, 4)).as_integer_ratio():
            assert str(odds) in readme
    assert (
        pq.read_schema(unpacked(survey, tmp_path, "parquet", records) / "reports.parquet").names
        == names
    )
    held = pyreadstat.read_sav(unpacked(survey, tmp_path, "sav", records) / "reports.sav")[1]
    assert held.column_names == names
    for field, label in zip(fields, held.column_labels, strict=True):
        assert label.startswith("disguised: ") == field.disguised
        assert (field.question.text or field.name) in label
    measures = [held.variable_measure[name] for name in names]
    assert measures == [
        "nominal" if field.finite else "ordinal" if field.edges else "scale" for field in fields
    ]


def test_a_choice_with_codes_has_them_in_spss(tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat")
    sex = cf.Choice("sex", ["female", "male"], codes=[1, 2])
    group = cf.Group(["sex"], cf.RelatedQuestion("3/4"))
    survey = Survey(cf.Design([sex, cf.YesNo("cheated")], [group]), Page())
    records = records_of(survey)
    frame, held = pyreadstat.read_sav(unpacked(survey, tmp_path, "sav", records) / "reports.sav")
    assert held.variable_value_labels["sex_disguised"] == {1: "female", 2: "male"}
    assert held.variable_value_labels["cheated"] == {0: "no", 1: "yes"}
    counted = cf.Counts.of(survey.design, frame)  # and is read back
    sent = [survey.questionnaire.unpack(record)[0][0] for record in records]
    assert counted.table(["sex"]).tolist() == np.bincount(sent).tolist()


def test_an_ordered_choice_is_ordinal_in_spss(tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat")
    survey = spreadsheets_nightmare()
    folder = unpacked(survey, tmp_path, "sav", records_of(survey))
    held = pyreadstat.read_sav(folder / "reports.sav")[1]
    assert held.variable_measure["score"] == "ordinal"
    assert held.column_labels[0] == "disguised: =2+5"
    assert held.column_names[0] == "q1_disguised"


def test_every_holder_of_an_export_is_read(tmp_path):
    pandas, polars = map(pytest.importorskip, ("pandas", "polars"))
    survey = campus()
    records = records_of(survey)
    expected = cf.Counts.of(survey.design, survey.questionnaire.table(b"".join(records)))
    path = unpacked(survey, tmp_path, "parquet", records) / "reports.parquet"
    holders = [path, pq.read_table(path), pandas.read_parquet(path), polars.scan_parquet(path)]
    for reports in holders:
        assert np.array_equal(cf.Counts.of(survey.design, reports).patterns, expected.patterns)


def test_a_question_that_is_called_disguised_keeps_its_column(tmp_path):
    names = ["x", "x_disguised", "X_Disguised_disguised", "y"]
    groups = [cf.Group([name], cf.RelatedQuestion("3/4")) for name in names[:3]]
    survey = Survey(cf.Design([cf.YesNo(name) for name in names], groups), Page())
    records = records_of(survey)
    expected = cf.Counts.of(survey.design, survey.questionnaire.table(b"".join(records)))
    for kind in ("csv", "parquet"):
        path = unpacked(survey, tmp_path, kind, records) / f"reports.{kind}"
        read = cf.Counts.of(survey.design, path)
        assert np.array_equal(read.patterns, expected.patterns)
        assert np.array_equal(read.reports, expected.reports)
    if "sav" in list_offered_kinds():
        unpacked(survey, tmp_path, "sav", records)


def test_a_column_by_the_questions_own_name_comes_first():
    design = cf.Design([cf.YesNo("a")], [cf.Group(["a"], cf.RelatedQuestion("3/4"))])
    both = pa.table({"a": ["yes"] * 3, "a_disguised": ["no"] * 3})
    assert cf.Counts.of(design, both).patterns.tolist() == [[1]]
    with pytest.raises(cf.ReportsError, match="has no column 'a'"):
        cf.Counts.of(design, pa.table({"b": ["yes"]}))


def test_a_survey_without_reports_is_exported(tmp_path):
    for kind in list_offered_kinds():
        folder = unpacked(campus(), tmp_path, kind, [])
        assert "0 reports" in (folder / "README.txt").read_text(encoding="utf-8")


def test_a_long_question_keeps_its_mark_in_spss(tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat")
    text = "Wie oft? " * 200 + "ü" * 300
    question = cf.YesNo("a" * 70, text)
    group = cf.Group([question.name], cf.RelatedQuestion("3/4"))
    survey = Survey(cf.Design([question], [group]), Page())
    folder = unpacked(survey, tmp_path, "sav", records_of(survey))
    held = pyreadstat.read_sav(folder / "reports.sav")[1]
    assert held.column_labels[0].startswith("disguised: Wie oft?")


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_an_export_takes_a_column_of_weights(tmp_path, kind):
    """Weights by a question in the clear give what raking the database to its shares gives."""
    questions = [cf.YesNo("cheated"), cf.Choice("faculty", ["arts", "law"])]
    design = cf.Design(questions, [cf.Group(["cheated"], cf.RelatedQuestion("3/4"))])
    survey = Survey(design, Page())
    folder = unpacked(survey, tmp_path, kind, records_of(survey, 400))
    design, path = cf.Design.load(folder / "design.json"), folder / f"reports.{kind}"
    table = pa.csv.read_csv(path) if kind == "csv" else pq.read_table(path)
    law = np.array(table["faculty"].to_pylist()) == "law"
    weights = np.where(law, 0.8 / law.mean(), 0.2 / (1 - law.mean()))
    weighed = table.append_column("w", pa.array(weights))
    (pa.csv.write_csv if kind == "csv" else pq.write_table)(weighed, path)
    raked = cf.Crowd(design, f"sqlite:///{tmp_path}/{kind}.db").rake(
        {"faculty": {"arts": 0.2, "law": 0.8}}
    )
    crowd = cf.Crowd(design, path, weights="w", strata="faculty")
    assert float(crowd.proportion({"faculty": "law"})) == pytest.approx(0.8)
    share, same = (each.proportion({"cheated": "yes"}) for each in (crowd, raked))
    assert share.value == pytest.approx(same.value)
    assert share.standard_error == pytest.approx(same.standard_error, rel=0.01)
    pytest.importorskip("formulaic", reason="a regression takes confide[regression]")
    fit = cf.DisguisedRegression(design, "cheated ~ 1").fit(path, weights="w", strata="faculty")
    odds = np.exp(fit.params["Intercept"])
    assert odds / (1 + odds) == pytest.approx(share.value, abs=1e-6)
