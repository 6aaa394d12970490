"""Numbers in the clear made into choices of intervals: what ranges and cuts are.

The reports stay the same, row by row, and so do the designs but for these questions; so everything
that can be asked of a choice can be asked of a number that was cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from confide.arrays import Indices
from confide.counts import Counts
from confide.crowd._queries import find_range, read_number, require_clear
from confide.crowd._subpopulation import Subpopulation
from confide.crowd.cut import Cut
from confide.design import Choice, Number
from confide.errors import QueryError
from confide.mechanisms import Grid


def cut_questions(
    people: Subpopulation, questions: Iterable[str | Cut]
) -> tuple[Subpopulation, list[str]]:
    """The same people with their cut numbers made into choices, and the questions' names."""
    names = []
    for asked in questions:
        if isinstance(asked, Cut):
            question = read_number(people, asked.question)
            people = _cut(people, question, _find_starts(question, asked.edges))
        names.append(asked.question if isinstance(asked, Cut) else asked)
    return people, names


def cut_ranges(
    people: Subpopulation, where: Mapping[str, object]
) -> tuple[Subpopulation, dict[str, object]]:
    """The same people with a choice for each range, and the answers with the range's option."""
    answers: dict[str, object] = {}
    for name, value in where.items():
        if not isinstance(value, tuple):
            answers[name] = value
            continue
        question = read_number(people, name)
        codes = find_range(question, value)
        if len(codes) == question.size:  # everybody
            continue
        starts = [code for code in (codes[0], codes[-1] + 1) if 0 < code < question.size]
        people = _cut(people, question, starts)
        answers[name] = people.design.question(name).values[int(codes[0] > 0)]
    return people, answers


def _find_starts(question: Number, edges: Sequence[float]) -> list[int]:
    """The fine intervals with which new ones begin; edges beyond the range begin none."""
    highest = question.high + (question.step or 1)
    inside = [edge for edge in edges if question.low < edge <= question.high]
    if not inside:
        raise QueryError(
            f"{question.name} lies between {question.low:g} and {question.high:g}, and is cut by "
            f"numbers in there. Got {list(edges)!r}."
        )
    return [find_range(question, (edge, highest))[0] for edge in inside]


def _cut(people: Subpopulation, question: Number, starts: Sequence[int]) -> Subpopulation:
    """Cut a number at the beginnings of some of its fine intervals, for the people who gave it."""
    people = people.who_gave([question.name])
    codes = np.searchsorted(np.array(starts), np.arange(question.size), side="right")
    edges = [question.grid.edges[start] for start in (0, *starts, question.size)]
    choice = Choice(question.name, question.interval_labels(Grid(tuple(edges))), question.text)
    batches = tuple(_recode(batch, choice, codes) for batch in people.batches)
    return replace(people, batches=batches, sources=people.counted)


def _recode(counts: Counts, choice: Choice, codes: Indices) -> Counts:
    """The same reports, in the same rows, with one question's codes replaced."""
    name, design = choice.name, counts.design
    require_clear(design, name)
    place = design.position(name)
    questions = [choice if asked.name == name else asked for asked in design.questions]
    patterns = counts.patterns.copy()
    patterns[:, place] = codes[patterns[:, place]]
    kinds = counts.kinds and tuple(
        None if i == place else kind for i, kind in enumerate(counts.kinds)
    )
    changed = replace(design, questions=questions)
    return replace(counts, design=changed, patterns=patterns, kinds=kinds)
