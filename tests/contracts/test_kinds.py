"""One contract: whatever holds the reports, a model answers in the kind of their columns."""

from __future__ import annotations

import gzip
import json
from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pytest
from support.engines import ENGINES, named

import confide as cf

ASKED = [
    cf.YesNo("word"),
    cf.YesNo("truth"),
    cf.YesNo("whole"),
    cf.YesNo("real"),
    cf.Choice("faculty", ["arts", "law"]),
    cf.Choice("siblings", [3, 1]),
]
DESIGN = cf.Design(ASKED, [cf.Group(["word", "truth"], cf.RelatedQuestion("9/10"))])
CLASSES = {
    "word": np.array(["no", "yes"]),
    "truth": np.array([False, True]),
    "whole": np.array([0, 1]),
    "real": np.array([0, 1]),
    "faculty": np.array(["arts", "law"]),
    "siblings": np.array([3, 1]),
}


def answers():
    """People whose answers all say the same."""
    yes = np.arange(400) % 3 == 0
    return pa.table(
        {
            "word": np.where(yes, "yes", "no"),
            "truth": yes,
            "whole": yes.astype("i1"),
            "real": yes.astype(float),
            "faculty": np.where(yes, "law", "arts"),
            "siblings": np.where(yes, 1, 3),
        }
    )


@cache
def reports():
    return DESIGN.disguise(answers(), seed=3)


def csv_gz_file(table, folder):
    with gzip.open(folder / "reports.csv.gz", "wb") as file:
        pyarrow.csv.write_csv(table, file)
    return folder / "reports.csv.gz"


def tsv_file(table, folder):
    table.to_pandas().to_csv(folder / "Reports.TSV", sep="\t", index=False)
    return folder / "Reports.TSV"


def feather_file(table, folder):
    pyarrow.feather.write_feather(table, folder / "reports.feather")
    return folder / "reports.feather"


def arrow_file(table, folder):
    path = folder / "reports.ARROW"
    pyarrow.feather.write_feather(arrow_with_categories(table), str(path))
    return str(path)


def arrow_with_categories(table):
    place = table.schema.get_field_index("word")
    return table.set_column(place, "word", table["word"].dictionary_encode())


def json_file(table, folder):
    (folder / "reports.json").write_text(json.dumps(table.to_pylist()))
    return folder / "reports.json"


def ndjson_gz_file(table, folder):
    with gzip.open(folder / "reports.ndjson.gz", "wt") as file:
        file.write("\n".join(map(json.dumps, table.to_pylist())))
    return folder / "reports.ndjson.gz"


def counts(table, _):
    return cf.Counts.of(DESIGN, table)


def saved_counts(table, folder):
    cf.Counts.of(DESIGN, table).save(folder / "counts.parquet")
    return folder / "counts.parquet"


def crowd(table, _):
    return cf.Crowd(DESIGN, table)


def pool(table, _):
    parts = [table.slice(0, 150), table.slice(150)]
    return cf.Crowd.pool([cf.Crowd(DESIGN, part) for part in parts])


def pandas_whole_categories(table, _):
    return table.to_pandas().astype({"whole": "category", "siblings": "category"})


OTHERS = [
    csv_gz_file,
    tsv_file,
    feather_file,
    arrow_file,
    json_file,
    ndjson_gz_file,
    counts,
    saved_counts,
    crowd,
    pool,
    pandas_whole_categories,
]


@pytest.mark.slow
@pytest.mark.parametrize("source", [*ENGINES, *OTHERS], ids=named)
def test_every_source_of_reports_gives_the_same_model_with_labels_of_its_columns_kind(
    source, tmp_path
):
    held = source(reports(), tmp_path)
    crowd = held if isinstance(held, cf.Crowd) else cf.Crowd(DESIGN, held)
    people = crowd.sample(50, seed=1)
    for target, classes in CLASSES.items():
        tree = cf.DisguisedTreeClassifier(DESIGN, target, method="literal").fit(held)
        assert tree.classes_.dtype.kind == classes.dtype.kind, target
        np.testing.assert_array_equal(tree.classes_, classes)
        true = answers().to_pandas()
        predicted = tree.predict(true)
        np.testing.assert_array_equal(predicted, true[target])
        assert tree.score(true, true[target]) == 1
        _, y, weight = crowd.weighted(target)
        assert y.dtype.kind == classes.dtype.kind
        shares = [weight[y == label].sum() for label in classes]
        np.testing.assert_allclose(np.array(shares) / 400, [2 / 3, 1 / 3], atol=0.07)
        assert set(people[target].to_pylist()) == set(classes.tolist())


@pytest.mark.parametrize("learner", [cf.DisguisedNaiveBayes, cf.DisguisedTreeClassifier])
def test_a_model_keeps_the_kind_of_its_labels_in_its_file(learner, tmp_path):
    for target, classes in CLASSES.items():
        model = learner(DESIGN, target, method="literal").fit(cf.Crowd(DESIGN, reports()))
        model.save(tmp_path / "model.json")
        loaded = cf.load_model(tmp_path / "model.json")
        assert loaded.classes_.dtype.kind == classes.dtype.kind
        np.testing.assert_array_equal(loaded.predict(answers()), answers()[target])


@pytest.mark.slow
def test_rules_are_written_in_the_designs_own_words_whatever_holds_the_reports():
    def found(held):
        return cf.DisguisedRules(DESIGN, min_support=0.2, max_length=2).fit(held).rules_

    assert list(map(repr, found(reports()))) == list(map(repr, found(reports().to_pandas())))
    assert any(rule.antecedent == {"whole": "yes"} for rule in found(reports()))


def test_the_type_of_a_column_decides_and_not_its_first_value():
    design = cf.Design([cf.YesNo("a"), cf.YesNo("b")])

    def classes(a):
        frame = a.to_frame("a") if isinstance(a, pd.Series) else pl.DataFrame({"a": a})
        b = [0, 1, 0, 1]
        frame = frame.assign(b=b) if isinstance(a, pd.Series) else frame.with_columns(b=pl.lit(1))
        return cf.DisguisedTreeClassifier(design, "a").fit(frame).classes_.tolist()

    words, wholes, truths = ["no", "yes"], [0, 1], [False, True]
    assert classes(pd.Series([1, 0, 1, 1], dtype="Int64")) == wholes
    assert classes(pd.Series([1, 0, 1, 1], dtype="Float64")) == wholes
    assert classes(pd.Series([True, False, True, True], dtype="boolean")) == truths
    assert classes(pd.Series(["1", "0", "1", "1"], dtype="string")) == words
    assert classes(pd.Series(["1", "0", "1", "1"], dtype="category")) == words
    assert classes(pd.Series([1, 0, 1, 1]).astype("category")) == wholes
    assert classes(pd.Series([True, False, True, True], dtype=object)) == truths
    assert classes(pl.Series(["1", "0", "1", "1"])) == words
    assert classes(pl.Series(["yes", "no", "yes", "yes"], dtype=pl.Enum(["yes", "no"]))) == words


@pytest.mark.parametrize("kind", ["?", "i1", "u8", "f4", "f8", "U3", "O"])
def test_labels_given_apart_keep_their_kind_beside_any_features(kind):
    design = cf.Design([cf.YesNo("a"), cf.YesNo("b")])
    b = np.array([1, 0, 1, 1])
    words = np.where(b == 1, "yes", "no")
    X = (words if kind == "U3" else b.astype(kind))[:, None]
    for y, classes in [(words, ["no", "yes"]), (b == 1, [False, True]), (b, [0, 1])]:
        model = cf.DisguisedTreeClassifier(design, "a").fit(X, y)
        assert model.classes_.tolist() == classes
        assert model.score(X, y) == 1


def test_where_batches_differ_in_kind_labels_are_the_designs_own():
    table = reports()
    texts = table.cast(pa.schema([(name, pa.string()) for name in table.schema.names]))
    parts = [cf.Counts.of(DESIGN, table), cf.Counts.of(DESIGN, texts)]
    mixed = cf.Crowd.pool([cf.Crowd(DESIGN, part) for part in parts])
    added = cf.Crowd(DESIGN, parts[0] + parts[1])
    for crowd in (mixed, added):
        assert set(crowd.weighted("whole")[1]) == {"no", "yes"}
        assert set(crowd.weighted("siblings")[1]) == {1, 3}
        assert set(crowd.weighted("word")[1]) == {"no", "yes"}


def test_counts_of_an_older_file_have_the_designs_own_labels(tmp_path):
    import pyarrow.parquet as pq

    path = saved_counts(reports(), tmp_path)
    old = pq.read_table(path)
    fingerprint = b"confide.fingerprint"
    pq.write_table(
        old.replace_schema_metadata({fingerprint: old.schema.metadata[fingerprint]}), path
    )
    assert set(cf.Crowd(DESIGN, path).weighted("whole")[1]) == {"no", "yes"}
