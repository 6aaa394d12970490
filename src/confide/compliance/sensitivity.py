"""How an estimate moves if some people refuse, or do not read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.crowd import Crowd, Estimate
from confide.errors import QueryError


@dataclass(frozen=True)
class SensitivityPoint:
    """An estimate, were so many people to say no whatever the coin says.

    Parameters
    ----------
    refusing : float
        The share of those who do.
    share : Estimate
        The share of yes among all others; of everybody, if those who refuse are like them.
    low, high : float
        The share of yes of everybody, if those who refuse are all no, and if they are all yes.
    """

    refusing: float
    share: Estimate
    low: float
    high: float


def sensitivity(
    crowd: Crowd, question: str, refusing: tuple[float, float] = (0.0, 0.3), points: int = 7
) -> list[SensitivityPoint]:
    """How the share of yes moves with the share of people who say no whatever the coin says.

    Of the reports of yes, λ, only those who comply gave any: λ/(1 − r) is what they report, and
    the channel undone gives their share.

    Parameters
    ----------
    crowd : Crowd
        A whole crowd under one design.
    question : str
        A disguised yes-no question.
    refusing : pair of float
        From which share to which.
    points : int
        How many shares, evenly spaced.

    Examples
    --------
    >>> import confide as cf, numpy as np
    >>> design = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion(0.75))])
    >>> crowd = cf.Crowd(design, np.repeat([1, 0], [350, 650]))
    >>> for point in cf.compliance.sensitivity(crowd, "cheated", (0, 0.2), points=3):
    ...     print([round(x, 3) for x in (point.refusing, point.share.value, point.low, point.high)])
    [0.0, 0.2, 0.2, 0.2]
    [0.1, 0.278, 0.25, 0.35]
    [0.2, 0.375, 0.3, 0.5]
    """
    first, last = refusing
    if not 0 <= first <= last < 1:
        raise QueryError(
            f"refusing must be two shares from 0 to below 1, such as (0, 0.3). Got {refusing}."
        )
    if points < 2:
        raise QueryError(f"points must be at least 2. Got {points}.")
    if crowd.within or len(crowd.counts) > 1:
        raise QueryError("sensitivity is of a whole crowd under one design.")
    asked = crowd.design.question(question)
    block = crowd.design.block(question)
    if asked.size != 2 or asked.grid is not None or block.mechanism is None:
        raise QueryError(
            f"sensitivity takes a disguised question with two options. Got {question!r}."
        )
    place = [each.name for each in block.questions].index(question)
    no, yes = block.channel_on([place]).matrix()[1]
    table = crowd.counts[0].table([question])
    reported, n = table[1] / table.sum(), crowd.n
    error = float(np.sqrt(reported * (1 - reported) / n) / abs(yes - no))
    found = []
    for refused in np.linspace(first, last, points).tolist():
        share = (reported / (1 - refused) - no) / (yes - no)
        among = Estimate(float(share), error / (1 - refused), n)
        all_no = (1 - refused) * among.value
        found.append(SensitivityPoint(refused, among, all_no, all_no + refused))
    return found
