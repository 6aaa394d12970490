"""What a report gives away about the answers of one group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from confide.arrays import Array
from confide.design import Block
from confide.design.shares import Prior, read_prior
from confide.errors import QueryError
from confide.mechanisms import Mechanism
from confide.mechanisms.mixture import Mixture
from confide.privacy.certainties import describe_certainties
from confide.privacy.question_privacy import QuestionPrivacy


@dataclass(frozen=True)
class Telling:
    """What a known answer helps to guess another answer of its group.

    Parameters
    ----------
    known : str
        The question whose true answer is known.
    other : str
        The question whose answer is guessed from both reports.
    right : float
        How often that guess is right.
    without : float
        How often it is right where the known answer is not known.
    """

    known: str
    other: str
    right: float
    without: float


@dataclass(frozen=True, eq=False)
class GroupPrivacy:
    """What a report gives away about the answers that one draw disguises together.

    Parameters
    ----------
    block : Block
        The group bound to its questions.

    Examples
    --------
    >>> import confide as cf
    >>> design = cf.Design(
    ...     [cf.YesNo("cheated"), cf.YesNo("drugs")],
    ...     [cf.Group(["cheated", "drugs"], cf.RelatedQuestion("3/4"))],
    ... )
    >>> group = cf.privacy.of(design).groups[0]
    >>> group
    GroupPrivacy(cheated, drugs, epsilon = inf)
    >>> group.epsilon
    inf
    >>> print(group.certainties[0])
    A report tells for certain whether the answers to cheated and drugs are equal.
    >>> group.guess_knowing("drugs")
    {'cheated': 1.0}
    """

    block: Block

    def __repr__(self) -> str:
        return f"GroupPrivacy({', '.join(self.names)}, epsilon = {self.epsilon:.3g})"

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The group's questions."""
        return tuple(question.name for question in self.block.questions)

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism that disguises them."""
        assert self.block.mechanism is not None
        return self.block.mechanism

    @property
    def epsilon(self) -> float:
        """The worst-case loss: no report is more than e^ε times likelier under other answers."""
        return self.block.epsilon

    @property
    def truth(self) -> float | None:
        """θ: the probability that the group is reported as it is; None without a coin.

        `multi-group`, section 1.2, gives it as the probability of guessing the group's answers.
        An adversary who knows the crowd can do far better: see `PrivacyStatement.exposure`.
        """
        coin = self.mechanism.coin
        return None if coin is None else float(coin)

    @cached_property
    def certainties(self) -> tuple[str, ...]:
        """What a report tells for certain, in words; empty where ε is finite."""
        return describe_certainties(self.block)

    @cached_property
    def questions(self) -> tuple[QuestionPrivacy, ...]:
        """The group's questions, one by one."""
        return tuple(QuestionPrivacy(self.block, i) for i in range(len(self.names)))

    def guess_knowing(
        self, known: str, priors: Mapping[str, Prior] | None = None
    ) -> dict[str, float]:
        """How well each other answer of the group is guessed by someone who knows one of them.

        The one-group weakness of `multi-group`, section 1.2: the known answer, beside its report,
        tells about the coin, and the coin about all the rest. Compare `QuestionPrivacy.guess`, the
        same without the known answer.

        Parameters
        ----------
        known : str
            The question whose true answer is known.
        priors : mapping, optional
            What was believed about each answer before, as if answers were independent; left out,
            all are equally likely.
        """
        if known not in self.names:
            raise self._not_in_group(known)
        place, before = self.names.index(known), self._read_priors(priors)
        told = _tell_branch(self.block.mixture, place, before[place])
        guesses = dict(zip(self.names, self._guess_told(told, before).tolist(), strict=True))
        return {name: guess for name, guess in guesses.items() if name != known}

    def find_most_telling(self, priors: Mapping[str, Prior] | None = None) -> Telling:
        """Find the answer that, once known, helps the most to guess another answer of the group.

        Parameters
        ----------
        priors : mapping, optional
            What was believed about each answer before, as in `guess_knowing`.
        """
        before = self._read_priors(priors)
        alone = np.array([q.guess(prior) for q, prior in zip(self.questions, before, strict=True)])
        guesses: dict[bytes, Array] = {}  # of questions that tell the same, once
        found = []
        for place, known in enumerate(self.names):
            told = _tell_branch(self.block.mixture, place, before[place])
            if told.tobytes() not in guesses:
                guesses[told.tobytes()] = self._guess_told(told, before)
            after = guesses[told.tobytes()]
            gains = (after - alone).round(12)  # so that rounding does not choose among equals
            gains[place] = -np.inf
            names = [self.names[other] for other in np.flatnonzero(gains == gains.max())]
            other = self.names.index(max(names))
            found.append((gains.max(), known, self.names[other], after[other], alone[other]))
        _, known, name, right, without = max(found)
        return Telling(known, name, float(right), float(without))

    def _guess_told(self, told: Array, before: Sequence[Array]) -> Array:
        """How well each answer is guessed from its report and what is told about the branch."""
        factors = self.block.mixture.factors
        alike: dict[tuple[int, ...], list[int]] = {}  # questions of one shape are looked at at once
        for place, factor in enumerate(factors):
            alike.setdefault(factor.shape, []).append(place)
        guesses = np.empty(len(factors))
        for places in alike.values():
            reports = np.stack([factors[place] * before[place] for place in places])
            # question q; what is told, t; branch b; report r; answer a
            guesses[places] = np.einsum("tb,qbra->qtra", told, reports).max(axis=3).sum(axis=(1, 2))
        return guesses

    def least_entry(
        self,
        priors: Mapping[str, Prior] | None = None,
        recovery: Mapping[str, float] | None = None,
    ) -> float:
        """PSE(Min) of `surveys` section 4: the least PSE = PSE(PRE) − REC of the group's entries.

        Parameters
        ----------
        priors : mapping, optional
            What was believed about each answer before; left out, all are equally likely.
        recovery : mapping, optional
            The largest REC of each question, from `recovery_known` or `recovery_unknown`; left
            out, 0: before mining.
        """
        return min(self.entries(priors, recovery).values())

    def entries(
        self,
        priors: Mapping[str, Prior] | None = None,
        recovery: Mapping[str, float] | None = None,
    ) -> dict[str, float]:
        """PSE = PSE(PRE) − REC of each question; see `least_entry` for the parameters."""
        return {
            question.name: question.single_entry(prior) - (recovery or {}).get(question.name, 0.0)
            for question, prior in zip(self.questions, self._read_priors(priors), strict=True)
        }

    def _read_priors(self, given: Mapping[str, Prior] | None) -> list[Array]:
        """Read each question's prior; a name that is not in the group is refused."""
        if not given:
            return self._equal_priors
        priors = dict(given)
        found = [
            read_prior(question, priors.pop(question.name, None))
            for question in self.block.questions
        ]
        if priors:
            raise self._not_in_group(next(iter(priors)))
        return found

    @cached_property
    def _equal_priors(self) -> list[Array]:
        return [read_prior(question, None) for question in self.block.questions]

    def _not_in_group(self, name: str) -> QueryError:
        names = ", ".join(self.names)
        return QueryError(f"{name!r} is not in this group. Its questions are {names}.")


def _tell_branch(mixture: Mixture, place: int, prior: Array) -> Array:
    """P(branch, an answer to one question, its report): (answers and reports, branches).

    Answers and reports between which the odds of the branches are the same tell the same and are
    added up. Few rows are left, however many options there are.
    """
    joint = (mixture.weights[:, None, None] * mixture.factors[place] * prior).reshape(
        len(mixture.weights), -1
    )
    joint = joint[:, joint.any(axis=0)]
    _, same = np.unique((joint / joint.sum(axis=0)).round(12), axis=1, return_inverse=True)
    told = np.zeros((same.max() + 1, len(joint)))
    np.add.at(told, same.ravel(), joint.T)
    return told
