"""The same survey disguised in other ways: other truths, other groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from confide.design import Design, Finite, Group
from confide.errors import DesignError
from confide.mechanisms import Mechanism
from confide.mechanisms.probability import Probability

DIRECT = "direct"
AS_DESIGNED = "as designed"
ONE_GROUP = "one group"
EACH_ALONE = "each alone"


@dataclass(frozen=True)
class Variant:
    """One way to disguise the survey.

    Parameters
    ----------
    grouping : str
        "direct" (nothing is disguised), "as designed", "one group" or "each alone".
    truth : Fraction or None
        The truth of all groups; None where they differ or have no such number.
    own : bool
        Whether it is the design as it was given.
    design : Design
        The design itself.
    searched : bool
        Whether a search has found it.
    """

    grouping: str
    truth: Fraction | None
    own: bool
    design: Design
    searched: bool = False


def list_variants(design: Design, truths: Iterable[Probability]) -> list[Variant]:
    """List every grouping at the design's own truth and at each of the given ones, each once.

    Questions asked in the clear stay so, noise on numbers stays as it is, and a grouping that a
    mechanism does not allow is left out.
    """
    found = [Variant(DIRECT, Fraction(1), not design.groups, replace(design, groups=()))]
    for base in [design, *(with_truth(design, truth) for truth in truths)]:
        for grouping, groups in regroup(base):
            if not any(disguise_alike(groups, known.design.groups) for known in found):
                own = groups is design.groups
                regrouped = replace(design, groups=groups)
                found.append(Variant(grouping, common_truth(groups), own, regrouped))
    order = (DIRECT, AS_DESIGNED, ONE_GROUP, EACH_ALONE)
    return sorted(found, key=lambda v: (order.index(v.grouping), v.truth or 0))


def disguise_alike(some: Sequence[Group], others: Sequence[Group]) -> bool:
    """Whether two lists of groups disguise alike; their order does not matter."""
    return {g.questions: g.mechanism for g in some} == {g.questions: g.mechanism for g in others}


def with_truth(design: Design, truth: Probability) -> Design:
    """The design with another truth in all its groups that have one."""
    groups = [Group(g.questions, g.mechanism.with_truth(truth)) for g in design.groups]
    return replace(design, groups=groups)


def common_truth(groups: Iterable[Group]) -> Fraction | None:
    """The truth that these groups share; None where they differ or have no such number."""
    found = {group.mechanism.coin for group in groups} - {None}
    return found.pop() if len(found) == 1 else None


def regroup(design: Design) -> Iterator[tuple[str, Sequence[Group]]]:
    """The groups as they are, all in one where that is possible, and each question alone."""
    yield AS_DESIGNED, design.groups
    told = set(design.declines.values())  # each of which is alone
    finite = [g for g in design.groups if g.mechanism.invertible and not told & {*g.questions}]
    others = [group for group in design.groups if group not in finite]
    if together := _join_groups(design, finite):
        yield ONE_GROUP, [together, *others]
    alone = [
        Group([name], mechanism)
        for group in finite
        for name, mechanism in zip(
            group.questions,
            group.mechanism.separate(_finite_questions(design, group.questions)),
            strict=True,
        )
    ]
    yield EACH_ALONE, [*alone, *others]


def _join_groups(design: Design, groups: Sequence[Group]) -> Group | None:
    """All of them as one group, if their mechanisms allow it."""
    if not groups:
        return None
    joint: Mechanism | None = groups[0].mechanism
    for group in groups[1:]:
        joint = joint and joint.join(group.mechanism)
    names = [name for group in groups for name in group.questions]
    return (
        Group(names, joint) if joint and _allows(joint, _finite_questions(design, names)) else None
    )


def _allows(mechanism: Mechanism, asked: Sequence[Finite]) -> bool:
    """Whether a mechanism can disguise these questions together."""
    try:
        mechanism.check(asked)
    except DesignError:
        return False
    return True


def _finite_questions(design: Design, names: Iterable[str]) -> list[Finite]:
    """The questions of a group whose mechanism takes only yes-no and choice questions."""
    return [q for q in map(design.question, names) if isinstance(q, Finite)]
