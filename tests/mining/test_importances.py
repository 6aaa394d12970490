"""Importances of questions by every way that finds them, and how much each of them looks at."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from support.designs import designs, labelled, random_codes, whole_matrix
from support.properties import examples

import confide as cf
from confide.mining import linear_means
from confide.mining.trees import dealt_answers

NAMES = [f"q{i:02}" for i in range(30)]


def brute_force(model, design, codes, shares):
    """The loss of each question from the whole inverse: every truth with every answer dealt."""
    matrix, order = whole_matrix(design)
    sizes = [design.question(name).size for name in order]
    cells = np.stack(np.unravel_index(np.arange(len(matrix)), sizes), axis=1)
    rows = np.ravel_multi_index([codes[:, design.position(n)] for n in order], sizes)
    truths = {name: cells[:, place] for place, name in enumerate(order)}

    def right(answers):
        given = [answers[name] for name in model.used_]
        return (model._predict_labels(given) == truths[model.target_]).astype(float)

    for name in model.used_:
        dealt = sum(
            share * right({**truths, name: np.full(len(cells), code)})
            for code, share in enumerate(shares[name])
        )
        weights = (right(truths) - dealt) @ np.linalg.inv(matrix)[:, rows]
        yield name, weights.mean(), weights.std() / np.sqrt(len(codes))


@pytest.mark.slow
@examples(40)
@given(designs(), st.integers(0, 2**31), st.sampled_from(["written out", "nodes", "regions"]))
def test_importances_are_those_of_brute_force_however_they_are_found(design, seed, way):
    assume(len(design.names) > 1)
    codes = random_codes(design, 200, seed)
    reports = labelled(design, codes)
    clear = cf.Design(design.questions)
    learned = cf.Crowd(clear, labelled(clear, random_codes(clear, 300, seed + 1)))
    model = cf.DisguisedTreeClassifier(design, "q0", method="literal").fit(learned)
    crowd = cf.Crowd(design, reports)
    shares = {name: crowd.table([name], method="likelihood").values for name in design.names}
    with pytest.MonkeyPatch.context() as patch:
        if way != "nodes":
            patch.setattr(dealt_answers, "_MOST_TERMS", 0)
        if way != "written out":
            for name in ("_FEW_CELLS", "DENSE_CELLS", "MOST_PARTS"):
                patch.setattr(linear_means, name, 1)
        found = model.importances_disguised(reports)
    for name, value, error in brute_force(model, design, codes, shares):
        assert found[name].value == pytest.approx(value, abs=1e-8)
        assert found[name].standard_error == pytest.approx(error, abs=1e-8)


def draw_reports(design, rows):
    generator = np.random.default_rng(3)
    answers = generator.random((rows, len(NAMES))) < generator.random((rows, 1))
    return design.disguise(answers, seed=1)


def grow_tree(groups, rows=5_000, depth=8):
    """A tree of some dozens of leaves on thirty questions."""
    design = cf.Design([cf.YesNo(name) for name in NAMES], groups)
    reports = draw_reports(design, rows)
    tree = cf.DisguisedTreeClassifier(design, NAMES[0], method="literal", max_depth=depth)
    return tree.fit(reports), reports


def test_with_a_coin_each_no_leaf_is_asked_alone(monkeypatch):
    """Leaf by leaf there would be an event for every question on every path."""
    model, reports = grow_tree([cf.Group([name], cf.RelatedQuestion("4/5")) for name in NAMES])
    assert len(model._list_regions()) > 20
    monkeypatch.setattr(linear_means, "event_weights", None)
    found = model.importances_disguised(reports)
    assert sum(estimate.standard_error > 0 for estimate in found.values()) > 10


def test_rows_are_predicted_again_only_for_questions_that_their_paths_test(monkeypatch):
    """Each of eight truths of each report once, and once more for each question on its path."""
    groups = [cf.Group(NAMES[g::3], cf.RelatedQuestion("4/5")) for g in range(3)]
    model, reports = grow_tree(groups)
    monkeypatch.setattr(linear_means, "_FEW_VISITS", 0)
    predicted, predict = [], type(model)._predict_labels
    monkeypatch.setattr(
        type(model),
        "_predict_labels",
        lambda self, columns: predicted.append(len(columns[0])) or predict(self, columns),
    )
    model.importances_disguised(reports)
    assert sum(predicted) <= 8 * len(reports) * (1 + 8)


def test_a_question_that_decides_on_no_label_is_worth_exactly_nothing():
    """Both of its answers lead to the same label, at whatever chances."""
    design = cf.Design(
        [cf.YesNo(name) for name in "yab"],
        [cf.Group([name], cf.RelatedQuestion("4/5")) for name in "yab"],
    )
    answers = np.repeat(
        [[1, 1, 1], [1, 1, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]], [400, 300, 100, 400, 400], axis=0
    )
    model = cf.DisguisedTreeClassifier(design, "y", method="literal")
    model.fit(cf.Crowd(cf.Design(design.questions), answers))
    assert model.used_ == ["a", "b"]
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_FEW_CELLS", "DENSE_CELLS", "MOST_PARTS"):
            patch.setattr(linear_means, name, 1)
        found = model.importances_disguised(cf.Crowd(design, design.disguise(answers, seed=1)))
    assert found["b"].value == found["b"].standard_error == 0
    assert found["a"].value > 0.2
