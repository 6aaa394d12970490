"""Every kind of question that a design can ask and a survey file can name."""

from __future__ import annotations

from confide.design.finite_questions import Choice, Finite, YesNo
from confide.design.number_question import Number
from confide.design.question import Option, Question, check_line, check_text

QUESTIONS: tuple[type[Question], ...] = (YesNo, Choice, Number)

__all__ = [
    "QUESTIONS",
    "Choice",
    "Finite",
    "Number",
    "Option",
    "Question",
    "YesNo",
    "check_line",
    "check_text",
]
