"""Giving back the whole table of fifteen yes-no questions from reports already counted."""

from __future__ import annotations

from time import process_time

import numpy as np
from campus import DESIGN
from measuring import Result, Size, format_duration, measure_best_seconds

import confide as cf

MOST_GROWTH = 1.5
SIZES = (10_000, 100_000, 1_000_000, 10_000_000)


def measure(size: Size) -> list[Result]:
    """The time for ten thousand reports beside that for ten million."""
    counted = [_draw_counts(n) for n in SIZES]
    times = measure_best_seconds(
        5 * size.rounds,
        *(lambda c=c: cf.Crowd(DESIGN, c).table(list(DESIGN.names)) for c in counted),
        clock=process_time,
    )
    each = ", ".join(
        f"{n:,}: {format_duration(time)}" for n, time in zip(SIZES[:-1], times[:-1], strict=True)
    )
    growth = times[-1] / times[0]
    return [
        Result(
            what=f"full table of 15 yes-no questions in 3 groups, {SIZES[-1]:,} counted reports",
            confide=format_duration(times[-1]),
            beside=each,
            found=growth,
            shown=f"{growth:.2f} × the time of {SIZES[0]:,}",
            target=f"≤ {MOST_GROWTH} ×: independent of n",
            met=growth <= MOST_GROWTH,
        )
    ]


def _draw_counts(n: int) -> cf.Counts:
    """Counts as n reports would give them."""
    generator = np.random.default_rng(n)
    cells = 2 ** len(DESIGN.names)
    reports = generator.multinomial(n, generator.dirichlet(np.ones(cells)))
    seen = np.flatnonzero(reports)
    codes = np.unravel_index(seen, (2,) * len(DESIGN.names))
    return cf.Counts.gather(DESIGN, codes, reports[seen])
