"""What the paper claims of its results."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from confide.errors import DesignError
from confide.papers.cells import Row
from confide.papers.claims import Claim, Finding, NotRun, cannot_be_checked, decide
from confide.papers.control import ask_for_gain
from confide.papers.original import count_tested, find_original
from confide.papers.run_table import Repeats, average, select
from confide.papers.scoring_errors import check_errors
from confide.papers.split_people import build_related_design
from confide.papers.surveys.experiment import DATA, PREVALENCES, PRIVACY_TRUTHS
from confide.papers.surveys.figures import PRINTED

_CLOSE = 0.02
"""An accuracy so near the original is called close: two points of a hundred."""
_PRINTED_ERROR = 0.01
"""A mean that differs from the printed one, which has two digits, by no more agrees with it."""


def _find(rows: Sequence[Row], data: str, truth: float, model: str = "unrelated") -> Repeats:
    where = {"data": data, "truth": truth, "model": model, "method": "paper"}
    found = average(rows, experiment="accuracy", **where)
    if found is None:
        raise NotRun(f"θ = {truth} of the {model} model was not run on {data}.")
    return found


def _check_end(rows: Sequence[Row]) -> Finding:
    off = max(abs(_find(rows, data, 1.0).mean - find_original(rows, data=data)) for data in DATA)
    return decide(off < 1e-9, f"the largest difference at θ = 1 is {off:.4f}.", "figure-2")


def _check_trend(rows: Sequence[Row]) -> Finding:
    truths = (1.0, 0.7, 0.4, 0.2, 0.1, 0.05)
    means = {data: [_find(rows, data, truth).mean for truth in truths] for data in DATA}
    falls = all(
        later <= earlier + 0.001 for line in means.values() for earlier, later in pairwise(line)
    )
    said = "; ".join(
        f"{data} {' → '.join(f'{mean:.3f}' for mean in line)}" for data, line in means.items()
    )
    return decide(falls, f"means at θ = {', '.join(map(str, truths))}: {said}.", "figure-2")


def _check_variance(rows: Sequence[Row]) -> Finding:
    truths = (0.9, 0.5, 0.2, 0.1, 0.05)
    lines = {data: [_find(rows, data, truth).variance for truth in truths] for data in DATA}
    grows = all(later > earlier for line in lines.values() for earlier, later in pairwise(line))
    said = "; ".join(
        f"{data} {' → '.join(f'{value:.2g}' for value in line)}" for data, line in lines.items()
    )
    return decide(grows, f"variances at θ = {', '.join(map(str, truths))}: {said}.", "figure-4")


def _check_close(rows: Sequence[Row]) -> Finding:
    lost = {
        (data, truth): find_original(rows, data=data) - _find(rows, data, truth).mean
        for data in DATA
        for truth in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
    }
    good = [key for key, value in lost.items() if value <= _CLOSE]
    worst = max(lost, key=lambda key: lost[key])
    return decide(
        len(good) == len(lost),
        f"{len(good)} of {len(lost)} means at θ from 0.3 to 0.9 are within {_CLOSE} of the "
        f"original; the farthest is {lost[worst]:.3f} below ({worst[0]}, θ = {worst[1]}).",
        "figure-2",
    )


def _find_entries(rows: Sequence[Row]) -> dict[tuple[float, float], float]:
    return {
        (float(row["prevalence"] or 0), float(row["truth"] or 0)): float(row["single_entry"] or 0)
        for row in select(rows, experiment="single entry")
    }


def _check_entry_ends(rows: Sequence[Row]) -> Finding:
    found = _find_entries(rows)
    told = max(found[share, 1.0] for share in PREVALENCES)
    most = all(
        found[share, 0.0] >= max(found[share, truth] for truth in PRIVACY_TRUTHS)
        for share in PREVALENCES
    )
    return decide(
        told == 0 and most,
        f"at θ = 1 PSE(PRE) is {told:g}; at θ = 0 it is the largest for every W_a"
        + ("." if most else " but some."),
        "figure-6",
    )


def _check_entry_falls(rows: Sequence[Row]) -> Finding:
    found = _find_entries(rows)
    wrong = [
        (share, high)
        for share in PREVALENCES
        for low, high in pairwise(PRIVACY_TRUTHS)
        if found[share, high] > found[share, low] + 1e-12
    ]
    return decide(
        not wrong, f"it falls with θ in all but {len(wrong)} steps of all curves.", "figure-6"
    )


def _check_entry_prevalence(rows: Sequence[Row]) -> Finding:
    found = _find_entries(rows)
    shares = [share for share in PREVALENCES if share <= 0.5]
    wrong = [
        truth
        for truth in PRIVACY_TRUTHS
        for low, high in pairwise(shares)
        if found[high, truth] < found[low, truth] - 1e-12
    ]
    uneven = max(
        abs(found[share, t] - found[round(1 - share, 1), t]) for share in shares for t in (0.3, 0.7)
    )
    return decide(
        not wrong and uneven < 1e-9,
        f"it grows with W_a up to 0.5 at every θ but {len(wrong)}; W_a and 1 − W_a differ by "
        f"{uneven:.2g}. (Small at rare answers although nothing is told about them: it measures "
        "the doubt that was there, too.)",
        "figure-6",
    )


def _check_printed(rows: Sequence[Row]) -> Finding:
    off = {
        (model, truth): abs(_find(rows, "adult", truth, model).mean - mean)
        for model, line in PRINTED.items()
        for truth, (mean, _) in line.items()
    }
    far = [key for key, value in off.items() if value > _PRINTED_ERROR]
    worst = max(off, key=lambda key: off[key])
    return decide(
        not far,
        f"{len(off) - len(far)} of {len(off)} means agree within {_PRINTED_ERROR}; the farthest is "
        f"{off[worst]:.3f} away ({worst[0]}, θ = {worst[1]}).",
        "figure-7",
    )


def _check_half(rows: Sequence[Row]) -> Finding:
    try:
        build_related_design(("a",), (("a",),), ".5")
        refused = False
    except DesignError:
        refused = True
    here = _find(rows, "adult", 0.5)
    return decide(
        refused,
        "a related question with θ = 0.5 is refused, as its reports say nothing; the unrelated "
        f"one reaches {here.mean:.3f} on Adult there.",
        "models",
    )


def _check_mirror(rows: Sequence[Row]) -> Finding:
    pairs = ((0.1, 0.9), (0.4, 0.6))
    off, error = 0.0, 0.0
    for low, high in pairs:
        first, second = (_find(rows, "adult", truth, "related") for truth in (low, high))
        gap = abs(first.mean - second.mean)
        if gap > off:
            off, error = gap, (first.error**2 + second.error**2) ** 0.5
    return decide(
        off <= max(3 * error, 0.001),
        f"θ = 0.1 and 0.9, 0.4 and 0.6 differ by at most {off:.4f} (standard error {error:.4f}).",
        "models",
    )


def _check_better(rows: Sequence[Row]) -> Finding:
    better = [
        _find(rows, "adult", truth).mean > _find(rows, "adult", truth, "related").mean
        for truth in (0.51, 0.6)
    ]
    near, far = (_find(rows, "adult", truth, "related") for truth in (0.51, 0.7))
    same = _find(rows, "adult", 0.51)
    return decide(
        all(better),
        f"at θ = 0.51 {same.mean:.3f} against {near.mean:.3f}. But the same θ is not the same "
        "privacy: an unrelated report with θ = 0.51 is true with 0.755; a related one that is "
        f"true with 0.7 reaches {far.mean:.3f}.",
        "models",
    )


def _check_scoring(rows: Sequence[Row]) -> Finding:
    found = select(rows, experiment="accuracy", data="adult", model="unrelated")
    return check_errors(found, count_tested(rows, data="adult"), "estimated-accuracy")


def _check_measure(rows: Sequence[Row]) -> Finding:
    found = select(rows, experiment="after mining")
    if not found:
        raise NotRun("no rules were mined in this run.")
    least = [float(row["least_pse_after"] or 0) for row in found]
    recs = [float(row["largest_rec"] or 0) for row in found]
    return decide(
        min(least) >= 0,
        f"with REC from mined rules the least PSE lies between {min(least):.2f} and "
        f"{max(least):.2f}, the largest REC between {min(recs):.2f} and {max(recs):.2f}: REC is a "
        "sum that can exceed 1, and PSE no probability.",
        "after-mining",
    )


_BY_TRUTH = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
CLAIMS = (
    Claim(
        "5.2.1",
        "When θ = 1, the results are exactly the same as those of the standard algorithm.",
        _check_end,
    ),
    Claim(
        "5.2.1",
        "When θ moves from 1 towards 0, the mean of accuracy has the trend of decreasing.",
        _check_trend,
    ),
    Claim(
        "5.2.2",
        "When θ moves from 1 towards 0, the variance of the estimation becomes larger.",
        _check_variance,
    ),
    Claim(
        "5.2.2",
        "When θ = 0 the collected data is the personal data, and the variance is 0.",
        cannot_be_checked("at θ = 0 equation (1) has no solution, so there is no classifier."),
    ),
    Claim(
        "abstract, 1, 7",
        "With an appropriate θ the accuracy is close to that of a classifier built with total "
        "disclosure of private information.",
        _check_close,
    ),
    Claim(
        "3.4",
        "The accuracy can be estimated from randomized testing data and P(Y(cc)).",
        _check_scoring,
    ),
    Claim(
        "4.2",
        "The final privacy of an entry is PSE = PSE(PRE) − REC. (Read as: that is a probability.)",
        _check_measure,
    ),
    Claim(
        "5.3",
        "When θ = 1 the privacy value is 0; when θ = 0 the privacy level is the highest.",
        _check_entry_ends,
    ),
    Claim(
        "5.3",
        "When θ is away from 1 and approaches 0, the privacy level increases.",
        _check_entry_falls,
    ),
    Claim(
        "5.3",
        "When the distribution of the private data approaches the uniform one (W_a = 0.5), the "
        "privacy level is increasing; W_a above 0.5 is symmetric.",
        _check_entry_prevalence,
    ),
    Claim(
        "6.1, Figure 7",
        "Mean accuracies on Adult: related .66 .81 .82 .82 .82 (θ = .51 to .9), unrelated .81 .81 "
        ".82 .82 .82 .82 (θ = .5 to .9).",
        _check_printed,
    ),
    Claim(
        "6.1",
        "When θ = 0.5 the related-question model cannot be applied; the unrelated one can.",
        _check_half,
    ),
    Claim(
        "6.1",
        "For the related-question model the results for θ in [0, 0.5) are similar to those for "
        "(0.5, 1].",
        _check_mirror,
    ),
    Claim(
        "6.1",
        "The unrelated-question model provides better results than the related one when θ is close "
        "to 0.5.",
        _check_better,
    ),
    *(
        ask_for_gain("naive Bayes", _BY_TRUTH, figure, data=data, model="unrelated")
        for data, figure in zip(DATA, ("figure-2", "figure-3"), strict=True)
    ),
)
