"""What section 5.3.2 of the paper claims of the variance."""

from __future__ import annotations

from collections.abc import Sequence

from confide.papers.cells import Row
from confide.papers.claims import Claim, Finding, NotRun, decide
from confide.papers.multi_group.accuracy import find_accuracy
from confide.papers.multi_group.experiment import DATA, GROUPS
from confide.papers.multi_group.variance import split_variance
from confide.papers.run_table import select
from confide.papers.split_people import name_scheme


def _check_variance_by_truth(rows: Sequence[Row]) -> Finding:
    grows = [
        find_accuracy(rows, data, groups, far).variance
        < find_accuracy(rows, data, groups, near).variance
        for data in DATA
        for groups in GROUPS
        for far, near in ((0.9, 0.6), (0.1, 0.4), (0.9, 0.51), (0.1, 0.45))
    ]
    return decide(
        sum(grows) >= 0.9 * len(grows),
        f"the variance is larger nearer to 0.5 in {sum(grows)} of {len(grows)} comparisons.",
        "figure-3b",
    )


def _check_variance_by_groups(rows: Sequence[Row]) -> Finding:
    truths = (0.2, 0.3, 0.6, 0.7, 0.8)
    grows = [
        find_accuracy(rows, data, fewer, truth).variance
        < find_accuracy(rows, data, more, truth).variance
        for data in DATA
        for fewer, more in ((1, 2), (2, 3))
        for truth in truths
    ]
    return decide(
        sum(grows) >= 0.75 * len(grows),
        f"with one more group the variance is larger in {sum(grows)} of {len(grows)} comparisons "
        f"at θ = {', '.join(map(str, truths))}.",
        "figure-3b",
    )


def _check_parts(rows: Sequence[Row]) -> Finding:
    found = select(rows, experiment="accuracy", method="paper", target="disguised")
    within = between = 0.0
    for data in DATA:
        for groups in GROUPS[1:]:
            for truth in (0.6, 0.7, 0.8):
                runs = select(found, data=data, groups=groups, truth=truth)
                parts = split_variance(runs)
                if parts is None or len({run["partition"] for run in runs}) < 2:
                    raise NotRun("there are too few repeats to split the variance.")
                within += parts.within
                between += parts.between
    return decide(
        within > between,
        f"summed over two and three groups at θ = 0.6, 0.7 and 0.8: {within:.3g} from the coins "
        f"within a partition, {between:.3g} between partitions.",
        "variance-parts",
    )


def _check_low_near_half(rows: Sequence[Row]) -> Finding:
    means = {groups: find_accuracy(rows, "adult", groups, 0.51).mean for groups in GROUPS}
    said = ", ".join(f"{name_scheme(groups)} {mean:.3f}" for groups, mean in means.items())
    return decide(
        max(means.values()) < 0.6,
        f"accuracy on Adult at θ = 0.51: {said}; always telling the commoner class gives 0.75.",
        "figure-3a",
    )


CLAIMS = (
    Claim(
        "5.3.2",
        "Within the same scheme, when θ moves from 1 and 0 towards 0.5, the variance becomes "
        "large.",
        _check_variance_by_truth,
    ),
    Claim(
        "5.3.2",
        "With the number of groups increasing, the variance increases.",
        _check_variance_by_groups,
    ),
    Claim(
        "5.3.2",
        "The reason is that the randomization is conducted independently for different groups. "
        "(Read as: the variance is that of the coins, not of how the attributes are dealt.)",
        _check_parts,
    ),
    Claim(
        "5.3.2",
        "When θ is close to 0.5 the accuracy becomes very low; 0.5, a random guess, is very low.",
        _check_low_near_half,
    ),
)
