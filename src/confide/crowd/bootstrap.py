"""Standard errors by drawing the survey again, where no formula serves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from confide.crowd.algebra import Array
from confide.crowd.likelihood import Observed, most_likely

_REPLICATES = 100
_SEED = 20_000  # the same reports give the same standard errors


def bootstrap_errors(
    batches: Sequence[Observed], truth: Array, function: Callable[[Array], Array]
) -> Array:
    """The spread of a function of the fitted table over surveys drawn from it (parametric)."""
    generator = np.random.default_rng(_SEED)
    expected = [batch.algebra.disguised(truth).clip(0) for batch in batches]
    found = []
    for _ in range(_REPLICATES):
        drawn = [
            replace(batch, shares=_drawn(generator, batch.n, shares))
            for batch, shares in zip(batches, expected, strict=True)
        ]
        found.append(function(most_likely(drawn, start=(truth + 1 / truth.size) / 2)))
    return np.std(found, axis=0, ddof=1)


def _drawn(generator: np.random.Generator, n: int, shares: Array) -> Array:
    counts = generator.multinomial(n, (shares / shares.sum()).ravel())
    return counts.reshape(shares.shape) / n
