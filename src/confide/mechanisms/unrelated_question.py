"""The unrelated-question model: the private answer or the personal one (`surveys`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import inf, log, prod
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from confide.errors import DesignError, QueryError
from confide.files import Json
from confide.mechanisms.asked import Asked
from confide.mechanisms.channel import Channel, identity
from confide.mechanisms.distribution import read_distribution
from confide.mechanisms.mechanism import FiniteMechanism, Mechanism
from confide.mechanisms.mixture import Mixture
from confide.mechanisms.probability import (
    LARGEST_DENOMINATOR,
    TRUTH_KEY,
    Probability,
    common_denominator,
    read_probability,
    write_probability,
)

_Key = TypeVar("_Key", str, tuple[str, ...])
"""An option, or one option per question of the group."""

_FINEST_COVER = 2**27  # for rounded floats: leaves room for the denominators of other truths


@dataclass(frozen=True)
class UnrelatedQuestion(FiniteMechanism):
    """With probability ``truth`` the whole group is reported as it is; otherwise every question of
    it is reported as the person's answer to an unrelated, personal question, whose distribution
    is known.

    Parameters
    ----------
    truth : probability
        The papers' θ.
    personal : mapping
        For each question the distribution of its personal answer,
        ``{"cheated": {"yes": "1/12", "no": "11/12"}}``; or one joint distribution for the group,
        ``{("yes", "no"): "1/4", …}`` with the options in the order of the group's questions.
        A design reads the options as it reads reports, so that ``"YES"`` and ``1`` are yes, too;
        those left out have probability 0. Plain decimals and fractions are taken exactly; a float
        that was computed, such as ``1 / 12``, becomes the fraction that it stands for, or one so
        near that the distribution sums to exactly one and a browser can draw it.

    Notes
    -----
    *Privacy.* ε = ln(1 + θ/((1 − θ)·min p_Y)), with min p_Y the probability of the rarest
    personal answer of the whole group; infinite where some report is never a personal answer.

    *Utility.* A proportion p from n reports has variance p*(1 − p*)/(nθ²), where
    p* = θp + (1 − θ)p_Y.

    *Inverse.* M⁻¹T = (T − (1 − θ)·p_Y·ΣT)/θ: equation (1) of `surveys`.

    Examples
    --------
    >>> from confide import YesNo
    >>> mechanism = UnrelatedQuestion("1/2", personal={"cheated": {"yes": "1/4", "no": "3/4"}})
    >>> mechanism.channel([YesNo("cheated")]).weights()
    {'branches': [1], 'questions': [[[[7, 1], [3, 5]]]]}
    """

    truth: Probability
    personal: Mapping[Any, Any]
    kind: ClassVar[str] = "unrelated-question"
    summary: ClassVar[str] = (
        "With probability truth all answers of the group are reported as they are, "
        "otherwise those to personal questions of known distribution."
    )
    needed_keys: ClassVar[Json] = {"truth": TRUTH_KEY, "personal": {"$ref": "#/$defs/cover"}}
    source: ClassVar[str] = "personal"
    personal_cover: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "truth", read_probability(self.truth, f"truth of {self.name}"))
        if self.coin == 0:
            raise DesignError(
                f"truth of {self.name} must be above 0: at 0 a report says nothing. Got 0."
            )
        given = self.personal
        if not isinstance(given, Mapping) or not given:
            raise DesignError(
                f"{self.source} of {self.name} must give each question's distribution, such as "
                '{"cheated": {"yes": "1/4", "no": "3/4"}}, or one joint distribution.'
            )
        if self.joint:
            cells = {tuple(map(str, cell)): p for cell, p in given.items()}
            exact: Mapping[Any, object] = self._read(cells, len(given), "the group")
        elif all(isinstance(name, str) and isinstance(d, Mapping) for name, d in given.items()):
            named = {name: {str(o): p for o, p in d.items()} for name, d in given.items()}
            exact = {name: self._read(d, len(given[name]), name) for name, d in named.items()}
        else:
            raise DesignError(
                f"{self.source} of {self.name} must map questions to distributions, or tuples of "
                "options to probabilities, not both."
            )
        object.__setattr__(self, "personal", dict(sorted(exact.items())))

    @property
    def coin(self) -> Fraction:
        """The probability of the truth, exactly."""
        return Fraction(self.truth)

    def with_truth(self, truth: Probability) -> Self:
        return type(self)(truth, self.personal)

    def join(self, other: Mechanism) -> Mechanism | None:
        # A joint distribution is silent about questions outside its group.
        if type(other) is not type(self) or other.coin != self.coin:
            return None
        if self.joint or other.joint:
            return None
        return type(self)(self.truth, {**self.personal, **other.personal})

    def separate(self, asked: Sequence[Asked]) -> list[Self]:
        return [
            type(self)(self.truth, {question.name: self._margin(place, question)})
            for place, question in enumerate(asked)
        ]

    def _margin(self, place: int, question: Asked) -> dict[str, Fraction]:
        """The distribution of one question's personal answer."""
        if not self.joint:
            return dict(self.personal[question.name])
        margin: dict[str, Fraction] = {}
        for cell, p in self.personal.items():
            margin[cell[place]] = margin.get(cell[place], Fraction()) + p
        return margin

    @property
    def joint(self) -> bool:
        """Whether one joint distribution covers the whole group."""
        return all(isinstance(key, tuple) for key in self.personal)

    def _read(
        self, given: Mapping[_Key, Probability], count: int, where: str
    ) -> dict[_Key, Fraction]:
        """A distribution in canonical form: exact, in the order of its options in words."""
        what = f"{self.source} of {self.name} for {where}"
        if len(given) < count:
            raise DesignError(f"{what} must give every option once.")
        options = sorted(given)
        reach = min(LARGEST_DENOMINATOR // self.coin.denominator, _FINEST_COVER)
        exact = read_distribution([given[option] for option in options], what, reach)
        return dict(zip(options, exact, strict=True))

    def for_questions(self, asked: Sequence[Asked]) -> Self:
        if self.joint:
            own: Mapping[Any, object] = self._rename(
                self.personal, [_own_labels(asked, cell) for cell in self.personal]
            )
        else:
            by_name = {question.name: [question] for question in asked}
            own = {
                name: self._rename(
                    given, [_own_labels(by_name.get(name, []), [option])[0] for option in given]
                )
                for name, given in self.personal.items()
            }
        return self if own == self.personal else type(self)(self.truth, own)

    def _rename(self, given: Mapping[_Key, Fraction], names: list[_Key]) -> dict[_Key, Fraction]:
        """A distribution with other names for its options, which must still differ."""
        if len(set(names)) < len(names):
            raise DesignError(f"{self.source} of {self.name} must give every option once.")
        return dict(zip(names, given.values(), strict=True))

    def check(self, asked: Sequence[Asked]) -> None:
        self.check_kinds(asked)
        names = [question.name for question in asked]
        if not self.joint:
            for missing in sorted(set(names) ^ set(self.personal)):
                raise DesignError(
                    f"{self.source} of {self.name} must name exactly the questions of its group, "
                    f"{', '.join(names)}: see {missing!r}."
                )
        for question, named in self._named_options(asked):
            for option in sorted(named - set(question.labels)):
                raise DesignError(
                    f"{self.source} of {self.name} for {question.name} names the option "
                    f"{option!r}. Its options are {', '.join(question.labels)}."
                )

        if self.joint or len(asked) == 1:  # else a draw of its own decides for the truth
            cover = self.personal if self.joint else self.personal[names[0]]
            covered = [(1 - self.coin) * p for p in cover.values()]
            common_denominator([self.coin, *covered], f"truth and {self.source} of {self.name}")

    def _named_options(self, asked: Sequence[Asked]) -> list[tuple[Asked, set[str]]]:
        if not self.joint:
            return [(question, set(self.personal[question.name])) for question in asked]
        for cell in self.personal:
            if len(cell) != len(asked):
                raise DesignError(
                    f"the joint {self.source} distribution of {self.name} must give {len(asked)} "
                    f"options a cell, one for each question of its group. Got {len(cell)}."
                )
        return [(question, {cell[i] for cell in self.personal}) for i, question in enumerate(asked)]

    def parameters(self) -> Json:
        if self.joint:
            cells = [
                {"options": list(cell), "probability": write_probability(p)}
                for cell, p in self.personal.items()
            ]
            return {"truth": write_probability(self.coin), self.source: cells}
        by_name = {
            name: {option: write_probability(p) for option, p in distribution.items()}
            for name, distribution in self.personal.items()
        }
        return {"truth": write_probability(self.coin), self.source: by_name}

    @classmethod
    def from_parameters(cls, parameters: Json) -> Self:
        cells = parameters.get(cls.source)
        if not isinstance(cells, list):
            return cls(**parameters)
        joint: dict[tuple[str | int, ...], Probability] = {}
        for number, cell in enumerate(cells, 1):
            if not _is_cell(cell) or tuple(cell["options"]) in joint:
                raise DesignError(
                    f"a joint {cls.source} distribution must be a list of different "
                    f'{{options = ["yes", "no"], probability = "1/4"}}: see its cell {number}.'
                )
            joint[tuple(cell["options"])] = cell["probability"]
        return cls(**{**parameters, cls.source: joint})

    def _distributions(self, asked: Sequence[Asked]) -> list[tuple[Fraction, list[list[Fraction]]]]:
        """The cover as (probability, one distribution per question) pairs."""
        if self.joint:
            return [
                (p, [_point(q.labels, option) for q, option in zip(asked, cell, strict=True)])
                for cell, p in self.personal.items()
            ]
        return [
            (
                Fraction(1),
                [
                    [Fraction(self.personal[q.name].get(label, 0)) for label in q.labels]
                    for q in asked
                ],
            )
        ]

    def channel(self, asked: Sequence[Asked]) -> Channel:
        truth = (self.coin, [identity(question.size) for question in asked])
        covers = [
            ((1 - self.coin) * weight, [[[p] * len(each) for p in each] for each in distributions])
            for weight, distributions in self._distributions(asked)
        ]
        odds, branches = zip(truth, *covers, strict=True)
        return Channel.of(odds, branches)

    def inverse(self, asked: Sequence[Asked], keep: Sequence[int] | None = None) -> Mixture:
        truth = (float(1 / self.coin), [np.eye(question.size) for question in asked])
        covers = [
            (
                float(-(1 - self.coin) / self.coin * weight),
                [np.tile(np.array(d, dtype=float)[:, None], len(d)) for d in distributions],
            )
            for weight, distributions in self._distributions(asked)
        ]
        return Mixture.of([truth, *covers]).marginal(range(len(asked)) if keep is None else keep)

    def epsilon(self, asked: Sequence[Asked]) -> float:
        rarest = (1 - self.coin) * self._rarest(asked)
        return inf if rarest == 0 else log(1 + self.coin / rarest)

    def _rarest(self, asked: Sequence[Asked]) -> Fraction:
        """The smallest probability of a personal answer, over all cells of the group."""
        if self.joint:
            cells = product(*(question.labels for question in asked))
            return min(Fraction(self.personal.get(cell, 0)) for cell in cells)
        ((_, distributions),) = self._distributions(asked)
        return prod((min(each) for each in distributions), start=Fraction(1))


def _own_labels(asked: Sequence[Asked], options: Sequence[str]) -> tuple[str, ...]:
    """Options as their questions write them; if one is of no question, all stay as they are."""
    try:
        pairs = list(zip(asked, options, strict=True))
        return tuple(question.labels[question.code(option)] for question, option in pairs)
    except (QueryError, ValueError):  # which `check` refuses
        return tuple(options)


def _point(labels: Sequence[str], option: str) -> list[Fraction]:
    """The distribution that gives one option the probability 1."""
    return [Fraction(label == option) for label in labels]


def _is_cell(cell: object) -> bool:
    """Whether a cell of a joint distribution is written as survey files write it."""
    if not isinstance(cell, dict) or set(cell) != {"options", "probability"}:
        return False
    options = cell["options"]
    return isinstance(options, list) and all(type(option) in (str, int) for option in options)
