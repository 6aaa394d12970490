"""How far a long computation is, for whoever wants to show it.

A computation goes through its items by `track`; what is tracked within an item counts as a part of
that item. Nobody need listen, and no learner has a parameter for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import accumulate, pairwise
from typing import TypeVar

Listener = Callable[[float], None]
"""Is told the share of the work that is done, from 0 to 1."""

Item = TypeVar("Item")

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def on_progress(listener: Listener) -> Iterator[None]:
    """Call a listener with the share of the block's work that is done, item by item.

    >>> shares = []
    >>> with on_progress(shares.append):
    ...     for _ in track([1, 2]):
    ...         for _ in track("ab"):
    ...             pass
    >>> shares
    [0.25, 0.5, 0.5, 0.75, 1.0, 1.0]
    """
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def current_listener() -> Listener | None:
    """Whoever listens here, for work that tells how far it is by itself."""
    return _listener.get()


@contextmanager
def progress_part(start: float, end: float) -> Iterator[None]:
    """Let what is tracked in the block be the work between two shares of the whole."""
    outer = _listener.get()
    if outer is None:
        yield
        return
    _listener.set(lambda share: outer(start + (end - start) * share))
    try:
        yield
    finally:
        _listener.set(outer)
    outer(end)


def track(items: Sequence[Item], costs: Sequence[float] = ()) -> Iterator[Item]:
    """Yield items and tell the listener after each; all cost the same unless costs are given."""
    reached = list(accumulate(costs or [1.0] * len(items), initial=0.0))
    for item, (start, end) in zip(items, pairwise(reached), strict=True):
        with progress_part(start / reached[-1], end / reached[-1]):
            yield item
