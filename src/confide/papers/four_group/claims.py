"""What the paper claims: more groups, more privacy, a little less accuracy."""

from __future__ import annotations

from collections.abc import Sequence

from confide.papers.cells import Row
from confide.papers.claims import Claim, Finding, NotRun, cannot_be_checked, decide
from confide.papers.control import ask_for_gain
from confide.papers.four_group.experiment import ALGORITHMS, SCHEMES, SCOPES
from confide.papers.run_table import Repeats, average

_NEGLIGIBLE = 0.02
"""A loss of two points of a hundred is called negligible."""
_INNER = (0.1, 0.2, 0.3, 0.45, 0.51, 0.55, 0.6, 0.7, 0.8, 0.9)
_USEFUL = (0.6, 0.7, 0.8, 0.9)
_PRIVACY = ("record_told", "record_told_knowing_one", "coins_told")


def _find(rows: Sequence[Row], value: str, **where: object) -> Repeats:
    found = average(rows, value, **where)
    if found is None:
        raise NotRun("not all schemes and θ were run.")
    return found


def _check_privacy(rows: Sequence[Row]) -> Finding:
    """Whether each of the three measures falls with every further group."""
    where = {"experiment": "privacy", "scope": SCOPES[0]}
    verdicts, said = [], []
    for measure in _PRIVACY:
        means = {
            groups: sum(
                _find(rows, measure, groups=groups, truth=truth, **where).mean for truth in _USEFUL
            )
            / len(_USEFUL)
            for groups in SCHEMES
        }
        verdicts.append(all(means[g + 1] < means[g] for g in (1, 2, 3)))
        said.append(f"{measure.replace('_', ' ')} {' → '.join(f'{m:.3f}' for m in means.values())}")
    return decide(
        all(verdicts),
        f"with one, two, three and four groups, mean over θ = 0.6 to 0.9: {'; '.join(said)}.",
        "privacy-by-groups",
    )


def _find_drops(rows: Sequence[Row], scope: str, value: str) -> dict[tuple[str, float], float]:
    """By algorithm and θ: the accuracy lost from three groups to four."""
    where = {"experiment": "accuracy", "scope": scope, "method": "paper"}
    return {
        (algorithm, truth): _find(
            rows, value, algorithm=algorithm, truth=truth, groups=3, **where
        ).mean
        - _find(rows, value, algorithm=algorithm, truth=truth, groups=4, **where).mean
        for algorithm in ALGORITHMS
        for truth in _INNER
    }


def _check_falls(rows: Sequence[Row]) -> Finding:
    said, mean = [], []
    for scope in SCOPES:
        for value, tested in (("accuracy", "others"), ("training_accuracy", "training data")):
            drops = _find_drops(rows, scope, value)
            mean.append(sum(drops.values()) / len(drops))
            said.append(f"{scope}, {tested}: {100 * mean[-1]:+.1f}")
    return decide(
        all(value > 0 for value in mean),
        f"points lost from three groups to four, mean over the θ but 0 and 1: {'; '.join(said)}. "
        "The printed 25.2 % and 19.2 % are accuracies of nothing that is defined.",
        "accuracy-by-groups",
    )


def _check_negligible(rows: Sequence[Row]) -> Finding:
    worst = {}
    for scope in SCOPES:
        drops = _find_drops(rows, scope, "accuracy")
        key = max(drops, key=lambda each: drops[each])
        worst[scope] = (drops[key], key)
    said = "; ".join(
        f"{scope}: at most {100 * drop:.1f} points ({algorithm}, θ = {truth})"
        for scope, (drop, (algorithm, truth)) in worst.items()
    )
    return decide(
        all(drop <= _NEGLIGIBLE for drop, _ in worst.values()),
        f"lost from three groups to four, on people not learned from: {said}; two points are "
        "called negligible.",
        "figure-2-3-all",
    )


def _check_training(rows: Sequence[Row]) -> Finding:
    where = {"experiment": "accuracy", "scope": SCOPES[1], "method": "paper", "truth": 0.9}
    gaps = [
        _find(rows, "training_accuracy", algorithm=a, groups=g, **where).mean
        - _find(rows, "accuracy", algorithm=a, groups=g, **where).mean
        for a in ALGORITHMS
        for g in SCHEMES
    ]
    return decide(
        max(gaps) < 0.01,
        f"at θ = 0.9 the accuracy on the training data is {100 * min(gaps):.1f} to "
        f"{100 * max(gaps):.1f} points above that on others, all attributes.",
        "figure-2-3-training",
    )


_UNDEFINED = "the paper does not define what its percentages are of."
CLAIMS = (
    Claim(
        "abstract, 5, 6",
        "By increasing the number of groups, the privacy level will increase.",
        _check_privacy,
    ),
    Claim(
        "5",
        "With three groups the privacy is 29 %, with four 94 %: it increases by 65 %.",
        cannot_be_checked(_UNDEFINED),
    ),
    Claim(
        "4",
        "With three groups the accuracy is 25.2 %, with four 19.2 %: it decreases by 6 %.",
        cannot_be_checked(_UNDEFINED),
    ),
    Claim(
        "4, 6",
        "The accuracy decreases when the data is divided from three groups to four.",
        _check_falls,
    ),
    Claim("4, 5, 6", "The decrease of the accuracy is negligible.", _check_negligible),
    Claim(
        "3c",
        "The training data set is used for testing. (Asked here: does that flatter nobody?)",
        _check_training,
    ),
    *(
        ask_for_gain(
            algorithm,
            (0.51, 0.55, *_USEFUL),
            "figure-2-3-all",
            scope=SCOPES[1],
            algorithm=algorithm,
            groups=4,
        )
        for algorithm in ALGORITHMS
    ),
)
