"""The respondent's sampler, in Python: what `static/sampler.js` does, word for word.

Chance comes as unsigned 32-bit words. Every integer is drawn before an answer is looked at; the
report is then looked up in the block's table of integer weights. `vectors/` holds what both must
give.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from typing import TypeAlias, TypedDict, final

from confide.errors import ConfideError
from confide.mechanisms.channel import ChannelWeights

WORDS = 2**32


@final
class SymmetricNoise(TypedDict):
    """The weights of the noise on a number.

    ``noise[k]`` is how likely k steps up are and, the same again, k steps down; ``points`` is how
    many numbers a truth may be; ``beyond`` how many more there are for reports, at each end.
    """

    noise: list[int]
    beyond: int
    points: int


Weights: TypeAlias = ChannelWeights | SymmetricNoise
"""The integer weights of one block."""

Draw: TypeAlias = list[int]
"""One integer for the branch, then one for each question of the block; for noise one integer."""


class SamplerError(ConfideError):
    """The words, draws or codes given to the sampler do not fit the weights."""


def secure_words() -> Iterator[int]:
    """Words from the operating system's secure source, without end."""
    while True:
        yield secrets.randbits(32)


def below(bound: int, words: Iterator[int]) -> int:
    """Draw one of 0 … bound − 1, each exactly equally likely.

    Words from the last whole multiple of the bound on are thrown away, so there is no modulo
    bias. Running out of words is an error, never a default.

    >>> below(6, iter([2**32 - 1, 2**32 - 4, 8]))
    2
    """
    limit = WORDS - WORDS % bound
    for word in words:
        if type(word) is not int or not 0 <= word < WORDS:
            raise SamplerError("a random word must be a whole number below 2^32.")
        if word < limit:
            return word % bound
    raise SamplerError("there are not enough random words.")


def draw(blocks: Sequence[Weights | None], words: Iterator[int]) -> list[Draw]:
    """Draw what every block needs; a block in the clear (None) needs nothing."""
    return [[below(bound, words) for bound in bounds(weights)] for weights in blocks]


def bounds(weights: Weights | None) -> list[int]:
    """The bound of each integer of a draw: every one is drawn below its own."""
    if weights is None:
        return []
    if "noise" in weights:
        return [sum(_both(weights["noise"]))]
    return [sum(weights["branches"]), *(sum(table[0][0]) for table in weights["questions"])]


def disguise(weights: Weights | None, drawn: Draw, truths: Sequence[int]) -> list[int]:
    """Look up the reports of one block's true codes.

    >>> flip = {"branches": [3, 1], "questions": [[[[1, 0], [0, 1]], [[0, 1], [1, 0]]]]}
    >>> disguise(flip, [2, 0], [1]), disguise(flip, [3, 0], [1])
    ([1], [0])
    """
    if weights is None:
        return list(truths)
    if "noise" in weights:
        return _add_noise(weights, drawn, truths)
    tables = weights["questions"]
    if len(truths) != len(tables) or len(drawn) != len(tables) + 1:
        raise SamplerError("a block needs one draw and one code for each of its questions.")
    branch = _cell(weights["branches"], drawn[0])
    return [
        _cell(_row(table[branch], truth), place)
        for table, truth, place in zip(tables, truths, drawn[1:], strict=True)
    ]


def _add_noise(weights: SymmetricNoise, drawn: Draw, truths: Sequence[int]) -> list[int]:
    """Add noise; what would fall beyond the outermost reports becomes the outermost."""
    points, beyond = weights["points"], weights["beyond"]
    if len(truths) != 1 or len(drawn) != 1 or truths[0] not in range(points):
        raise SamplerError("noise needs one draw and one number of its question's range.")
    steps = _cell(_both(weights["noise"]), drawn[0]) - len(weights["noise"]) + 1
    return [min(max(truths[0] + steps + beyond, 0), points - 1 + 2 * beyond)]


def _both(noise: Sequence[int]) -> list[int]:
    """The weights of noise from the furthest down to the furthest up."""
    return [*noise[:0:-1], *noise]


def _row(table: Sequence[Sequence[int]], truth: int) -> Sequence[int]:
    if type(truth) is not int or not 0 <= truth < len(table):
        raise SamplerError("a code lies outside its question's options.")
    return table[truth]


def _cell(row: Sequence[int], place: int) -> int:
    """The cell that holds a place when the weights are laid end to end; all are looked at."""
    found, end = -1, 0
    for index, weight in enumerate(row):
        start, end = end, end + weight
        if start <= place < end:
            found = index
    if found < 0:
        raise SamplerError("a draw lies outside its weights.")
    return found
