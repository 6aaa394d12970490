"""A group: what is certain, and what one known answer tells about the others."""

from __future__ import annotations

from itertools import product
from math import inf

import pytest
from hypothesis import given
from support.designs import chance, designs
from support.properties import examples

import confide as cf


def group_of(questions, mechanism):
    design = cf.Design(questions, [cf.Group([q.name for q in questions], mechanism)])
    return cf.privacy.of(design).groups[0]


YESNO = [cf.YesNo("a"), cf.YesNo("b"), cf.YesNo("c")]
FACULTY = cf.Choice("faculty", ["arts", "law", "science"])


@pytest.mark.parametrize(
    ("questions", "mechanism", "sentence"),
    [
        (
            YESNO[:2],
            cf.RelatedQuestion(0.7),
            "A report tells for certain whether the answers to a and b are equal.",
        ),
        (
            YESNO,
            cf.RelatedQuestion(0.7),
            "A report tells for certain which of the answers to a, b and c are equal.",
        ),
        (
            [YESNO[0], FACULTY],
            cf.RelatedQuestion(0.7),
            "A report tells for certain that a and faculty are reported all truly or all "
            "otherwise.",
        ),
        (
            YESNO[:1],
            cf.RelatedQuestion(1),
            "A report tells the answer to a for certain.",
        ),
        (
            YESNO[:1],
            cf.ForcedResponse(0.5, {"a": {"yes": 1}}),
            "A report of no to a comes only from people whose answer is no, for certain.",
        ),
        (
            [FACULTY],
            cf.ChannelMatrix([[0.6, 0.4, 0], [0.4, 0.6, 0], [0, 0, 1]]),
            "A report of arts to faculty rules out the answer science, for certain.",
        ),
        (
            YESNO[:2],
            cf.UnrelatedQuestion(0.5, {("yes", "no"): 0.5, ("no", "yes"): 0.5}),
            "2 of the 4 possible reports come only from people whose answers they are, such as "
            "no to a and no to b.",
        ),
        (
            [cf.Number("age", 0, 100, unit="years")],
            cf.UniformNoise(5),
            "A report of age gives an interval that holds the number for certain, 10 years wide, "
            "and narrower where it reaches beyond the range.",
        ),
        (
            [cf.Number("age", 0, 100)],
            cf.Intervals([0, 20, 100]),
            "A report of age gives an interval that holds the number for certain, 20 wide.",
        ),
        (
            [cf.Number("age", 0, 100)],
            cf.GaussianNoise(5),
            "Nothing is certain about age, but nothing is bounded either: the further two numbers "
            "are apart, the better a report can tell them apart.",
        ),
    ],
)
def test_what_is_certain_is_said_in_words(questions, mechanism, sentence):
    group = group_of(questions, mechanism)
    assert group.epsilon == inf
    assert sentence in group.certainties


@examples(60)
@given(designs(most_questions=3))
def test_words_are_there_exactly_where_epsilon_is_infinite(design):
    for group in cf.privacy.of(design).groups:
        assert bool(group.certainties) == (group.epsilon == inf)


@examples(40)
@given(designs(most_questions=3, most_groups=2))
def test_knowing_one_answer_is_the_best_guess_over_all_its_cases(design):
    for group in cf.privacy.of(design).groups:
        asked = group.block.questions
        for known, other in product(range(len(asked)), repeat=2):
            if known == other:
                continue
            found = group.guess_knowing(asked[known].name)[asked[other].name]
            assert found == pytest.approx(brute_guess(group.mechanism, asked, known, other))


def brute_guess(mechanism, asked, known, other):
    """Uniform answers; sum over the known answer and both reports of the best case."""
    cells = list(product(*(range(q.size) for q in asked)))
    best = {}
    for report in cells:
        for truth in cells:
            case = (report[known], report[other], truth[known])
            guess = best.setdefault(case, {})
            p = chance(mechanism, asked, report, truth) / len(cells)
            guess[truth[other]] = guess.get(truth[other], 0) + p
    return sum(max(guesses.values()) for guesses in best.values())


@examples(20)
@given(designs(most_questions=3, most_groups=2))
def test_the_most_telling_answer_is_the_one_that_helps_most(design):
    for group in cf.privacy.of(design).groups:
        if len(group.names) == 1:
            continue
        alone = {question.name: question.guess() for question in group.questions}
        gains = [
            after - alone[other]
            for known in group.names
            for other, after in group.guess_knowing(known).items()
        ]
        telling = group.find_most_telling()
        assert telling.right == pytest.approx(group.guess_knowing(telling.known)[telling.other])
        assert telling.without == pytest.approx(alone[telling.other])
        assert telling.right - telling.without == pytest.approx(max(gains))


def test_one_known_answer_of_a_flipped_group_tells_all_others():
    group = group_of(YESNO, cf.RelatedQuestion(0.6))
    assert group.guess_knowing("b") == pytest.approx({"a": 1.0, "c": 1.0})


def test_a_known_answer_tells_nothing_about_a_question_with_its_own_coin():
    design = cf.Design(YESNO[:2], [cf.Group([n], cf.RelatedQuestion(0.6)) for n in "ab"])
    first, second = cf.privacy.of(design).groups
    assert first.guess_knowing("a") == {} == second.guess_knowing("b")


def test_only_a_question_of_the_group_can_be_known():
    with pytest.raises(cf.QueryError, match="not in this group"):
        group_of(YESNO, cf.RelatedQuestion(0.6)).guess_knowing("d")
    with pytest.raises(cf.QueryError, match="'d' is not in this group"):
        group_of(YESNO, cf.RelatedQuestion(0.6)).least_entry({"a": 0.2, "d": 0.3})


def test_the_papers_number_is_the_truth_of_the_coins_multiplied():
    design = cf.Design(YESNO, [cf.Group([n], cf.RelatedQuestion(0.6)) for n in "abc"])
    assert cf.privacy.of(design).truth == pytest.approx(0.6**3)
    assert group_of([FACULTY], cf.RandomizedChoice(0.7)).truth == pytest.approx(0.7)
    identity = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert group_of([FACULTY], cf.ChannelMatrix(identity)).truth is None
