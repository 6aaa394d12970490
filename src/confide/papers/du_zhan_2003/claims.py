"""What the paper claims of its results."""

from __future__ import annotations

from collections.abc import Sequence

from confide.papers.cells import Row
from confide.papers.claims import Claim, Finding, NotRun, cannot_be_checked, decide
from confide.papers.control import ask_for_gain
from confide.papers.original import count_tested, find_original
from confide.papers.run_table import Repeats, average, select
from confide.papers.scoring_errors import check_errors

CLOSE = 0.02
"""An accuracy so near the original is called close: two points of a hundred."""
_FAR = 0.05
_SMALL_VARIANCE = 0.001
_GOOD = (0.0, 0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9, 1.0)
_TOLD = 0.05


def _find(rows: Sequence[Row], truth: float, method: str = "paper") -> Repeats:
    found = average(rows, experiment="accuracy", truth=truth, method=method)
    if found is None:
        raise NotRun(f"θ = {truth} was not run.")
    return found


def _check_ends(rows: Sequence[Row]) -> Finding:
    original = find_original(rows)
    off = max(abs(_find(rows, truth).mean - original) for truth in (0.0, 1.0))
    return decide(
        off < 1e-9,
        f"original {original:.4f}; at θ = 0 and 1 the largest difference is {off:.4f}.",
        "figure-2a",
    )


def _check_variance_grows(rows: Sequence[Row]) -> Finding:
    sides = ((0.9, 0.7, 0.55), (0.1, 0.3, 0.45))
    spreads = [[_find(rows, truth).variance for truth in side] for side in sides]
    said = "; ".join(
        ", ".join(f"θ = {t}: {v:.2g}" for t, v in zip(side, spread, strict=True))
        for side, spread in zip(sides, spreads, strict=True)
    )
    grows = all(far < nearer < near for far, nearer, near in spreads)
    return decide(grows, f"variance at {said}.", "figure-2b")


def _check_high_and_low(rows: Sequence[Row]) -> Finding:
    original = find_original(rows)
    each = {truth: _find(rows, truth) for truth in _GOOD}
    worst = min(_GOOD, key=lambda truth: each[truth].mean)
    widest = max(found.variance for found in each.values())
    lost = original - each[worst].mean
    return decide(
        lost <= CLOSE and widest <= _SMALL_VARIANCE,
        f"the largest loss there is {lost:.3f}, at θ = {worst} ({CLOSE} is called close); the "
        f"largest variance {widest:.2g} ({_SMALL_VARIANCE} is called low).",
        "figure-2a",
    )


def _check_middle(rows: Sequence[Row]) -> Finding:
    original, middle = find_original(rows), _find(rows, 0.51)
    lost = original - middle.mean
    return decide(
        lost > _FAR and middle.variance > _SMALL_VARIANCE,
        f"at θ = 0.51 the mean is {lost:.3f} below the original, the variance "
        f"{middle.variance:.2g}.",
        "figure-2a",
    )


def _check_privacy(rows: Sequence[Row]) -> Finding:
    told = {float(r["truth"] or 0): r["coins_told"] for r in select(rows, experiment="privacy")}
    if len(told) < 2 or any(value is None for value in told.values()):
        raise NotRun("what records tell about their coin was measured at fewer than two θ.")
    near, far = min(told), max(told)
    low, high = float(told[near] or 0), float(told[far] or 0)
    return decide(
        high - low > _TOLD,
        f"of one answer on its own it does: guessed with {near} at θ = {near}, {far} at {far}. But "
        f"the whole record gives its coin, and so every answer, away to one who knows the crowd: "
        f"in {100 * low:.1f} % of the records at θ = {near}, {100 * high:.1f} % at {far}.",
        "privacy",
    )


def _check_scoring(rows: Sequence[Row]) -> Finding:
    found = select(rows, experiment="accuracy")
    return check_errors(found, count_tested(rows), "estimated-accuracy")


CLAIMS = (
    Claim(
        "5.2",
        "When θ = 1 and θ = 0, the results are exactly the same as the original ID3 algorithm.",
        _check_ends,
    ),
    Claim(
        "5.2",
        "When θ moves from 1 and 0 towards 0.5 the variance of the estimation becomes large.",
        _check_variance_grows,
    ),
    Claim(
        "5.2, 6",
        "When θ is in [0, 0.4] and [0.6, 1], the method can still achieve very high accuracy and "
        "low variance compared to the original accuracy score.",
        _check_high_and_low,
    ),
    Claim(
        "5.2",
        "When θ is around 0.5, the mean deviates a lot from the original accuracy score, and the "
        "variance becomes large.",
        _check_middle,
    ),
    Claim(
        "5.2",
        "The variance is caused by the sample size and by the randomization; the difference among "
        "the θ comes mainly from the level of randomization.",
        cannot_be_checked("the paper has one sample size, so nothing is there to compare with."),
    ),
    Claim(
        "5.3",
        "When θ moves toward 0.5, the privacy level is enhancing.",
        _check_privacy,
    ),
    Claim(
        "4.3",
        "The accuracy score can be estimated from a disguised testing set and its complement.",
        _check_scoring,
    ),
    ask_for_gain("ID3", (0.51, 0.55, 0.6, 0.7, 0.8, 0.9), "figure-2a"),
)
