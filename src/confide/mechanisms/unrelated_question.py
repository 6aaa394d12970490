"""The unrelated-question model: the private answer or the personal one (`surveys`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, log
from typing import ClassVar, Self

import numpy as np

from confide.errors import DesignError
from confide.files import Json
from confide.mechanisms.asked import Asked
from confide.mechanisms.channel import Channel, identity
from confide.mechanisms.cover import Cover, GivenCover
from confide.mechanisms.cover_reading import read_cells, read_cover
from confide.mechanisms.mechanism import FiniteMechanism, Mechanism
from confide.mechanisms.mixture import Mixture
from confide.mechanisms.probability import (
    TRUTH_KEY,
    TRUTH_STEPS,
    Probability,
    common_denominator,
    ratio_for_epsilon,
    read_probability,
    round_down,
    write_probability,
)

_LARGEST_FLOAT = 1e300


@dataclass(frozen=True, repr=False)
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
    personal: GivenCover = field(hash=False)
    _cover: Cover = field(init=False, repr=False, compare=False)
    """The personal answers, as they are drawn and counted."""
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
        cover = read_cover(self.personal, self.source, self.name, self.coin)
        object.__setattr__(self, "_cover", cover)
        object.__setattr__(self, "personal", cover.given)

    @classmethod
    def for_epsilon(cls, epsilon: float, personal: GivenCover) -> Self:
        """The mechanism whose report of the whole group gives away at most epsilon.

        Parameters
        ----------
        epsilon : float
            The worst-case privacy loss.
        personal : mapping
            As above. It must name every option of the questions: one that is never a cover is
            reported only by those whose answer it is, and no truth makes that loss finite.

        Examples
        --------
        >>> from confide import YesNo
        >>> personal = {"cheated": {"yes": "1/4", "no": "3/4"}}
        >>> made = UnrelatedQuestion.for_epsilon(1.0, personal)
        >>> round(made.epsilon([YesNo("cheated")]), 3)
        1.0
        """
        cover = read_cover(personal, cls.source, cls.__name__, Fraction(1, TRUTH_STEPS))
        rarest = cover.find_rarest_named()
        if rarest == 0:
            raise DesignError(
                f"{cls.source} of {cls.__name__} must give every option a probability above 0: "
                "a report that is never a cover is true for certain, and epsilon is infinite."
            )
        loss = rarest * (ratio_for_epsilon(epsilon) - 1)
        return cls(round_down(loss / (1 + loss)), cover.given)

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

    def narrow(self, asked: Sequence[Asked], keep: Sequence[int]) -> Self:
        return type(self)(self.truth, self._cover.narrow(asked, keep))

    def separate(self, asked: Sequence[Asked]) -> list[Self]:
        return [
            type(self)(self.truth, {question.name: self._cover.find_margin(place, question)})
            for place, question in enumerate(asked)
        ]

    @property
    def joint(self) -> bool:
        """Whether one joint distribution covers the whole group."""
        return self._cover.joint

    def for_questions(self, asked: Sequence[Asked]) -> Self:
        spelled = self._cover.spell(asked).given
        return self if spelled == self.personal else type(self)(self.truth, spelled)

    def check(self, asked: Sequence[Asked]) -> None:
        self.check_kinds(asked)
        self._cover.check(asked)
        if self.joint or len(asked) == 1:  # else a draw of its own decides for the truth
            covered = [(1 - self.coin) * p for p in self._cover.list_probabilities()]
            common_denominator([self.coin, *covered], f"truth and {self._cover.what}")

    def parameters(self) -> Json:
        return {"truth": write_probability(self.coin), self.source: self._cover.write()}

    @classmethod
    def from_parameters(cls, parameters: Json) -> Self:
        cells = parameters.get(cls.source)
        if not isinstance(cells, list):
            return cls(**parameters)
        return cls(**{**parameters, cls.source: read_cells(cells, cls.source)})

    def channel(self, asked: Sequence[Asked]) -> Channel:
        truth = (self.coin, [identity(question.size) for question in asked])
        covers = [
            ((1 - self.coin) * weight, [[[p] * len(each) for p in each] for each in distributions])
            for weight, distributions in self._cover.list_branches(asked)
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
            for weight, distributions in self._cover.list_branches(asked)
        ]
        return Mixture.of([truth, *covers]).marginal(range(len(asked)) if keep is None else keep)

    def epsilon(self, asked: Sequence[Asked]) -> float:
        rarest = (1 - self.coin) * self._cover.find_rarest(asked)
        if rarest == 0:
            return inf
        ratio = 1 + self.coin / rarest
        if ratio < _LARGEST_FLOAT:
            return log(ratio)
        return log(ratio.numerator) - log(ratio.denominator)  # of whole numbers of any size
