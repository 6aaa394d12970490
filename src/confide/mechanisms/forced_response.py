"""Forced response: now and then the device dictates the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from confide.files import Json
from confide.mechanisms.cover import GivenCover
from confide.mechanisms.probability import TRUTH_KEY, Probability
from confide.mechanisms.unrelated_question import UnrelatedQuestion


@dataclass(frozen=True, init=False, repr=False)
class ForcedResponse(UnrelatedQuestion):
    """With probability ``truth`` the group is reported as it is, otherwise as chance dictates.

    It is `UnrelatedQuestion` with the dictated answers in place of the personal ones.

    Parameters
    ----------
    truth : probability
        The papers' θ.
    forced : mapping
        The distribution of the dictated answers, as `UnrelatedQuestion` takes its personal ones.

    Notes
    -----
    *Privacy.* ε = ln(1 + θ/((1 − θ)·min p_F)), with min p_F the probability of the rarest
    dictated answer of the whole group.

    *Utility.* A proportion p from n reports has variance p*(1 − p*)/(nθ²), where
    p* = θp + (1 − θ)p_F.

    Examples
    --------
    >>> from math import log
    >>> from confide import YesNo
    >>> dice = ForcedResponse("2/3", forced={"cheated": {"yes": "1/2", "no": "1/2"}})
    >>> abs(dice.epsilon([YesNo("cheated")]) - log(5)) < 1e-12
    True
    """

    kind: ClassVar[str] = "forced-response"
    summary: ClassVar[str] = (
        "With probability truth all answers of the group are reported as they are, "
        "otherwise chance dictates the report."
    )
    needed_keys: ClassVar[Json] = {"truth": TRUTH_KEY, "forced": {"$ref": "#/$defs/cover"}}
    source: ClassVar[str] = "forced"

    def __init__(self, truth: Probability, forced: GivenCover) -> None:
        super().__init__(truth, forced)

    @classmethod
    def for_epsilon(cls, epsilon: float, forced: GivenCover) -> Self:
        """The mechanism whose report of the whole group gives away at most epsilon.

        Parameters
        ----------
        epsilon : float
            The worst-case privacy loss.
        forced : mapping
            As above. It must name every option of the questions: one that is never dictated is
            reported only by those whose answer it is, and no truth makes that loss finite.
        """
        return super().for_epsilon(epsilon, forced)

    @property
    def forced(self) -> GivenCover:
        """The distribution of the dictated answers."""
        return self.personal
