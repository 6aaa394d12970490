"""The measures of `surveys`, section 4, from their definitions.

They are offered because the paper's readers look for them. They are averages over a crowd, so a
good value says nothing about the person whose answer is rare; and they look at one entry at a
time, so they miss what a whole report gives away. `confide.privacy.of` says both.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from confide.arrays import Array
from confide.design.shares import read_shares
from confide.errors import QueryError


def single_entry(*, prevalence: float, truth: float, personal: float) -> float:
    """PSE(PRE): how often a guess about one unrelated-question entry is wrong, before mining.

    PSE(PRE) = Σ_o Σ_r P(O = o)·P(R = r | O = o)·P(O ≠ o | R = r): a data collector who draws a
    guess from the posterior is wrong with this probability. (The print has (1 − θ)(1 − W_y) for
    P(R = 1 | O = 0) in its first component; by the definition it is (1 − θ)·W_y, as here.)

    It cannot tell how well the *best* guess does, which is wrong less often, nor what a rare yes
    gives away. At truth = 0 it is 2·W_a(1 − W_a), which is small for rare answers although nothing
    is told about them.

    Parameters
    ----------
    prevalence : float
        W_a, the probability that the private answer is yes.
    truth : float
        θ, the probability that the private question is answered.
    personal : float
        W_y, the probability that the personal answer is yes.

    Examples
    --------
    >>> round(single_entry(prevalence=0.3, truth=0.5, personal=0.3), 4)
    0.315
    >>> round(single_entry(prevalence=0.3, truth=0.7, personal=0.5), 4)
    0.2324
    """
    yes = _read_probability(prevalence, "prevalence")
    theta = _read_probability(truth, "truth")
    cover = _read_probability(personal, "personal")
    channel = theta * np.eye(2) + (1 - theta) * np.array([[1 - cover], [cover]])
    return wrong_guess(channel * np.array([1 - yes, yes]))


def _read_probability(value: float, what: str) -> float:
    """Read a number between 0 and 1."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = -1.0
    if not 0 <= number <= 1:
        raise QueryError(f"{what} must be a probability, 0 to 1. Got {str(value)[:40]}.")
    return number


def wrong_guess(joint: Array) -> float:
    """Σ_r Σ_o P(o, r)·P(not o | r), for a table ``joint[report, answer]``."""
    reports = joint.sum(axis=1)
    seen = reports > 0
    return float(1 - ((joint[seen] ** 2).sum(axis=1) / reports[seen]).sum())


def recovery_known(precondition: ArrayLike, confidence: ArrayLike) -> float:
    """REC, scenario I: rules whose preconditions' true values are known to the adversary.

    REC = Σ_a Σ_b P(A₁ = a)·confidence(A₁ = a ⇒ A₂ = b). It can only tell something for rules that
    do not exclude each other or come from different sources: where the confidences are the
    conditional probabilities of one population they sum to one, and so does REC, whatever was
    disguised.

    Parameters
    ----------
    precondition : array of shape (a,)
        The probability of each value of the precondition.
    confidence : array of shape (a, b)
        The confidence of each rule.

    Examples
    --------
    The example of the paper, with half of all people at A₁ = 1:

    >>> round(recovery_known([0.5, 0.5], [[0.3, 0.4], [0.6, 0.8]]), 9)
    1.05
    """
    shares = read_shares(precondition, "the precondition")
    return float(shares @ _read_confidences(confidence, len(shares)).sum(axis=1))


def recovery_unknown(confidence: ArrayLike, correct: ArrayLike) -> float:
    """REC, scenario II: rules between reported values, when the true ones are unknown.

    REC = Σ_a Σ_b P(R₂ = b | R₁ = a)·P(O₂ = b | R₂ = b). The paper sums over the values a of the
    precondition without weighing them, so REC can exceed 1, and PSE(PRE) − REC can be negative:
    useful to rank designs, not as a probability.

    Parameters
    ----------
    confidence : array of shape (a, b)
        The confidence of each rule between reported values.
    correct : array of shape (b,)
        The probability that each reported value is the true one.

    Examples
    --------
    >>> round(recovery_unknown([[0.6, 0.4], [0.3, 0.7]], [0.9, 0.8]), 9)
    1.69
    """
    right = np.asarray(correct, dtype=float)
    rules = np.asarray(confidence, dtype=float)
    rules = _read_confidences(rules, len(rules) if rules.ndim else 0)
    if right.shape != rules.shape[1:] or not _are_probabilities(right):
        raise QueryError(
            f"correct must give a probability to each of {rules.shape[1]} reported values."
        )
    return float((rules @ right).sum())


def _read_confidences(given: ArrayLike, values: int) -> Array:
    rules = np.asarray(given, dtype=float)
    if rules.ndim != 2 or len(rules) != values or not _are_probabilities(rules):
        raise QueryError(
            "confidence must be a table of probabilities, a row for each value of the precondition."
        )
    return rules


def _are_probabilities(values: Array) -> bool:
    return bool(((values >= 0) & (values <= 1)).all())
