"""What mechanisms for one yes-no question share: two chances of the report yes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from math import inf, log

import numpy as np

from confide.errors import DesignError
from confide.mechanisms.asked import Asked
from confide.mechanisms.channel import Channel
from confide.mechanisms.mechanism import FiniteMechanism
from confide.mechanisms.mixture import Mixture


class YesNoMechanism(FiniteMechanism):
    """A mechanism for one yes-no question, which says how often yes is reported, and by whom."""

    @property
    @abstractmethod
    def chances(self) -> tuple[Fraction, Fraction]:
        """The probability that yes is reported if the truth is no, and if it is yes."""

    def _refuse_nothing(self, parameters: str) -> None:
        """Refuse chances that are the same for yes and for no."""
        if self.chances[0] == self.chances[1]:
            raise DesignError(
                f"{parameters} of {self.name} would make yes as likely a report for those whose "
                "answer is no: a report says nothing."
            )

    @classmethod
    def has_no_epsilon(cls, epsilon: float) -> DesignError:
        """The error that no epsilon can be asked of a mechanism with a certain report."""
        return DesignError(
            f"{cls.__name__} has no finite epsilon: who reports no has certainly answered no. "
            f"Use Crosswise.for_epsilon({epsilon:g}) or RelatedQuestion.for_epsilon({epsilon:g})."
        )

    def check(self, asked: Sequence[Asked]) -> None:
        self.check_kinds(asked, most=1)
        if asked[0].size != 2:
            raise DesignError(
                f"{self.name} disguises a question with two options; {asked[0].name!r} has "
                f"{asked[0].size}. Use RandomizedChoice for it."
            )

    def channel(self, asked: Sequence[Asked]) -> Channel:  # noqa: ARG002
        no, yes = self.chances
        return Channel.of([Fraction(1)], [[[[1 - no, 1 - yes], [no, yes]]]])

    def inverse(
        self,
        asked: Sequence[Asked],  # noqa: ARG002
        keep: Sequence[int] | None = None,
    ) -> Mixture:
        no, yes = self.chances
        undone = np.array([[yes, yes - 1], [-no, 1 - no]], dtype=float) / float(yes - no)
        return Mixture.of([(1.0, [undone])]).marginal([0] if keep is None else keep)

    def epsilon(self, asked: Sequence[Asked]) -> float:  # noqa: ARG002
        no, yes = self.chances
        if {no, yes} & {Fraction(0), Fraction(1)}:
            return inf
        return max(abs(log(yes / no)), abs(log((1 - yes) / (1 - no))))
