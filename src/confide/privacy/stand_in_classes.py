"""Missing numbers as an adversary knows them: who gave none has the stand-in in its place.

So whether a number is missing and the number itself hang together, whatever else is known about the
crowd, and the reports of both tell of it. Each class of people is split into those who gave the
number and those who did not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.arrays import Array
from confide.design import Design, Number
from confide.errors import QueryError
from confide.estimators.product_mixture import ProductMixture

_MOST_CLASSES = 1 << 10  # each number that may be missing doubles them


def tie_missing_numbers(
    design: Design, names: Sequence[str], mixture: ProductMixture, estimated: bool = False
) -> ProductMixture:
    """Tie every number that may be missing to the question that tells whether it is.

    Parameters
    ----------
    design : Design
        The questions.
    names : sequence of str
        Those of the mixture's questions.
    mixture : ProductMixture
        What is known about the crowd.
    estimated : bool
        Whether a number's distribution has the stand-ins of those who did not give it in it, as one
        that was estimated from reports has; otherwise it is that of people who gave it.
    """
    for name, teller in design.declines.items():
        number, places = design.question(name), (names.index(name), names.index(teller))
        assert isinstance(number, Number)
        middle = np.zeros(number.size)
        middle[number.grid.code(np.array([number.stand_in]))[0]] = 1.0
        mixture = _split(mixture, *places, middle, estimated)
    return mixture


def _split(
    mixture: ProductMixture, number: int, teller: int, middle: Array, estimated: bool
) -> ProductMixture:
    """Split every class by whether its people gave the number."""
    missing = mixture.tables[teller][:, 1]
    weights = np.concatenate([mixture.weights * (1 - missing), mixture.weights * missing])
    kept = weights > 0
    if kept.sum() > _MOST_CLASSES:
        raise QueryError(
            "what whole reports give away is not computed for so many numbers that may be missing: "
            f"they make more than {_MOST_CLASSES:,} kinds of people. Look at a part of the design."
        )
    tables = [np.concatenate([table, table])[kept] for table in mixture.tables]
    gave = mixture.tables[number]
    if estimated:
        gave = _take_out(gave, middle, missing)
    tables[number] = np.concatenate([gave, np.tile(middle, (len(gave), 1))])[kept]
    tables[teller] = np.repeat(np.eye(2), len(gave), axis=0)[kept]
    return ProductMixture(weights[kept], tuple(tables))


def _take_out(numbers: Array, middle: Array, missing: Array) -> Array:
    """The distribution of those who gave a number, from that of all with the stand-ins in it."""
    left = (numbers - missing[:, None] * middle).clip(0)
    total = left.sum(axis=1, keepdims=True)
    return np.where(total > 0, left / np.where(total > 0, total, 1.0), numbers)
