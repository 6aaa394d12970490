"""What the reports say about every question, in one table."""

from __future__ import annotations

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
    asked = [q for q in crowd.design.questions if q.name not in crowd.within]
    found = [
        {"question": question.name, "answer": answer, **estimate.to_dict()}
        for question in asked
        for answer, estimate in _list_estimates(crowd, question)
    ]
    return pa.Table.from_pylist(found, schema=_COLUMNS)


def _list_estimates(crowd: Crowd, question: Question) -> list[tuple[str, Estimate]]:
    if question.grid is None:
        shares = [share for *_, share in crowd.table([question.name]).rows()]
        return list(zip(question.labels, shares, strict=True))
    try:
        return [("mean", crowd.mean(question.name))]
    except QueryError:  # which reports of intervals do not tell
        return []
