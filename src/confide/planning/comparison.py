"""Which truth, which groups, how many people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import compress

from confide.design import Design, Finite, YesNo
from confide.errors import QueryError
from confide.mechanisms.probability import Probability
from confide.planning.assumed_shares import (
    AssumedShares,
    Event,
    Prevalence,
    encode_event,
    require_finite,
)
from confide.planning.disclosure import group_epsilon, measure_disclosure
from confide.planning.plan_table import Plan, Prospect
from confide.planning.precision import (
    NullTest,
    half_width,
    power,
    respondents_needed,
    standard_error,
)
from confide.planning.variants import Variant, common_truth, list_variants

TRUTHS = (0.6, 0.7, 0.8, 0.9)
"""What the design's own truth is compared with, unless said otherwise."""


def plan(
    design: Design,
    respondents: int,
    prevalence: Prevalence | None = None,
    margin: float | None = None,
    *,
    events: Iterable[Event] = (),
    null: float = 0.0,
    two_sided: bool = True,
    significance: float = 0.05,
    truths: Sequence[Probability] = TRUTHS,
) -> Plan:
    """What a survey would tell, and give away, for a range of truths and groupings.

    Compared are, at the design's own truth and at each of ``truths``: its groups as they are, all
    its disguised questions in one group, and each alone, where the mechanisms allow it; beside them
    what asking directly would give.

    Parameters
    ----------
    design : Design
        The survey.
    respondents : int
        How many people will be asked.
    prevalence : mapping, optional
        The assumed shares, such as ``{"cheated": 0.1}`` (see `Prevalence`). Options of questions
        not named are equally likely; without a joint questions are independent.
    margin : float, optional
        The wanted half-width of the 95 % interval; with it the plan says how many people that
        needs.
    events : iterable of mappings
        What to plan for beside every disguised question, such as the pair
        ``{"cheated": "yes", "drugs": "yes"}``. A yes-no question is planned for its yes, a choice
        for its option that is hardest to estimate.
    null : float
        The share from which an event is to be told; the plan gives the power to do so.
    two_sided : bool
        Whether that test is two-sided.
    significance : float
        The chance with which that test rejects a null that holds.
    truths : sequence of probabilities
        The truths to compare with the design's own.

    Returns
    -------
    Plan
        A table; ``plan.plot()`` draws it.

    Examples
    --------
    >>> import confide as cf
    >>> design = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion(0.75))])
    >>> plan = cf.plan(design, 2000, {"cheated": 0.1}, margin=0.03, truths=[0.6, 0.9])
    >>> for row in plan.rows():
    ...     print(row["grouping"], row["truth"], round(row["half_width"], 3))
    direct 1.0 0.013
    as designed 0.6 0.108
    as designed 0.75 0.04
    as designed 0.9 0.021
    >>> [prospect.respondents_needed for prospect in plan.prospects]
    [385, 25994, 3586, 985]
    """
    assumed = AssumedShares.of(design, prevalence)
    wanted = _drop_repeated(design, [*_choose_events(design, assumed), *events])
    if not wanted:
        raise QueryError(
            "no yes-no or choice question of this design is disguised, so there is nothing to "
            "compare. Put one in a group, or name events."
        )
    disguised = [name for group in design.groups for name in group.questions]
    test: NullTest = {"null": null, "two_sided": two_sided, "level": 1 - significance}
    prospects = []
    for event, variant in _pair_with_variants(wanted, list_variants(design, truths)):
        asked = (variant.design, event, assumed)
        error = standard_error(*asked, respondents)
        prospects.append(
            Prospect(
                event=_label(design, event),
                prevalence=_assumed_share(design, event, assumed),
                variant=variant,
                truth=_event_truth(variant, event),
                epsilon=group_epsilon(variant.design, event),
                person_epsilon=group_epsilon(variant.design, disguised or event),
                disclosure=measure_disclosure(*asked),
                standard_error=error,
                half_width=half_width(error),
                respondents_needed=None if margin is None else respondents_needed(*asked, margin),
                power=power(*asked, respondents, **test),
            )
        )
    return Plan(tuple(prospects), respondents, margin, null, two_sided, significance)


def _choose_events(design: Design, assumed: AssumedShares) -> Iterator[Event]:
    """One event for each disguised yes-no or choice question."""
    for group in design.groups:
        for question in map(design.question, group.questions):
            if isinstance(question, YesNo):
                yield {question.name: "yes"}
            elif isinstance(question, Finite):
                # Where its hardest option is precise enough, all are.
                possible = compress(question.options, assumed.table([question.name]))
                events = [{question.name: option} for option in possible]
                yield max(events, key=lambda event: standard_error(design, event, assumed, 1))


def _drop_repeated(design: Design, events: Iterable[Event]) -> list[Event]:
    """The events without those that say the same as one before."""
    found: dict[frozenset[tuple[str, int]], Event] = {}
    for event in events:
        found.setdefault(frozenset(encode_event(design, event).items()), event)
    return list(found.values())


def _pair_with_variants(
    events: Iterable[Event], ways: Sequence[Variant]
) -> Iterator[tuple[Event, Variant]]:
    """Each event with every way that differs for it.

    Where groups have truths of their own, giving all of them one of these changes nothing for that
    group's questions: the design as it is then stands for both.
    """
    for event in events:
        kept: dict[tuple[str, Fraction | None], Variant] = {}
        for way in ways:
            at = way.grouping, _event_truth(way, event)
            kept[at] = way if way.own else kept.get(at, way)
        yield from ((event, way) for way in kept.values())


def _event_truth(variant: Variant, event: Event) -> Fraction | None:
    """The truth of the event's own groups; where it has none, that of the others."""
    groups = [group for group in variant.design.groups if {*group.questions} & {*event}]
    if any(group.mechanism.coin is not None for group in groups):
        return common_truth(groups)
    return variant.truth


def _assumed_share(design: Design, event: Event, assumed: AssumedShares) -> float:
    codes = encode_event(design, event)
    share = float(assumed.table(list(codes))[tuple(codes.values())])
    if not 0 < share < 1:
        raise QueryError(
            f"{_label(design, event)} is assumed to have the share {share:g}; a plan needs one "
            "above 0 and below 1."
        )
    return share


def _label(design: Design, event: Event) -> str:
    codes = encode_event(design, event)
    return " and ".join(
        f"{name} = {require_finite(design, name).labels[code]}" for name, code in codes.items()
    )
