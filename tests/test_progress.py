"""Whoever waits for a learner is told how far it is."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.progress import on_progress, progress_part, track

NAMES = ["a", "b", "c", "y"]
DESIGN = cf.Design([cf.YesNo(name) for name in NAMES], [cf.Group(NAMES, cf.RelatedQuestion("4/5"))])
REPORTS = DESIGN.disguise(np.random.default_rng(1).integers(0, 2, (300, 4)), seed=2)


def literal(prune=None):
    return cf.DisguisedTreeClassifier(DESIGN, "y", method="literal", prune=prune)


TREE = literal().fit(REPORTS)


@pytest.mark.parametrize(
    "work",
    [
        lambda: cf.DisguisedTreeClassifier(DESIGN, "y").fit(REPORTS),
        lambda: cf.DisguisedNaiveBayes(DESIGN, "y").fit(REPORTS),
        lambda: literal("cost-complexity").fit(REPORTS),
        lambda: cf.DisguisedRules(DESIGN).fit(REPORTS),
        lambda: TREE.evaluate_disguised(REPORTS),
        lambda: cf.cross_validate_disguised(literal(), REPORTS),
    ],
)
def test_a_listener_is_told_growing_shares_up_to_all(work):
    shares = []
    with on_progress(shares.append):
        work()
    assert len(shares) > 3 and shares == sorted(shares)
    assert shares[0] < 0.5 and shares[-1] == pytest.approx(1)


def test_listening_does_not_change_what_is_learned():
    with on_progress(lambda share: None):  # noqa: ARG005
        heard = cf.DisguisedNaiveBayes(DESIGN, "y").fit(REPORTS)
    alone = cf.DisguisedNaiveBayes(DESIGN, "y").fit(REPORTS)
    np.testing.assert_array_equal(heard.hidden_.weights, alone.hidden_.weights)


def test_a_step_takes_as_much_of_the_bar_as_it_costs():
    shares = []
    with on_progress(shares.append):
        assert list(track("abc", costs=[1, 2, 5])) == ["a", "b", "c"]
    assert shares == [1 / 8, 3 / 8, 1]


def test_work_that_fails_leaves_the_next_work_alone():
    shares = []
    with on_progress(shares.append):
        with pytest.raises(ZeroDivisionError), progress_part(0, 0.5):
            1 / 0  # noqa: B018
        list(track("a"))
    assert shares == [1]
