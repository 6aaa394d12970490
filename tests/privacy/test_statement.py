"""The statement as people and programs read it."""

from __future__ import annotations

import json
import math
import re
from math import inf
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from support.designs import designs
from support.properties import examples

import confide as cf
from confide.privacy.rounding import of_hundred, write_epsilon, write_odds_ratio

ROOT = Path(__file__).parents[2]


def campus():
    return cf.Design(
        [
            cf.YesNo("cheated"),
            cf.YesNo("drugs"),
            cf.Choice("faculty", ["arts", "law", "science"]),
            cf.Number("age", 16, 80, unit="years"),
            cf.Number("rent", 0, 2000),
        ],
        [
            cf.Group(["cheated", "drugs"], cf.RelatedQuestion("3/4")),
            cf.Group(["faculty"], cf.RandomizedChoice(0.7)),
            cf.Group(["age"], cf.GaussianNoise(5)),
        ],
        title="Campus life",
    )


CERTAIN = [
    cf.ForcedResponse("1/2", {"a": {"yes": 1}}),
    cf.ChannelMatrix([[1, "1/2"], [0, "1/2"]]),
    cf.RelatedQuestion(1),
    cf.RelatedQuestion("3/4"),
    cf.UniformNoise(3),
]


@pytest.mark.parametrize("mechanism", CERTAIN, ids=lambda each: type(each).__name__)
def test_the_words_that_an_ethics_board_is_told_to_look_for_stand_where_something_is_certain(
    mechanism,
):
    page = (ROOT / "docs" / "start" / "sceptic.md").read_text("utf-8")
    words = re.search(r'a sentence with the words "([^"]+)"', page)[1]
    number = isinstance(mechanism, cf.UniformNoise)
    questions = [cf.Number("a", 0, 10, step=1)] if number else [cf.YesNo("a")]
    if mechanism == cf.RelatedQuestion("3/4"):
        questions.append(cf.YesNo("b"))
    design = cf.Design(questions, [cf.Group([q.name for q in questions], mechanism)])
    assert words in " ".join(cf.privacy.of(design).sentences())
    coin = cf.Design([cf.YesNo("a")], [cf.Group(["a"], cf.RelatedQuestion("3/4"))])
    assert words not in " ".join(cf.privacy.of(coin).sentences())


def test_the_sentences_say_the_consequences_with_people_out_of_a_hundred():
    said = cf.privacy.of(campus(), crowd={"cheated": 0.1}).sentences()
    assert said[0] == "The answer to rent is known: it is asked in the clear."
    assert said[1] == (
        "Of 100 people whose report says yes to cheated, 25 truly answer yes, and of 100 whose "
        "report says no, 3 (in the crowd 10 of 100 do)."
    )
    assert "A report tells for certain whether the answers to cheated and drugs are equal." in said
    assert (
        "Of 100 people whose report says law to faculty, 70 truly answer law (in the crowd 33 of "
        "100 do)." in said
    )
    assert (
        "Whoever knows the answer to cheated guesses the answer to drugs right for 100 of 100 "
        "people instead of 75: one draw disguises both." in said
    )
    assert any("The noise alone hides age in an interval 19.6 years wide" in each for each in said)
    assert "In the worst case nothing bounds what a report gives away: epsilon is infinite." in said


def test_no_hiding_place_is_wider_than_the_range():
    for scale, where in ((20, "anywhere in its range"), (2, "in an interval 12 wide")):
        design = cf.Design([cf.Number("age", 16, 80, step=1)])
        noisy = cf.Design(design.questions, [cf.Group(["age"], cf.LaplaceNoise(scale))])
        assert f"The noise alone hides age {where}, at 95 % confidence." in (
            cf.privacy.of(noisy).sentences()
        )


def test_noise_in_floating_point_is_said_to_hide_less_than_it_seems():
    for step, warned in ((None, True), (1, False)):
        question = cf.Number("age", 16, 80, step=step)
        design = cf.Design([question], [cf.Group(["age"], cf.LaplaceNoise(32))])
        said = " ".join(cf.privacy.of(design).sentences())
        assert ("drawn in floating point" in said) == warned


@pytest.mark.slow
def test_what_the_whole_report_gives_away_is_on_every_statement():
    for crowd in (None, {"cheated": 0.1}):
        p = cf.privacy.of(campus(), crowd=crowd)
        (said,) = (s for s in p.sentences() if s.startswith("Whether a report of cheated"))
        shown = of_hundred(p.exposure.coins[0].mean)
        assert f"guessed right for {shown} of 100 people from the whole report" in said
        assert "75 by the odds of the draw alone" in said
        assert "coin" in p.to_dict()["groups"][0]


def test_a_statement_without_a_crowd_says_that_it_knows_none():
    said = cf.privacy.of(campus()).sentences()
    assert "(if in the crowd 50 of 100 do)" in said[1]
    assert said[-1].startswith("Answers that hang together in the crowd can tell much more")
    assert not cf.privacy.of(campus(), crowd={"cheated": 0.5}).sentences()[-1].startswith("Answers")


def test_a_finite_epsilon_is_said_as_odds():
    design = cf.Design([cf.YesNo("a")], [cf.Group(["a"], cf.RelatedQuestion(0.75))])
    assert (
        "In the worst case a report moves the odds between two sets of disguised answers by a "
        "factor of 3: epsilon is 1.10." in cf.privacy.of(design).sentences()
    )


@examples(30)
@given(designs(most_questions=4))
def test_no_statement_speaks_of_lies_or_holds_what_json_cannot(design):
    p = cf.privacy.of(design)
    text = json.dumps(p.to_dict(), allow_nan=False)
    assert not re.search(r"\b(lie|lies|lying|liar)\b", text, re.IGNORECASE)
    assert all(sentence.endswith(".") for sentence in p.sentences())
    assert [len(row) for row in p.rows()] == [len(p.columns)] * len(design.names)


def test_programs_read_infinity_as_a_word_beside_the_words_for_why():
    found = json.loads(json.dumps(cf.privacy.of(campus()).to_dict(), allow_nan=False))
    assert found["epsilon"] == "infinite" and found["clear"] == ["rent"]
    group = found["groups"][0]
    assert group["epsilon"] == "infinite" and group["odds_ratio"] == "infinite"
    assert group["certain"] == [
        "A report tells for certain whether the answers to cheated and drugs are equal."
    ]
    assert group["knowing_one_answer"] == {"cheated": {"drugs": 1.0}, "drugs": {"cheated": 1.0}}
    assert found["groups"][1]["odds_ratio"] == pytest.approx(0.7 * 2 / 0.3)
    assert found["title"] == "Campus life" and found["fingerprint"] == campus().fingerprint
    by_name = {question["name"]: question for question in found["questions"]}
    assert by_name["cheated"]["posterior"]["yes"]["yes"] == pytest.approx(0.75)
    assert by_name["age"]["width"]["0.95"] == pytest.approx(19.6, rel=1e-3)
    assert by_name["rent"]["clear"] is True
    assert set(found["all_coins"]) == {"mean", "quantiles", "share_of_reports_at_least"}


def test_a_report_that_cannot_come_in_has_no_posterior_in_json():
    mechanism = cf.ForcedResponse(0.5, {"a": {"yes": 1}})
    design = cf.Design([cf.YesNo("a")], [cf.Group(["a"], mechanism)])
    found = cf.privacy.of(design, crowd={"a": 1.0}).to_dict()
    assert found["questions"][0]["posterior"]["no"] == {"no": None, "yes": None}


def test_the_rows_of_the_table_are_the_numbers_of_the_statement():
    rows = {row[0]: row[1:] for row in cf.privacy.of(campus(), crowd={"cheated": 0.1}).rows()}
    # 90 say no; from the own report 90 (a yes is too rare to believe); the other report helps
    assert rows["cheated"][:4] == ("related-question", "infinite", "90", "90")
    assert rows["faculty"] == ("randomized-choice", "1.55", "33", "70", "70")
    assert rows["rent"][:2] == ("asked in the clear", "known")
    assert rows["rent"][4] == "100"


def test_many_options_are_put_in_words_by_the_most_telling_report():
    design = cf.Design(
        [cf.Choice("city", [f"c{i}" for i in range(8)])],
        [cf.Group(["city"], cf.RandomizedChoice(0.5))],
    )
    crowd = {"city": [0.3] + [0.1] * 7}
    said = [s for s in cf.privacy.of(design, crowd=crowd).sentences() if s.startswith("Of 100")]
    assert len(said) == 1 and "report says c0 to city" in said[0]


@pytest.mark.parametrize(
    ("chance", "words"),
    [(0.5, "50"), (0.504, "51"), (0.0198, "2"), (0.995, "more than 99"), (0, "0"), (1, "100")],
)
def test_people_out_of_a_hundred_are_never_rounded_towards_more_privacy(chance, words):
    assert of_hundred(chance) == words


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [(0.1, 0.254, "26"), (0.1, 0.036, "3"), (0.1, 0.004, "fewer than 1"), (1, 0.999, "99")],
)
def test_a_belief_is_rounded_away_from_what_was_believed_before(before, after, words):
    assert of_hundred(after, before) == words


@pytest.mark.parametrize(
    ("step", "half_width", "width"), [(10, 14, 20), (2, 5, 8), (1, 1.4, 2), (1, 20, 40)]
)
def test_noise_in_steps_hides_no_more_than_its_steps(step, half_width, width):
    """All the amounts that are ever added, from a long sample."""
    design = cf.Design(
        [cf.Number("x", 0, 100, step=step)], [cf.Group(["x"], cf.UniformNoise(half_width))]
    )
    reports = design.disguise(np.full(20_000, 50.0), seed=1)
    assert np.ptp(reports) == width
    said = cf.privacy.of(design).sentences()
    assert any(f"holds the number for certain, {width} wide" in each for each in said)
    assert cf.privacy.of(design).questions[0].width(0.95) <= width


def test_epsilon_and_odds_are_rounded_up():
    written = [write_epsilon(epsilon) for epsilon in (1.0001, inf, 1)]
    assert written == ["1.01", "infinite", "1.00"]
    assert write_odds_ratio(1.1) == "3.1" and write_odds_ratio(50.01) == "e^50.1"


@pytest.mark.parametrize("truth", ["2/3", "5/7", "0.667", "0.6666666"])
def test_a_guess_that_the_report_does_not_improve_is_rounded_as_without_it(truth):
    design = cf.Design([cf.YesNo("a")], [cf.Group(["a"], cf.RelatedQuestion(truth))])
    statement = cf.privacy.of(design)
    (sentence,) = [s for s in statement.sentences() if "by the odds of the draw alone" in s]
    guessed, unaided = re.search(r"for (\d+) of 100 .* \((\d+) by the odds", sentence).groups()
    assert guessed == unaided == str(math.ceil(100 * statement.groups[0].truth))
    told = cf.privacy.of(design, {"a": {"yes": 1 / 3, "no": 2 / 3}})
    for row in [*statement.rows(), *told.rows()]:
        assert int(row[3]) <= int(row[4]) <= int(row[5])


def test_a_statement_is_shown_as_its_sentences_its_table_and_its_picture():
    design = cf.Design(
        [cf.YesNo("<b>"), cf.YesNo("clear")], [cf.Group(["<b>"], cf.RelatedQuestion("3/4"))]
    )
    statement = cf.privacy.of(design)
    assert repr(statement).splitlines() == statement.sentences()
    html = statement._repr_html_()
    assert "<b>" not in html
    assert html.count("<tr>") == 3
    assert html.count("<li>") == len(statement.sentences())
    drawn = {
        (row["question"], row["guessed"]): row["right"]
        for row in statement.plot().to_dict()["data"]["values"]
    }
    assert drawn == {
        ("<b>", "without a report"): 0.5,
        ("<b>", "from its report"): 0.75,
        ("<b>", "from the whole report"): 0.75,
        ("clear", "without a report"): 0.5,
        ("clear", "from its report"): 1,
        ("clear", "from the whole report"): 1,
    }
