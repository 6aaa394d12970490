"""Numbers in as many intervals as a person can look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array
from confide.counts import Counts
from confide.design import Choice, Design, Number, Question
from confide.mechanisms import Grid
from confide.surveys.field import Field
from confide.surveys.questionnaire import Questionnaire

MOST = 16
"""The most intervals that are shown of a number."""

_GROUPS = 6  # the most intervals of a number by which people are grouped


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


def join_bars(field: Field, joined: Sequence[int]) -> tuple[NDArray[np.intp], list[str]]:
    """Join neighbouring bars: the first interval of each wider one, and what it is called.

    ``joined`` has the number of the first bar of each; the first is 0.
    """
    starts, _ = find_bars(field)
    kept = starts[list(joined)]
    if field.edges is not None:
        pairs = pairwise([*kept, field.size])
        spans = [(field.ranges[a][0], field.ranges[b - 1][1]) for a, b in pairs]
        return kept, [" – ".join(dict.fromkeys(f"{end:.10g}" for end in span)) for span in spans]
    edges = field.number.grid.array[[*kept, -1]]
    return kept, list(field.number.interval_labels(Grid(tuple(edges.tolist()))))


def choose_joined(sizes: Array, minimum: int) -> list[int]:
    """Choose which bars to join, so that each wider one has enough people: the first of each.

    >>> choose_joined(np.array([30, 40, 5, 90, 10, 20]), 50)
    [0, 2]
    """
    least, joined, people = max(minimum, float(sizes.sum()) / _GROUPS), [0], 0.0
    for place, size in enumerate(sizes.tolist()):
        if people >= least:
            joined.append(place)
            people = 0.0
        people += size
    return joined[:-1] if people < least and len(joined) > 1 else joined


def cut_numbers(
    questionnaire: Questionnaire,
    counts: Counts,
    joined: Mapping[str, Sequence[int]] | None = None,
    whole: str | None = None,
) -> Counts:
    """Cut every number that chance leaves alone into its bars; give the counts with them.

    They are those of a design that asks for the bar: with it, tables get their standard errors as
    for any choice. Numbers under noise stay, because only their reports are known; so does the one
    that is to stay whole. For some numbers bars can be joined.
    """
    questions: list[Question] = []
    columns = list(counts.patterns.T)
    cut: set[str] = set()
    for i, field in enumerate(questionnaire.fields):
        questions.append(field.question)
        if field.finite or field.noise is not None or field.name == whole:
            continue
        wider = (joined or {}).get(field.name)
        starts, labels = find_bars(field) if wider is None else join_bars(field, wider)
        if len(labels) > 1:
            questions[i] = Choice(field.name, labels, field.question.text, ordered=True)
            cut.add(field.name)
            columns[i] = np.searchsorted(starts, columns[i], side="right") - 1
    kept = [group for group in questionnaire.design.groups if group.questions[0] not in cut]
    return Counts.gather(Design(questions, kept), columns, counts.reports)
