"""Large arrays that one step after the other writes over."""

from __future__ import annotations

from math import prod

import numpy as np

from confide.arrays import Array


class Workspace:
    """Arrays by name; to make so large ones anew in each step would take longer than to fill them.

    What was taken under a name is lost when the name is taken again.
    """

    def __init__(self) -> None:
        self._held: dict[object, Array] = {}

    def take(self, name: object, *shape: int) -> Array:
        """Give an array of some shape, with anything in it."""
        held = self._held.get(name)
        if held is None or held.size < prod(shape):
            held = self._held[name] = np.empty(prod(shape))
        return held[: prod(shape)].reshape(shape)
