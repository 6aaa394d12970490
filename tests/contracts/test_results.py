"""One contract: what is found can be printed, shown, drawn and taken to any dataframe library."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import confide as cf
from confide.crowd.arrow_rows import ArrowRows
from confide.mining import cross_validate_disguised

QUESTIONS = [
    cf.YesNo("cheated"),
    cf.YesNo("drugs"),
    cf.Choice("faculty", ["arts", "law & order", "<science>"]),
    cf.Number("age", 16, 40, step=1),
]
DESIGN = cf.Design(
    QUESTIONS,
    [
        cf.Group(["cheated"], cf.RelatedQuestion("4/5")),
        cf.Group(["drugs"], cf.RelatedQuestion("9/10")),
        cf.Group(["age"], cf.LaplaceNoise(3)),
    ],
)
OPTIONS = cf.Design(QUESTIONS[:3], DESIGN.groups[:2])
DRAW = np.random.default_rng(1)
CHEATED = DRAW.random(1500) < 0.3
ANSWERS = pa.table(
    {
        "cheated": CHEATED,
        "drugs": CHEATED ^ (DRAW.random(1500) < 0.1),
        "faculty": DRAW.choice(QUESTIONS[2].options, 1500),
        "age": DRAW.integers(16, 41, 1500),
    }
)
REPORTS = DESIGN.disguise(ANSWERS, seed=2)
FORCED = [
    cf.Design(
        [QUESTIONS[0]], [cf.Group(["cheated"], cf.ForcedResponse(t, {"cheated": {"yes": 1}}))]
    )
    for t in ("1/4", "3/4")
]


@cache
def crowd():
    return cf.Crowd(DESIGN, REPORTS)


@cache
def small():
    """Without the number."""
    return cf.Crowd(OPTIONS, REPORTS.select(OPTIONS.names))


@cache
def tree():
    return cf.DisguisedTreeClassifier(OPTIONS, target="cheated").fit(small())


def foresee_refusal():
    mechanisms = [cf.Crosswise(birthday) for birthday in ("1/4", "3/4")]
    designs = [cf.Design([cf.YesNo("a")], [cf.Group(["a"], each)]) for each in mechanisms]
    return cf.compliance.plan(cf.compliance.extended_crosswise, designs, "a", 1000, 0.3)


def find_refusal():
    crowds = [cf.Crowd(d, d.disguise(CHEATED, seed=i)) for i, d in enumerate(FORCED)]
    return cf.compliance.cheating_detection(crowds, "cheated")


FINDERS = {
    "Table": lambda: crowd().table(["faculty", "cheated"]),
    "Estimate": lambda: crowd().proportion({"cheated": "yes"}),
    "Quantity": lambda: crowd().mean("age"),
    "Distribution": lambda: crowd().distribution("age"),
    "Crowd": crowd,
    "Comparisons": lambda: crowd().compare({"cheated": "yes"}, "faculty"),
    "SignificanceTest": lambda: crowd().test_independence("cheated", "drugs"),
    "Sensitivity": lambda: small().sensitivity("cheated"),
    "Plan": lambda: cf.plan(DESIGN, 1000, {"cheated": 0.3}, 0.03, means={"age": (28, 7)}),
    "PrivacyStatement": lambda: cf.privacy.of(DESIGN, {"cheated": 0.3}),
    "DisguisedRules": lambda: cf.DisguisedRules(OPTIONS, min_support=0.2).fit(small()),
    "Evaluation": lambda: tree().evaluate_disguised(small()),
    "Accuracy": lambda: tree().score_disguised(REPORTS.select(OPTIONS.names).slice(0, 5)),
    "CrossValidation": lambda: cross_validate_disguised(tree(), small(), folds=2),
    "RegressionResult": lambda: cf.DisguisedRegression(OPTIONS, "cheated ~ drugs").fit(
        REPORTS.select(OPTIONS.names)
    ),
    "ComplianceResult": find_refusal,
    "ComplianceProspect": foresee_refusal,
}


@cache
def find(name):
    return FINDERS[name]()


DRAWN = ["Table", "Distribution", "Plan", "PrivacyStatement", "RegressionResult", "Sensitivity"]
LONGEST = 60  # lines


def subclasses(kind):
    for each in kind.__subclasses__():
        yield each
        yield from subclasses(each)


def test_every_kind_of_result_is_held_to_the_contract():
    kinds = {each for each in subclasses(ArrowRows) if each.__module__.startswith("confide.")}
    # an approximation is an estimate without an interval; a search is tried beside its model; the
    # shares of a model of compliance are those of its result and its prospect
    others = {"Approximation", "Search", "ComplianceShares"}
    assert {each.__name__ for each in kinds} - set(FINDERS) <= others


@pytest.mark.parametrize("name", FINDERS)
def test_it_is_of_the_kind_that_its_name_says(name):
    assert type(find(name)).__name__ == name


@pytest.mark.parametrize("name", FINDERS)
def test_it_is_the_same_in_every_dataframe_library(name):
    result = find(name)
    arrow = result.to_arrow()
    assert arrow.num_rows > 0
    pd.testing.assert_frame_equal(result.to_pandas(), arrow.to_pandas())
    assert result.to_polars().equals(pl.from_arrow(arrow))
    assert pa.table(result).equals(arrow)  # by the Arrow stream, without any method's name


@pytest.mark.parametrize("name", FINDERS)
def test_it_is_shown_in_notebooks_with_its_words_escaped(name):
    html = find(name)._repr_html_()
    assert html.count("<table") == 1 and "<science>" not in html


@pytest.mark.parametrize("name", FINDERS)
def test_it_prints_short_and_tells_nothing_of_the_machine(name):
    text = repr(find(name))
    assert 0 < len(text.splitlines()) <= LONGEST
    assert max(map(len, text.splitlines())) <= 300
    assert " object at 0x" not in text and "array(" not in text


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWN)
def test_it_is_drawn(name):
    drawn = find(name).plot().to_dict()
    assert drawn["$schema"].startswith("https://vega.github.io/schema/vega-lite")


def test_a_tree_is_drawn_in_a_notebook_once_it_is_learned():
    shown = tree()._repr_mimebundle_()
    assert shown["text/html"].startswith("<svg") and tree()._repr_html_() == shown["text/html"]
    assert shown["text/plain"] == tree().text()
    waiting = cf.DisguisedTreeClassifier(OPTIONS, target="cheated")._repr_mimebundle_()
    assert "<svg" not in waiting["text/html"][:10]


def test_a_statement_of_privacy_prints_its_sentences():
    statement = find("PrivacyStatement")
    assert str(statement) == "\n".join(statement.sentences())


def test_a_crowd_shows_what_its_reports_say_of_every_question():
    shown = crowd().to_arrow().to_pylist()
    assert [row["answer"] for row in shown if row["question"] == "cheated"] == ["no", "yes"]
    share = crowd().proportion({"cheated": "yes"})
    assert shown[1]["value"] == pytest.approx(share.value)
    assert shown[1]["low"] == pytest.approx(share.interval()[0])
    assert shown[-1] == {"question": "age", "answer": "mean", **crowd().mean("age").to_dict()}
    within = crowd().given({"cheated": "yes"}).to_arrow()
    assert set(within["question"].to_pylist()) == {"drugs", "faculty", "age"}


def test_fifteen_questions_print_one_line_a_group():
    asked = [cf.YesNo(f"question{i}") for i in range(15)]
    design = cf.Design(asked, [cf.Group([q.name for q in asked], cf.RelatedQuestion(0.7))])
    assert len(repr(design).splitlines()) == 2
