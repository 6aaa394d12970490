"""How finely the questions of a joint table are cut."""

from __future__ import annotations

from collections.abc import Sequence

from confide.design import Design, Number

_FINEST = 50
"""More intervals of a number than this, beside another, tell nothing more."""
_LATER = 8
"""The third number and those after it only lend the first two their support."""


def share_out_cells(design: Design, features: Sequence[str], budget: int) -> dict[str, int]:
    """Share a budget of cells among the features, the most telling first.

    Small questions are told apart whole, later numbers coarsely; the first two share what is left.
    """
    sizes = {name: design.question(name).size for name in features}
    large = [n for n in features if isinstance(design.question(n), Number) and sizes[n] > _LATER]
    cells = dict.fromkeys(large[2:], _LATER)
    left = float(budget)
    for name in features:
        if name not in large[:2]:
            left /= cells.get(name, sizes[name])
    for name in large[:2]:
        share = left ** (1 / len(large[:2]))
        most = _FINEST if len(features) > 1 else sizes[name]
        cells[name] = int(min(max(share, _LATER), most, sizes[name]))
    return cells
