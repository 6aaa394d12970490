"""Where chance comes from: random bytes in, exactly uniform integers out.

The default is the operating system's secure source. A seed gives a repeatable stream, for
simulations only: whoever knows the seed can undo every disguise.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Codes
from confide.errors import DesignError, show

Seed = int | np.random.Generator | np.random.BitGenerator | np.random.SeedSequence | None
"""What chance may start from in a simulation; None for the operating system's own source."""

_Word = np.dtype[np.unsignedinteger]
_WORDS = tuple(np.dtype(kind) for kind in ("u1", "u2", "u4", "u8"))


def generator_of(seed: Seed) -> np.random.Generator:
    """The generator that a seed starts, or the one that was given.

    >>> generator_of(1).integers(6), generator_of(np.random.default_rng(1)).integers(6)
    (np.int64(2), np.int64(2))
    """
    numpys = np.random.Generator | np.random.BitGenerator | np.random.SeedSequence | None
    whole = isinstance(seed, int | np.integer) and not isinstance(seed, bool)
    if not isinstance(seed, numpys) and (not whole or seed < 0):
        raise DesignError(
            "seed must be a whole number of at least 0, or a numpy generator such as "
            f"numpy.random.default_rng(1). Got {show(seed)}."
        )
    return np.random.default_rng(seed)


class Randomness:
    """A source of uniform integers.

    Parameters
    ----------
    seed : int, numpy Generator, BitGenerator or SeedSequence, optional
        Makes the stream repeatable. Leave it out to disguise real answers. It is numpy's own
        stream: in a simulation, do not draw the answers from the same seed. A generator is drawn
        from where it stands, and goes on.

    Examples
    --------
    >>> Randomness(seed=1).integers(6, 5).tolist()
    [0, 0, 4, 1, 3]
    """

    def __init__(self, seed: Seed = None) -> None:
        self._bytes: Callable[[int], bytes] = (
            os.urandom if seed is None else generator_of(seed).bytes
        )

    def integers(self, bound: int, size: int) -> Codes:
        """Draw ``size`` integers, each of 0 … bound − 1 exactly equally likely.

        Words beyond the last whole multiple of the bound are drawn again, so there is no
        modulo bias, however small.
        """
        if bound == 1:
            return np.zeros(size, np.uint8)
        # the shortest word of which at most an eighth is drawn again
        word = next(w for w in _WORDS if _count_beyond(w, bound) <= _range(w) // 8)
        limit = _range(word) - _count_beyond(word, bound)
        drawn = self._words(size, word)
        if limit < _range(word):
            drawn = drawn.copy()
            refused = np.flatnonzero(drawn >= limit)
            while refused.size:
                drawn[refused] = self._words(refused.size, word)
                refused = refused[drawn[refused] >= limit]
        if bound & (bound - 1) == 0:
            return np.bitwise_and(drawn, word.type(bound - 1))
        return np.subtract(drawn, drawn // word.type(bound) * word.type(bound))

    def uniform(self, size: int) -> NDArray[np.float64]:
        """Draw ``size`` numbers of the open interval (0, 1), with 52 random bits each."""
        bits = self._words(size, _WORDS[3]) >> np.uint64(12)
        return (bits.astype(np.float64) + 0.5) / 2.0**52

    def _words(self, size: int, word: _Word) -> Codes:
        return np.frombuffer(self._bytes(size * word.itemsize), word)


def _range(word: _Word) -> int:
    return 1 << 8 * word.itemsize


def _count_beyond(word: _Word, bound: int) -> int:
    """Count the words that lie beyond the last whole multiple of the bound."""
    return _range(word) % bound
