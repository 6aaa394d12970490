"""Numbers in as many intervals as a person can look at."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from confide.counts import Counts
from confide.design import Choice, Design, Group, Number
from confide.mechanisms import Grid
from confide.surveys.field import Field
from confide.surveys.questionnaire import Questionnaire

MOST = 16
"""The most intervals that are shown of a number."""


def bars(question: Number, grid: Grid) -> tuple[NDArray[np.intp], list[str]]:
    """Even bars of a number: the first interval of each, and what it is called.

    >>> starts, labels = bars(age := Number("age", 16, 80, step=1), age.grid)
    >>> starts[:3].tolist(), labels[:2], labels[-1]
    ([0, 5, 10], ['16 to 20', '21 to 25'], '76 to 80')
    """
    starts = np.arange(0, grid.size, -(-grid.size // MOST))
    edges = grid.array[[*starts, -1]]
    return starts, list(question.interval_labels(Grid(tuple(edges.tolist()))))


def told(field: Field) -> tuple[NDArray[np.intp], list[str]]:
    """The bars of a number that reports tell as it is, or by its interval."""
    if field.edges is not None:
        return np.arange(field.size), [field.label(code) for code in range(field.size)]
    return bars(field.number, field.number.grid)


def with_bars(form: Questionnaire, counts: Counts) -> Counts:
    """The same counts with every number that chance leaves alone cut into its bars.

    They are those of a design that asks for the bar: with it, tables get their standard errors as
    for any choice. Numbers under noise stay, because only their reports are known.
    """
    questions: list[Any] = []
    columns = list(counts.patterns.T)
    for i, field in enumerate(form.fields):
        questions.append(field.question)
        if field.finite or field.noise is not None:
            continue
        starts, labels = told(field)
        if len(labels) > 1:
            questions[i] = Choice(field.name, labels, field.question.text, ordered=True)
            columns[i] = np.searchsorted(starts, columns[i], side="right") - 1
    kept = [group for group in form.design.groups if not _cut(group, questions)]
    return Counts.gather(Design(questions, kept), columns, counts.reports)


def _cut(group: Group, questions: list[Any]) -> bool:
    """Whether a group is that of a number told by its interval, now a choice of its own."""
    asked = {question.name: question for question in questions}
    numbers = group.mechanism.interval_edges is not None
    return numbers and isinstance(asked[group.questions[0]], Choice)
