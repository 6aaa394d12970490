"""The papers' data sets: found, checked, downloaded, made yes-no."""

from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import replace
from io import BytesIO
from urllib.error import URLError

import numpy as np
import pytest
from sklearn.naive_bayes import BernoulliNB
from support.stand_ins import make_rows

import confide as cf
from confide.papers import data, openml
from confide.papers.data_sets import ADULT, BREAST_CANCER, VOTING, Attribute, DataSet, hash_rows
from confide.papers.readings import READINGS, make_binary

TINY = DataSet(
    "tiny",
    (Attribute("age"), Attribute("fruit", ("apple", "pear", "plum"))),
    "rich",
    ("no", "yes"),
    ("poor", "rich"),
    ("tiny.data",),
    4,
    "",
    7,
)
TINY_ROWS = [("20", "pear", "no"), ("?", "plum", "yes"), ("60", "apple", "yes"), ("40", "?", "no")]


# The real data, where they are at hand.


@pytest.mark.usefixtures("real_data")
def test_the_sets_have_the_sizes_that_the_papers_print():
    assert data.load_adult().X.shape == (48_842, 14)
    assert data.load_breast_cancer().X.shape == (699, 9)
    assert data.load_voting().X.shape == (435, 16)


@pytest.mark.usefixtures("real_data")
def test_every_set_is_binary_with_one_name_per_column():
    for each in (data.load_adult(), data.load_breast_cancer(), data.load_voting()):
        assert set(np.unique(each.X)) == set(np.unique(each.y)) == {0, 1}
        assert len(set(each.names)) == each.X.shape[1]
        assert len(each.X) == len(each.y)


@pytest.mark.usefixtures("real_data")
def test_naive_bayes_on_adult_reaches_the_score_of_figure_7_of_surveys():
    _, X, y = data.load_adult()
    model = BernoulliNB().fit(X[:10_000], y[:10_000])
    assert model.score(X[10_000:], y[10_000:]) == pytest.approx(0.82, abs=0.005)


@pytest.mark.usefixtures("real_data")
def test_the_classes_are_the_published_ones():
    assert data.load_adult().y.mean() == pytest.approx(0.2393, abs=1e-4)
    assert data.load_breast_cancer().y.sum() == 241
    assert data.load_voting().y.sum() == 267


# Finding and checking.


def test_a_folder_without_the_files_is_named_in_one_line(monkeypatch, tmp_path):
    monkeypatch.setenv("CONFIDE_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(data.DataMissingError, match="CONFIDE_DATA"):
        data.load_adult()


def test_without_the_data_one_line_says_where_to_put_them(monkeypatch, tmp_path):
    monkeypatch.delenv("CONFIDE_DATA", raising=False)
    monkeypatch.setattr(data, "__file__", str(tmp_path / "a/b/c/d/data.py"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    words = r"adult\.data and adult\.test .* into .*cache/confide/data, .*`confide data adult`"
    with pytest.raises(data.DataMissingError, match=words):
        data.find(ADULT)


@pytest.mark.parametrize("real", [ADULT, BREAST_CANCER, VOTING], ids=lambda each: each.name)
def test_uci_writes_its_lines_in_three_ways_and_all_are_read(tmp_path, real):
    rows = make_rows(real, 10)
    half = len(rows) // 2
    for place, name in enumerate(real.files):
        part = rows if len(real.files) == 1 else (rows[:half], rows[half:])[place]
        lines = [uci_line(real, row, stop="." if place else "") for row in part]
        (tmp_path / name).write_text("|a remark\n" * place + "\n".join(lines) + "\n\n")
    stand_in = replace(real, rows=len(rows), sha256=hash_rows(rows))
    assert data.read(stand_in, tmp_path) == rows


def uci_line(real, row, stop):
    *values, label = row
    if real is ADULT:
        return ", ".join([*values, label + stop])
    return ",".join(["1000025", *row] if real is BREAST_CANCER else [label, *values])


def test_rows_that_are_not_the_papers_are_refused(tmp_path):
    rows = make_rows(VOTING, 10)
    good = replace(VOTING, rows=10, sha256=hash_rows(rows))
    data.keep(good, rows, tmp_path)
    assert data.read(good, tmp_path) == rows
    data.keep(good, rows[:-1], tmp_path)
    with pytest.raises(data.DataMissingError, match="has 9 records; it must have 10"):
        data.read(good, tmp_path)
    data.keep(good, [*rows[1:], rows[0]], tmp_path)
    with pytest.raises(data.DataMissingError, match="SHA-256"):
        data.read(good, tmp_path)


def test_another_name_is_refused():
    with pytest.raises(cf.ConfideError, match="adult, breast-cancer, voting"):
        data.find_data_set("iris")


# OpenML, as its server answers.

ARFF = """@RELATION tiny
@ATTRIBUTE age REAL
@ATTRIBUTE fruit {apple, pear, plum}
@ATTRIBUTE wealth {poor, rich}
@DATA
40,?,poor
20,pear,poor
?,plum,rich
60,apple,rich
"""


def answer_as_openml(request, **_):
    """Answer the requests that scikit-learn sends for data set 7."""
    url = request if isinstance(request, str) else request.full_url
    if "features" in url:
        kinds = [("age", "numeric"), ("fruit", "nominal"), ("wealth", "nominal")]
        features = [
            {
                "index": str(place),
                "name": name,
                "data_type": kind,
                "is_target": str(name == "wealth").lower(),
                "is_ignore": "false",
                "is_row_identifier": "false",
                "number_of_missing_values": "0",
            }
            for place, (name, kind) in enumerate(kinds)
        ]
        answer = json.dumps({"data_features": {"feature": features}})
    elif "qualities" in url:
        qualities = [{"name": "NumberOfInstances", "value": "4.0"}]
        answer = json.dumps({"data_qualities": {"quality": qualities}})
    elif "json" in url:
        about = {"id": "7", "name": "tiny", "version": "1", "format": "ARFF", "status": "active"}
        about |= {"file_id": "70", "default_target_attribute": "wealth", "description": ""}
        about |= {"url": "https://openml.org/data/v1/download/70/tiny.arff"}
        about |= {"md5_checksum": hashlib.md5(ARFF.encode(), usedforsecurity=False).hexdigest()}
        answer = json.dumps({"data_set_description": about})
    else:
        answer = ARFF
    return Answer(gzip.compress(answer.encode()))


class Answer(BytesIO):
    def info(self):
        return {"Content-Encoding": "gzip"}


def test_a_data_set_comes_from_openml_in_the_order_of_uci(monkeypatch):
    monkeypatch.setattr("sklearn.datasets._openml.urlopen", answer_as_openml)
    tiny = replace(TINY, sha256=hash_rows(TINY_ROWS), first_there=1)
    rows = openml.fetch_rows(tiny, data.DataMissingError("no network"))
    assert rows == TINY_ROWS
    in_their_order = openml.fetch_rows(replace(tiny, sha256="another"), ValueError())
    assert in_their_order == [TINY_ROWS[3], *TINY_ROWS[:3]]


def test_what_was_downloaded_is_checked_and_found_the_next_time(monkeypatch, tmp_path):
    monkeypatch.setattr("sklearn.datasets._openml.urlopen", answer_as_openml)
    monkeypatch.delenv("CONFIDE_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    tiny = replace(TINY, sha256=hash_rows(TINY_ROWS), first_there=1)
    place = data.find_or_download(tiny)
    assert place == tmp_path / "confide" / "data" == data.find(tiny)
    assert data.read(tiny, place) == TINY_ROWS
    with pytest.raises(data.DataMissingError, match="OpenML is not what the papers used"):
        data.find_or_download(replace(TINY, name="other", sha256="another"))
    assert not (place / "other.csv").exists()


@pytest.mark.slow
def test_without_a_network_the_same_line_says_where_to_put_the_files(monkeypatch, tmp_path):
    def refuse(*_, **__):
        raise URLError("no route to host")

    monkeypatch.setattr("sklearn.datasets._openml.urlopen", refuse)
    monkeypatch.delenv("CONFIDE_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(data.DataMissingError, match=r"Put tiny\.data of .* into"):
        data.find_or_download(TINY)


# Readings.


@pytest.mark.parametrize(
    ("reading", "age", "fruit", "classes"),
    [
        ("median", [0, 1, 1, 0], [0, 1, 0, 1], [0, 1, 1, 0]),
        ("mid-range", [0, 1, 1, 0], [0, 1, 0, 1], [0, 1, 1, 0]),
        ("median-category", [0, 1, 1, 0], [0, 1, 0, 1], [0, 1, 1, 0]),
        ("commonest", [0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 1, 0]),
        ("complete", [0, 1], [1, 0], [0, 1]),
    ],
)
def test_each_reading_by_hand(reading, age, fruit, classes):
    """Ages 20, ?, 60, 40; fruits pear, plum, apple, ? of the list apple, pear, plum."""
    found = make_binary(TINY, TINY_ROWS, reading)
    assert found.X.T.tolist() == [age, fruit]
    assert found.y.tolist() == classes


def test_the_middle_of_the_range_is_not_the_median():
    rows = [(age, "pear", "no") for age in ("1", "2", "3", "90")]
    assert make_binary(TINY, rows, "median").X[:, 0].tolist() == [0, 0, 1, 1]
    assert make_binary(TINY, rows, "mid-range").X[:, 0].tolist() == [0, 0, 0, 1]


def test_a_vote_that_was_not_cast_is_no_yea():
    rows = [(*("y" if i else "?" for i in range(16)), "democrat"), (*"n" * 16, "republican")]
    assert make_binary(VOTING, rows).X.tolist() == [[0, *[1] * 15], [0] * 16]


def test_an_unknown_reading_is_refused():
    with pytest.raises(cf.ConfideError, match=", ".join(READINGS)):
        make_binary(TINY, TINY_ROWS, "loud")
