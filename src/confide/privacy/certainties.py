"""What a report tells for certain, in words: wherever epsilon is infinite, this says why.

Everything is read off the channel itself, from where it is zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf, prod

import numpy as np

from confide.arrays import Array
from confide.design import Block
from confide.mechanisms import Mechanism
from confide.privacy.rounding import write_amount

_CELLS = 1 << 12  # larger groups are not searched combination by combination


def describe_certainties(block: Block) -> tuple[str, ...]:
    """Say what reports of a group tell for certain; nothing where ε is finite."""
    mechanism = block.mechanism
    if mechanism is None:
        return (f"A report tells the answer to {block.questions[0].name}: it is asked openly.",)
    if block.epsilon < inf:
        return ()
    if not mechanism.invertible:
        return (_describe_number(block, mechanism),)
    alone = [
        sentence
        for place in range(len(block.questions))
        for sentence in _describe_question(block, place)
    ]
    found = alone or [*_describe_common_coin(block), *_describe_never_covered(block)]
    return tuple(found) or ("Some reports rule out some combinations of answers for certain.",)


def _describe_number(block: Block, mechanism: Mechanism) -> str:
    question = block.number
    if not mechanism.bounded:
        return (
            f"Nothing is certain about {question.name}, but nothing is bounded either: the further "
            "two numbers are apart, the better a report can tell them apart."
        )
    width = mechanism.width_of(question, 1.0)
    possible = block.mixture.matrix() > 0
    narrowest = (possible @ np.diff(question.grid.array))[possible.any(axis=1)].min()
    ends = ", and narrower where it reaches beyond the range" if narrowest < width else ""
    return (
        f"A report of {question.name} gives an interval that holds the number for certain, "
        f"{write_amount(width, question.unit)} wide{ends}."
    )


def _describe_question(block: Block, place: int) -> Iterator[str]:
    """What the report of a single question rules out."""
    question = block.questions[place]
    possible = block.mixture.marginal([place]).matrix() > 0
    if (possible.sum(axis=1) == 1).all():
        yield f"A report tells the answer to {question.name} for certain."
        return
    for label, answers in zip(block.reported[place].labels, possible, strict=True):
        said = f"A report of {label} to {question.name}"
        names = [question.labels[code] for code in np.flatnonzero(answers)]
        if len(names) == 1:
            yield f"{said} comes only from people whose answer is {names[0]}, for certain."
        elif names and not answers.all():
            others = [question.labels[code] for code in np.flatnonzero(~answers)]
            yield f"{said} rules out the answer {join_words(others, 'or')}, for certain."


def _describe_common_coin(block: Block) -> Iterator[str]:
    """Whether the reports of a group are true all at once or not at all."""
    pairs = [(0, other) for other in range(1, len(block.questions))]
    if not pairs or not all(_both_or_neither(block, pair) for pair in pairs):
        return
    names = join_words([question.name for question in block.questions])
    if any(question.size > 2 for question in block.questions):
        yield f"A report tells for certain that {names} are reported all truly or all otherwise."
    elif len(pairs) == 1:
        yield f"A report tells for certain whether the answers to {names} are equal."
    else:
        yield f"A report tells for certain which of the answers to {names} are equal."


def _both_or_neither(block: Block, pair: tuple[int, int]) -> bool:
    sizes = [block.questions[place].size for place in pair]
    matrix = block.mixture.marginal(pair).matrix().reshape(*sizes, *sizes)
    first, second = (np.eye(size, dtype=bool) for size in sizes)
    # report 1, report 2, answer 1, answer 2
    differ = first[:, None, :, None] != second[None, :, None, :]
    return not matrix[differ].any()


def _describe_never_covered(block: Block) -> Iterator[str]:
    """Combinations that only those report whose answers they are."""
    sizes = [question.size for question in block.questions]
    if prod(sizes) > _CELLS:
        return
    possible = block.mixture.matrix() > 0
    sure = np.flatnonzero(possible.diagonal() & (possible.sum(axis=1) == 1))
    if len(sure):
        said = _say_answers(block, np.array(np.unravel_index(sure[0], sizes)))
        yield (
            f"{len(sure)} of the {len(possible)} possible reports come only from people whose "
            f"answers they are, such as {said}."
        )


def _say_answers(block: Block, codes: Array) -> str:
    """A combination of answers in words."""
    pairs = zip(block.questions, codes, strict=True)
    return join_words([f"{question.labels[code]} to {question.name}" for question, code in pairs])


def join_words(words: Sequence[str], last: str = "and") -> str:
    """Words in a row; of many, the first.

    >>> join_words(["a", "b", "c"]), join_words(["a"]), join_words(list("abcdefgh"))
    ('a, b and c', 'a', 'a, b, c, d and 4 more')
    """
    if len(words) > 6:
        words = [*words[:4], f"{len(words) - 4} more"]
    return " ".join([", ".join(words[:-1]), last, words[-1]]) if len(words) > 1 else words[0]
