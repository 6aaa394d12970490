"""How sure of an answer someone can be who sees what was sent for it.

All of it is read off the exact channel, from where it is zero; nothing is rounded in our favour.
"""

from __future__ import annotations

from enum import Enum
from itertools import product
from math import inf, prod

from confide.mechanisms import Channel
from confide.surveys.field import Field

_MOST = 1 << 16  # more combinations of branches and reports than this are not looked at


class Certainty(Enum):
    """How sure someone can be of the answers to the questions of a block."""

    NEVER = "nobody can, whatever else they know"
    WITH_MORE = "nobody can from the report alone, but someone who knows more might"
    SOMETIMES = "some reports tell an answer for certain"
    RANGE = "the range that holds a number is certain, and nothing else"
    ALWAYS = "every report tells the answer"


UNDISGUISED = frozenset({Certainty.RANGE, Certainty.ALWAYS})
"""The certainties of questions whose answers chance does not hide."""


def find_certainty(field: Field) -> Certainty:
    """Find how sure someone can be of the answers to a question and those that share its draw.

    >>> import confide as cf
    >>> from confide.surveys.questionnaire import Questionnaire
    >>> group = cf.Group(["a"], cf.RelatedQuestion("3/4"))
    >>> form = Questionnaire(cf.Design([cf.YesNo("a")], [group]))
    >>> find_certainty(form.fields[0])
    <Certainty.NEVER: 'nobody can, whatever else they know'>
    """
    block, mechanism = field.block, field.block.mechanism
    if mechanism is None or not field.disguised:
        return Certainty.ALWAYS if field.edges is None else Certainty.RANGE
    if not field.finite:
        # the outermost number that bounded noise sends tells which was answered; without bounds
        # every number that is sent can come from every number that was answered
        return Certainty.SOMETIMES if mechanism.bounded else Certainty.NEVER
    if mechanism.epsilon(block.questions) < inf:
        return Certainty.NEVER
    told = _find_told_alone(block.channel)
    if all(all(reports) for reports in told):
        return Certainty.ALWAYS
    if any(any(reports) for reports in told) or _is_told_together(block.channel):
        return Certainty.SOMETIMES
    return Certainty.WITH_MORE


_PossibleAnswers = list[list[list[frozenset[int]]]]


def _find_possible_answers(channel: Channel) -> _PossibleAnswers:
    """Find the answers that a report can come from, by branch, question and report."""
    return [
        [
            [frozenset(t for t, chance in enumerate(row) if chance) for row in matrix]
            for matrix in branch
        ]
        for branch in channel.branches
    ]


def _find_told_alone(channel: Channel) -> list[list[bool]]:
    """Find for every question which of its possible reports tell the answer by themselves."""
    branches = _find_possible_answers(channel)
    told = []
    for question in zip(*branches, strict=True):
        unions = [frozenset().union(*report) for report in zip(*question, strict=True)]
        told.append([len(answers) == 1 for answers in unions if answers])
    return told


def _is_told_together(channel: Channel) -> bool:
    """Whether what is sent for a whole group can tell an answer that no report tells alone.

    It can only where some branch never sends some report: whoever sees that report knows that it
    was another branch. Too many combinations to look at count as if one of them did.
    """
    branches = _find_possible_answers(channel)
    if all(answers for branch in branches for question in branch for answers in question):
        return False
    sizes = [len(question) for question in branches[0]]
    if len(branches) * prod(sizes) > _MOST:
        return True
    for reports in product(*map(range, sizes)):
        sets = [[q[r] for q, r in zip(branch, reports, strict=True)] for branch in branches]
        able = [each for each in sets if all(each)]
        if able and any(len(frozenset().union(*q)) == 1 for q in zip(*able, strict=True)):
            return True
    return False
