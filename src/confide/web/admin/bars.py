"""Numbers in as many intervals as a person can look at."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from confide.counts import Counts
from confide.design import Choice, Design, Number, Question
from confide.mechanisms import Grid
from confide.surveys.field import Field
from confide.surveys.questionnaire import Questionnaire

MOST = 16
"""The most intervals that are shown of a number."""


def cut_into_bars(question: Number, grid: Grid) -> tuple[NDArray[np.intp], list[str]]:
    """Cut a number into even bars: the first interval of each, and what it is called.

    >>> starts, labels = cut_into_bars(age := Number("age", 16, 80, step=1), age.grid)
    >>> starts[:3].tolist(), labels[:2], labels[-1]
    ([0, 5, 10], ['16 to 20', '21 to 25'], '76 to 80')
    """
    starts = np.arange(0, grid.size, -(-grid.size // MOST))
    edges = grid.array[[*starts, -1]]
    return starts, list(question.interval_labels(Grid(tuple(edges.tolist()))))


def find_bars(field: Field) -> tuple[NDArray[np.intp], list[str]]:
    """Find the bars of a number that reports tell as it is, or by its interval."""
    if field.edges is not None:
        return np.arange(field.size), [field.label(code) for code in range(field.size)]
    return cut_into_bars(field.number, field.number.grid)


def cut_numbers(questionnaire: Questionnaire, counts: Counts) -> Counts:
    """Cut every number that chance leaves alone into its bars; give the counts with them.

    They are those of a design that asks for the bar: with it, tables get their standard errors as
    for any choice. Numbers under noise stay, because only their reports are known.
    """
    questions: list[Question] = []
    columns = list(counts.patterns.T)
    cut: set[str] = set()
    for i, field in enumerate(questionnaire.fields):
        questions.append(field.question)
        if field.finite or field.noise is not None:
            continue
        starts, labels = find_bars(field)
        if len(labels) > 1:
            questions[i] = Choice(field.name, labels, field.question.text, ordered=True)
            cut.add(field.name)
            columns[i] = np.searchsorted(starts, columns[i], side="right") - 1
    kept = [group for group in questionnaire.design.groups if group.questions[0] not in cut]
    return Counts.gather(Design(questions, kept), columns, counts.reports)
