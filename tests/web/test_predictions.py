"""The browser's prediction: what Python predicts."""

import json
import subprocess
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
from support.machine import program
from support.web_models import DESIGN, MODELS, cases, differences, people

import confide as cf

STATIC = Path(__file__).parents[2] / "src/confide/web/static"
CHECK = Path(__file__).with_name("check_predictions.mjs")
ROWS = 400


def by_node(asked, tmp_path, script=STATIC / "predict.js"):
    (tmp_path / "cases.json").write_text(json.dumps(asked))
    command = [program("node", "nodejs"), CHECK, script, tmp_path / "cases.json"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def models():
    return {name: make() for name, make in MODELS.items()}


@pytest.mark.slow
def test_node_predicts_what_python_predicts(models, tmp_path):
    table = people(ROWS, 3)
    asked = [{"model": m.predictor(), "cases": cases(m, table)} for m in models.values()]
    said = by_node(asked, tmp_path)
    for model, told in zip(models.values(), said, strict=True):
        assert len(told) == ROWS
        assert len({each["label"] for each in told}) > 1
        assert differences(told, model, table) == 0


def test_equal_chances_are_equal_whatever_the_order_of_their_factors(tmp_path):
    """Sums of logarithms differ in the last digit by their order: then the first class is said."""
    design = cf.Design([cf.YesNo(name) for name in ("target", *"abc")])
    model = cf.DisguisedNaiveBayes(design, "target").fit(np.arange(64).reshape(16, 4) % 3 % 2)
    asked, found = [], []
    for first, second in product(permutations([0.1, 0.2, 0.3]), repeat=2):
        tables = [np.array([[a, 1 - a], [b, 1 - b]]) for a, b in zip(first, second, strict=True)]
        model.prior_, model.likelihood_, model.hidden_ = np.array([0.5, 0.5]), tables, None
        asked.append({"model": model.predictor(), "cases": [[0, 0, 0]]})
        found.append(model.predict(np.zeros((1, 3), int))[0])
    assert set(found) == {0}
    assert {told["label"] for (told,) in by_node(asked, tmp_path)} == {0}


@pytest.mark.slow
def test_the_models_have_every_kind_of_split_and_of_naive_bayes(models):
    wide, narrow = (model.tree_ for model in list(models.values())[:2])
    branches = [wide.branches(node) for node in range(len(wide)) if wide.question[node] == 1]
    assert any(len(each) == DESIGN.question("faculty").size for each in branches)
    asked = {DESIGN.names[1 + q] for q in narrow.question[narrow.question >= 0]}
    assert {"faculty", "age", "income"} <= asked
    subsets = [
        c for n in range(len(narrow)) if narrow.question[n] == 1 for c, _ in narrow.branches(n)
    ]
    assert any(len(codes) > 1 for codes in subsets)
    assert models["naive Bayes with hidden classes"].hidden_ is not None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("written", "mutant"),
    [
        ("edge <= answer", "edge < answer"),
        ("nodes[node.child[codes[node.question]]]", "nodes[node.child[0]]"),
        ("likelihood[q][c][value]", "likelihood[q][value]?.[c] ?? 1"),
        ("chance * classes[z][c]", "classes[z][c]"),
        ("Math.log(Math.max(start, TINY))", "0"),
        ("Math.max(...told)", "Math.min(...told)"),
        ("const TINY = 1e-300", "const TINY = 1e-3"),
    ],
)
def test_a_script_that_predicts_otherwise_is_noticed(models, tmp_path, written, mutant):
    text = (STATIC / "predict.js").read_text()
    assert written in text
    changed = tmp_path / "predict.js"
    changed.write_text(text.replace(written, mutant))
    table = people(ROWS, 3)
    asked = [{"model": m.predictor(), "cases": cases(m, table)} for m in models.values()]
    try:
        said = by_node(asked, tmp_path, changed)
    except subprocess.CalledProcessError:
        return
    told = zip(said, models.values(), strict=True)
    assert sum(differences(each, model, table) for each, model in told) > 0
