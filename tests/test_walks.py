"""The three walks of CONTRIBUTING, walked: what each names is called, in the order that it says."""

from __future__ import annotations

import re
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import httpx
import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from support.web_reports import body, post
from support.web_surveys import small

import confide as cf
from confide.counts.stores import count_store
from confide.reports.report_store import BATCH

ROOT = Path(__file__).parents[1]


def read_walk(opening):
    """The files of Python, with their functions or classes, that a walk names one after another."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    walk = text.split(opening, 1)[1].split("\n\n", 2)[1]
    return re.findall(r"`(src/\S+\.py(?:::\w+)?)`", walk)


class Footsteps:
    """Every class and function of confide in the order of its first call, of all threads."""

    def __init__(self):
        self.called = {}

    def note(self, frame, event, _):
        code = frame.f_code
        if event == "call" and "/src/confide/" in code.co_filename and code.co_name != "<module>":
            file = "src/confide/" + code.co_filename.rpartition("/src/confide/")[2]
            for name in code.co_qualname.split("."):
                self.called.setdefault((file, name), len(self.called))

    def order(self, names):
        """The names that are called, by their first call."""
        found = {name: self.first_call(*name.partition("::")[::2]) for name in names}
        return sorted((name for name in names if found[name] is not None), key=found.get)

    def first_call(self, file, name):
        places = [
            place
            for (where, what), place in self.called.items()
            if where == file and (not name or what == name)
        ]
        return min(places, default=None)


@contextmanager
def walking():
    """Note the calls of this thread and of those that it starts; clear what came before a walk."""
    steps = Footsteps()
    before = sys.getprofile()
    threading.setprofile(steps.note)
    sys.setprofile(steps.note)
    try:
        yield steps
    finally:
        sys.setprofile(before)
        threading.setprofile(None)


@pytest.mark.slow
def test_an_answer_walks_from_a_browser_to_a_share(serve):
    names = read_walk("An answer from a browser to a share:")
    survey = small()
    sent = [body(survey, (place % 2, 1)) for place in range(BATCH)]
    with walking() as steps:
        address, store = serve(survey)
        steps.called.clear()
        with httpx.Client(base_url=address) as client:
            assert {post(client, each).status_code for each in sent} == {200}
        counts = count_store(survey.questionnaire, store).counts
        question = survey.design.questions[0]
        cf.Crowd(survey.design, counts).proportion({question.name: question.values[0]})
    assert steps.order(names) == names


def test_a_parquet_file_walks_to_a_tree(tmp_path):
    names = read_walk("A Parquet file to a tree's JSON:")
    design = cf.Design(
        [cf.YesNo("y"), cf.YesNo("a"), cf.YesNo("b")],
        [cf.Group(["y", "a", "b"], cf.RelatedQuestion("4/5"))],
    )
    chance = np.random.default_rng(1)
    y = chance.integers(0, 2, 400)
    table = pa.table({"y": y, "a": y, "b": chance.integers(0, 2, 400)})
    pa.parquet.write_table(design.disguise(table, seed=2), tmp_path / "reports.parquet")
    model = cf.DisguisedTreeClassifier(design, target="y", prune="reduced-error")
    with walking() as steps:
        counts = cf.Counts.of(design, tmp_path / "reports.parquet")
        model.fit(cf.Crowd(design, counts)).save(tmp_path / "tree.json")
    assert steps.order(names) == names


def test_a_noisy_number_walks_to_its_distribution():
    names = read_walk("A noisy number to its distribution:")
    design = cf.Design(
        [cf.Number("age", 16, 80, step=1)], [cf.Group(["age"], cf.UniformNoise(half_width=9.5))]
    )
    ages = np.random.default_rng(1).integers(16, 81, 500)
    with walking() as steps:
        reports = design.disguise(pa.table({"age": ages}), seed=2)
        print(cf.Crowd(design, reports).distribution("age"))  # noqa: T201
    assert steps.order(names) == names


def test_a_walk_in_another_order_would_be_noticed():
    steps = Footsteps()
    steps.called = {("src/confide/a.py", "first"): 0, ("src/confide/b.py", "Second"): 1}
    names = ["src/confide/b.py::Second", "src/confide/a.py", "src/confide/c.py::gone"]
    assert steps.order(names) == ["src/confide/a.py", "src/confide/b.py::Second"]
