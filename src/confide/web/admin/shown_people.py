"""The people that results are about: everybody, or those who would truly answer so and so.

Nothing is said of fewer people than the survey's minimum, nor of the few that are left when those
of whom something is said are taken away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from confide.arrays import Array
from confide.counts import Counts
from confide.crowd import Crowd
from confide.errors import QueryError, show
from confide.surveys.field import Field
from confide.surveys.survey import Survey
from confide.web.admin.bars import choose_joined, cut_numbers, find_bars, join_bars


class TooFewPeopleError(QueryError):
    """Fewer people than the survey's minimum would be told of."""


def check_enough(survey: Survey, n: int) -> None:
    """Refuse fewer reports than the survey's minimum."""
    if n < survey.page.minimum:
        raise TooFewPeopleError(f"nothing is estimated below {survey.page.minimum} reports.")


def check_given(survey: Survey, n: int) -> None:
    """Refuse a number that fewer people than the survey's minimum have given."""
    if n < survey.page.minimum:
        raise QueryError(f"nothing is estimated of fewer than {survey.page.minimum} people.")


def find_shown(sizes: Array, minimum: int, known: bool) -> list[bool]:
    """Find of which parts of a crowd something can be said.

    Those with too few people are hidden. Where it is known who is in which part, and all hidden
    ones together are too few, the smallest of the others is hidden with them: what is left of the
    whole would tell of the few.

    >>> find_shown(np.array([100.0, 60, 3]), 50, True), find_shown(np.array([90.0, 60]), 50, True)
    ([True, False, False], [True, True])
    >>> find_shown(np.array([100.0, 60, 3]), 50, False)
    [True, True, False]
    """
    shown = sizes >= minimum
    while known and 0 < round(float(sizes[~shown].sum())) < minimum and shown.any():
        shown[np.flatnonzero(shown)[sizes[shown].argmin()]] = False
    return [bool(each) for each in shown]


@dataclass(frozen=True)
class SharedAnswer:
    """An answer that people share: an option, or for a number some of its bars.

    Parameters
    ----------
    name : str
        The question.
    first, last : int
        The codes of the first and the last option or bar.
    """

    name: str
    first: int
    last: int


@dataclass(frozen=True, eq=False)
class ShownPeople:
    """The people behind the reports who share some true answers.

    Parameters
    ----------
    survey : Survey
        What they were asked.
    counts : Counts
        All counted reports.
    conditions : tuple of SharedAnswer
        The answers that they share; none for everybody.
    """

    survey: Survey
    counts: Counts
    conditions: tuple[SharedAnswer, ...] = ()

    def __post_init__(self) -> None:
        check_enough(self.survey, self.counts.n)
        for condition in self.conditions:
            self._check_size(condition)

    def given(self, texts: Sequence[str]) -> ShownPeople:
        """The people who also share answers that are written as ``faculty=law``."""
        found = tuple(self.read_condition(text) for text in texts)
        if len({each.name for each in found}) < len(found):
            raise QueryError("each question can be given once.")
        return replace(self, conditions=(*self.conditions, *found))

    def find_field(self, name: str) -> Field:
        """Find a question of the survey."""
        return self.survey.questionnaire.fields[self.survey.design.position(name)]

    def read_condition(self, text: str) -> SharedAnswer:
        """Read an answer that people share, such as ``faculty=law`` or ``age=21 to 30``."""
        for field in self.survey.questionnaire.fields:
            if text.startswith(f"{field.name}="):
                label = text[len(field.name) + 1 :]
                found = find_condition(field, label)
                if found is not None:
                    return found
        raise QueryError(f"people are given by question=answer. Got {show(text)}.")

    def write_condition(self, condition: SharedAnswer) -> str:
        """Write an answer that people share, as `read_condition` reads it."""
        return f"{condition.name}={label_condition(self.find_field(condition.name), condition)}"

    @cached_property
    def crowd(self) -> Crowd:
        """These people, with numbers in bars."""
        return self.cut()

    def cut(
        self, joined: Mapping[str, Sequence[int]] | None = None, whole: str | None = None
    ) -> Crowd:
        """These people, with some bars joined and one number left whole."""
        own = {each.name: self._join_for(each) for each in self.conditions}
        numbers = {name: starts for name, (starts, _) in own.items() if starts is not None}
        cut = cut_numbers(
            self.survey.questionnaire, self.counts, {**(joined or {}), **numbers}, whole
        )
        codes = {name: code for name, (_, code) in own.items()}
        return Crowd(cut.design, cut).given_codes(codes)

    def count_given(self, numbers: Sequence[str]) -> int:
        """How many of these people gave numbers that may be missing, as the reports tell it."""
        told = [self.survey.design.declines[name] for name in numbers]
        return round(self.crowd.given_codes(dict.fromkeys(told, 0)).share * self.counts.n)

    def _join_for(self, condition: SharedAnswer) -> tuple[list[int] | None, int]:
        """The bars that a condition joins, and the code of what it means; None for an option."""
        field = self.find_field(condition.name)
        if field.finite:
            return None, condition.first
        starts = join_condition(field, condition)
        return starts, starts.index(condition.first)

    def _check_size(self, condition: SharedAnswer) -> None:
        """Refuse a condition that too few people meet, or all but too few."""
        others = tuple(each for each in self.conditions if each is not condition)
        joined, code = self._join_for(condition)
        wider = None if joined is None else {condition.name: joined}
        crowd = replace(self, conditions=others).cut(wider)
        if not self._find_shown(condition.name, count_people(crowd, condition.name))[code]:
            raise TooFewPeopleError(
                f"nothing is estimated of fewer than {self.survey.page.minimum} people, nor where "
                "fewer are left over."
            )

    def _find_shown(self, name: str, sizes: Array) -> list[bool]:
        known = not self.find_field(name).disguised
        return find_shown(sizes, self.survey.page.minimum, known)

    def list_groups(self, name: str) -> tuple[list[int] | None, list[SharedAnswer], list[bool]]:
        """List the groups that a question makes of these people, and which may be told of.

        First come the bars that are joined, None where there are none.
        """
        field, sizes = self.find_field(name), count_people(self.crowd, name)
        if field.finite:
            groups = [SharedAnswer(name, code, code) for code in range(field.size)]
            return None, groups, self._find_shown(name, sizes)
        joined = choose_joined(sizes, self.survey.page.minimum)
        ends = [*joined[1:], len(sizes)]
        groups = [SharedAnswer(name, a, b - 1) for a, b in zip(joined, ends, strict=True)]
        return joined, groups, self._find_shown(name, np.add.reduceat(sizes, joined))


def can_be_given(field: Field) -> bool:
    """Whether people can be grouped by a question: not by a number that noise has blurred."""
    return field.finite or (field.noise is None and len(find_bars(field)[1]) > 1)


def count_people(crowd: Crowd, name: str) -> Array:
    """How many people give each answer, as the reports tell it."""
    table = crowd.table([name])
    return table.values * table.n


def label_condition(field: Field, condition: SharedAnswer) -> str:
    """An answer that people share, as the design names it."""
    if field.finite:
        return str(field.question.labels[condition.first])
    starts = join_condition(field, condition)
    return join_bars(field, starts)[1][starts.index(condition.first)]


def join_condition(field: Field, condition: SharedAnswer) -> list[int]:
    """Join a number's bars to that of a condition, and one at most on either side of it.

    The first bar of each is given, as `join_bars` takes them.
    """
    bars = len(find_bars(field)[1])
    return sorted({0, condition.first, condition.last + 1} - {bars})


def find_condition(field: Field, label: str) -> SharedAnswer | None:
    """Find the answer that a label names; None where there is none."""
    if not can_be_given(field):
        return None
    if field.finite:
        labels = [str(each) for each in field.question.labels]
        code = labels.index(label) if label in labels else -1
        return SharedAnswer(field.name, code, code) if code >= 0 else None
    bars = range(len(find_bars(field)[1]))
    pairs = (SharedAnswer(field.name, first, last) for first in bars for last in bars[first:])
    return next((each for each in pairs if label_condition(field, each) == label), None)
