"""The experiments of `agrawal-srikant-2000`: the grid, one cell, and what comes back from noise."""

from __future__ import annotations

import numpy as np
import pytest

from confide.papers.agrawal_srikant_2000 import AGRAWAL_SRIKANT_2000, shapes, tree_experiments
from confide.papers.agrawal_srikant_2000.experiment import ShapeCell, TreeCell, WidthCell
from confide.papers.cells import Scale
from confide.papers.run_table import select

ALGORITHMS = tree_experiments.OF_THE_PAPER


def test_the_grid_holds_every_run_of_both_figures():
    cells = AGRAWAL_SRIKANT_2000.list_cells(Scale(10, 2))
    trees = [cell for cell in cells if isinstance(cell, TreeCell)]
    papers = [cell for cell in trees if cell.algorithms == ALGORITHMS]
    assert len({cell.key for cell in cells}) == len(cells)
    assert len(papers) == 5 * 2 * 6 * 10
    assert len(trees) - len(papers) == 5 * 2 * 6 * 2
    assert {cell.people for cell in trees} == {100_000}


@pytest.mark.slow
def test_a_cell_finds_what_each_algorithm_finds_alone():
    rows = TreeCell(4, "gaussian", 0.5, 7, 600).measure(None)
    names = {"control": "randomized"}
    assert [names.get(row["method"], row["method"]) for row in rows] == list(ALGORITHMS)
    for row, algorithm in zip(rows, ALGORITHMS, strict=True):
        tree = tree_experiments.learn_tree(algorithm, 4, 0.5, "gaussian", n=600, seed=7)
        assert tree_experiments.measure_accuracy(tree, 4, seed=1007) == row["accuracy"]


@pytest.mark.slow
def test_a_cell_gives_the_same_rows_again():
    first, second = (TreeCell(1, "uniform", 1.0, 2, 500).measure(None) for _ in range(2))
    for row in (*first, *second):
        del row["seconds"]
    assert first == second


@pytest.mark.parametrize("shape", shapes.SHAPES)
def test_the_shapes_are_those_of_figure_2(shape):
    values = shapes.draw_shape(shape, 100_000, seed=1)
    assert 0 <= values.min() < 0.02 < 0.98 < values.max() <= 1
    counts = np.histogram(values, np.linspace(0, 1, 21))[0]
    half = counts[:10] + counts[:9:-1]  # both shapes are symmetric
    tip = {"plateau": slice(6, 10), "triangles": slice(4, 6)}[shape]
    assert half[tip].min() > 0.95 * half.max()
    assert half[0] < 0.3 * half.max()
    assert (half[9] < 0.3 * half.max()) == (shape == "triangles")


@pytest.mark.slow
def test_what_comes_back_sums_to_one_and_lies_where_numbers_are():
    rows = ShapeCell("triangles", "uniform", "em", 5_000).measure(None)
    back = np.array([row["reconstructed"] for row in rows])
    assert back.sum() == pytest.approx(1)
    outside = [row["middle"] < 0 or row["middle"] > 1 for row in rows]
    assert not back[outside].any()


def test_widths_are_those_of_the_normal_and_the_uniform_distribution():
    rows = WidthCell().measure(None)
    (row,) = select(rows, noise="gaussian", confidence=0.95)
    assert row["width"] == pytest.approx(3.92, abs=0.01)
    (row,) = select(rows, noise="uniform", confidence=0.999)
    assert row["width"] == pytest.approx(0.999)
