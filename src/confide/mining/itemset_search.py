"""The search for combinations of answers that many people gave, and for rules among them.

A level holds all combinations of so many answers. Only those are looked at all of whose parts could
be frequent (Apriori, Agrawal and Srikant 1994), and one pass over the reports counts them all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from confide.crowd import Estimate
from confide.crowd.many_shares import Answers, ManyShares
from confide.design import Design
from confide.design.questions import Option
from confide.mining.association_rule import Rule
from confide.progress import track

Possible = NDArray[np.bool_]
"""Which combinations of a set of questions' answers could be frequent: one axis per question."""
_ROUNDING = 1e-12
_DIGITS = 12


@dataclass(frozen=True)
class Thresholds:
    """What must be reached.

    Parameters
    ----------
    support, confidence : float
        The smallest of a rule.
    level : float
        The confidence of the upper limit by which a combination could be frequent.
    """

    support: float
    confidence: float
    level: float


def find_supports(
    shares: ManyShares, design: Design, names: Sequence[str], longest: int, least: Thresholds
) -> dict[Answers, Estimate]:
    """Find every combination of answers that could be frequent, the short ones first."""
    kept: dict[Answers, Estimate] = {}
    below: dict[tuple[str, ...], Possible] = {}
    lengths = range(1, min(longest, len(names)) + 1)
    for length in track(lengths, [comb(len(names), n) for n in lengths]):
        here = {each: _combine(design, each, below) for each in combinations(names, length)}
        below = {asked: possible for asked, possible in here.items() if possible.any()}
        shares.count(list(below))
        listed = [
            tuple(zip(asked, cell, strict=True))
            for asked, possible in below.items()
            for cell in zip(*(axis.tolist() for axis in np.nonzero(possible)), strict=True)
        ]
        frequent = _test_support(shares, listed, least)
        for answers, is_possible in zip(listed, frequent.tolist(), strict=True):
            if not is_possible:
                below[tuple([name for name, _ in answers])][tuple([c for _, c in answers])] = False
        kept |= _estimate(
            shares, [each for each, keep in zip(listed, frequent, strict=True) if keep]
        )
    return kept


def _combine(
    design: Design, asked: tuple[str, ...], below: dict[tuple[str, ...], Possible]
) -> Possible:
    """Tell which combinations of answers have only parts that could be frequent."""
    possible = np.ones([design.question(name).size for name in asked], bool)
    for axis in range(len(asked)) if len(asked) > 1 else ():
        part = below.get(asked[:axis] + asked[axis + 1 :])
        if part is None:
            return np.zeros_like(possible)
        possible &= np.expand_dims(part, axis)
    return possible


def _test_support(
    shares: ManyShares, listed: Sequence[Answers], least: Thresholds
) -> NDArray[np.bool_]:
    """Tell which combinations could be frequent: by their estimate, or by its upper limit."""
    found, two_sided = np.zeros(len(listed), bool), 2 * least.level - 1
    for places in track(list(shares.list_pages(listed))):
        page = shares.of([listed[place] for place in places])
        found[places] = page.values >= least.support - _ROUNDING
        if two_sided > 0:
            found[places] |= page.accept(least.support, two_sided)
    return found


def _estimate(shares: ManyShares, kept: Sequence[Answers]) -> dict[Answers, Estimate]:
    """Estimate the shares of people with each combination of answers."""
    found: dict[Answers, Estimate] = {}
    for places in shares.list_pages(kept):
        page = [kept[place] for place in places]
        found.update(zip(page, shares.of(page).estimate(), strict=True))
    return {answers: found[answers] for answers in kept}


def find_rules(
    shares: ManyShares,
    supports: dict[Answers, Estimate],
    named: dict[Answers, dict[str, Option]],
    least: Thresholds,
) -> list[Rule]:
    """Part the combinations in two, in every way, and keep the rules; the most confident first.

    ``named`` gives the questions and values of each combination.
    """
    parted = list(_part(supports, least))
    alike: dict[tuple[int, ...], list[int]] = {}
    for place in sorted(range(len(parted)), key=lambda each: -parted[each].confidence):
        alike.setdefault(parted[place].within, []).append(place)  # pages begin with the surest
    found: dict[int, Rule] = {}
    for within, places in track(list(alike.items()), [len(each) for each in alike.values()]):
        answers = [parted[place].answers for place in places]
        for page in track(list(shares.list_pages(answers))):
            rules = [places[each] for each in page]
            made = shares.of([answers[each] for each in page], within)
            confidences = made.estimate()
            lifts = made.divide(confidences, [supports[parted[rule].right] for rule in rules])
            for rule, confidence, lift in zip(rules, confidences, lifts, strict=True):
                of, left, right = parted[rule].answers, parted[rule].left, parted[rule].right
                found[rule] = Rule(named[left], named[right], supports[of], confidence, lift)
    return sorted((found[k] for k in range(len(parted))), key=_rank)


def _rank(rule: Rule) -> float:
    """Put the most confident rule first; those that differ by rounding stay as they were found."""
    return -round(rule.confidence.value, _DIGITS)


class _Parted(NamedTuple):
    """Answers parted in two: those on the left, which are at some places, lead to the others."""

    answers: Answers
    within: tuple[int, ...]
    left: Answers
    right: Answers
    confidence: float


def _part(supports: dict[Answers, Estimate], least: Thresholds) -> Iterator[_Parted]:
    """Part frequent combinations in two, in every way that reaches the thresholds."""
    values = {answers: support.value for answers, support in supports.items()}
    lowest = least.support - _ROUNDING
    for answers, both in values.items():
        if both < lowest:
            continue
        every = range(len(answers))
        for within in (p for length in every[1:] for p in combinations(every, length)):
            left = tuple([answers[place] for place in within])
            right = tuple([answers[place] for place in every if place not in within])
            first = values[left]
            frequent = first >= lowest and values[right] >= lowest
            if frequent and both >= least.confidence * first - _ROUNDING:
                yield _Parted(answers, within, left, right, both / first)
