"""A tree as an SQL expression, so that a database predicts where its rows are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from confide.design import YesNo
from confide.mining.exports.nodes import Condition, Reader

if TYPE_CHECKING:
    from confide.mining.tree_classifier import DisguisedTreeClassifier


def sql(model: DisguisedTreeClassifier) -> str:
    """Nested CASE expressions over columns named as the questions.

    A yes-no column is compared with 1 and 0 or TRUE and FALSE if that is how the target came in
    the reports, else with the words yes and no. A row with no value, or one outside the design,
    is predicted NULL.
    """
    return _case(Reader(model), 0, "")


def _case(reader: Reader, node: int, indent: str) -> str:
    shown = reader.node(node)
    if shown.question is None:
        return _literal(reader.model.classes_[reader.tree.label[node]])
    inner = indent + "  "
    branches = [
        f"{inner}WHEN {_condition(reader, condition)} THEN {_case(reader, child, inner)}"
        for condition, child in shown.branches
    ]
    return "\n".join(["CASE", *branches, f"{indent}END"])


def _condition(reader: Reader, condition: Condition) -> str:
    column = '"' + condition.question.replace('"', '""') + '"'
    if not condition.values:
        bounds = [(">=", condition.low), ("<", condition.high)]
        return " AND ".join(f"{column} {sign} {end!r}" for sign, end in bounds if end is not None)
    values = [_literal(_value(reader, condition.question, code)) for code in condition.codes]
    return f"{column} = {values[0]}" if len(values) == 1 else f"{column} IN ({', '.join(values)})"


def _value(reader: Reader, name: str, code: int) -> Any:
    question: Any = reader.model.design_.question(name)
    classes = reader.model.classes_
    if isinstance(question, YesNo) and question.size == 2 and classes.dtype.kind in "biu":
        return np.array([0, 1], classes.dtype if classes.dtype.kind == "b" else int)[code]
    return question.options[code]


def _literal(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float | np.number):
        return str(value)
    return "'" + str(value).replace("'", "''") + "'"
