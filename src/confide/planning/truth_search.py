"""Designs found by search: the largest truth of each group that keeps a promise about reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from confide.design import Design, Finite, Group
from confide.errors import DesignError, QueryError
from confide.planning.assumed_shares import AssumedShares, Event, encode_event
from confide.planning.disclosure import measure_disclosure
from confide.planning.expectation import check_between_0_and_1
from confide.planning.variants import (
    Variant,
    common_truth,
    disguise_alike,
    list_variants,
    regroup,
    with_truth,
)

_STEPS = 100  # truths that people can read, and a browser can draw


def search_variants(design: Design, assumed: AssumedShares, posterior: float) -> list[Variant]:
    """List the design as it is, and every grouping with the truths that a search finds.

    Estimates are the more precise the larger the truth, and reports tell the more; so each group
    gets the largest truth, in hundredths, with which no report makes a sensitive answer likelier
    than ``posterior`` to someone who knows the crowd. Sensitive is the yes of a yes-no question,
    and every option of a choice that is not as likely as that before. A grouping for which no truth
    will do is left out.
    """
    check_between_0_and_1(posterior, "the largest posterior")
    given = [v for v in list_variants(design, []) if v.own or not v.design.groups]
    searched: list[Variant] = []
    # of one truth, groups can be joined
    for grouping, plain in [*regroup(design), *regroup(with_truth(design, Fraction(3, 4)))]:
        groups = _search_groups(design, plain, assumed, posterior)
        if groups and not any(disguise_alike(groups, each.design.groups) for each in searched):
            own = disguise_alike(groups, design.groups)
            found = design if own else replace(design, groups=groups)
            searched.append(Variant(grouping, common_truth(groups), own, found, searched=True))
    if not searched:
        raise QueryError(
            f"no truth keeps every posterior to {posterior:g}: an answer is assumed to be as "
            "likely as that before any report, or its mechanism has no truth to be changed."
        )
    already = any(variant.own for variant in searched)
    return [each for each in given if not (each.own and already)] + searched


def _search_groups(
    design: Design, groups: Sequence[Group], assumed: AssumedShares, posterior: float
) -> list[Group] | None:
    """The groups with the largest truths that will do; None where for some there is none."""
    searched = [_search_group(design, group, assumed, posterior) for group in groups]
    found = [group for group in searched if group is not None]
    return found if len(found) == len(searched) else None


def _search_group(
    design: Design, group: Group, assumed: AssumedShares, posterior: float
) -> Group | None:
    """Find the group with the largest truth that will do; None where none does."""
    if not group.mechanism.invertible:
        return group  # noise on a number has no truth
    events = list(_list_sensitive(design, group, assumed, posterior))
    if any(_find_share(design, event, assumed) >= posterior for event in events):
        return None  # no report need make it likelier
    for changed in _list_truths(group):
        try:
            trial = replace(design, groups=[changed])
        except DesignError:  # a truth that says nothing
            continue
        told = [measure_disclosure(trial, event, assumed) for event in events]
        if all(each is not None and each.posterior <= posterior for each in told):
            return changed
    return None


def _find_share(design: Design, event: Event, assumed: AssumedShares) -> float:
    ((name, code),) = encode_event(design, event).items()
    return float(assumed.table([name])[code])


def _list_truths(group: Group) -> Iterator[Group]:
    """The group with every truth in hundredths, the largest first; or as it is, without one."""
    if group.mechanism.coin is None:
        yield group
        return
    for step in range(_STEPS - 1, 0, -1):
        yield replace(group, mechanism=group.mechanism.with_truth(Fraction(step, _STEPS)))


def _list_sensitive(
    design: Design, group: Group, assumed: AssumedShares, posterior: float
) -> Iterator[Event]:
    """The answers of a group that no report shall make too likely."""
    for question in map(design.question, group.questions):
        assert isinstance(question, Finite)
        if question.size == 2:
            yield {question.name: question.values[1]}
            continue
        shares = assumed.table([question.name])
        yield from (
            {question.name: value}
            for value, share in zip(question.values, shares, strict=True)
            if share < posterior
        )
