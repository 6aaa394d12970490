"""Numbers in the clear, told apart where many people are.

Counts hold a number by one of a hundred intervals of equal width: all people may be in the first of
them, and none in its middle. As long as the reports are at hand they are counted once more. An
interval then counts with the mean of the numbers in it, and crowded ones are cut.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from confide.arrays import Array
from confide.counts import Counts
from confide.counts.recounting import is_at_hand, round_numbers
from confide.counts.rounded_numbers import SMALLEST_PART, RoundedNumbers
from confide.crowd._cutting import look_closer
from confide.crowd._subpopulation import Subpopulation
from confide.design.finer_number import Place, can_round
from confide.errors import QueryError
from confide.estimators.number_moments import weigh_reports


def tell_apart(
    people: Subpopulation, names: Iterable[str], part: float = SMALLEST_PART
) -> Subpopulation:
    """The same people with numbers in the clear told apart also where many of them are.

    No interval then holds more than twice such a part of them.
    """
    places = [(name, place) for name in names for place in _find_places(people, name, part)]
    return look_closer(people, places)


def _find_places(people: Subpopulation, name: str, part: float) -> list[float]:
    """Find where to cut a number; nowhere unless all batches can be cut there."""
    numbers, number = join_numbers(people, name), people.design.block(name).number
    return numbers.find_places(number.grid, number.step is None, part) if numbers else []


def tell_apart_at(people: Subpopulation, places: Iterable[Place]) -> Subpopulation:
    """The same people with numbers in the clear told apart at some places."""
    wanted = sorted(places)
    if not all(is_at_hand(counts) for counts in people.counted):
        raise QueryError(
            f"these counts hold {wanted[0][0]} by wider intervals than the model was learned with. "
            "Give the reports themselves: a dataframe or a file."
        )
    return look_closer(people, wanted)


def weigh_number(batch: Counts, counts: Counts, name: str, power: int) -> Array | None:
    """What each report of a number counts for in the mean of its power, as `weigh_reports` says.

    Of a number in the clear it is the mean of those in its interval, if the reports are at hand.
    """
    block, rounded = batch.design.block(name), read_numbers(batch, counts, name)
    if rounded is None:
        return weigh_reports(block, power)
    return rounded.average(block.number.grid, power)


def find_blur(people: Subpopulation, name: str) -> float:
    """How far all numbers in the clear may be from what they count with, to the same side."""
    blurs = [0.0]
    for batch, counts in zip(people.batches, people.counted, strict=True):
        block, rounded = batch.design.block(name), read_numbers(batch, counts, name)
        if block.mechanism is None and not block.number.exact:
            grid = block.number.grid.array
            widest = np.diff(grid).max() if rounded is None else 2 * rounded.half
            blurs.append(float(widest - (block.number.step or 0)) / 2)
    return max(blurs)


def join_numbers(people: Subpopulation, name: str) -> RoundedNumbers | None:
    """The numbers in the clear of all batches together; None if those of one are not known."""
    pairs = zip(people.batches, people.counted, strict=True)
    parts = [read_numbers(batch, counts, name) for batch, counts in pairs]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    return RoundedNumbers.join(known, [batch.n for batch in people.batches])


def read_numbers(batch: Counts, counts: Counts, name: str) -> RoundedNumbers | None:
    """The numbers in the clear of a batch; None if counts hold all, or they are not at hand."""
    block = batch.design.block(name)
    if block.mechanism is not None or block.number.exact or not can_round(block.number):
        return None
    return round_numbers(counts, name) if is_at_hand(counts) else None
