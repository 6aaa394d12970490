"""The privacy statement of a design: what a report gives away about the person behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from math import inf, prod

import pyarrow as pa

from confide.crowd import Crowd
from confide.crowd.arrow_rows import ArrowRows, write_html_table
from confide.design import Design
from confide.errors import QueryError
from confide.extras import Altair
from confide.files import Json
from confide.privacy.cross_fitting import TriedGuess, try_adversaries
from confide.privacy.exposure import Exposure, measure_exposure
from confide.privacy.group_privacy import GroupPrivacy
from confide.privacy.known_crowd import CrowdKnowledge, KnownCrowd, read_known_crowd
from confide.privacy.mined_rules import MinedRule, measure_recovery, read_rules
from confide.privacy.question_privacy import QuestionPrivacy


def of(
    design: Design, crowd: CrowdKnowledge = None, rules: Sequence[MinedRule] = ()
) -> PrivacyStatement:
    """Say what a report under this design gives away.

    Parameters
    ----------
    design : Design
        What is asked and how it is disguised.
    crowd : Crowd, mapping or array, optional
        What an adversary knows about the population:

        - a `Crowd` of reports over the same questions, under this design or another;
        - shares by question, answers independent: ``{"cheated": 0.1, "drugs": 0.05}``;
        - a joint distribution: ``{("yes", "no"): 0.1, …}``, or an array with one axis per question.

        Left out, nothing: all answers equally likely and independent. Who knows the crowd can do
        more with a report; where answers are very uneven, a guess without any report is better.
    rules : sequence of Rule, optional
        Mined rules that an adversary knows too, such as ``DisguisedRules(design).fit(…).rules_``:
        `entries` and `least_entry` then are the paper's PSE and PSE(Min) after mining.

    Returns
    -------
    PrivacyStatement

    Examples
    --------
    >>> import confide as cf
    >>> design = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion(0.75))])
    >>> p = cf.privacy.of(design, crowd={"cheated": 0.1})
    >>> round(p.epsilon, 4)
    1.0986
    >>> print(p.sentences()[0])
    Of 100 people whose report says yes to cheated, 25 truly answer yes, and of 100 whose report
    says no, 3 (in the crowd 10 of 100 do).
    """
    if not isinstance(design, Design):
        raise QueryError(f"privacy.of takes a Design. Got {type(design).__name__}.")
    reports = crowd if isinstance(crowd, Crowd) else None
    return PrivacyStatement(design, read_known_crowd(design, crowd), reports, read_rules(rules))


@dataclass(frozen=True, eq=False)
class PrivacyStatement(ArrowRows):
    """What a report gives away: the worst case, the expected case, and what is certain.

    Parameters
    ----------
    design : Design
        The design.
    population : KnownCrowd
        The crowd as an adversary knows it.
    reports : Crowd, optional
        The reports that adversaries have, where it was estimated from reports.
    rules : tuple of Rule
        Mined rules that adversaries know.
    """

    design: Design
    population: KnownCrowd
    reports: Crowd | None = None
    rules: tuple[MinedRule, ...] = ()

    columns = (
        "question",
        "disguised by",
        ">epsilon",
        ">guessed without a report",
        ">from its report",
        ">from the whole report",
    )
    """The names of the columns of `rows`; those of numbers start with “>”."""

    @cached_property
    def groups(self) -> tuple[GroupPrivacy, ...]:
        """The groups, in the design's order."""
        return tuple(GroupPrivacy(block) for block in self.design.blocks if block.mechanism)

    @cached_property
    def questions(self) -> tuple[QuestionPrivacy, ...]:
        """The questions, in the design's order."""
        return tuple(self.question(name) for name in self.design.names)

    def question(self, name: str) -> QuestionPrivacy:
        """What a report gives away about one question."""
        block = self.design.block(name)
        return QuestionPrivacy(block, block.positions.index(self.design.position(name)))

    def epsilon_of(self, name: str) -> float:
        """The worst-case loss about one answer.

        The reports of a number that may be missing and of the question that tells so speak of each
        other: their losses add up, to no less than what both reports lose.
        """
        pairs = self.design.declines | {told: each for each, told in self.design.declines.items()}
        return sum(self.question(each).epsilon for each in (name, pairs.get(name)) if each)

    @property
    def clear(self) -> tuple[str, ...]:
        """The questions asked in the clear: their answers are known."""
        return tuple(question.name for question in self.questions if question.clear)

    @property
    def epsilon(self) -> float:
        """The worst-case loss of a person: the sum over the groups.

        It speaks of the disguised answers. Those asked in the clear are known, and where nothing
        is disguised ε is infinite.
        """
        return sum(group.epsilon for group in self.groups) if self.groups else inf

    @property
    def truth(self) -> float | None:
        """The probability that every group is reported as it is: Π θ (`multi-group`, 1.2).

        The paper's probability of guessing all answers; None where a group has no coin. An
        adversary who knows the crowd does better: see `exposure`.
        """
        truths = [group.truth for group in self.groups]
        known = [truth for truth in truths if truth is not None]
        return prod(known) if known and len(known) == len(truths) else None

    @cached_property
    def recovery(self) -> Mapping[str, float]:
        """REC of `surveys` section 4.2: what the mined rules recover of each question's entries.

        See `recovery_unknown` for what it can and cannot tell; it may exceed 1.
        """
        return measure_recovery(self.design, self.population, self.rules)

    @property
    def entries(self) -> Mapping[str, float]:
        """PSE = PSE(PRE) − REC of each disguised question (`surveys`, section 4).

        How often a guess about one entry is wrong, less what the mined rules recover; without
        rules, PSE(PRE). It ranks designs, and may be negative.
        """
        found: dict[str, float] = {}
        for group in self.groups:
            margins = {name: self.population.margin(name) for name in group.names}
            found |= group.entries(margins, self.recovery)
        return found

    @property
    def least_entry(self) -> float:
        """PSE(Min) of `surveys` section 4: the least of `entries`; 0 where nothing is disguised."""
        return min(self.entries.values(), default=0.0)

    @cached_property
    def exposure(self) -> Exposure:
        """What whole reports give away to an adversary who knows the crowd."""
        return measure_exposure(self.design, self.population)

    @cached_property
    def tried(self) -> Mapping[str, Sequence[TriedGuess]]:
        """How often adversaries who have the reports are right, by question.

        Each is judged on reports that it has not learned from. Another adversary may do better: the
        best of them is a lower bound. Nothing is tried without reports, nor where several questions
        share a draw.
        """
        if self.reports is None:
            return {}
        return try_adversaries(self.design, self.reports, self.questions)

    def guess_from_report(self, name: str) -> float:
        """How often the best adversary that was tried guesses an answer from the whole report."""
        tried = [each.right for each in self.tried.get(name, ())]
        return max(self.exposure.answers[name].mean, *tried, 0.0)

    def guess_without_report(self, name: str) -> float:
        """How often the best guess is right where only the answers in the clear are known."""
        tried = [each.without_report or 0.0 for each in self.tried.get(name, ())]
        return max(self.exposure.guess_without_report(name), *tried, 0.0)

    def sentences(self) -> list[str]:
        """The statement for people, the most important first."""
        from confide.privacy.sentences import write_sentences

        return write_sentences(self)

    def to_dict(self) -> Json:
        """The statement for programs: plain values, infinity as the word "infinite"."""
        from confide.privacy.statement_json import statement_to_dict

        return statement_to_dict(self)

    def rows(self) -> list[tuple[str, ...]]:
        """The statement as a table with one row per question, under `columns`."""
        from confide.privacy.statement_json import statement_to_rows

        return statement_to_rows(self)

    def to_arrow(self) -> pa.Table:
        """The statement as numbers, one row per question: epsilon, and how often the best guess of
        its answer is right without a report, from its own report and from the whole one."""
        return pa.Table.from_pylist(
            [
                {
                    "question": question.name,
                    "epsilon": self.epsilon_of(question.name),
                    "guess_without_report": self.guess_without_report(question.name),
                    "guess_from_its_report": question.guess(self.population.margin(question.name)),
                    "guess_from_whole_report": self.guess_from_report(question.name),
                }
                for question in self.questions
            ]
        )

    def plot(self) -> Altair:
        """How often an adversary guesses each answer right, without and with reports (Altair)."""
        from confide.privacy.guess_chart import draw_guesses

        return draw_guesses(self)

    def __repr__(self) -> str:
        return "\n".join(self.sentences())

    def _repr_html_(self) -> str:
        """The statement as notebooks show it: the table, and below it the sentences."""
        names = [name.removeprefix(">") for name in self.columns]
        sentences = "".join(f"<li>{escape(said)}</li>" for said in self.sentences())
        return f"{write_html_table(names, self.rows())}<ul>{sentences}</ul>"
