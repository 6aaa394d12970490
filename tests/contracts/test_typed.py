"""The public names: typed for a user's mypy, and there to be found."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from rlcompleter import Completer

import pytest

import confide as cf

LEARNERS = {
    "DisguisedNaiveBayes",
    "DisguisedRules",
    "DisguisedTreeClassifier",
    "cross_validate_disguised",
    "load_model",
    "search_disguised",
}
PROGRAM = """
from pathlib import Path
from typing import Any

import confide as cf
from confide import *
from confide import DisguisedTreeClassifier as Tree

design: cf.Design = cf.Design(
    [cf.YesNo("cheated", "Have you?"), cf.YesNo("drugs"), cf.Choice("faculty", ["arts", "law"]),
     cf.Number("age", 16, 80)],
    groups=[cf.Group(["cheated", "drugs"], cf.RelatedQuestion(truth="3/4"))],
)
cf.Design.load("survey.toml").save(Path("design.json"))
mechanisms = [
    cf.UnrelatedQuestion(truth="1/2", personal={"cheated": {"yes": "1/12", "no": "11/12"}}),
    cf.ForcedResponse(truth="2/3", forced={"cheated": {"yes": 0.5, "no": 0.5}}),
    cf.RandomizedChoice(keep=0.7), cf.ChannelMatrix([[0.9, 0.2], [0.1, 0.8]]),
    cf.UniformNoise(half_width=5), cf.GaussianNoise(deviation=3), cf.LaplaceNoise(scale=2),
    cf.Intervals([0, 18, 30]), cf.UniformNoise.for_privacy(1.0, span=60, confidence=0.95),
]

def analysed(answers: Any) -> cf.Estimate:
    import numpy as np

    reports = design.disguise(answers, seed=np.random.default_rng(1), keep=["id"])
    crowd = cf.Crowd(design, reports)
    table: cf.Table = crowd.table(["cheated", "faculty"], method="inverse")
    found: cf.Distribution = crowd.distribution("age")
    pool = cf.Crowd.pool([crowd, crowd])
    counts: cf.Counts = cf.Counts.of(design, reports)
    tree = cf.DisguisedTreeClassifier(design, target="cheated", criterion="entropy")
    tree.fit(reports).predict(answers)
    score: cf.Estimate = tree.score_disguised(reports)
    bayes = cf.DisguisedNaiveBayes(design, target="cheated").fit(crowd)
    rules = cf.DisguisedRules(design, min_support=0.1).fit(reports).rules_
    X, y, weight = pool.weighted("cheated")
    p = cf.privacy.of(design)
    print(p.epsilon, p.groups[0].epsilon, p.question("cheated").posterior(0.1), rules, bayes, found)
    print(cf.privacy.single_entry(prevalence=0.3, truth=0.7, personal=0.5), counts.n, len(table))
    tree.save("tree.json")
    cf.load_model("tree.json").predict(answers)
    cf.cross_validate_disguised(tree, reports, folds=3)
    cf.search_disguised(tree, {"max_depth": [1, 2]}, reports)
    plan: cf.Plan = cf.plan(design, respondents=100)
    print(plan, score.interval(level=0.9), Tree, DisguisedRules, cf.__version__)
    try:
        return crowd.given({"faculty": "law"}).proportion({"cheated": "yes"})
    except (cf.QueryError, cf.AnswersError, cf.DesignError, cf.ModelError, cf.ReportsError):
        raise
    except cf.ConfideError:
        raise
"""


def mypy(text, folder):
    (folder / "program.py").write_text(text)
    source = str(Path(cf.__file__).parents[1])
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent"]
    return subprocess.run(
        [*command, "--ignore-missing-imports", "program.py"],
        cwd=folder,
        env={**os.environ, "MYPYPATH": source},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_a_users_program_with_every_public_name_passes_strict_mypy(tmp_path):
    wrong = "cf.DisguisedTreeClassifier(design, depth=3)\ncf.DisguisedTrees(design)\n"
    ran = mypy(PROGRAM + wrong, tmp_path)
    errors = [line for line in ran.stdout.splitlines() if ": error: " in line]
    assert len(errors) == 2, ran.stdout + ran.stderr  # for mypy does look at the learners
    assert 'Unexpected keyword argument "depth"' in errors[0]
    assert 'has no attribute "DisguisedTrees"' in errors[1]


@pytest.mark.slow
def test_every_public_name_is_there_and_listed_before_anything_is_loaded():
    code = "import confide, sys; print(*dir(confide)); print('sklearn' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    listed, loaded = run.stdout.splitlines()
    assert set(cf.__all__) <= set(listed.split())
    assert set(listed.split()) >= LEARNERS
    assert loaded == "False"
    assert all(getattr(cf, name) is not None for name in cf.__all__)


def test_tab_completion_and_a_star_import_find_the_learners():
    completer = Completer({"cf": cf})
    assert completer.complete("cf.DisguisedTree", 0).startswith("cf.DisguisedTreeClassifier")
    space = {}
    exec("from confide import *", space)
    assert set(space) >= LEARNERS
