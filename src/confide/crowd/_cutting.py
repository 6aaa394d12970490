"""Numbers in the clear made into choices of intervals: what ranges and cuts are.

The reports stay the same, row by row, and so do the designs but for these questions; so everything
that can be asked of a choice can be asked of a number that was cut. Where a cut lies within an
interval in which the reports were counted, they are first counted again, if they are at hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from numbers import Real

import numpy as np

from confide.arrays import Indices
from confide.counts import Counts
from confide.counts.recounting import is_at_hand, locate_rows, refine_counts, share_weights
from confide.crowd._queries import (
    NEARLY,
    find_range,
    read_number,
    read_questions,
    require_clear,
)
from confide.crowd._subpopulation import Subpopulation
from confide.crowd.cut import Cut
from confide.design import Choice, Number
from confide.design.finer_number import Place
from confide.errors import QueryError
from confide.mechanisms import Grid
from confide.mechanisms.grid import write_apart


def cut_questions(
    people: Subpopulation, questions: Iterable[str | Cut]
) -> tuple[Subpopulation, list[str]]:
    """The same people with their cut numbers made into choices, and the questions' names."""
    asked = list(questions)
    names = [each.question if isinstance(each, Cut) else each for each in asked]
    read_questions(people, names)  # which refuses a number that is cut twice
    for each in asked:
        if isinstance(each, Cut):
            people = _refine(people, each.question, each.edges)
            question = read_number(people, each.question)
            people = _cut(people, question, _find_starts(question, each.edges))
    return people, names


def cut_ranges(
    people: Subpopulation, where: Mapping[str, object]
) -> tuple[Subpopulation, dict[str, object]]:
    """The same people with a choice for each range, and the answers with the range's option."""
    answers: dict[str, object] = {}
    people = refine_ranges(people, where)
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


def refine_ranges(people: Subpopulation, where: Mapping[str, object]) -> Subpopulation:
    """The same people with their numbers told apart also where ranges begin and end."""
    for name, value in where.items():
        if isinstance(value, tuple):
            ends = [end for end in value if isinstance(end, Real)]
            people = _refine(people, name, [float(end) for end in ends])
    return people


def _refine(people: Subpopulation, name: str, edges: Sequence[float]) -> Subpopulation:
    """The same people with a number told apart also at some edges, if their reports are at hand."""
    question = read_number(people, name)
    half = (question.step or 0) / 2
    places = [(name, edge - half) for edge in edges if _lies_within(question, edge)]
    if not places or not all(map(is_at_hand, people.counted)):
        return people
    for batch in people.batches:
        require_clear(batch.design, name)
    return look_closer(people, places)


def look_closer(people: Subpopulation, places: Sequence[Place]) -> Subpopulation:
    """The same people with numbers in the clear told apart at some more places.

    Their reports must be at hand, unless there are no places.
    """
    if not places:
        return people
    finer = [refine_counts(counts, places) for counts in people.counted]
    batches = [
        _refine_view(batch, counts, fine, {name for name, _ in places})
        for batch, counts, fine in zip(people.batches, people.counted, finer, strict=True)
    ]
    return replace(people, batches=tuple(batches), sources=tuple(finer))


def _lies_within(question: Number, edge: float) -> bool:
    """Whether an edge, at a step of the number if it has one, lies within one of its intervals."""
    if not question.low < edge <= question.high or not question.on_step(edge):
        return False
    edges = question.grid.array + (question.step or 0) / 2
    return bool(np.abs(edges - edge).min() > NEARLY * (edges[-1] - edges[0]))


def _refine_view(batch: Counts, counts: Counts, finer: Counts, names: Iterable[str]) -> Counts:
    """Some counts, row by row another view of others, as such a view of finer ones."""
    rows = locate_rows(finer, counts)
    questions = list(batch.design.questions)
    patterns = batch.patterns[rows].astype(finer.patterns.dtype)
    for place in map(batch.design.position, names):
        questions[place] = finer.design.questions[place]
        patterns[:, place] = finer.patterns[:, place]
    return replace(
        batch,
        design=replace(batch.design, questions=questions),
        patterns=patterns,
        reports=finer.reports,
        drawn=share_weights(batch.drawn, finer, rows),
    )


def _find_starts(question: Number, edges: Sequence[float]) -> list[int]:
    """The fine intervals with which new ones begin; edges beyond the range begin none.

    Nor does the highest number, unless it is a step of its own: it belongs to the last interval.
    """
    highest = question.high + (question.step or 1)
    beyond = question.high + (question.step or 0)
    inside = [edge for edge in edges if question.low < edge < beyond]
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
    choice = Choice(question.name, _label_intervals(question, edges), question.text)
    batches = tuple(_recode(batch, choice, codes) for batch in people.batches)
    return replace(people, batches=batches, sources=people.counted)


def _label_intervals(question: Number, edges: Sequence[float]) -> tuple[str, ...]:
    """Name intervals by where they were cut; with a step by the numbers that they hold."""
    if question.step is not None:
        return question.interval_labels(Grid(tuple(edges)))
    ends = write_apart(edges, 10, float(np.diff(edges).min()))
    return tuple(f"{low} to {high}" for low, high in pairwise(ends))


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
