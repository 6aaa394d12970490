"""Formulas such as ``cheated ~ age + faculty * sex``, read by formulaic."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from confide.arrays import Array
from confide.errors import ModelError, QueryError, show
from confide.extras import PandasFrame, explain_missing

_NAME = re.compile(r"`([^`]+)`|([^\W\d]\w*)")


class Formula:
    """An outcome, and the terms that predict it.

    Parameters
    ----------
    text : str
        Such as ``"cheated ~ age + faculty * sex"``.
    """

    def __init__(self, text: str) -> None:
        left, tilde, right = text.partition("~") if isinstance(text, str) else ("", "", "")
        if not tilde or not left.strip() or not right.strip():
            raise QueryError(
                "formula must be an outcome, a tilde and its predictors, such as "
                f'"cheated ~ age + faculty". Got {show(text)}.'
            )
        self.text = text.strip()
        self.outcome = left.strip().strip("`")
        self._right = right.strip()
        self._spec: Any = None

    @property
    def words(self) -> list[str]:
        """The names on the right side: of columns, and of functions."""
        found = (quoted or plain for quoted, plain in _NAME.findall(self._right))
        return list(dict.fromkeys(found))

    def prepare(self, frame: PandasFrame, counts: Array) -> None:
        """Settle what a term's columns are, once: levels of factors, means that are taken off.

        Means and the like are taken over all reports, not over the distinct rows.
        """
        with explain_missing("confide[regression]", "a regression"):
            import formulaic
        with self._explain():
            terms = formulaic.Formula(self._right)
            if not isinstance(terms, formulaic.SimpleFormula):
                raise QueryError(f"formula must have one right side. Got {show(self.text)}.")
            spec = terms.get_model_matrix(frame, context={}).model_spec
            if spec.transform_state:
                every = frame.loc[np.repeat(frame.index, counts.astype(int))]
                spec = terms.get_model_matrix(every, context={}).model_spec
            self._spec = spec

    @property
    def columns(self) -> list[str]:
        """The names of the design matrix's columns."""
        return [str(name) for name in self._spec.column_names]

    def levels(self, name: str) -> list[object] | None:
        """The values that a term such as ``C(school)`` tells apart; None where it is a number."""
        for factor, names in self._spec.factor_variables.items():
            kind, state = self._spec.encoder_state.get(factor.expr, (None, {}))
            if name in names and "categories" in state and kind.value == "categorical":
                return list(state["categories"])
        return None

    def matrix(self, frame: PandasFrame) -> Array:
        """The design matrix of a frame."""
        with self._explain():
            made = self._spec.get_model_matrix(frame, context={}, na_action="ignore")
        matrix = np.ascontiguousarray(made, dtype=float)
        if not np.isfinite(matrix).all():
            raise QueryError(
                f"formula {show(self.text)} makes numbers that are not finite, such as the "
                "logarithm of 0 or of a number below it."
            )
        return matrix

    @contextmanager
    def _explain(self) -> Iterator[None]:
        """Turn what formulaic refuses into one line without any value of a report."""
        with explain_missing("confide[regression]", "a regression"):
            from formulaic.errors import DataMismatchWarning, FormulaicError, FormulaParsingError
        try:
            # `matrix` refuses what is not finite
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("error", DataMismatchWarning)
                yield
        except DataMismatchWarning:
            raise ModelError(
                f"a factor of the formula {show(self.text)} has a value that nobody had in the "
                "fit, so it has no coefficient."
            ) from None
        except (FormulaicError, ValueError, TypeError, NameError, SyntaxError) as error:
            if isinstance(error, QueryError):
                raise
            undefined = re.search(
                r"name '([^']+)' is not defined|`([^`]+)` is not present", str(error)
            )
            said = next(filter(None, undefined.groups())) if undefined else None
            if said:
                why = f"there is no column {said!r}"
            elif isinstance(error, FormulaParsingError | SyntaxError):
                why = "it is not written as terms that are joined by +, : or *"
            else:
                why = "a term cannot be computed; functions such as log take numbers"
            raise QueryError(f"formula {show(self.text)} cannot be read: {why}.") from None
