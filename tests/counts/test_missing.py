"""Reports with gaps: columns that are not there, and answers that nobody gave."""

from __future__ import annotations

import re
import warnings

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.designs import designs
from support.properties import examples

import confide as cf
from confide.estimators.table_channel import TableChannel

QUESTIONS = [cf.YesNo("cheated"), cf.YesNo("drugs"), cf.Number("age", 16, 80, step=1)]
DESIGN = cf.Design(
    QUESTIONS,
    [
        cf.Group(["cheated", "drugs"], cf.RelatedQuestion(0.8)),
        cf.Group(["age"], cf.LaplaceNoise(4)),
    ],
)
DRAW = np.random.default_rng(1)
ANSWERS = pd.DataFrame(
    {
        "cheated": DRAW.integers(0, 2, 4000),
        "drugs": DRAW.integers(0, 2, 4000),
        "age": DRAW.normal(40, 10, 4000).clip(16, 80).round(),
    }
)
GAPS = ANSWERS.assign(age=ANSWERS["age"].where(DRAW.random(4000) > 0.3))
REPORTS = DESIGN.disguise(GAPS, seed=2, missing="at random")


@examples(40)
@given(designs(most_questions=4), st.data())
def test_a_part_of_a_design_disguises_as_the_whole_does(design, data):
    names = data.draw(st.lists(st.sampled_from(design.names), min_size=1, unique=True))
    part = design.only(names)
    assert part.names == tuple(name for name in design.names if name in names)
    truth = np.random.default_rng(1).random([design.question(n).size for n in part.names])
    whole = TableChannel(design, part.names).apply(truth)
    np.testing.assert_allclose(TableChannel(part, part.names).apply(truth), whole, atol=1e-12)


def test_only_the_columns_of_a_part_need_be_there_and_others_may_hold_anything(tmp_path):
    part = DESIGN.only(["cheated"])
    expected = cf.Counts.of(part, REPORTS[["cheated"]]).table(["cheated"]).tolist()
    spoiled = REPORTS.assign(age=np.nan, drugs="perhaps")
    spoiled.to_csv(tmp_path / "reports.csv", index=False)
    table = pa.Table.from_pandas(spoiled).replace_schema_metadata(
        {b"confide.fingerprint": DESIGN.fingerprint.encode()}
    )
    pa.parquet.write_table(table, tmp_path / "reports.parquet")
    for held in (
        spoiled,
        pl.from_pandas(spoiled),
        duckdb.from_df(spoiled),
        table,
        tmp_path / "reports.csv",
        tmp_path / "reports.parquet",
    ):
        assert cf.Counts.of(part, held).table(["cheated"]).tolist() == expected


def test_counts_of_the_whole_are_counts_of_a_part(tmp_path):
    full = cf.Counts.of(DESIGN.only(["cheated", "drugs"]), REPORTS)
    part = DESIGN.only(["cheated", "drugs"]).only(["drugs"])
    full.save(tmp_path / "counts.parquet")
    clear = cf.Counts.of(DESIGN, DESIGN.disguise(ANSWERS, seed=2))
    clear.save(tmp_path / "whole.parquet")
    assert cf.Counts.of(DESIGN.only(["drugs"]), clear).table(["drugs"]).sum() == 4000
    narrowed = cf.Counts.of(DESIGN.only(["drugs"]), tmp_path / "whole.parquet")
    assert narrowed.table(["drugs"]).tolist() == clear.table(["drugs"]).tolist()
    assert part.whole is DESIGN


def test_reports_of_another_design_are_still_refused():
    other = cf.Design(QUESTIONS).only(["cheated"])
    table = pa.Table.from_pandas(REPORTS).replace_schema_metadata(
        {b"confide.fingerprint": DESIGN.fingerprint.encode()}
    )
    with pytest.raises(cf.ReportsError, match="made under another design"):
        cf.Counts.of(other, table)


def test_an_absent_column_is_one_line_with_the_way_out():
    with pytest.raises(cf.ReportsError, match=r"no column 'age'.*design\.only"):
        cf.Crowd(DESIGN, REPORTS[["cheated", "drugs"]])


def test_a_missing_number_stays_missing_and_the_others_are_drawn_as_ever():
    empty = GAPS["age"].isna().to_numpy()
    assert REPORTS["age"].isna().to_numpy().tolist() == empty.tolist()
    whole = DESIGN.disguise(ANSWERS, seed=2)
    assert (REPORTS["age"] == whole["age"]).to_numpy()[~empty].all()
    assert REPORTS["cheated"].tolist() == whole["cheated"].tolist()
    with pytest.raises(cf.AnswersError, match="no number from 16 to 80"):
        DESIGN.disguise(GAPS, seed=2)


ENGINES = {
    "pandas": lambda frame: frame,
    "Polars": pl.from_pandas,
    "arrow": pa.Table.from_pandas,
    "DuckDB": duckdb.from_df,
    "lazy": lambda frame: pl.from_pandas(frame).lazy(),
}


@pytest.mark.parametrize("engine", ENGINES)
def test_a_missing_number_is_left_out_and_said_so_in_every_engine(engine):
    held, there = ENGINES[engine](REPORTS), REPORTS["age"].notna()
    with pytest.raises(cf.ReportsError, match="column 'age' holds no number"):
        cf.Crowd(DESIGN, held)
    with pytest.warns(UserWarning, match=f"{(~there).sum():,} of 4,000 reports are left out"):
        crowd = cf.Crowd(DESIGN, held, missing="at random")
    assert crowd.n == there.sum()
    assert crowd.mean("age") == cf.Crowd(DESIGN, REPORTS[there]).mean("age")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cf.Crowd(DESIGN.only(["cheated"]), held, missing="at random").n == 4000


def test_what_is_missing_at_random_leaves_the_mean_where_it_is():
    """Within four errors; the twin that is missing by its size is not."""
    with pytest.warns(UserWarning):
        found = cf.Crowd(DESIGN.only(["age"]), REPORTS, missing="at random").mean("age")
    assert abs(found.value - ANSWERS["age"].mean()) < 4 * found.standard_error
    young = REPORTS.assign(age=REPORTS["age"].where(ANSWERS["age"] < 45))
    with pytest.warns(UserWarning):
        wrong = cf.Crowd(DESIGN.only(["age"]), young, missing="at random").mean("age")
    assert abs(wrong.value - ANSWERS["age"].mean()) > 8 * wrong.standard_error


def test_an_empty_number_is_refused_with_the_way_out():
    design = cf.Design([cf.Number("age", 18, 60, step=1)])
    said = "no number from 18 to 60 in 1 of 2 reports. Leave out those that are empty with missing="
    with pytest.raises(cf.ReportsError, match=re.escape(said)):
        cf.Crowd(design, pa.table({"age": [20.0, None]}))


def test_a_csv_with_an_empty_cell_is_missing_and_one_with_a_word_is_not(tmp_path):
    part = DESIGN.only(["age"])
    (tmp_path / "empty.csv").write_text('age\n20\n\n30\n""\n')
    with pytest.warns(UserWarning, match="reports are left out"):
        assert cf.Counts.of(part, tmp_path / "empty.csv", missing="at random").n == 2
    frame = pd.DataFrame({"age": ["20", "old", None, ""]})
    with pytest.raises(cf.ReportsError, match="holds no number"):
        cf.Counts.of(part, frame, missing="at random")


def test_weights_and_strata_follow_the_rows_that_stay():
    clear = cf.Design([cf.Number("age", 0, 9, step=1)])
    frame = pd.DataFrame(
        {"age": [1, np.nan, 3, 5], "w": [1.0, 9.0, 1.0, 2.0], "s": ["a", "a", "a", "b"]}
    )
    with pytest.warns(UserWarning, match="1 of 4 reports"):
        found = cf.Crowd(clear, frame, weights="w", missing="at random").mean("age")
    assert found.value == pytest.approx((1 + 3 + 10) / 4)


def test_nobody_left_is_refused():
    with pytest.raises(cf.ReportsError, match="every report misses"):
        cf.Counts.of(DESIGN.only(["age"]), REPORTS.assign(age=np.nan), missing="at random")


@pytest.mark.parametrize("asked", [cf.Crowd, cf.Counts.of, DESIGN.disguise])
def test_a_word_for_missing_that_there_is_not_is_refused(asked):
    given = (ANSWERS,) if asked == DESIGN.disguise else (DESIGN, REPORTS)
    with pytest.raises(cf.ConfideError, match="missing must be"):
        asked(*given, missing="drop")
