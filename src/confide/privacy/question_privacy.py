"""What a report gives away about one answer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import exp, inf

import numpy as np

from confide.arrays import Array
from confide.design import Block
from confide.design.questions import Question
from confide.design.shares import Prior, read_prior
from confide.errors import QueryError
from confide.privacy.paper_measures import wrong_guess

_LARGEST_EXPONENT = 700  # e^710 is too large for a floating-point number


@dataclass(frozen=True, eq=False)
class Posterior:
    """What is believed about one answer once its report is known.

    Parameters
    ----------
    question : Question
        The question.
    joint : array of shape (reports, answers)
        The probability of each report together with each answer.
    """

    question: Question
    joint: Array

    @property
    def table(self) -> Array:
        """The probability of each answer after each report: ``table[report, answer]``.

        The row of a report that cannot come in is not a number.
        """
        reports = self.joint.sum(axis=1, keepdims=True)
        return np.divide(
            self.joint, reports, out=np.full_like(self.joint, np.nan), where=reports > 0
        )

    def after(self, report: object) -> dict[str, float]:
        """The probability of each option once this one is reported."""
        if len(self.joint) != self.question.size:
            raise QueryError(
                f"reports of {self.question.name} are none of its answers. Use table for them."
            )
        row = self.table[self.question.code(report)]
        return dict(zip(self.question.labels, row.tolist(), strict=True))

    @property
    def guess(self) -> float:
        """The probability that the likeliest answer after the report is the true one."""
        return float(self.joint.max(axis=1).sum())


@dataclass(frozen=True, eq=False)
class QuestionPrivacy:
    """What a report gives away about the answer to one question.

    Parameters
    ----------
    block : Block
        The question's group, or the question alone if it is asked in the clear.
    place : int
        Its place in the block.

    Examples
    --------
    >>> import confide as cf
    >>> design = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion(0.75))])
    >>> cheated = cf.privacy.of(design).question("cheated")
    >>> cheated
    QuestionPrivacy(cheated, epsilon = 1.1)
    >>> round(cheated.odds_ratio, 9)
    3.0
    >>> round(cheated.posterior(0.1).after("yes")["yes"], 9)
    0.25
    >>> cheated.guess()
    0.75
    """

    block: Block
    place: int

    def __repr__(self) -> str:
        return f"QuestionPrivacy({self.name}, epsilon = {self.epsilon:.3g})"

    @property
    def question(self) -> Question:
        """The question itself."""
        return self.block.questions[self.place]

    @property
    def reported(self) -> Question:
        """What is reported of it: the question itself, unless a report has other values."""
        return self.block.reported[self.place] if self.block.finite else self.question

    @property
    def name(self) -> str:
        """The question's name."""
        return self.question.name

    @property
    def clear(self) -> bool:
        """Whether it is asked in the clear: the report is the answer."""
        return self.block.mechanism is None

    @property
    def epsilon(self) -> float:
        """The worst-case loss from the whole report: that of the question's group."""
        return self.block.epsilon

    @cached_property
    def epsilon_alone(self) -> float:
        """The worst-case loss if nobody ever saw the other reports of the group."""
        if len(self.block.questions) == 1:
            return self.epsilon
        return largest_log_ratio(self.matrix)

    @property
    def odds_ratio(self) -> float:
        """The largest factor by which a report can move the odds between two answers: e^ε."""
        return odds_ratio(self.epsilon)

    @cached_property
    def matrix(self) -> Array:
        """The probability of each report given each answer: ``matrix[report, answer]``."""
        return self.block.mixture.marginal([self.place]).matrix()

    def posterior(self, prior: Prior = None) -> Posterior:
        """What is believed about the answer once its own report is known.

        Parameters
        ----------
        prior : float, mapping or array, optional
            What was believed before: the probability of yes, or the share of every option or
            interval. Left out, all are equally likely.
        """
        return Posterior(self.question, self.matrix * read_prior(self.question, prior))

    def guess(self, prior: Prior = None) -> float:
        """The probability that the best guess from the question's own report is right."""
        return self.posterior(prior).guess

    def single_entry(self, prior: Prior = None) -> float:
        """PSE(PRE) of `surveys` section 4.1, for any mechanism and number of options.

        See `confide.privacy.single_entry` for what it can and cannot tell.
        """
        return wrong_guess(self.posterior(prior).joint)

    def width(self, confidence: float = 0.95) -> float:
        """How wide the interval is that holds the true number with the given confidence.

        Table 1 of `agrawal-srikant-2000`, in the question's unit. It looks at the noise alone: an
        adversary who knows the distribution of the numbers often knows more; see `entropy_width`.
        """
        mechanism = self.block.mechanism
        if mechanism is None or mechanism.invertible:
            raise QueryError(
                f"{self.name} is not a number under noise or intervals, so no width hides it."
            )
        if not 0 < confidence < 1:
            raise QueryError(f"confidence must be between 0 and 1. Got {confidence}.")
        return mechanism.width_of(self.block.number, confidence)

    def entropy_width(self, prior: Prior = None) -> float:
        """How wide an interval would leave the same doubt: 2^h(number | report).

        Conditional-entropy privacy. h(X | R) = −Σ P(x, r)·log₂(P(x | r)/width of x's interval): X
        is taken as uniform within each interval of its grid. Before the report the same formula
        gives 2^h(X); the ratio of the two is the share of the doubt that is left.

        Parameters
        ----------
        prior : array or mapping, optional
            The distribution of the number on its grid. Left out, all intervals are equally likely.
        """
        grid = self.question.grid
        if grid is None:
            raise QueryError(f"{self.name} is no number. Use posterior for its options.")
        if self.clear:
            return 0.0
        after = self.posterior(prior)
        density = after.table / np.diff(grid.array)
        seen = after.joint > 0
        return float(2 ** -(after.joint[seen] @ np.log2(density[seen])))


def odds_ratio(epsilon: float) -> float:
    """e^ε; infinite where a floating-point number cannot hold it."""
    return exp(epsilon) if epsilon < _LARGEST_EXPONENT else inf


def largest_log_ratio(matrix: Array) -> float:
    """The largest log-ratio of two entries of one row: ε of a channel from its definition."""
    rows = matrix[matrix.any(axis=1)]
    if not rows.all():
        return inf
    return float(np.log(rows.max(axis=1) / rows.min(axis=1)).max())
