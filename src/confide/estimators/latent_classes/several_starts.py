"""The best of the peaks that several starts lead to, and a sample where reports are very many."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.counts import Counts
from confide.estimators.bootstrap import draw_reports
from confide.estimators.latent_classes.mixture_em import TrainingReports, run_em
from confide.estimators.latent_classes.peak import FittedMixture, climb_to_peak
from confide.estimators.latent_classes.product_mixtures import ProductMixtures
from confide.estimators.latent_classes.starts import LatentClassStarts
from confide.estimators.product_mixture import ProductMixture

_SCATTERS = (0.01, 0.5, 0.5, 1.0, 1.0)  # of the starts, in log odds; none leaves classes alike
_EARLY = 60  # steps of expectation–maximisation from each start, all side by side
_MARGIN = 0.1  # by which a fit must be better than an earlier one


def start_fits(
    reports: TrainingReports,
    starts: LatentClassStarts,
    classes: int,
    generator: np.random.Generator,
    drawn: int = 0,
) -> list[ProductMixture]:
    """Take a few steps of expectation–maximisation from each of several starts.

    Starts whose classes are ``drawn`` find the highest peak where the others often miss it.
    """
    scatters = _SCATTERS if classes > 1 else (0.0,)
    tried = [starts.start(classes, scatter, generator) for scatter in scatters]
    tried += [starts.draw(classes, generator) for _ in range(drawn if classes > 1 else 0)]
    return run_em(ProductMixtures.stack(tried), reports, range(_EARLY)).members


def find_better(
    reports: TrainingReports, best: FittedMixture, starts: Sequence[ProductMixture]
) -> FittedMixture:
    """Give the best peak that is reached from some starts, or the one known before."""
    for start in starts:
        wanted = best.score + _MARGIN
        found = climb_to_peak(reports, start, wanted)
        best = found if found.score > wanted else best
    return best


def draw_sample(
    batches: Sequence[Counts], largest: int, generator: np.random.Generator
) -> list[Counts]:
    """Draw so many of the reports, each batch in proportion; all where there are no more.

    With weights, as many as tell as much as so many of equal weight.
    """
    total = sum(batch.effective_n for batch in batches)
    if total <= largest:
        return list(batches)
    sizes = [max(1, round(batch.n * largest / total)) for batch in batches]
    return [
        draw_reports(batch, size, generator) for batch, size in zip(batches, sizes, strict=True)
    ]
