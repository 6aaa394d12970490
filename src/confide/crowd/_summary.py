"""What the reports say about every question, in one table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyarrow as pa

from confide.crowd.estimate import Estimate
from confide.design import Question
from confide.errors import QueryError

if TYPE_CHECKING:
    from confide.crowd.crowd import Crowd

_COLUMNS = pa.schema(
    {
        "question": pa.string(),
        "answer": pa.string(),
        "value": pa.float64(),
        "standard_error": pa.float64(),
        "n": pa.int64(),
        "low": pa.float64(),
        "high": pa.float64(),
    }
)


def summarise_questions(crowd: Crowd) -> pa.Table:
    """Estimate the share of each answer to every question, and the mean of every number."""
    found = [
        {"question": question, "answer": answer, **estimate.to_dict()}
        for question, answer, estimate in list_estimates(crowd)
    ]
    return pa.Table.from_pylist(found, schema=_COLUMNS)


def list_estimates(crowd: Crowd) -> Iterator[tuple[str, str, Estimate]]:
    """Every question, with each of its answers and that answer's share; or with its mean."""
    for question in crowd.design.questions:
        if question.name not in crowd.within:
            for answer, estimate in _list_estimates(crowd, question):
                yield question.name, answer, estimate


def _list_estimates(crowd: Crowd, question: Question) -> list[tuple[str, Estimate]]:
    if question.grid is None:
        shares = [share for *_, share in crowd.table([question.name]).rows()]
        return list(zip(question.labels, shares, strict=True))
    try:
        return [("mean", crowd.mean(question.name))]
    except QueryError:  # which reports of intervals do not tell
        return []
