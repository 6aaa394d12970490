"""What reports are expected to tell of the parameters, whatever they happened to say.

The information that the reports at hand give scatters around it, the more so the less a report
tells: where an outcome is rare, the intervals of sandwiches made with it cover too seldom.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from confide.arrays import Array, Codes
from confide.regression.regression_likelihood import Likelihood

_THREE_ERRORS = ((-(3**0.5), 1 / 6), (0.0, 2 / 3), (3**0.5, 1 / 6))
"""Values and chances with the first five moments of a normal distribution."""


def expect_information(
    rows: Likelihood, params: Array, members: list[Codes], channels: Iterable[Array]
) -> Array:
    """The information that each cluster is expected to give: on average the squares of scores.

    What its own reports happen to give is less than nothing in many a cluster, where they hardly
    tell; then few clusters would seem to tell all.
    """
    found = np.zeros((len(members), len(params), len(params)))
    for reports, chance in _imagine_reports(rows, params, channels):
        scores, often = reports.evaluate(params).scores, (rows.counts * chance)[:, None]
        found += [(scores[each] * often[each]).T @ scores[each] for each in members]
    return found


def _imagine_reports(
    rows: Likelihood, params: Array, channels: Iterable[Array]
) -> Iterator[tuple[Likelihood, Array]]:
    """Every report that could have come in, with its chance in each row.

    The outcome of a linear regression stands for all values by three that have the moments of its
    errors. How clusters share what is told is taken there as if no predictor were disguised.
    """
    if not rows.family.continuous:
        for channel in channels:
            told = channel.reshape(rows.channel.shape)
            there = told.sum(axis=(1, 2)) > 0
            reports = replace(rows, channel=np.where(there[:, None, None], told, rows.channel))
            yield reports, there * np.exp(reports.log_rows(params))
        return
    shares = np.exp(rows.cell_shares(params))
    for cell, share in enumerate(shares.T):
        mean, log_scale = rows.linear_predictors(params, cell).T
        known = np.broadcast_to(np.arange(rows.cells) == cell, rows.channel.shape).astype(float)
        for error, chance in _THREE_ERRORS:
            outcome = mean + np.exp(log_scale) * error
            yield replace(rows, channel=known, outcome=outcome), share * chance
