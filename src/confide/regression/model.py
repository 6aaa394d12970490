"""A formula met by reports: the likelihood that a fit climbs, and the names of its parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np

from confide.arrays import Array, Codes
from confide.design import Design
from confide.design.questions import Finite, YesNo
from confide.errors import ModelError
from confide.extras import PandasFrame
from confide.regression.families import Family
from confide.regression.formula import Formula
from confide.regression.regression_likelihood import Likelihood
from confide.regression.roles import find_disguised
from confide.regression.variables import Variables, factor, is_numeric, option_numbers

_DEPENDENT = 1e-9


@dataclass(frozen=True, eq=False)
class RegressionModel:
    """What a fit needs and a result keeps.

    Parameters
    ----------
    design : Design
        The survey's.
    formula : Formula
        The outcome and its predictors.
    family : Family
        How the one depends on the others.
    disguised : tuple of str
        The predictors that are disguised.
    hidden : tuple of str
        What is told through the channel: these, and the outcome unless it is a number.
    frame : pandas.DataFrame
        The predictors of the distinct rows, disguised ones as they were reported.
    likelihood : Likelihood
        Of those rows.
    names : list of str
        The parameters'.
    """

    design: Design
    formula: Formula
    family: Family
    disguised: tuple[str, ...]
    hidden: tuple[str, ...]
    frame: PandasFrame
    likelihood: Likelihood
    names: list[str]

    def drop_deviation(self, params: Array) -> Array:
        """The parameters without the deviation of a random intercept, where there is one."""
        if len(params) == len(self.names):
            return params
        return np.delete(params, self.likelihood.slices[0].stop)

    def predict(self, params: Array, matrix: Array) -> Array:
        """The mean of the outcome for rows of a design matrix, of shape (rows, columns)."""
        places = self.likelihood.slices[: self.family.predictors]
        designs = self.family.designs(matrix)
        eta = [design @ params[place] for design, place in zip(designs, places, strict=True)]
        return self.family.mean(np.stack(eta, axis=1))

    def outcome_labels(self) -> list[str]:
        """What is added to an effect's name: nothing, or the option that it is an effect on."""
        if self.family.continuous or self.family.predictors == 1:
            return [""]
        options = self.design.question(self.formula.outcome).labels[1:]
        return [f" on {self.formula.outcome} = {option}" for option in options]

    def is_yes_no(self, name: str) -> bool:
        """Whether a predictor is a yes-no question."""
        return name in self.design.names and isinstance(self.design.question(name), YesNo)

    def column_scales(self, size: int) -> Array:
        """For each parameter the spread of its column, by which its size is judged."""
        rows = self.likelihood
        spread = [np.std(design, axis=0) for design in rows.designs[-1]]
        spread += [np.std(rows.clear, axis=0)] * (rows.cells - 1)
        scales = np.concatenate(spread)
        if size > len(scales):
            scales = np.insert(scales, rows.slices[0].stop, 0)
        return np.where(scales > 0, scales, 1)

    def match_levels(self, frame: PandasFrame) -> PandasFrame:
        """The frame with the levels of factors that the fit saw; refuses others."""
        for name, column in self.frame.items():
            if column.dtype == "category":
                seen = frame[name].cat.set_categories(column.cat.categories)
                if seen.isna().any():
                    raise ModelError(
                        f"column {name!r} holds an option that nobody had in the fit, so it has no "
                        "coefficient."
                    )
                frame = frame.assign(**{name: seen})
        return frame

    def in_cell(self, frame: PandasFrame, cell: int) -> PandasFrame:
        """The predictors, were the disguised ones in one of their cells."""
        return put_in_cell(self.design, self.disguised, frame, cell)


def build_model(
    design: Design,
    formula: Formula,
    family: Family,
    variables: Variables,
    predictors: Sequence[str],
    keep: Codes,
    offset: Array,
    weights: Array,
) -> RegressionModel:
    """Build the likelihood of the rows that are kept, each with the weight that it counts for."""
    disguised = find_disguised(variables.designs, predictors)
    frame = variables.frame(predictors, keep)
    formula.prepare(frame, variables.counts[keep])
    cells = prod(design.question(name).size for name in disguised)
    matrices = np.stack(
        [formula.matrix(put_in_cell(design, disguised, frame, d)) for d in range(cells)]
    )
    _refuse_dependent(formula.columns, matrices)
    clear, clear_names = _clear_part(matrices, formula.columns)
    if family.continuous:
        outcome, hidden = variables.numbers(formula.outcome)[keep], disguised
        options: tuple[str, ...] = ()
    else:
        outcome, hidden = np.zeros(len(weights)), (formula.outcome, *disguised)
        options = design.question(formula.outcome).labels
    channel = variables.channel(hidden, keep).reshape(len(weights), -1, cells)
    likelihood = Likelihood(family, channel, matrices, clear, outcome, offset, weights)
    names = [
        *family.name_coefficients(formula.columns, formula.outcome, options),
        *_name_cells(design, disguised, clear_names),
    ]
    return RegressionModel(design, formula, family, disguised, hidden, frame, likelihood, names)


def put_in_cell(
    design: Design, disguised: Sequence[str], frame: PandasFrame, cell: int
) -> PandasFrame:
    """Predictors of which the disguised ones are all in one of their cells."""
    if not disguised:
        return frame
    asked = [design.question(name) for name in disguised]
    codes = np.unravel_index(cell, [question.size for question in asked])
    values = {}
    for question, code in zip(asked, codes, strict=True):
        assert isinstance(question, Finite)
        same = np.full(len(frame), int(code))
        numeric = is_numeric(question)
        values[question.name] = (
            option_numbers(question)[same] if numeric else factor(question, same)
        )
    return frame.assign(**values)


def _clear_part(matrices: Array, names: Sequence[str]) -> tuple[Array, list[str]]:
    """What the shares of the cells may depend on: a constant, and columns that no cell changes."""
    kept, chosen = [np.ones(matrices.shape[1])], ["Intercept"]
    if len(matrices) > 1:
        unmoved = (matrices == matrices[0]).all(axis=(0, 1))
        for j in np.flatnonzero(unmoved).tolist():
            column = matrices[0][:, j]
            if not _is_dependent(np.stack(kept, axis=1), column):
                kept.append(column)
                chosen.append(names[j])
    return np.stack(kept, axis=1), chosen


def _is_dependent(columns: Array, column: Array) -> bool:
    size = np.linalg.norm(column)
    scaled = columns / np.linalg.norm(columns, axis=0)
    rest = column - scaled @ np.linalg.lstsq(scaled, column, rcond=None)[0]
    return bool(np.linalg.norm(rest) <= _DEPENDENT * size) or size == 0


def _refuse_dependent(names: Sequence[str], matrices: Array) -> None:
    """Refuse a formula without a column, or one of whose columns follows from the others."""
    if not names:
        raise ModelError("the formula has no column. Name a predictor, or 1 for an intercept.")
    whole = matrices.reshape(-1, matrices.shape[2])
    size = np.linalg.norm(whole, axis=0)
    triangle = np.linalg.qr(whole / np.where(size > 0, size, 1), mode="r")
    left = np.zeros(len(names))
    left[: len(triangle)] = np.abs(np.diag(triangle))
    for name, rest in zip(names, left, strict=True):
        if rest <= _DEPENDENT:
            raise ModelError(
                f"the formula's column {name!r} follows from those before it, so its coefficient "
                "has no value of its own. Leave one of them out."
            )


def _name_cells(
    design: Design, disguised: Sequence[str], clear_names: Sequence[str]
) -> Iterator[str]:
    """Name the parameters of the cells' shares, such as ``drugs=yes ~ age``."""
    labels = [design.question(name).labels for name in disguised]
    for cell in list(product(*labels))[1:]:
        said = ", ".join(f"{name}={label}" for name, label in zip(disguised, cell, strict=True))
        yield from (f"{said} ~ {name}" for name in clear_names)
