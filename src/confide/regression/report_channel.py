"""The channel of the design, for the reports that came in."""

from __future__ import annotations

import string
from collections.abc import Mapping

import numpy as np

from confide.arrays import Array, Codes
from confide.design import Design


def report_channel(design: Design, codes: Mapping[str, Codes], rows: int) -> Array:
    """M[report, truth] for each row's report: one axis for the rows, then one per question.

    Questions of one group share its coin, so their channel is one; groups multiply.
    """
    letters = dict(zip(codes, string.ascii_lowercase, strict=False))
    parts, axes = [np.ones(rows)], ["Z"]
    for block in design.blocks:
        here = [i for i, question in enumerate(block.questions) if question.name in codes]
        if here:
            kept = [block.questions[i].name for i in here]
            mixture = block.channel_on(here)
            shapes = np.array([factor.shape[1:] for factor in mixture.factors])
            whole = mixture.matrix().reshape(*shapes[:, 0], *shapes[:, 1])
            parts.append(whole[tuple(codes[name] for name in kept)])
            axes.append("Z" + "".join(letters[name] for name in kept))
    return np.einsum(f"{','.join(axes)}->Z{''.join(letters.values())}", *parts)
