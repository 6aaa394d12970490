"""A statement about many questions is made within seconds, and says how exact it is."""

from math import inf, log, prod
from time import process_time

import numpy as np
import pytest

import confide as cf
from confide.privacy.known_crowd import read_known_crowd
from confide.privacy.whole_report import WholeReport


def ask(count):
    return [cf.YesNo(f"q{i}") for i in range(count)]


def one_group(count, mechanism):
    questions = ask(count)
    return cf.Design(questions, [cf.Group([q.name for q in questions], mechanism)])


def test_a_group_of_64_questions_has_more_combinations_than_an_integer_holds():
    (group,) = cf.privacy.of(one_group(64, cf.RelatedQuestion("3/4"))).groups
    assert group.certainties[0].startswith("A report tells for certain which of the answers")


def test_epsilon_of_a_group_may_be_larger_than_the_logarithm_of_any_float():
    count, half = 1_200, {"yes": "1/2", "no": "1/2"}
    mechanism = cf.UnrelatedQuestion("3/4", {f"q{i}": half for i in range(count)})
    statement = cf.privacy.of(one_group(count, mechanism))
    assert statement.epsilon == pytest.approx(count * log(2) + log(3))
    assert statement.groups[0].certainties == ()


def test_a_known_answer_among_many_options_is_looked_at_without_the_whole_matrix():
    questions = [cf.Choice(name, [f"o{i}" for i in range(150)]) for name in "ab"]
    design = cf.Design(questions, [cf.Group(["a", "b"], cf.RelatedQuestion("3/4"))])
    found = cf.privacy.of(design).groups[0].guess_knowing("a")
    # the known answer tells the coin; the cover leaves 149 answers
    assert found["b"] == pytest.approx(3 / 4 + 1 / 4 / 149)


@pytest.mark.slow
@pytest.mark.parametrize("grouped", [True, False], ids=["one group", "in the clear"])
def test_a_thousand_questions_take_seconds_and_the_drawn_reports_are_said(grouped):
    design = one_group(1_000, cf.RelatedQuestion("3/4")) if grouped else cf.Design(ask(1_000))
    start = process_time()
    statement = cf.privacy.of(design)
    sentences = statement.sentences()
    assert process_time() - start < 20
    assert statement.epsilon == inf
    assert statement.exposure.drawn == 2_000
    said = "in 2,000 drawn reports: within 3 of 100 people"
    assert (said in " ".join(sentences)) == grouped  # in the clear nothing is guessed


@pytest.mark.parametrize("joint", [False, True])
def test_a_guess_from_the_clear_leaves_the_questions_own_report_out(joint):
    names = ["a", "b", "c"]
    design = cf.Design([cf.YesNo(n) for n in names], [cf.Group(["c"], cf.RelatedQuestion("3/4"))])
    cells = np.array([[[0.3, 0.0], [0.1, 0.1]], [[0.0, 0.2], [0.25, 0.05]]])
    shares = {"a": 0.5, "b": 0.5, "c": 0.35}
    known = read_known_crowd(design, cells if joint else shares)
    patterns = np.stack([axis.ravel() for axis in np.indices((2, 2, 2))], axis=1)
    seen = WholeReport(design, known, patterns)
    if not joint:
        margins = [[1 - shares[n], shares[n]] for n in names]
        cells = np.array([prod(m[v] for m, v in zip(margins, p, strict=True)) for p in patterns])
        cells = cells.reshape(2, 2, 2)
    for place, name in enumerate(names):
        for row, pattern in zip(seen.prior_from_clear(name), patterns, strict=True):
            fixed = [j for j in (0, 1) if j != place]
            weights = np.zeros(2)
            for cell in patterns:
                if all(cell[j] == pattern[j] for j in fixed):
                    weights[cell[place]] += cells[tuple(cell)]
            assert row == pytest.approx(weights / weights.sum())
