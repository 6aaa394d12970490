"""What a report gives away about the answers of one group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from confide.arrays import Array
from confide.design import Block
from confide.errors import QueryError
from confide.mechanisms import Mechanism
from confide.privacy.certainties import describe_certainties
from confide.privacy.prior import Prior, read_prior
from confide.privacy.question import QuestionPrivacy


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
    >>> group.epsilon
    inf
    >>> print(group.certainties[0])
    A report tells for certain whether the answers to cheated and drugs are equal.
    >>> group.guess_knowing("drugs")
    {'cheated': 1.0}
    """

    block: Block

    @property
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
        return self.mechanism.epsilon(self.block.questions)

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
        guesses = {}
        for other, name in enumerate(self.names):
            if other != place:
                joint = (
                    self.block.mixture.marginal([place, other])
                    .matrix()
                    .T.reshape(len(before[place]), len(before[other]), -1)
                )
                # answers to the known and the other question, then both reports
                joint = joint * before[place][:, None, None] * before[other][None, :, None]
                guesses[name] = float(joint.max(axis=1).sum())
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
        priors = dict(given or {})
        found = [
            read_prior(question, priors.pop(question.name, None))
            for question in self.block.questions
        ]
        if priors:
            raise self._not_in_group(next(iter(priors)))
        return found

    def _not_in_group(self, name: str) -> QueryError:
        names = ", ".join(self.names)
        return QueryError(f"{name!r} is not in this group. Its questions are {names}.")
