"""Reading a cover: from what users write, and from what survey files hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

from confide.errors import DesignError
from confide.mechanisms.cover import Cover, GivenCover, JointCover, SeparateCovers
from confide.mechanisms.exact_distribution import read_distribution
from confide.mechanisms.probability import LARGEST_DENOMINATOR, Probability

_Key = TypeVar("_Key", str, tuple[str, ...])
"""An option, or one option per question of the group."""

_FINEST_COVER = 2**27  # for rounded floats: leaves room for the denominators of other truths


def read_cover(given: GivenCover, source: str, mechanism: str, truth: Fraction) -> Cover:
    """Read a cover as users write it, exactly and in the order of its options in words."""
    what = f"{source} of {mechanism}"
    if not isinstance(given, Mapping) or not given:
        raise DesignError(
            f"{what} must give each question's distribution, such as "
            '{"cheated": {"yes": "1/4", "no": "3/4"}}, or one joint distribution.'
        )
    reach = min(LARGEST_DENOMINATOR // truth.denominator, _FINEST_COVER)
    if all(isinstance(key, tuple) for key in given):
        cells = {tuple(map(str, cell)): p for cell, p in given.items()}
        _check_different(cells, given, f"{what} for the group")
        return JointCover(source, mechanism, _read(cells, f"{what} for the group", reach))
    if not all(isinstance(name, str) and isinstance(d, Mapping) for name, d in given.items()):
        raise DesignError(
            f"{what} must map questions to distributions, or tuples of options to probabilities, "
            "not both."
        )
    by_question: dict[str, dict[str, Fraction]] = {}
    for name, distribution in given.items():
        options = {str(option): p for option, p in distribution.items()}
        _check_different(options, distribution, f"{what} for {name}")
        by_question[name] = _read(options, f"{what} for {name}", reach)
    return SeparateCovers(source, mechanism, dict(sorted(by_question.items())))


def _check_different(written: Mapping[_Key, Probability], given: GivenCover, what: str) -> None:
    """Refuse options that are written alike, such as 1 and "1"."""
    if len(written) < len(given):
        raise DesignError(f"{what} must give every option once.")


def _read(given: Mapping[_Key, Probability], what: str, reach: int) -> dict[_Key, Fraction]:
    options = sorted(given)
    exact = read_distribution([given[option] for option in options], what, reach)
    return dict(zip(options, exact, strict=True))


def read_cells(cells: Sequence[object], source: str) -> GivenCover:
    """Read a joint distribution from the list of cells that survey files write."""
    joint: dict[tuple[str | int, ...], Probability] = {}
    for number, cell in enumerate(cells, 1):
        options = _find_options(cell)
        if not isinstance(cell, dict) or options is None or options in joint:
            raise DesignError(
                f"a joint {source} distribution must be a list of different "
                f'{{options = ["yes", "no"], probability = "1/4"}}: see its cell {number}.'
            )
        joint[options] = cell["probability"]
    return joint


def _find_options(cell: object) -> tuple[str | int, ...] | None:
    """Find the options of a cell; None where it is not written as survey files write it."""
    if not isinstance(cell, dict) or set(cell) != {"options", "probability"}:
        return None
    options = cell["options"]
    if not isinstance(options, list) or any(type(o) not in (str, int) for o in options):
        return None
    return tuple(options)
