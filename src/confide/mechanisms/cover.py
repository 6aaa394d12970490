"""The cover of a group: what is reported when the truth is not, from a known distribution."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, ClassVar, TypeAlias, TypeVar

from confide.errors import DesignError, QueryError
from confide.mechanisms.asked import Asked
from confide.mechanisms.probability import write_probability

GivenCover: TypeAlias = Mapping[Any, Any]
"""A cover as users write it: {question: {option: probability}} or {(option, …): probability}."""

_Key = TypeVar("_Key", str, tuple[str, ...])
"""An option, or one option per question of the group."""


@dataclass(frozen=True)
class Cover(ABC):
    """What is reported when the truth is not.

    Parameters
    ----------
    source : str
        The parameter that gives it, such as "personal".
    mechanism : str
        The name of the mechanism whose parameter that is.
    """

    source: str
    mechanism: str
    joint: ClassVar[bool]
    """Whether one joint distribution covers the whole group."""

    @property
    def what(self) -> str:
        """What error messages call this cover, such as "personal of UnrelatedQuestion"."""
        return f"{self.source} of {self.mechanism}"

    @property
    @abstractmethod
    def given(self) -> GivenCover:
        """The cover as users write it, exact and in order."""

    @abstractmethod
    def write(self) -> object:
        """Give the cover as survey files write it."""

    @abstractmethod
    def find_margin(self, place: int, question: Asked) -> dict[str, Fraction]:
        """Find the distribution of the question at a place of the group."""

    @abstractmethod
    def spell(self, asked: Sequence[Asked]) -> Cover:
        """Give the same cover with every option as its question writes it, and no impossible ones.

        What is never reported may be written with probability 0 or left out: it is left out.
        """

    def check(self, asked: Sequence[Asked]) -> None:
        """Refuse a cover that does not fit the questions of the group."""
        for question, named in self._list_named_options(asked):
            for option in sorted(named - set(question.labels)):
                raise DesignError(
                    f"{self.what} for {question.name} names the option {option!r}. Its options are "
                    f"{', '.join(question.labels)}."
                )

    @abstractmethod
    def _list_named_options(self, asked: Sequence[Asked]) -> list[tuple[Asked, set[str]]]:
        """List each question with the options that the cover names for it."""

    @abstractmethod
    def list_probabilities(self) -> list[Fraction]:
        """List every probability that was given."""

    @abstractmethod
    def list_branches(self, asked: Sequence[Asked]) -> list[tuple[Fraction, list[list[Fraction]]]]:
        """List the cover as pairs of a probability and one distribution per question."""

    @abstractmethod
    def find_rarest(self, asked: Sequence[Asked]) -> Fraction:
        """Find the smallest probability over all combinations of the group's options."""

    @abstractmethod
    def narrow(self, asked: Sequence[Asked], keep: Sequence[int]) -> GivenCover:
        """The cover of some questions of the group, as users write it."""

    @abstractmethod
    def find_rarest_named(self) -> Fraction:
        """The same for questions whose options are those that the cover names."""

    def _rename(
        self, given: Mapping[_Key, Fraction], spelled: list[_Key | None]
    ) -> dict[_Key, Fraction]:
        """A distribution by its options' spelling, which must differ, without the impossible ones.

        What is of no question, which has no spelling, stays as it is: `check` refuses it.
        """
        names = [key if name is None else name for key, name in zip(given, spelled, strict=True)]
        if len(set(names)) < len(names):
            raise DesignError(f"{self.what} must give every option once.")
        cells = zip(names, given.values(), spelled, strict=True)
        return {name: p for name, p, known in cells if p or known is None}


@dataclass(frozen=True)
class SeparateCovers(Cover):
    """A distribution for each question; their draws are independent.

    Parameters
    ----------
    by_question : dict
        For each question the probability of each option.
    """

    by_question: dict[str, dict[str, Fraction]]
    joint: ClassVar[bool] = False

    @property
    def given(self) -> GivenCover:
        return self.by_question

    def write(self) -> object:
        return {
            name: {option: write_probability(p) for option, p in distribution.items()}
            for name, distribution in self.by_question.items()
        }

    def find_margin(self, place: int, question: Asked) -> dict[str, Fraction]:
        del place  # the question's name says which
        return dict(self.by_question[question.name])

    def spell(self, asked: Sequence[Asked]) -> Cover:
        by_name = {question.name: question for question in asked}
        renamed = {
            name: self._rename(
                given, [_spell_option(by_name.get(name), option) for option in given]
            )
            for name, given in self.by_question.items()
        }
        return SeparateCovers(self.source, self.mechanism, renamed)

    def check(self, asked: Sequence[Asked]) -> None:
        names = [question.name for question in asked]
        for missing in sorted(set(names) ^ set(self.by_question)):
            raise DesignError(
                f"{self.what} must name exactly the questions of its group, {', '.join(names)}: "
                f"see {missing!r}."
            )
        super().check(asked)

    def _list_named_options(self, asked: Sequence[Asked]) -> list[tuple[Asked, set[str]]]:
        return [(question, set(self.by_question[question.name])) for question in asked]

    def list_probabilities(self) -> list[Fraction]:
        return [p for each in self.by_question.values() for p in each.values()]

    def list_branches(self, asked: Sequence[Asked]) -> list[tuple[Fraction, list[list[Fraction]]]]:
        return [(Fraction(1), [self._list_shares(question) for question in asked])]

    def _list_shares(self, question: Asked) -> list[Fraction]:
        given = self.by_question[question.name]
        return [given.get(label, Fraction()) for label in question.labels]

    def find_rarest(self, asked: Sequence[Asked]) -> Fraction:
        return prod((min(self._list_shares(question)) for question in asked), start=Fraction(1))

    def narrow(self, asked: Sequence[Asked], keep: Sequence[int]) -> GivenCover:
        return {asked[place].name: self.by_question[asked[place].name] for place in keep}

    def find_rarest_named(self) -> Fraction:
        rarest = [
            min(each.values()) if len(each) > 1 else Fraction()
            for each in self.by_question.values()
        ]
        return prod(rarest, start=Fraction(1))


@dataclass(frozen=True)
class JointCover(Cover):
    """One joint distribution for the whole group.

    Parameters
    ----------
    cells : dict
        The probability of each combination of options, in the order of the group's questions.
    """

    cells: dict[tuple[str, ...], Fraction]
    joint: ClassVar[bool] = True

    @property
    def given(self) -> GivenCover:
        return self.cells

    def write(self) -> object:
        return [
            {"options": list(cell), "probability": write_probability(p)}
            for cell, p in self.cells.items()
        ]

    def find_margin(self, place: int, question: Asked) -> dict[str, Fraction]:
        del question  # its place says which
        margin: dict[str, Fraction] = {}
        for cell, p in self.cells.items():
            margin[cell[place]] = margin.get(cell[place], Fraction()) + p
        return margin

    def spell(self, asked: Sequence[Asked]) -> Cover:
        spelled = [_spell_cell(asked, cell) for cell in self.cells]
        return JointCover(self.source, self.mechanism, self._rename(self.cells, spelled))

    def _list_named_options(self, asked: Sequence[Asked]) -> list[tuple[Asked, set[str]]]:
        for cell in self.cells:
            if len(cell) != len(asked):
                raise DesignError(
                    f"the joint {self.source} distribution of {self.mechanism} must give "
                    f"{len(asked)} options in each cell, one per question of its group. "
                    f"Got {len(cell)}."
                )
        return [(question, {cell[i] for cell in self.cells}) for i, question in enumerate(asked)]

    def list_probabilities(self) -> list[Fraction]:
        return list(self.cells.values())

    def list_branches(self, asked: Sequence[Asked]) -> list[tuple[Fraction, list[list[Fraction]]]]:
        return [
            (p, [_make_certain(q.labels, option) for q, option in zip(asked, cell, strict=True)])
            for cell, p in self.cells.items()
        ]

    def find_rarest(self, asked: Sequence[Asked]) -> Fraction:
        combinations = product(*(question.labels for question in asked))
        return min(self.cells.get(cell, Fraction()) for cell in combinations)

    def narrow(self, asked: Sequence[Asked], keep: Sequence[int]) -> GivenCover:
        del asked  # their places say which
        cells: dict[tuple[str, ...], Fraction] = {}
        for cell, p in self.cells.items():
            kept = tuple(cell[place] for place in keep)
            cells[kept] = cells.get(kept, Fraction()) + p
        return cells

    def find_rarest_named(self) -> Fraction:
        named = [set(options) for options in zip(*self.cells, strict=True)]
        whole = len(self.cells) == prod(map(len, named)) and all(len(each) > 1 for each in named)
        return min(self.cells.values()) if whole else Fraction()


def _spell_option(question: Asked | None, option: str) -> str | None:
    """An option as its question writes it; None where it is not one of the question's."""
    try:
        return None if question is None else question.labels[question.code(option)]
    except QueryError:
        return None


def _spell_cell(asked: Sequence[Asked], cell: tuple[str, ...]) -> tuple[str, ...] | None:
    """A combination of options as their questions write them; None where one is of no question."""
    if len(cell) != len(asked):
        return None
    spelled = [
        _spell_option(question, option) for question, option in zip(asked, cell, strict=True)
    ]
    known = tuple(option for option in spelled if option is not None)
    return known if len(known) == len(cell) else None


def _make_certain(labels: Sequence[str], option: str) -> list[Fraction]:
    """The distribution that gives one option the probability 1."""
    return [Fraction(label == option) for label in labels]
