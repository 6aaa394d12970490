"""confide privacy and confide check."""

from __future__ import annotations

import json

import pytest

from confide.arrays import Z95


def test_a_survey_says_what_it_gives_away_in_sentences(confide, survey):
    ran = confide("privacy", survey)
    assert ran.code == 0
    assert "Of 100 people whose report says yes to cheated" in ran.out
    assert "faculty and age are known" in ran.out
    assert "epsilon is 3.81" in ran.out


@pytest.mark.slow
def test_with_reports_the_adversary_knows_the_crowd(confide, survey):
    confide("disguise", survey, "answers.csv", "-o", "reports.parquet", "--seed", 1)
    alone = json.loads(confide("privacy", survey, "--json").out)
    knowing = json.loads(confide("privacy", survey, "--reports", "reports.parquet", "--json").out)
    assert alone["epsilon"] == knowing["epsilon"]
    assert alone != knowing
    assert "estimated from 2,000 reports" in json.dumps(knowing)


def test_a_check_says_what_is_asked_how_and_what_it_will_tell(confide, survey):
    found = json.loads(confide("check", survey, "--json").out)
    assert found["sound"] is True
    cheated = found["questions"][0]
    assert cheated["disguised_by"] == "related-question"
    # Warner's variance at p = 1/2, θ = 3/4, n = 1,000: (1/4 + 3/4)/1,000
    assert abs(cheated["margin"] - Z95 * (1 / 1000) ** 0.5) < 1e-9
    assert "in the clear" in confide("check", survey).out
