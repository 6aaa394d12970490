"""The papers' data sets, where the files are at hand."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.naive_bayes import BernoulliNB

from confide.papers import data


@pytest.fixture(autouse=True)
def _files():
    try:
        data.find_folder()
    except data.DataMissingError as absent:
        pytest.skip(str(absent))


def test_the_sets_have_the_sizes_that_the_papers_print():
    assert data.load_adult().X.shape == (48_842, 14)
    assert data.load_breast_cancer().X.shape == (699, 9)
    assert data.load_voting().X.shape == (435, 16)


def test_every_set_is_binary_with_a_name_a_column():
    for each in (data.load_adult(), data.load_breast_cancer(), data.load_voting()):
        assert set(np.unique(each.X)) == set(np.unique(each.y)) == {0, 1}
        assert len(set(each.names)) == each.X.shape[1]
        assert len(each.X) == len(each.y)


def test_naive_bayes_on_adult_reaches_the_score_of_figure_7_of_surveys():
    _, X, y = data.load_adult()
    model = BernoulliNB().fit(X[:10_000], y[:10_000])
    assert model.score(X[10_000:], y[10_000:]) == pytest.approx(0.82, abs=0.005)


def test_the_classes_are_the_published_ones():
    assert data.load_adult().y.mean() == pytest.approx(0.2393, abs=1e-4)
    assert data.load_breast_cancer().y.sum() == 241
    assert data.load_voting().y.sum() == 267


def test_a_folder_without_the_files_is_named_in_one_line(monkeypatch, tmp_path):
    monkeypatch.setenv("CONFIDE_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(data.DataMissingError, match="CONFIDE_DATA"):
        data.load_adult()
