"""Claims, the control, scoring errors and summaries, on numbers made to decide them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from confide.papers.catalogue import PAPERS
from confide.papers.cells import Scale
from confide.papers.claims import Claim, check_claims, decide
from confide.papers.control import ask_for_gain
from confide.papers.multi_group.variance import split_variance
from confide.papers.paper_report import write_report
from confide.papers.run_table import group, settle, summarise, write_table
from confide.papers.scoring_errors import check_errors, list_errors


def runs(method, mean, truth, n=50, spread=0.01, seed=1):
    values = mean + spread * np.random.default_rng(seed).standard_normal(n)
    return [
        {"experiment": "accuracy", "method": method, "truth": truth, "accuracy": float(value)}
        for value in values
    ]


@pytest.mark.parametrize(
    ("paper", "control", "verdict"),
    [(0.8, 0.7, "holds"), (0.7, 0.7, "does not hold"), (0.7, 0.8, "does not hold")],
)
def test_the_control_is_beaten_only_by_more_than_chance(paper, control, verdict):
    claim = ask_for_gain("ID3", (0.6,), "figure")
    rows = [*runs("paper", paper, 0.6), *runs("control", control, 0.6, seed=2)]
    (checked,) = check_claims([claim], rows)
    assert checked.finding.verdict == verdict
    assert "0.6: " in checked.finding.reason


@pytest.mark.parametrize(
    ("reason", "shown"),
    [("the mean falls.", "The mean falls."), ("θ = 0.1 is low.", "θ = 0.1 is low.")],
)
def test_what_decides_begins_as_a_sentence_does(reason, shown):
    (checked,) = check_claims([Claim("1", "It falls.", lambda _: decide(True, reason))], [])
    assert checked.finding.reason == shown


def test_a_claim_whose_runs_are_missing_cannot_be_checked():
    (checked,) = check_claims([ask_for_gain("ID3", (0.6,), "figure")], [])
    assert checked.finding.verdict == "cannot be checked"


@pytest.mark.parametrize("name", PAPERS)
def test_no_claim_stumbles_over_an_empty_table_or_is_empty_itself(name):
    paper = PAPERS[name]
    assert len({(claim.section, claim.text) for claim in paper.claims}) == len(paper.claims)
    assert all(claim.section and claim.text.endswith((".", ")")) for claim in paper.claims)


@pytest.mark.slow
@pytest.mark.parametrize("name", PAPERS)
def test_cells_have_names_of_their_own_and_the_quick_ones_are_few(name):
    paper = PAPERS[name]
    full = paper.list_cells(Scale(paper.repeats, paper.default_repeats))
    quick = paper.list_cells(Scale(2, 1, quick=True))
    for cells in (full, quick):
        assert len({cell.key for cell in cells}) == len(cells)
    assert sum(cell.cost for cell in quick) < 60 < sum(cell.cost for cell in full)


# Errors made and stated.


def scored(n, factor, seed=3):
    """Estimates whose errors are a multiple of what they state, of 500 tested."""
    chance = np.random.default_rng(seed)
    coin, p = 0.05, 0.8
    stated = (coin**2 + p * (1 - p) / 500) ** 0.5
    errors = factor * coin * chance.standard_normal(n)
    return [
        {
            "truth": 0.7,
            "accuracy": p,
            "estimated_accuracy": p + float(error),
            "standard_error": stated,
        }
        for error in errors
    ]


def test_errors_as_stated_pass_and_twice_as_large_ones_are_caught():
    """Of 400 estimates the root mean square is within 3/√400 of one."""
    assert check_errors(scored(400, 1), 500, "figure").verdict == "holds"
    assert check_errors(scored(400, 2), 500, "figure").verdict == "does not hold"
    assert check_errors(scored(400, 0.5), 500, "figure").verdict == "does not hold"


def test_errors_are_those_of_the_disguise_alone():
    made, stated = list_errors(scored(4_000, 1), 500)
    assert stated["error"] == pytest.approx(0.05)
    assert made["error"] == pytest.approx(0.05, rel=4 / 4_000**0.5)


def test_estimates_that_no_chance_disguised_do_not_count():
    """At θ = 1 the stated error, rounded when stored, differs from nothing by its last digits."""
    stated = round((0.8 * 0.2 / 500) ** 0.5, 9) + 1e-9
    sure = {"truth": 1.0, "accuracy": 0.8, "estimated_accuracy": 0.8, "standard_error": stated}
    assert check_errors([*scored(400, 1), *[sure] * 200], 500, "f") == check_errors(
        scored(400, 1), 500, "f"
    )


# The variance in its parts.


@pytest.mark.statistical
@pytest.mark.parametrize(("within", "between"), [(0.03, 0.0), (0.03, 0.05), (0.0, 0.05)])
def test_the_variance_is_split_into_its_parts(within, between):
    """800 partitions of 5 runs each: a variance is known to a fifteenth, three errors of it."""
    chance = np.random.default_rng(8)
    rows = [
        {"partition": partition, "accuracy": float(level + within * chance.standard_normal())}
        for partition, level in enumerate(0.7 + between * chance.standard_normal(800))
        for _ in range(5)
    ]
    parts = split_variance(rows)
    assert parts.within == pytest.approx(within**2, rel=0.1)
    assert parts.between == pytest.approx(between**2, rel=0.2, abs=0.0001)


def test_too_few_repeats_have_no_parts():
    assert split_variance([{"partition": 0, "accuracy": 0.5}]) is None
    assert split_variance([{"partition": 0, "accuracy": a} for a in (0.5, 0.7)]).between == 0


# The table.


def test_summaries_are_numpys():
    values = np.random.default_rng(1).random(30).tolist()
    found = summarise(values)
    assert found.mean == pytest.approx(np.mean(values))
    assert found.variance == pytest.approx(np.var(values, ddof=1))
    assert found.error == pytest.approx(np.std(values, ddof=1) / 30**0.5)
    assert np.isnan(summarise([0.5]).variance)


def test_what_is_empty_does_not_count():
    rows = [{"truth": 0.5, "accuracy": 1.0}, {"truth": 0.5, "accuracy": None}, {"truth": 0.6}]
    assert {key: found.n for key, found in group(rows, ["truth"]).items()} == {(0.5,): 1}


def test_the_table_has_every_column_of_every_row(tmp_path):
    import pyarrow.parquet

    write_table([{"a": 1}, {"a": 2, "b": settle(1 / 3)}], tmp_path)
    table = pyarrow.parquet.read_table(tmp_path / "runs.parquet")
    assert table.to_pydict() == {"a": [1, 2], "b": [None, 0.333333333]}
    assert (tmp_path / "runs.csv").read_text().splitlines()[0] == '"a","b"'


@pytest.mark.slow
def test_a_report_shows_words_as_words_and_loads_nothing(tmp_path):
    evil = "<script>alert(1)</script>"
    claim = Claim("1 & 2", evil, lambda _: decide(True, evil, "figure-1"))
    paper = replace(PAPERS["du-zhan-2003"], claims=(claim,), notes=(evil,), title=evil)
    write_report(tmp_path / "report.html", paper, [], check_claims([claim], []), {"made": evil})
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert evil not in page
    assert "1 &amp; 2" in page
    assert 'src="http' not in page
    assert "<link" not in page.split("<script>")[0]
