"""A cut within an interval: reports at hand are counted again with an interval that begins there.

The oracle is a design in which age is a choice of the intervals that are asked for.
"""

from __future__ import annotations

import pickle
import secrets

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from typer.testing import CliRunner

import confide as cf
from confide.cli.app import app
from confide.reports.store import open_store
from confide.reports.submissions import Submission
from confide.surveys.questionnaire import Questionnaire

GROUPS = [cf.Group(["a"], cf.RelatedQuestion("3/4"))]
DESIGN = cf.Design(
    [cf.YesNo("a"), cf.Number("age", 16, 80), cf.Number("income", 0, 9_990, step=10)], GROUPS
)
CHANCE = np.random.default_rng(1)
N = 900
FRAME = pd.DataFrame(
    {
        "a": CHANCE.integers(0, 2, N),
        "age": CHANCE.uniform(16, 80, N),
        "income": CHANCE.integers(0, 1_000, N) * 10,
        "weight": CHANCE.uniform(0.5, 2, N),
        "region": CHANCE.choice(["east", "west"], N),
        "school": CHANCE.integers(0, 30, N),
    }
)
YES = {"a": "yes"}
SAMPLES = [
    {},
    {"weights": "weight"},
    {"weights": "weight", "strata": "region"},
    {"clusters": "school"},
    {"weights": "weight", "strata": "region", "clusters": "school", "population": 5_000},
]


def ask_intervals(sample: dict[str, object], name: str, edges: list[float]) -> cf.Crowd:
    """The crowd of the same people, whose number was asked as a choice of intervals."""
    codes = np.digitize(FRAME[name], edges)
    labels = [str(code) for code in range(len(edges) + 1)]
    questions = [cf.Choice(q.name, labels) if q.name == name else q for q in DESIGN.questions]
    recoded = FRAME.assign(**{name: np.array(labels)[codes]})
    return cf.Crowd(cf.Design(questions, GROUPS), recoded, **sample)


def same(found: cf.Estimate, wanted: cf.Estimate) -> None:
    assert found.value == pytest.approx(wanted.value)
    assert found.standard_error == pytest.approx(wanted.standard_error)
    assert found.interval() == pytest.approx(wanted.interval(), rel=3e-3, abs=1e-3)
    assert (found.n, found.total) == (wanted.n, wanted.total)


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize(("name", "edges"), [("age", [18, 25.5, 40]), ("income", [1_230, 5_550])])
def test_a_cut_anywhere_gives_what_a_choice_of_its_intervals_would(sample, name, edges):
    found = cf.Crowd(DESIGN, FRAME, **sample).table(["a", cf.cut(name, edges)])
    wanted = ask_intervals(sample, name, edges).table(["a", name])
    for mine, theirs in zip(found.estimates, wanted.estimates, strict=True):
        same(mine, theirs)


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_range_anywhere_is_a_share_and_a_sub_population(sample):
    crowd, oracle = cf.Crowd(DESIGN, FRAME, **sample), ask_intervals(sample, "age", [18, 25])
    same(crowd.proportion({"age": (18, 25), **YES}), oracle.proportion({"age": "1", **YES}))
    young = crowd.given({"age": (18, 25)})
    assert young.within == {"age": "18 to 25"}
    same(young.proportion(YES), oracle.given({"age": "1"}).proportion(YES))
    if sample.get("weights"):
        same(crowd.total({"age": (18, 25), **YES}), oracle.total({"age": "1", **YES}))


@pytest.mark.parametrize("sample", SAMPLES)
def test_ranges_that_overlap_are_compared_by_their_covariance(sample):
    crowd, oracle = (
        cf.Crowd(DESIGN, FRAME, **sample),
        ask_intervals(sample, "age", [18, 20.5, 25, 40]),
    )
    apart = [{"age": (18, 25)}, {"age": (20.5, 40)}]
    found = crowd.difference(YES, *apart)
    shares = [crowd.given(each).proportion(YES) for each in apart]
    same(shares[0] - shares[1], found)
    assert found.n == N
    young, old = (oracle.proportion({"age": code, **YES}) for code in "13")
    first, second = (crowd.proportion({**each, **YES}) for each in apart)
    assert (first - second).value == pytest.approx(young.value - old.value)
    hair = 0.01 if "population" in sample else 1e-6  # how much of it was asked differs by share
    error = (young - old).standard_error
    assert (first - second).standard_error == pytest.approx(error, rel=hair)


def test_intervals_are_named_by_where_they_were_cut():
    design = cf.Design([cf.Number("income", 0, 1_000_000)])
    crowd = cf.Crowd(design, np.linspace(0, 1_000_000, 300))
    table = crowd.table([cf.cut("income", [50_000, 123_456.78])])
    assert [row[0] for row in table.rows()] == [
        "0 to 50000",
        "50000 to 123456.78",
        "123456.78 to 1000000",
    ]


def test_a_second_number_is_cut_among_people_of_a_range():
    found = cf.Crowd(DESIGN, FRAME).given({"age": (18, 55)}).table([cf.cut("income", [1_230])])
    inside = FRAME[(FRAME.age >= 18) & (FRAME.age < 55)]
    assert found.values.tolist() == pytest.approx(
        [(inside.income < 1_230).mean(), (inside.income >= 1_230).mean()]
    )


def test_raked_and_replicated_crowds_are_cut_too():
    known = cf.Design([*DESIGN.questions, cf.Choice("region", ["east", "west"])], GROUPS)
    margins = {"region": {"east": 0.7, "west": 0.3}}
    raked = cf.Crowd(known, FRAME).rake(margins)
    weight = np.where(FRAME.region == "east", 0.7, 0.3) / FRAME.groupby("region").age.transform(
        "size"
    )
    inside = (FRAME.age >= 18) & (FRAME.age < 25)
    assert raked.proportion({"age": (18, 25)}).value == pytest.approx(weight[inside].sum())
    crowd = cf.Crowd(DESIGN, FRAME)
    share = crowd.replicate(lambda each: each.proportion({"age": (18, 25)}))
    assert share.standard_error == pytest.approx(np.sqrt(inside.mean() * (1 - inside.mean()) / 899))


@pytest.mark.parametrize("kind", ["pandas", "polars", "lazy", "arrow", "duckdb", "csv", "parquet"])
def test_every_kind_of_reports_is_counted_again(kind, tmp_path):
    table = pa.Table.from_pandas(FRAME, preserve_index=False)
    FRAME.to_csv(tmp_path / "reports.csv", index=False)
    FRAME.to_parquet(tmp_path / "reports.parquet")
    reports = {
        "pandas": FRAME,
        "polars": pl.from_arrow(table),
        "lazy": pl.from_arrow(table).lazy(),
        "arrow": table,
        "duckdb": duckdb.from_arrow(table),
        "csv": tmp_path / "reports.csv",
        "parquet": str(tmp_path / "reports.parquet"),
    }[kind]
    found = cf.Crowd(DESIGN.only(["age"]), reports).table([cf.cut("age", [18, 25])])
    assert found.values.tolist() == pytest.approx(
        (np.bincount(np.digitize(FRAME.age, [18, 25])) / N).tolist()
    )


def test_an_array_and_a_pool_are_counted_again():
    design = DESIGN.only(["age"])
    crowds = [cf.Crowd(design, FRAME.age.to_numpy()[part]) for part in (slice(300), slice(300, N))]
    pooled = cf.Crowd.pool(crowds).table([cf.cut("age", [18, 25])])
    assert pooled.values.tolist() == pytest.approx(
        (np.bincount(np.digitize(FRAME.age, [18, 25])) / N).tolist()
    )


def test_reports_that_changed_in_between_are_refused():
    frame = FRAME.copy()
    crowd = cf.Crowd(DESIGN, frame)
    frame.loc[3, "age"] = 80.0 if FRAME.age[3] < 50 else 16.0
    with pytest.raises(cf.ReportsError, match="changed since they were counted"):
        crowd.table([cf.cut("age", [18])])


def test_counts_hold_no_more_than_their_intervals():
    crowd = cf.Crowd(DESIGN, cf.Counts.of(DESIGN, FRAME))
    said = "18 cuts '17.92 to 18.56' in two. Counts hold no more: give the reports themselves"
    with pytest.raises(cf.QueryError, match=said):
        crowd.table([cf.cut("age", [18])])
    with pytest.raises(cf.QueryError, match=r"1230 cuts '1200 to 1290' in two.* 1200 or 1300"):
        crowd.given({"income": (1_230, 5_000)})


def test_a_crowd_is_sent_to_another_process_without_its_reports():
    crowd = cf.Crowd(DESIGN, duckdb.from_arrow(pa.Table.from_pandas(FRAME)))  # which cannot be sent
    sent = pickle.loads(pickle.dumps(crowd))
    assert sent.proportion(YES) == crowd.proportion(YES)
    with pytest.raises(cf.QueryError, match="give the reports themselves"):
        sent.table([cf.cut("age", [18])])


def test_a_store_is_counted_again(tmp_path):
    design = cf.Design([cf.YesNo("a"), cf.Number("age", 16, 80)])
    form = Questionnaire(design)
    url = f"sqlite:///{tmp_path}/survey.db"
    store = open_store(url, design, by_invitation=False)
    ages = FRAME.age[:40].tolist()
    codes = [
        [field.code(answer) for field, answer in zip(form.fields, (1, age), strict=True)]
        for age in ages
    ]
    store.settle([Submission(secrets.token_bytes(16), form.pack(c, form.modes())) for c in codes])
    store.close()
    found = cf.Crowd(design.only(["age"]), url).table([cf.cut("age", [30, 50.5])])
    assert found.values.tolist() == pytest.approx(
        (np.bincount(np.digitize(ages, [30, 50.5])) / 40).tolist()
    )


def test_the_command_line_cuts_a_number_anywhere(tmp_path):
    DESIGN.save(tmp_path / "survey.toml")
    FRAME.to_csv(tmp_path / "reports.csv", index=False)
    asked = [
        "estimate",
        str(tmp_path / "survey.toml"),
        str(tmp_path / "reports.csv"),
        "age@18,25,40",
    ]
    ran = CliRunner().invoke(app, [*asked, "--where", "income=1230..5000"])
    assert ran.exit_code == 0
    assert "18 to 25" in ran.output and "25 to 40" in ran.output
