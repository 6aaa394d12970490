"""The demonstration's simulated people: their truth, and what other odds tell of them."""

from functools import partial

import numpy as np
import pytest

from confide.cli.example import read_example_survey, simulate_students
from confide.design.survey_file import SurveyFile
from confide.web.admin.simulated_truth import LEAST, MOST, Simulation


@pytest.fixture(scope="module")
def simulation():
    design = SurveyFile.parse(read_example_survey().encode(), "campus.toml").design
    return Simulation(design, partial(simulate_students, seed=2), 500, 7)


def test_the_truth_is_that_of_those_who_answer(simulation):
    answers = simulate_students(500, seed=2)
    assert list(simulation.truth) == ["cheated", "drugs", "harassed", "faculty"]
    for name, shares in simulation.truth.items():
        assert sum(shares.values()) == pytest.approx(1)
        for label, share in shares.items():
            assert share == np.mean(np.asarray(answers[name]) == label)


@pytest.mark.slow
def test_more_truth_and_more_people_bring_the_estimate_closer(simulation):
    """Within four standard errors of the truth, and with narrower intervals."""
    widths = []
    for percent, people in ((60, 400), (90, 400), (90, 4000)):
        found = simulation.try_odds(percent, people)
        for row in found["rows"]:
            assert abs(row["share"] - row["truth"]) < 4 * row["standard_error"]
        widths.append(found["rows"][0]["high"] - found["rows"][0]["low"])
    assert widths[0] > widths[1] > widths[2]
    shy, open_ = (int(simulation.try_odds(percent, 400)["guessed"]) for percent in (60, 90))
    assert shy < open_  # but a report gives more away


def test_whatever_an_address_asks_for_is_brought_into_range(simulation):
    assert simulation.read("", "") == (75, 500)
    assert simulation.read("50", "9999999") == (55, MOST)
    assert simulation.read("-3", "1") == (75, LEAST)
    assert simulation.read("abc", "²") == (75, 500)
