"""One contract: whatever holds the reports, the counts are the same."""

from __future__ import annotations

from collections import Counter
from math import inf

import numpy as np
import pyarrow as pa
import pytest
from support.engines import ENGINES, named

import confide as cf

NAN = float("nan")

# Every question stands beside the values that may be reported and the code each must get.
WORDS = [
    (cf.YesNo("cheated"), {"yes": 1, "no": 0}),
    (cf.YesNo("spelled"), {"Yes": 1, "NO": 0, "true": 1, "False": 0, "1": 1, "0": 0}),
    (
        cf.Choice('the "faculty"', ["arts", "law, civil", '"science"', "#1", "médecine"]),
        {"arts": 0, "law, civil": 1, '"science"': 2, "#1": 3, "médecine": 4},
    ),
    (cf.Choice("grade", ["1", "2", "10"]), {"1": 0, "2": 1, "10": 2}),
    (cf.Choice("siblings", [0, 1, 2]), {"0": 0, "1": 1, "2": 2}),
]
NUMBERS = [
    (cf.YesNo("bool"), {True: 1, False: 0}),
    (cf.YesNo("int"), {1: 1, 0: 0}),
    (cf.YesNo("float"), {1.0: 1, 0.0: 0}),
    (cf.Choice("siblings", [0, 1, 2, 3]), {0: 0, 1: 1, 2: 2, 3: 3}),
    (cf.Choice("from one", [1, 2, 3]), {1: 0, 2: 1, 3: 2}),
    (cf.Choice("scattered", [10, -1, 3]), {10.0: 0, -1.0: 1, 3.0: 2}),
    (cf.Choice("texts", ["1", "2"]), {1: 0, 2: 1}),
]
AMOUNTS = [
    (cf.Number("whole", 16, 80, step=1), {16: 0, 17: 1, 80: 64}),
    (cf.Number("any", 0, 10), {0.0: 0, 0.25: 2, 9.95: 99, 10.0: 99}),
    (cf.Number("uniform", 0, 100), {-5.0: 0, -4.5: 0, 0.5: 5, 104.5: 109, 105.0: 109}),
    (cf.Number("gaussian", 0, 100), {-1e9: 0, -6.5: 0, -5.5: 1, 0.5: 7, 106.5: 113, 1e300: 113}),
    (cf.Number("laplace", 0, 100), {-1e300: 0, 0.5: 6, 1e9: 111}),
    (cf.Number("told", 0, 50), {9.0: 0, 18.0: 1, 24.0: 1, 60.0: 2, 92.5: 3, 120.0: 3}),
]
UNSAID = [
    (cf.YesNo("b.c", missing="option"), {"yes": 1, None: 2, "prefer not to say": 2}),
    (cf.YesNo("truth", missing="option"), {True: 1, False: 0, None: 2}),
    (cf.YesNo("code", missing="option"), {1: 1, 0: 0, None: 2}),
    (cf.Choice("place", ["here", "there"], missing="option"), {"there": 1, None: 2}),
    (cf.Choice("year", [1, 2, 4], missing="option"), {4: 2, 1: 0, None: 3}),
]
MECHANISMS = {
    "cheated": cf.RelatedQuestion("3/4"),
    "siblings": cf.RandomizedChoice("1/2"),
    "code": cf.RelatedQuestion("2/3"),
    "uniform": cf.UniformNoise(5),
    "gaussian": cf.GaussianNoise(2),
    "laplace": cf.LaplaceNoise(1),
    "told": cf.Intervals([0, 18, 30, 65, 120]),
}


def survey(columns):
    """The design of some columns."""
    asked = [question for question, _ in columns]
    groups = [cf.Group([q.name], MECHANISMS[q.name]) for q in asked if q.name in MECHANISMS]
    return cf.Design(asked, groups)


def reports(columns, rows=60):
    """Random rows of allowed values as an arrow table, and how often each row of codes is in it."""
    generator = np.random.default_rng(7)
    table, codes = {}, []
    for question, allowed in columns:
        values = list(allowed)
        drawn = [values[i] for i in generator.integers(len(values), size=rows)]
        table[question.name] = drawn
        codes.append([allowed[value] for value in drawn])
    return pa.table(table), Counter(zip(*codes, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES, ids=named)
def test_every_engine_gives_the_counts_of_a_scan_by_hand(engine, tmp_path):
    for number, columns in enumerate([WORDS, NUMBERS, AMOUNTS, UNSAID]):
        design = survey(columns)
        table, expected = reports(columns)
        folder = tmp_path / str(number)
        folder.mkdir()
        counts = cf.Counts.of(design, engine(table, folder))
        found = dict(
            zip(map(tuple, counts.patterns.tolist()), counts.reports.tolist(), strict=True)
        )
        assert found == expected
        assert list(found) == sorted(found)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES, ids=named)
def test_every_engine_puts_numbers_on_and_beside_an_edge_into_the_same_interval(engine, tmp_path):
    edges = np.linspace(0, 1, 101)
    values = np.concatenate([edges, np.nextafter(edges, 0), np.nextafter(edges, 1)])
    values = values[(values >= 0) & (values <= 1)]
    design = cf.Design([cf.Number("x", 0, 1)])
    counts = cf.Counts.of(design, engine(pa.table({"x": values}), tmp_path))
    expected = cf.Counts.of(design, values)
    np.testing.assert_array_equal(counts.patterns, expected.patterns)
    np.testing.assert_array_equal(counts.reports, expected.reports)


WRONG = [
    (cf.YesNo("cheated"), ["yes", "no", "perhaps", "perhaps"], ["in 2 of", "yes/no"]),
    (cf.YesNo("cheated"), [1, 0, 2, 5], ["in 2 of", "yes/no"]),
    (cf.YesNo("cheated"), [1.0, 0.5, 0.0], ["in 1 of", "yes/no"]),
    (cf.YesNo("cheated"), ["yes", None, "no"], ["empty in 1 of", 'missing = "option"']),
    (cf.YesNo("cheated"), [True, None, None], ["empty in 2 of", 'missing = "option"']),
    (cf.Choice("cheated", ["a", "b"]), ["a", "b", "c"], ["in 1 of", "a, b"]),
    (cf.Choice("cheated", [1, 5]), [1, 2, 5, 7], ["in 2 of", "1, 5"]),
    (cf.Choice("cheated", ["a", "b"]), [1, 2], ["in 2 of", "a, b"]),
    (cf.Number("cheated", 0, 9, step=1), [1, 2, 33], ["in 1 of", "from 0 to 9 in"]),
    (cf.Number("cheated", 0, 9), [1.0, NAN, None], ["in 2 of", "0 to 9"]),
    (cf.Number("cheated", 0, 9), [1.0, inf, -0.01], ["in 2 of", "0 to 9"]),
    (cf.Number("cheated", 0, 9), ["1", "x7", ""], ["in 2 of", "0 to 9"]),
]


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES, ids=named)
def test_every_engine_refuses_reports_outside_a_domain_by_column_number_and_domain(
    engine, tmp_path
):
    for number, (question, values, said) in enumerate(WRONG):
        folder = tmp_path / str(number)
        folder.mkdir()
        held = engine(pa.table({"cheated": values, "other": [1] * len(values)}), folder)
        design = cf.Design([question, cf.YesNo("other")])
        with pytest.raises(cf.ReportsError) as caught:
            cf.Counts.of(design, held)
        message = str(caught.value)
        assert "column 'cheated'" in message
        for words in said:
            assert words in message, (question, values)


@pytest.mark.parametrize("engine", ENGINES, ids=named)
def test_every_engine_refuses_infinite_reports_where_noise_has_no_end(engine, tmp_path):
    design = cf.Design(
        [cf.Number("age", 0, 9), cf.YesNo("other")], [cf.Group(["age"], cf.GaussianNoise(2))]
    )
    held = engine(pa.table({"age": [1.0, inf, -inf], "other": [1, 0, 1]}), tmp_path)
    with pytest.raises(cf.ReportsError, match="column 'age' holds no number in 2 of 3 reports"):
        cf.Counts.of(design, held)


@pytest.mark.parametrize("engine", ENGINES[1:], ids=named)
def test_every_engine_names_an_absent_column_and_an_empty_table(engine, tmp_path):
    design = cf.Design([cf.YesNo("a"), cf.YesNo("b")])
    with pytest.raises(cf.ReportsError, match="no column 'b'"):
        cf.Counts.of(design, engine(pa.table({"a": ["yes", "no"], "c": ["no", "no"]}), tmp_path))
    (tmp_path / "empty").mkdir()
    empty = pa.table({"a": pa.array([], pa.string()), "b": pa.array([], pa.string())})
    with pytest.raises(cf.ReportsError, match="no reports"):
        cf.Counts.of(design, engine(empty, tmp_path / "empty"))
