"""A simulated crowd, some of which does not comply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from confide.design import Design
from confide.errors import QueryError
from confide.mechanisms.randomness import Seed


def simulate(
    design: Design,
    answers: Any,
    *,
    refusing: float = 0.0,
    inattentive: float = 0.0,
    seed: Seed = None,
    keep: Sequence[str] | None = None,
) -> Any:
    """Disguise answers of people of whom some do not comply.

    Who refuses reports the first option of every disguised question, no to a yes-no question or no
    red card, whatever the coin says; who is inattentive reports any option. Each person is of one
    kind, by chance, and questions in the clear and numbers are reported as ever.

    Parameters
    ----------
    design : Design
        What is disguised, and how.
    answers : dataframe or numpy array
        As `Design.disguise` takes them.
    refusing, inattentive : float
        The shares of people; together at most 1.
    seed : int or numpy Generator, optional
        The same seed gives the same reports.
    keep : sequence of str, optional
        Other columns that stay in the reports, as in `Design.disguise`.

    Returns
    -------
    dataframe or numpy array
        The reports, in the kind the answers came in.

    Examples
    --------
    Thirty in a hundred who say no turn 0.20 into 0.04, unnoticed:

    >>> import confide as cf, numpy as np
    >>> design = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion(0.8))])
    >>> reports = cf.simulate(design, np.repeat([1, 0], [4000, 16000]), refusing=0.3, seed=1)
    >>> cf.Crowd(design, reports).proportion({"cheated": "yes"})
    0.037 ± 0.010 (95 %, n = 20,000)
    """
    if min(refusing, inattentive) < 0 or not refusing + inattentive <= 1:
        raise QueryError(
            "refusing and inattentive must be shares from 0 up, together at most 1. "
            f"Got {refusing} and {inattentive}."
        )
    draw = np.random.default_rng(seed)
    reports = design.disguise(answers, seed=draw, keep=keep)
    if not refusing + inattentive:
        return reports
    kind = draw.random(len(reports))
    refuses, random = kind < refusing, (kind >= refusing) & (kind < refusing + inattentive)
    columns = {}
    for block in design.blocks:
        for question in block.reported if block.mechanism is not None else ():
            drawn = draw.integers(0, question.size, len(kind))
            columns[question.name] = np.where(refuses, 0, np.where(random, drawn, -1))
    return _put(design, reports, columns)


def _put(design: Design, reports: Any, columns: dict[str, Any]) -> Any:
    """Replace reports by the options of some codes; where a code is negative the report stays."""
    import narwhals as nw

    from confide.design.coding import decode, encode, series_values

    def change(name: str, values: Any) -> Any:
        question = design.reported(name)
        coded = encode(question, values)
        codes = np.where(columns[name] >= 0, columns[name], coded.codes)
        return decode(question, replace(coded, codes=codes.astype(coded.codes.dtype)))

    if isinstance(reports, np.ndarray):
        table = reports[:, None] if reports.ndim == 1 else reports.copy()
        changed = table.copy()
        for name in columns:
            place = design.position(name)
            changed[:, place] = change(name, table[:, place])
        return changed.reshape(reports.shape)
    frame = nw.from_native(reports, eager_only=True)
    series = [
        nw.new_series(
            name,
            np.asarray(change(name, series_values(frame[name]))).tolist(),
            frame.schema[name],
            backend=frame.implementation,
        )
        for name in columns
    ]
    index = nw.maybe_get_index(frame)
    if index is not None:
        series = [nw.maybe_set_index(each, index=index) for each in series]
    return frame.with_columns(*series).to_native()
