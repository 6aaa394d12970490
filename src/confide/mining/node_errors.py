"""How surely the people in a tree's nodes are counted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from confide.crowd import Crowd
from confide.crowd.patterns import row_weights
from confide.mining.tree import Tree

_MOST = 255
"""A picture of more nodes than this is no picture; their errors are not worth the time."""


def share_errors(tree: Tree, features: Sequence[str], crowd: Crowd) -> NDArray[np.float64]:
    """The standard error of each node's estimated share, for the first nodes of a tree.

    A node is an event, so its share is a mean of per-report weights like every other.
    """
    errors = []
    for node in range(min(len(tree), _MOST)):
        where = {features[place]: codes for place, codes in tree.path(node).items()}
        variance = 0.0
        for batch in crowd.counts:
            weights, shares = row_weights(batch, where), batch.reports / batch.n
            spread = shares @ weights**2 - (shares @ weights) ** 2
            variance += (batch.n / crowd.n) ** 2 * max(float(spread), 0.0) / batch.n
        errors.append(np.sqrt(variance))
    return np.array(errors)
