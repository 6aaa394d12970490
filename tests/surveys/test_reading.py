"""What stands in the open is readable at grade 8, by the formula of Flesch and Kincaid."""

import pytest
from support.reading import count_syllables, grade

from confide.surveys.page_texts import built_in

EN = built_in("en")
LEADS = [
    *("how_lead", "how_lead_with_more", "how_lead_sometimes", "how_none"),
    *("how_some", "how_some_with_more", "how_some_sometimes"),
]
OPEN = [
    *("practice_question", "practice_note", "practice_result", "protected", "own", "own_browser"),
    *("own_note", "missing", "out_of_range", "off_step", "change_note", "review_note", "unsent"),
    *("review_nobody", "review_clear", "done_text", "receipt_note"),
]


def spoken(key):
    """A text as someone reads it: a number or a word for each word in braces."""
    return EN[key].translate(str.maketrans("{}", "  "))


@pytest.mark.parametrize("key", LEADS + OPEN)
def test_each_text_in_the_open_is_readable_at_grade_eight(key):
    assert grade(spoken(key)) <= 8


@pytest.mark.parametrize("key", LEADS)
def test_the_screen_before_the_first_question_is_two_sentences_and_readable(key):
    assert EN[key].count(". ") <= 1
    screen = [key, "practice_question", "practice_note", "protected", "own", "start"]
    assert grade(". ".join(spoken(each).rstrip(".") for each in screen)) <= 8


def test_the_formula_tells_an_easy_text_from_a_hard_one():
    assert [count_syllables(each) for each in ("chance", "disguises", "answered", "device")] == [
        1, 3, 2, 2,
    ]  # fmt: skip
    assert grade("The cat sat on the mat.") < 0
    hard = "Randomized response methodology guarantees plausible deniability to participants."
    assert grade(hard) > 16
