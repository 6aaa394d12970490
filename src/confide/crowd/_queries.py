"""What is asked of a crowd, read and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Literal, get_args

import numpy as np

from confide.crowd._subpopulation import Subpopulation
from confide.design import Design, Number
from confide.errors import QueryError
from confide.estimators.event_weights import Where
from confide.estimators.reconstruction import Procedure

NEARLY = 1e-9
"""Of a number's range: ends of intervals that are no further apart are one."""

Method = Literal["auto", "inverse", "likelihood"]


def check_where(people: Subpopulation, where: Mapping[str, object]) -> None:
    """Refuse an empty condition, and answers that nobody of these people has.

    Only fixed questions are read: a table may name a number by wider intervals than the design.
    """
    if not isinstance(where, Mapping) or not where:
        raise QueryError('say which answers, such as {"cheated": "yes"}.')
    read_codes(people, {name: where[name] for name in where if name in people.within})


def read_codes(people: Subpopulation, where: Mapping[str, object]) -> dict[str, int]:
    """Read answers as the codes that the design gives them."""
    codes = {}
    for name, value in where.items():
        codes[name] = people.design.question(name).code(value)
        if people.within.get(name, codes[name]) != codes[name]:
            raise QueryError(f"{name!r} has another value in this sub-population.")
    return codes


def read_event(people: Subpopulation, where: Mapping[str, object]) -> Where:
    """Read answers as codes; a pair of numbers is a range, from the first to below the second."""
    event: dict[str, int | Sequence[int]] = {}
    for name, value in where.items():
        if isinstance(value, tuple):
            require_free(people, name)
            event[name] = find_range(read_number(people, name), value)
        else:
            event |= read_codes(people, {name: value})
    return event


def require_clear(design: Design, name: str) -> None:
    """Refuse to cut a question that is disguised."""
    if design.block(name).mechanism is not None:
        raise QueryError(
            f"{name} is disguised, and a range or a cut needs a number asked in the clear. "
            f"The distribution of {name} gives its histogram back."
        )


def find_range(question: Number, given: tuple[object, ...]) -> list[int]:
    """The codes of the intervals that lie in a range; refuse one that would cut an interval."""
    ends = [end for end in given if isinstance(end, Real)]
    if len(given) != 2 or len(ends) != 2 or not ends[0] < ends[1]:
        raise QueryError(
            f"a range of {question.name} is two numbers, the lower first, such as "
            f"({question.low:g}, {question.high:g}). Got {given!r}."
        )
    half = (question.step or 0) / 2
    low, high = (float(end) - half for end in ends)
    edges = question.grid.array.clip(max=question.high + half)
    hair = NEARLY * (edges[-1] - edges[0])
    touched = (edges[:-1] < high - hair) & (edges[1:] > low + hair)
    whole = (edges[:-1] >= low - hair) & (edges[1:] <= high + hair)
    if not touched.any():
        raise QueryError(
            f"{question.name} lies between {question.low:g} and {question.high:g}. Got {given!r}."
        )
    if (touched & ~whole).any():
        place = int(np.flatnonzero(touched & ~whole)[0])
        first, last = edges[place : place + 2]
        inside = ends[0] if first < low < last else ends[1]
        way_out = _say_way_out(question, first + half, last + half)
        raise QueryError(
            f"{question.name} is told apart only in intervals, and {inside} cuts "
            f"{question.labels[place]!r} in two. {way_out}"
        )
    return [int(code) for code in np.flatnonzero(whole)]


def _say_way_out(question: Number, first: float, last: float) -> str:
    """Say where an interval may be cut in place of its inside."""
    if question.step is not None and last - first < 1.5 * question.step:
        return f"Begin and end a range at a step, such as {first:g} or {last:g}."
    return (
        f"Counts hold no more: give the reports themselves, or begin and end a range "
        f"where an interval does, such as at {first:g} or {last:g}."
    )


def read_questions(people: Subpopulation, questions: Sequence[str]) -> list[str]:
    """Read the questions of a table: at least one, each once, none that is fixed."""
    names = [questions] if isinstance(questions, str) else list(questions)
    for name in names:
        require_free(people, name)
    if len(set(names)) < len(names) or not names:
        raise QueryError("a table needs questions, each once.")
    return names


def read_features(people: Subpopulation, target: str, questions: Sequence[str] | None) -> list[str]:
    """Read the questions that a target is learnt from; left out, all others that are not fixed."""
    people.design.position(target)  # an unknown question is refused first
    asked = people.design.names if questions is None else questions
    chosen = (asked,) if isinstance(asked, str) else tuple(asked)
    features = [name for name in chosen if name != target and name not in people.within]
    if not features or target in people.within:
        raise QueryError(
            f"there must be a question but {target} to learn it from, and {target} must not be "
            "given."
        )
    return features


def read_number(people: Subpopulation, name: str) -> Number:
    """Read the number whose distribution is asked for."""
    question = people.design.question(name)
    require_free(people, name)
    if not isinstance(question, Number):
        raise QueryError(f"{name} is no number. A table gives its shares.")
    return question


def require_free(people: Subpopulation, name: str) -> None:
    """Refuse a question whose answer all people of a sub-population share."""
    if name in people.within:
        raise QueryError(f"{name!r} is fixed in this sub-population.")


def choose_method(people: Subpopulation, names: Sequence[str], method: Method) -> Method:
    """Choose the estimator: the inverse, or the likelihood where there is no inverse."""
    if method not in get_args(Method):
        raise QueryError(f'method must be "inverse" or "likelihood". Got {method!r}.')
    if method != "auto":
        return method
    return "inverse" if people.invertible(names) else "likelihood"


def check_procedure(procedure: Procedure) -> None:
    """Refuse a procedure of reconstruction that there is not."""
    if procedure not in get_args(Procedure):
        raise QueryError(f'procedure must be "em", "squarem" or "ems". Got {procedure!r}.')


def check_intervals(people: Subpopulation, given: int | None) -> None:
    """Refuse a number of intervals that is none, or that the reports cannot tell apart."""
    if given is None:
        return
    if isinstance(given, bool) or not isinstance(given, int) or given < 1:
        raise QueryError(f"intervals must be a whole number of at least 1. Got {given!r}.")
    if given > people.n:
        raise QueryError(
            f"{people.n:,} reports cannot tell {given:,} intervals apart. Ask for fewer."
        )


def check_sample_size(n: int) -> None:
    """Refuse a number of people that is not whole, or none."""
    if n != int(n) or n < 1:
        raise QueryError(f"a sample needs a whole number of people, at least one. Got n = {n}.")
