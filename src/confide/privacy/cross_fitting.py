"""How often adversaries are right who have the reports, judged on reports they have not seen.

Each learns from one half of the reports and guesses the answers behind the other half, and the
other way round: so none flatters itself by what it has learned by heart. Nobody knows the answers,
and nobody needs to. Let g(x, r) be the guess from the rest x of a report and the question's own
report r. It is right with the chance h(x, t) = Σ_r M[r, t]·1{g(x, r) = t} if the answer is t, and
A = M⁻¹ estimates 1{answer = t} without bias by A[t, r]. So the mean of Σ_t A[t, r]·h(x, t) over the
reports estimates how often the guess is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from confide.arrays import Array
from confide.counts import Counts
from confide.crowd import Crowd
from confide.design import Design
from confide.privacy.adversaries import ADVERSARIES, Adversary
from confide.privacy.question_privacy import QuestionPrivacy

_SEED = 20_000  # the same reports are halved in the same way
_FEWEST = 200  # with fewer reports there is nothing to learn from half of them


@dataclass(frozen=True)
class TriedGuess:
    """How often one adversary guesses the answer to one question right.

    Parameters
    ----------
    adversary : str
        What it does, in words.
    right : float
        The estimated share of people whose answer it guesses right from the whole report.
    standard_error : float
        Of that estimate.
    without_report : float or None
        The same from the answers in the clear alone; None where it looks at more than these.
    """

    adversary: str
    right: float
    standard_error: float
    without_report: float | None


def try_adversaries(
    design: Design, crowd: Crowd, questions: Sequence[QuestionPrivacy]
) -> dict[str, list[TriedGuess]]:
    """Let adversaries who have a crowd's reports guess the answers to questions, one by one.

    They try what is disguised by a draw of its own with an inverse; nothing is tried where the
    reports are few or of another design.
    """
    batches = [each for each in crowd.counts if each.design.fingerprint == design.fingerprint]
    tried = [each for each in questions if _can_be_tried(each)]
    if sum(each.n for each in batches) < _FEWEST or not tried:
        return {}
    first, second = _halve(batches)
    pairs = [(kind(first), kind(second)) for kind in ADVERSARIES]
    return {
        question.name: [
            _judge(question, [(knows_first, second), (knows_second, first)])
            for knows_first, knows_second in pairs
        ]
        for question in tried
    }


def _can_be_tried(question: QuestionPrivacy) -> bool:
    block = question.block
    return not question.clear and len(block.questions) == 1 and block.invertible


def _halve(batches: Sequence[Counts]) -> tuple[Counts, Counts]:
    """Split reports into two halves by chance."""
    whole = batches[0]
    for each in batches[1:]:
        whole = whole + each
    generator = np.random.default_rng(_SEED)
    first = generator.multivariate_hypergeometric(whole.reports, whole.n // 2, method="marginals")
    return whole.subset(first), whole.subset(whole.reports - first)


def _judge(question: QuestionPrivacy, trials: Sequence[tuple[Adversary, Counts]]) -> TriedGuess:
    """Estimate how often an adversary is right about reports that it has not learned from."""
    scores, alone, weights = [], [], []
    inverse = np.linalg.inv(question.matrix)
    for adversary, seen in trials:
        believed = adversary.believe(question, seen.patterns)
        own = seen.patterns[:, seen.design.position(question.name)]
        scores.append((score_guesses(question.matrix, believed) * inverse.T[own]).sum(axis=1))
        alone.append(inverse[believed.argmax(axis=1), own])
        weights.append(seen.reports)
    score, weight = np.concatenate(scores), np.concatenate(weights)
    n = float(weight.sum())
    right = float(score @ weight) / n
    variance = float((score - right) ** 2 @ weight) / n
    without = float(np.concatenate(alone) @ weight) / n
    kind = trials[0][0]
    clear = _to_share(without) if kind.from_clear_alone else None
    return TriedGuess(kind.name, _to_share(right), sqrt(variance / n), clear)


def _to_share(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def score_guesses(matrix: Array, believed: Array) -> Array:
    """h(x, t): how often the guess is right for each belief x and each true answer t.

    Parameters
    ----------
    matrix : array of shape (reports, answers)
        M: the probability of each report given each answer.
    believed : array of shape (beliefs, answers)
        How likely each answer is before the question's own report is seen.

    Examples
    --------
    >>> score_guesses(np.array([[0.75, 0.25], [0.25, 0.75]]), np.array([[0.5, 0.5], [0.9, 0.1]]))
    array([[0.75, 0.75],
           [1.  , 0.  ]])
    """
    right = np.zeros_like(believed)
    rows = np.arange(len(believed))
    for chances in matrix:
        guess = (believed * chances).argmax(axis=1)
        right[rows, guess] += chances[guess]
    return right
