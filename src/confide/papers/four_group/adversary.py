"""What an adversary gets from a record: the measures that answer the paper's question.

The adversary knows the crowd, that is how often each combination of answers occurs, and sees a
whole report. Four yes-no attributes and a class in the clear are 32 combinations, so all is exact.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide import privacy
from confide.arrays import Array
from confide.design import Design
from confide.papers.cells import Row
from confide.papers.run_table import settle
from confide.papers.split_people import SplitPeople


def measure_adversary(design: Design, people: SplitPeople) -> Row:
    """How often an adversary is right about people of this crowd.

    ``record_told``: all answers, from the report. ``record_told_knowing_one``: the same, knowing
    one of the answers, each attribute in turn. ``coins_told``: which groups were turned round.
    ``record_guessed``: all answers, from the class alone.
    """
    joint = count_joint(people)
    statement = privacy.of(design, crowd=joint)
    coins = statement.exposure.all_coins
    disguised = [design.position(name) for name in people.attributes]
    return {
        "record_told": settle(_tell_record(design, joint)),
        "record_told_knowing_one": settle(_tell_knowing_one(design, joint, disguised)),
        "coins_told": None if coins is None else settle(coins.mean),
        "record_guessed": settle(float(joint.reshape(-1, 2).max(axis=0).sum())),
    }


def count_joint(people: SplitPeople) -> Array:
    """The shares of all combinations of answers among those learned from, the class last."""
    table = np.zeros([2] * len(people.names))
    np.add.at(table, tuple(people.train.T), 1 / len(people.train))
    return table


def _tell_record(design: Design, joint: Array) -> float:
    found = privacy.of(design, crowd=joint).exposure.all_answers
    assert found is not None  # a joint table settles every answer
    return found.mean


def _tell_knowing_one(design: Design, joint: Array, places: Sequence[int]) -> float:
    """The mean over the known attribute and its value: the crowd is then those who share it."""
    total = 0.0
    for place in places:
        for value in (0, 1):
            known = np.zeros(2)
            known[value] = 1
            shape = [2 if axis == place else 1 for axis in range(joint.ndim)]
            part = joint * known.reshape(shape)
            share = float(part.sum())
            if share > 0:
                total += share * _tell_record(design, part / share)
    return total / len(places)
