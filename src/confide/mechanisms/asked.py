"""What a mechanism needs to know of the questions it disguises."""

from __future__ import annotations

from typing import Protocol, TypeGuard

from confide.mechanisms.grid import Grid


class Asked(Protocol):
    """A question, as far as a mechanism needs to know it."""

    @property
    def name(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def labels(self) -> tuple[str, ...]: ...
    @property
    def grid(self) -> Grid | None: ...
    def code(self, value: object) -> int: ...


class AskedNumber(Asked, Protocol):
    """A question that asks for a number, as far as a mechanism needs to know it."""

    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def step(self) -> float | None: ...
    @property
    def grid(self) -> Grid: ...


def asks_number(question: Asked) -> TypeGuard[AskedNumber]:
    """Whether a question asks for a number: only then it has intervals."""
    return question.grid is not None
