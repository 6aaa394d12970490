"""How often the 95 % interval of the likelihood covers the truth: the rest of make coverage.

The cases are those of coverage_map.py whose tables have at most 16 cells; larger ones have score
intervals by both methods. Each draws 2,000 surveys. One yes-no question alone has no more than
n + 1 surveys, so there the coverage is a sum over all of them. Where others do not cover 93 to
98 %, ten times as many tell the case from bad luck.

An interval holds the truth where more than 5 % of 199 surveys drawn anew cost more; of those that
cost the same five in seven count. All surveys of a case share one channel, so they are fitted
together; surveys that are alike are judged once; and after ten that cost more, no more are
fitted. Where more than 98 % hold it, the widths of some are measured. Some 75 minutes of
processor time. The table goes to docs/pictures/coverage-likelihood.csv, the picture beside it.
"""

from __future__ import annotations

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import pairwise
from multiprocessing import get_context

import numpy as np
from coverage_map import (
    AGAIN,
    DOUBTFUL,
    LEVEL,
    MOST,
    SURVEYS,
    Case,
    judge,
    list_cases,
    list_surveys,
    report,
    round_share,
)
from numpy.typing import NDArray

import confide as cf
from confide.arrays import Z95, Array
from confide.crowd._profile_intervals import MOST_CELLS
from confide.estimators.interior_point import maximise_together
from confide.estimators.profile_likelihood import (
    SAME,
    TIED,
    Profile,
    compute_costs,
    count_dearer,
    fix_share,
    write_matrix,
)
from confide.estimators.table_channel import TableChannel

_RARE = 10 - SAME + 1e-6  # of 199 surveys are dearer: with the one at hand 5 %
_PORTIONS = (0, 16, 32, 64, 128, 199)  # in which the surveys are fitted
_TOGETHER = 4_096  # surveys that are fitted in one go
_WIDTHS = 20  # surveys whose intervals' widths are averaged


@dataclass(frozen=True, eq=False)
class Judge:
    """Who says of a case's surveys whether their intervals hold the truth."""

    case: Case
    channel: TableChannel
    matrix: Array
    fixed: Array
    inside: NDArray[np.bool_]
    cell: int

    @classmethod
    def of(cls, case: Case) -> Judge:
        """Write out the channels of a case, free and with the true share."""
        channel = TableChannel(case.design, case.names)
        inside = np.zeros(channel.shape, bool)
        inside[tuple(case.within.values())] = True
        matrix, inside = write_matrix(channel), inside.ravel()
        cell = int(np.ravel_multi_index((1,) * len(case.names), channel.shape))
        fixed = fix_share(matrix, inside, cell, case.share)
        return cls(case, channel, matrix, fixed, inside, cell)

    def list_surveys(self, surveys: int, seed: int) -> tuple[Array, Array]:
        """The different surveys that were drawn, or all that there are, and their chances."""
        counts, chances = list_surveys(self.case, surveys, seed)
        return counts.astype(float), chances

    def find_covered(self, counts: Array) -> NDArray[np.bool_]:
        """Whether the interval of each survey holds the truth."""
        own, _ = self._compute_costs(counts)
        usual = self._draw_usual(counts)
        alike = self._profile(counts[0]).alike
        dearer, regular = np.zeros(len(own)), np.ones(len(own), bool)
        left = np.arange(len(own))
        for start, stop in pairwise(_PORTIONS):
            rows = usual[left, start:stop]
            costs, inner = self._compute_costs(rows.reshape(-1, rows.shape[2]))
            dearer[left] += count_dearer(costs.reshape(len(left), -1), own[left], alike)
            regular[left] &= inner.reshape(len(left), -1).all(axis=1)
            sure = (dearer > _RARE) & (~regular | (own <= Z95**2))
            left = np.flatnonzero(~sure)
            if not len(left):
                break
        return np.where(regular, own <= Z95**2 + TIED, dearer > _RARE)

    def find_least(self, counts: Array, chances: Array) -> float:
        """The least that an interval could cover which covers the 95 % that it is called.

        Its limit may lie between any two costs.
        """
        costs, _ = self._compute_costs(counts)
        order = np.argsort(costs)
        costs, below = costs[order], np.cumsum(chances[order])
        last = costs[1:] * (1 - self._profile(counts[0]).alike) > costs[:-1] + TIED
        shares = below[np.append(last, True)]
        return float(shares[shares >= min(LEVEL, shares[-1])].min())

    def measure_width(self, counts: Array, chances: Array) -> float:
        """The mean width of some surveys' intervals."""
        names, within = self.case.names, self.case.within
        labels = {name: "yes" for name in names if name not in within}
        widths = []
        drawn = np.random.default_rng(1).choice(len(counts), _WIDTHS, p=chances / chances.sum())
        for row in counts[drawn]:
            table = row.reshape(self.channel.shape).astype(np.int64)
            cells = np.argwhere(table)
            reports = cf.Counts(self.case.design, cells, table[tuple(cells.T)])
            crowd = cf.Crowd(self.case.design, reports)
            people = crowd.given(dict.fromkeys(within, "yes")) if within else crowd
            with suppress(cf.QueryError):  # nobody in the sub-population: refused
                low, high = people.proportion(labels, method="likelihood").interval()
                widths.append(high - low)
        return float(np.mean(widths))

    def _draw_usual(self, counts: Array) -> Array:
        """Draw for each survey the 199 by which it is judged."""
        likely = maximise_together(self.fixed, counts)[0] @ self.fixed.T
        return np.stack(
            [
                self._profile(row).draw_surveys(expected)
                for row, expected in zip(counts, likely, strict=True)
            ]
        )

    def _profile(self, counts: Array) -> Profile:
        return Profile((self.matrix,), (counts,), self.inside)

    def _compute_costs(self, counts: Array) -> tuple[Array, NDArray[np.bool_]]:
        """What the truth costs in surveys, and in which of them no share is 0."""
        own, place = np.unique(counts, axis=0, return_inverse=True)
        parts = [own[i : i + _TOGETHER] for i in range(0, len(own), _TOGETHER)]
        found = [compute_costs(self.matrix, self.fixed, self.cell, part) for part in parts]
        costs, regular = (np.concatenate(each)[place.ravel()] for each in zip(*found, strict=True))
        return costs, regular


def measure(case: Case, surveys: int = SURVEYS, seed: int = 7) -> dict[str, object]:
    """The coverage of the likelihood's intervals in a case."""
    surveyed = Judge.of(case)
    counts, chances = surveyed.list_surveys(surveys, seed)
    covered = round_share(float(chances @ surveyed.find_covered(counts)))
    exact = counts.shape[1] == 2
    often = covered > MOST
    width = round(surveyed.measure_width(counts, chances), 3) if often else 0.0
    least = surveyed.find_least(counts, chances) if often else 0.0
    verdict = judge(covered, width, least)
    if verdict in DOUBTFUL and surveys == SURVEYS and not exact:
        return measure(case, AGAIN * surveys, seed + 1)
    return {
        **asdict(case),
        "coverage": covered,
        "surveys": "all" if exact else surveys,
        "width": width or "",
        "verdict": verdict,
    }


def list_likelihood_cases() -> list[Case]:
    """The cases in which the likelihood has intervals of its own."""
    cases = [case for case in list_cases() if case.people != "model"]
    return [
        case for case in cases if np.prod(TableChannel(case.design, case.names).shape) <= MOST_CELLS
    ]


def main() -> None:
    """Measure every case on all cores."""
    argparse.ArgumentParser(description=__doc__.partition("\n")[0]).parse_args()
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # of the processes below
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as processes:
        report("coverage-likelihood", list(processes.map(measure, list_likelihood_cases())))


if __name__ == "__main__":
    main()
