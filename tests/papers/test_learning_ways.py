"""Learning in the four ways, against the papers' steps done by hand."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.papers.learning_ways import OneClass, learn, measure, score_plainly
from confide.papers.split_people import (
    SplitPeople,
    build_related_design,
    draw_partition,
    load_people,
)

NAMES = ("a", "b", "c", "y")


def make_people(n=400, seed=1):
    """Answers that lean with the class."""
    chance = np.random.default_rng(seed)
    y = chance.integers(0, 2, n)
    others = [np.where(chance.random(n) < 0.85, y, 1 - y) for _ in NAMES[:-1]]
    table = np.column_stack([*others, y])
    half = n // 2
    return SplitPeople(NAMES, table[:half], table[half:])


def right(model, table):
    return (model.predict(table[:, :-1]) == table[:, -1]).mean()


def test_each_way_learns_from_what_it_says():
    people = make_people()
    design = build_related_design(NAMES, (NAMES,), ".7")
    reports = design.disguise(people.train, seed=5)
    clear = cf.Design(design.questions)
    by_hand = {
        "original": cf.DisguisedTreeClassifier(clear, "y", method="literal").fit(people.train),
        "paper": cf.DisguisedTreeClassifier(design, "y", method="literal").fit(reports),
        "control": cf.DisguisedTreeClassifier(clear, "y", method="literal").fit(reports),
        "confide": cf.DisguisedTreeClassifier(design, "y").fit(reports),
    }
    for way, model in by_hand.items():
        row = measure(way, "ID3", people, design, 5, on_training=True)
        assert row["accuracy"] == right(model, people.test)
        assert row["training_accuracy"] == right(model, people.train)
        assert (row["method"], row["seed"]) == (way, 5)
        assert row["fingerprint"] == design.fingerprint


@pytest.mark.parametrize("truth", ["0", "1"])
def test_a_disguise_without_chance_gives_the_original_tree(truth):
    people = make_people()
    design = build_related_design(NAMES, (NAMES,), truth)
    paper = measure("paper", "ID3", people, design, 3, score=score_plainly)
    original = measure("original", "ID3", people, design, 3)
    assert paper["accuracy"] == original["accuracy"]
    assert paper["estimated_accuracy"] == pytest.approx(paper["accuracy"])


def test_a_class_that_nobody_seems_to_have_is_never_predicted():
    people = make_people()
    design = build_related_design(NAMES, (NAMES,), ".9")
    reports = np.ones_like(people.train)  # more yes than any truth could give
    model = learn("paper", "ID3", design, "y", reports)
    assert isinstance(model, OneClass)
    assert (model.predict(people.test[:, :-1]) == 1).all()
    share = model.score_disguised(design.disguise(people.test, seed=1))
    assert share.value == pytest.approx(people.test[:, -1].mean(), abs=4 * share.standard_error)


def test_literal_naive_bayes_has_no_smoothing_unless_asked():
    people = make_people()
    design = build_related_design(NAMES, (NAMES,), ".7")
    reports = design.disguise(people.train, seed=5)
    literal, plain, smoothed = (
        cf.DisguisedNaiveBayes(design, "y", method="literal", **options).fit(reports)
        for options in ({}, {"smoothing": 0}, {"smoothing": 1})
    )
    for ours, by_hand, other in zip(
        literal.likelihood_, plain.likelihood_, smoothed.likelihood_, strict=True
    ):
        assert np.array_equal(ours, by_hand)
        assert not np.array_equal(ours, other)


def test_partitions_are_random_complete_and_even():
    names = tuple("abcdefg")
    parts = {draw_partition(names, 3, seed) for seed in range(20)}
    assert len(parts) == 20
    for part in parts:
        assert sorted(len(each) for each in part) == [2, 2, 3]
        assert sorted(name for each in part for name in each) == list(names)


def test_the_split_is_the_same_in_every_repeat_and_leaves_nobody_out(made_up_data):
    first = load_people("voting", "median", made_up_data)
    load_people.cache_clear()
    second = load_people("voting", "median", made_up_data)
    assert np.array_equal(first.train, second.train)
    assert (len(first.train), len(first.test)) == (96, 24)
    few = load_people("adult", "median", made_up_data, 100)
    assert (len(few.train), len(few.test)) == (80, 20)
