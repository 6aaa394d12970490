"""Reports read where they are: every engine gives the model of a crowd, to the last digit."""

from __future__ import annotations

import sys
from functools import cache

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.engines import ELSEWHERE, arrow_dictionaries, named, pandas_plain, spark, spark_frame

import confide as cf
from confide.counts import report_passes
from confide.crowd import _signed_shares

NAMES = [f"q{i}" for i in range(24)]
DESIGN = cf.Design(
    [*(cf.YesNo(name) for name in NAMES), cf.Choice("faculty", ["arts", "law", "science"])],
    [
        *(cf.Group(NAMES[g:21:3], cf.RelatedQuestion("4/5")) for g in range(3)),
        cf.Group(["faculty"], cf.RandomizedChoice(0.8)),
    ],
)


@cache
def disguised():
    chance = np.random.default_rng(1)
    leaning = chance.random(600)
    answers = {n: np.where(chance.random(600) < leaning, "yes", "no") for n in NAMES}
    answers["faculty"] = chance.choice(["arts", "law", "science"], 600)
    return DESIGN.disguise(pa.table(answers), seed=2)


def learn(kind, reports, **given):
    return kind(DESIGN, "q0", method="literal", **given).fit(reports)


@pytest.mark.slow
@pytest.mark.parametrize("engine", [*ELSEWHERE, pandas_plain, arrow_dictionaries], ids=named)
def test_every_engine_gives_the_tree_and_naive_bayes_of_a_crowd(engine, tmp_path, monkeypatch):
    """The counts are whole numbers, so that the order in which parts come changes nothing."""
    monkeypatch.setattr(report_passes, "_ROWS", 101)
    monkeypatch.setattr(_signed_shares, "DENSE_CELLS", 1_000)  # so that a crowd is crossed, too
    reports = cf.ReportsInPlace(DESIGN, engine(disguised(), tmp_path))
    crowd = cf.Crowd(DESIGN, disguised())
    assert reports.n == crowd.n == 600
    ours = learn(cf.DisguisedTreeClassifier, reports, max_depth=3, criterion="gini")
    theirs = learn(cf.DisguisedTreeClassifier, crowd, max_depth=3, criterion="gini")
    for part in ("question", "child", "label", "shares", "gain"):
        assert np.array_equal(getattr(ours.tree_, part), getattr(theirs.tree_, part))
    assert ours.classes_.tolist() == theirs.classes_.tolist()
    ours, theirs = learn(cf.DisguisedNaiveBayes, reports), learn(cf.DisguisedNaiveBayes, crowd)
    assert ours.prior_.tolist() == theirs.prior_.tolist()
    pairs = zip(ours.likelihood_, theirs.likelihood_, strict=True)
    assert all(np.array_equal(one, other) for one, other in pairs)


def test_a_level_is_one_pass_whatever_its_nodes(monkeypatch):
    passes = []
    read = report_passes.ReportPasses._read

    def note(self, given):
        passes.append(given)
        return read(self, given)

    monkeypatch.setattr(report_passes.ReportPasses, "_read", note)
    reports = cf.ReportsInPlace(DESIGN, duckdb.from_arrow(disguised()))
    tree = learn(cf.DisguisedTreeClassifier, reports, max_depth=3)
    assert len(tree.tree_) > 7
    assert len(passes) == 1 + 3


def test_a_report_that_does_not_fit_is_refused_before_anything_is_learned():
    wrong = disguised().set_column(3, "q3", pa.array(["perhaps", *["yes"] * 599]))
    with pytest.raises(cf.ReportsError, match="'q3' holds none of its options in 1 of 600 reports"):
        cf.ReportsInPlace(DESIGN, duckdb.from_arrow(wrong))
    empty = disguised().set_column(3, "q3", pa.array([None, None, *["yes"] * 598]))
    with pytest.raises(cf.ReportsError, match="'q3' is empty in 2 of 600 reports"):
        cf.ReportsInPlace(DESIGN, duckdb.from_arrow(empty))
    with pytest.raises(cf.ReportsError, match="there are no reports"):
        cf.ReportsInPlace(DESIGN, duckdb.from_arrow(disguised().slice(0, 0)))


def test_reports_that_grow_while_they_are_read_are_not_half_counted(tmp_path):
    path = tmp_path / "reports.parquet"
    pq.write_table(disguised(), path)
    reports = cf.ReportsInPlace(DESIGN, path)
    pq.write_table(disguised().slice(0, 599), path)
    with pytest.raises(cf.ReportsError, match="changed while they were read: 600 before, 599 now"):
        learn(cf.DisguisedNaiveBayes, reports)


def test_what_needs_counted_reports_says_so(monkeypatch):
    reports = cf.ReportsInPlace(DESIGN, disguised())
    with pytest.raises(cf.ModelError, match='method "auto" needs counted reports'):
        cf.DisguisedTreeClassifier(DESIGN, "q0").fit(reports)
    with pytest.raises(cf.ModelError, match="needs reports to test on"):
        learn(cf.DisguisedTreeClassifier, reports, prune="reduced-error")
    with pytest.raises(cf.ReportsError, match="use Crowd"):
        cf.ReportsInPlace(DESIGN, cf.Counts.of(DESIGN, disguised()))
    monkeypatch.setattr(report_passes, "_MOST_NUMBERS", 300)
    with pytest.raises(cf.ReportsError, match="Set a smaller max_depth"):
        learn(cf.DisguisedTreeClassifier, reports, max_depth=3)


def test_what_is_not_read_in_place_says_so():
    for reports, words in (
        (np.zeros((3, 25)), "reports in memory are no reports in place"),
        ("sqlite:///survey.db", "a store's reports are not read in place: use Crowd"),
    ):
        with pytest.raises(cf.ReportsError, match=words):
            cf.ReportsInPlace(DESIGN, reports)


def test_workers_of_spark_without_confide_are_one_line(tmp_path, monkeypatch):
    frame = spark_frame(disguised(), tmp_path)
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n', encoding="utf-8")
    bare.chmod(0o755)
    monkeypatch.setattr(spark().sparkContext, "pythonExec", str(bare))
    with pytest.raises(cf.ReportsError, match=r"the Python of Spark's workers has no \w+\. Inst"):
        cf.ReportsInPlace(DESIGN, frame)
