"""What a plan is for: a share, the difference of two, a mean or a coefficient."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction

from confide.design import Design
from confide.errors import QueryError
from confide.planning.assumed_shares import AssumedShares, Event, encode_event, require_finite
from confide.planning.expectation import Expectation
from confide.planning.expected_coefficient import expect_coefficient
from confide.planning.expected_mean import expect_mean
from confide.planning.expected_share import expect_difference, expect_share
from confide.planning.variants import Variant, common_truth


class Target(ABC):
    """One thing that a survey is to tell."""

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The questions that it takes."""

    @property
    @abstractmethod
    def label(self) -> str:
        """What is estimated, in words."""

    @property
    @abstractmethod
    def assumed(self) -> str:
        """What is assumed about it, in words."""

    @property
    def share(self) -> float | None:
        """The assumed share; None for what is none."""
        return None

    @property
    def event(self) -> Event | None:
        """The answers about which a report may tell; None for a number."""
        return None

    @property
    def tested(self) -> bool:
        """Whether there is a null to be told from."""
        return True

    @abstractmethod
    def expect(self, design: Design) -> Expectation:
        """What to expect of its estimate, if answers are disguised like this."""

    def identify(self, variant: Variant) -> Hashable:
        """What a way to disguise must differ in to make a difference here."""
        return variant.grouping, self.truth(variant)

    def truth(self, variant: Variant) -> Fraction | None:
        """The truth of its own groups; where they have none, that of the others."""
        groups = [group for group in variant.design.groups if {*group.questions} & {*self.names}]
        if any(group.mechanism.coin is not None for group in groups):
            return common_truth(groups)
        return variant.truth


@dataclass(frozen=True, eq=False)
class ShareTarget(Target):
    """The share of an event, or how it differs between two groups of people.

    Parameters
    ----------
    design : Design
        The survey.
    answers : mapping
        The event.
    prevalence : AssumedShares
        What is assumed about the true answers.
    null : float
        The share that is to be ruled out.
    refusing : float
        The share of people who refuse.
    others : AssumedShares or None
        What is assumed about a second group of people, as large as the first.
    """

    design: Design
    answers: Event
    prevalence: AssumedShares
    null: float
    refusing: float
    others: AssumedShares | None

    def __post_init__(self) -> None:
        for prevalence in (self.prevalence, self.others):
            if prevalence is not None:
                self._find_share(prevalence)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.answers)

    @property
    def event(self) -> Event:
        return self.answers

    @property
    def label(self) -> str:
        codes = encode_event(self.design, self.answers)
        return " and ".join(
            f"{name} = {require_finite(self.design, name).labels[code]}"
            for name, code in codes.items()
        )

    @property
    def assumed(self) -> str:
        if self.others is None:
            return f"assumed share {self.share:.3g}"
        return (
            f"assumed shares {self.share:.3g} and {self._find_share(self.others):.3g} in two groups"
        )

    @property
    def share(self) -> float:
        return self._find_share(self.prevalence)

    def _find_share(self, prevalence: AssumedShares) -> float:
        """Find the assumed share of the event; one that is impossible or certain is refused."""
        codes = encode_event(self.design, self.answers)
        share = float(prevalence.table(list(codes))[tuple(codes.values())])
        if not 0 < share < 1:
            raise QueryError(
                f"{self.label} is assumed to have the share {share:g}; a plan needs one above 0 "
                "and below 1."
            )
        return share

    def expect(self, design: Design) -> Expectation:
        asked, refusing = (design, self.answers, self.prevalence), self.refusing
        if self.others is not None:
            return expect_difference(*asked, self.others, refusing=refusing)
        return expect_share(*asked, null=self.null, refusing=refusing)


@dataclass(frozen=True, eq=False)
class CoefficientTarget(Target):
    """A coefficient of a logistic regression, with the parameters of `expect_coefficient`."""

    outcome: str
    predictor: str
    odds_ratio: float
    prevalence: AssumedShares

    @property
    def names(self) -> tuple[str, ...]:
        return self.outcome, self.predictor

    @property
    def label(self) -> str:
        return f"{self.outcome} ~ {self.predictor}"

    @property
    def assumed(self) -> str:
        return f"assumed odds ratio {self.odds_ratio:g}"

    def expect(self, design: Design) -> Expectation:
        asked = design, self.outcome, self.predictor
        return expect_coefficient(*asked, self.odds_ratio, self.prevalence)


@dataclass(frozen=True, eq=False)
class MeanTarget(Target):
    """The mean of a number.

    Parameters
    ----------
    number, mean, deviation, null, missing
        As `expect_mean` takes them.
    teller : str, optional
        The question that tells whether the number is missing, where it may be.
    """

    number: str
    mean: float
    deviation: float
    null: float | None
    teller: str | None = None
    missing: float | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return (self.number,) if self.teller is None else (self.number, self.teller)

    @property
    def label(self) -> str:
        return f"mean of {self.number}"

    @property
    def assumed(self) -> str:
        null = "" if self.null is None else f", to be told from {self.null:g}"
        some = "" if self.missing is None else f" among the {1 - self.missing:.0%} who give it"
        return f"assumed {self.mean:g} with deviation {self.deviation:g}{some}{null}"

    @property
    def tested(self) -> bool:
        return self.null is not None

    def expect(self, design: Design) -> Expectation:
        means = {"null": self.null, "missing": self.missing}
        return expect_mean(design, self.number, self.mean, self.deviation, **means)

    def identify(self, variant: Variant) -> Hashable:
        return tuple(variant.design.block(name).mechanism for name in self.names)

    def truth(self, variant: Variant) -> Fraction | None:
        """That of the question that tells whether the number is missing; noise has none."""
        return None if self.teller is None else super().truth(variant)
