"""What leaves a tree predicts what the tree predicts."""

from __future__ import annotations

import sqlite3
import xml.etree.ElementTree as ET
from contextlib import closing

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from sklearn.datasets import load_iris

import confide as cf

DESIGN = cf.Design(
    [
        cf.YesNo("y", "Was it?"),
        cf.YesNo("a"),
        cf.Choice("b", ["u", "it's", "w", 'say "x"']),
        cf.Number("age", 16, 80, step=1),
    ],
    [cf.Group(["y", "a"], cf.RelatedQuestion("9/10"))],
)
SVG = "{http://www.w3.org/2000/svg}"


def answers(rows, seed, numeric=False):
    generator = np.random.default_rng(seed)
    a, b = generator.integers(0, 2, rows), generator.integers(0, 4, rows)
    age = generator.integers(16, 81, rows)
    y = ((age > 40) ^ (a == 1) ^ (b == 2) ^ (generator.random(rows) < 0.1)).astype(int)
    words = np.array(["no", "yes"])
    columns = {"y": y, "a": a} if numeric else {"y": words[y], "a": words[a]}
    return pa.table({**columns, "b": np.array(DESIGN.question("b").labels)[b], "age": age})


def tree(criterion="gini", numeric=False, **options):
    reports = DESIGN.disguise(answers(4000, 1, numeric), seed=2)
    model = cf.DisguisedTreeClassifier(
        DESIGN, "y", criterion=criterion, method="literal", **options
    )
    return model.fit(reports)


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@pytest.mark.parametrize("numeric", [False, True])
def test_a_database_predicts_what_the_tree_predicts(criterion, numeric):
    model = tree(criterion, numeric, max_depth=6)
    people = answers(500, 3, numeric)
    found = duckdb.from_arrow(people).project(f"{model.sql()} AS y").fetchnumpy()["y"]
    assert found.tolist() == model.predict(people).tolist()


@pytest.mark.parametrize("kind", [int, bool, str])
@pytest.mark.parametrize("database", ["duckdb", "sqlite"])
def test_yes_no_columns_of_any_kind_are_read(kind, database):
    """The target is a choice, so that it does not tell the kind of the other columns."""
    design = cf.Design([cf.Choice("c", ["p", "q"]), cf.YesNo("a"), cf.YesNo("b")])
    codes = np.random.default_rng(1).integers(0, 2, (60, 2))
    label = np.array(["p", "q"])[codes[:, 0] & codes[:, 1]]
    words = {int: [0, 1], bool: [False, True], str: ["no", "yes"]}[kind]
    columns = {name: [words[code] for code in codes[:, i]] for i, name in enumerate("ab")}
    model = cf.DisguisedTreeClassifier(design, "c").fit(pa.table({"c": label, **columns}))
    if database == "duckdb":
        found = duckdb.from_arrow(pa.table(columns)).project(model.sql()).fetchall()
    else:
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.execute("CREATE TABLE people (a, b)")
            rows = list(zip(*columns.values(), strict=True))
            connection.executemany("INSERT INTO people VALUES (?, ?)", rows)
            found = connection.execute(f"SELECT {model.sql()} FROM people").fetchall()
    assert [label for (label,) in found] == label.tolist()


def test_a_database_predicts_nothing_for_a_row_without_values():
    model = tree(max_depth=3)
    row = pa.table(
        {"a": [None], "b": [None], "age": [None]},
        schema=pa.schema([("a", pa.string()), ("b", pa.string()), ("age", pa.int64())]),
    )
    relation = duckdb.from_arrow(row)
    assert relation.project(model.sql()).fetchall() == [(None,)]


def followed(predictor, person):
    """The chance of each class as the predictor's documentation says, from its JSON alone."""
    codes = [
        q["options"].index(str(person[q["name"]]))
        if "options" in q
        else sum(edge <= person[q["name"]] for edge in q["edges"])
        for q in predictor["questions"]
    ]
    if "tree" in predictor:
        node = predictor["tree"][0]
        while "question" in node:
            node = predictor["tree"][node["child"][codes[node["question"]]]]
        assert np.argmax(node["chances"]) == node["label"]
        return np.array(node["chances"])
    bayes = predictor["bayes"]
    if hidden := bayes["hidden"]:
        product = np.array(hidden["weights"])
        for table, code in zip(hidden["tables"], codes, strict=True):
            product = product * np.array(table)[:, code]
        scores = product @ np.array(hidden["classes"])
    else:
        scores = np.array(bayes["prior"])
        for table, code in zip(bayes["likelihood"], codes, strict=True):
            scores = scores * np.array(table)[:, code]
    return scores / scores.sum()


@pytest.mark.slow
@pytest.mark.parametrize("learner", [cf.DisguisedTreeClassifier, cf.DisguisedNaiveBayes])
@pytest.mark.parametrize("method", ["auto", "literal"])
def test_a_browser_predicts_what_the_model_predicts(learner, method):
    model = learner(DESIGN, "y", method=method).fit(DESIGN.disguise(answers(4000, 1), seed=2))
    predictor = model.predictor(accuracy=cf.Estimate(0.8, 0.01, 100))
    people = answers(200, 4)
    found = [followed(predictor, person) for person in people.to_pylist()]
    np.testing.assert_allclose(found, model.predict_proba(people), atol=1e-6)
    assert predictor["accuracy"]["value"] == 0.8
    assert predictor["target"] == {"name": "y", "text": "Was it?"}


def test_a_predictor_of_ordinary_data_knows_the_true_edges():
    X, y = load_iris(return_X_y=True)
    model = cf.DisguisedTreeClassifier().fit(X, y)
    predictor = model.predictor()
    people = [{f"x{i}": value for i, value in enumerate(row)} for row in X]
    found = [followed(predictor, person) for person in people]
    np.testing.assert_allclose(found, model.predict_proba(X), atol=1e-6)


def test_the_text_shows_every_node_with_its_count_and_interval():
    model = tree(max_depth=2)
    lines = model.text().splitlines()
    assert len(lines) == len(model.tree_)
    assert all("n ≈" in line and "±" in line for line in lines)
    assert "nodes below" in model.text(max_depth=1)


def test_graphviz_gets_every_node_and_edge():
    model = tree(max_depth=3)
    text = model.dot()
    assert text.count("->") == len(model.tree_) - 1
    assert text.count("fillcolor") == len(model.tree_)
    assert text.startswith("digraph tree {") and text.rstrip().endswith("}")


def test_a_picture_shows_counts_intervals_and_class_colours(tmp_path):
    model = tree(max_depth=3)
    model.picture(tmp_path / "tree.svg", max_depth=2)
    drawing = ET.parse(tmp_path / "tree.svg")
    texts = [t.text for t in drawing.iter("{http://www.w3.org/2000/svg}text")]
    shown = [node for node in range(len(model.tree_)) if model.tree_.depth[node] <= 2]
    assert sum("n ≈" in text and "±" in text for text in texts) == len(shown)
    assert {"no", "yes"} <= set(texts)
    model.picture(tmp_path / "tree.png")
    assert (tmp_path / "tree.png").read_bytes().startswith(b"\x89PNG")


def test_a_stump_of_many_classes_shows_them_all(tmp_path):
    classes = [f"class {i}" for i in range(6)]
    design = cf.Design([cf.Choice("c", classes), cf.YesNo("a")])
    reports = pa.table({"c": classes * 5, "a": ["yes", "no"] * 15})
    model = cf.DisguisedTreeClassifier(design, "c", max_depth=1).fit(reports)
    model.picture(tmp_path / "tree.svg")
    root = ET.fromstring((tmp_path / "tree.svg").read_text())
    last = next(e for e in root.iter(f"{SVG}text") if e.text == "class 5")
    assert float(last.get("x")) + 8 * len("class 5") < float(root.get("width"))


def test_another_kind_of_picture_is_refused(tmp_path):
    with pytest.raises(cf.ModelError, match=r"\.svg or \.png"):
        tree(max_depth=1).picture(tmp_path / "tree.gif")
    assert list(tmp_path.iterdir()) == []


def test_names_are_escaped_in_pictures(tmp_path):
    design = cf.Design([cf.YesNo("y"), cf.YesNo('<b> & "c"')])
    codes = np.array([[0, 0], [1, 1]] * 30)
    model = cf.DisguisedTreeClassifier(design, "y").fit(codes)
    model.picture(tmp_path / "t.svg")
    assert '<b> & "c"?' in [t.text for t in ET.parse(tmp_path / "t.svg").iter() if t.text]
    assert r"\"c\"" in model.dot()
