"""A tree as an SQL expression, so that a database predicts where its rows are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from confide.design import Finite, YesNo
from confide.design.questions import Option
from confide.mining.exports.nodes import Condition, TreeReader

if TYPE_CHECKING:
    from confide.mining.trees.tree_classifier import DisguisedTreeClassifier

_SPELLINGS: dict[str, list[Option]] = {"no": ["no", "0", "false"], "yes": ["yes", "1", "true"]}


def to_sql(model: DisguisedTreeClassifier) -> str:
    """Write the prediction as nested CASE expressions over columns named as the questions.

    A yes-no column may hold words, 1 and 0, or TRUE and FALSE: it is read as text. A row with no
    value, or with an option outside the design, is predicted NULL; a number outside its range goes
    with the nearest interval.
    """
    return _write_case(TreeReader(model), 0, "")


def _write_case(reader: TreeReader, node: int, indent: str) -> str:
    shown = reader.node(node)
    if shown.question is None:
        return _write_literal(reader.model.classes_[reader.tree.label[node]])
    inner = indent + "  "
    branches = [
        f"{inner}WHEN {_write_condition(reader, condition)} "
        f"THEN {_write_case(reader, child, inner)}"
        for condition, child in shown.branches
    ]
    return "\n".join(["CASE", *branches, f"{indent}END"])


def _write_condition(reader: TreeReader, condition: Condition) -> str:
    column = '"' + condition.question.replace('"', '""') + '"'
    if not condition.values:
        bounds = [(">=", condition.low), ("<", condition.high)]
        return " AND ".join(f"{column} {sign} {end!r}" for sign, end in bounds if end is not None)
    question = reader.model.design_.question(condition.question)
    options = [question.values[code] for code in condition.codes]
    if isinstance(question, Finite) and question.stored != question.options:
        column = f"CAST({column} AS VARCHAR(255))"  # which may hold options or their codes
        options += [str(question.stored[code]) for code in condition.codes]
    if isinstance(question, YesNo):
        column = f"LOWER(CAST({column} AS VARCHAR(32)))"
        options = [word for option in options for word in _SPELLINGS.get(str(option), [option])]
    values = list(map(_write_literal, options))
    return f"{column} = {values[0]}" if len(values) == 1 else f"{column} IN ({', '.join(values)})"


def _write_literal(value: object) -> str:
    if isinstance(value, bool | np.bool_):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float | np.number):
        return str(value)
    return "'" + str(value).replace("'", "''") + "'"
