"""Regression on disguised reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from confide.arrays import Array, Codes
from confide.design import Design
from confide.errors import QueryError, ReportsError
from confide.regression.covariance import CovarianceKind, check_kind, covariance
from confide.regression.families import FamilyName
from confide.regression.formula import Formula
from confide.regression.model import RegressionModel, build_model
from confide.regression.newton import Objective, Peak, climb
from confide.regression.random_intercept import climb_with_intercepts
from confide.regression.result import RegressionResult
from confide.regression.roles import check_outcome, choose_family
from confide.regression.rows import read_rows
from confide.regression.variables import Variables, number_groups

Missing = Literal["error", "drop"]


class DisguisedRegression:
    """How an outcome depends on predictors, when any of them may be disguised.

    The coefficients are those of the true answers. They are found by maximum likelihood through the
    channel of the design: P(report | x, β) = Σ_truth M[report, truth] · P(truth | x, β). Outcome
    and predictors may be disguised by any mechanism for questions with options, each alone or
    together in one group.

    Parameters
    ----------
    design : Design
        What was asked, and how it was disguised.
    formula : str
        As R and statsmodels write it, read by formulaic: ``"cheated ~ age + faculty * sex"``. A
        yes-no question is 1 for yes and 0 for no, a choice is a factor with its first option as
        the base, a number is itself. Beside the questions it may name other columns of the reports.
    family : {"logit", "probit", "linear", "multinomial"}
        Yes or no by the logistic or the normal distribution, a number with normal errors, or one of
        several options against the first.

    Notes
    -----
    *Assumption about disguised predictors.* Nobody knows who has which true value, so the fit must
    also say how they are spread. It estimates one share for every combination of their options; the
    log odds of these shares may depend on the clear predictors of the formula, as a multinomial
    logit. With no clear predictor, or only clear factors and all their interactions, this assumes
    nothing. Otherwise a clear term that matters for a disguised predictor belongs into the formula.

    *Assumption about a disguised number.* As the outcome of a linear regression its noise, which
    has mean 0, becomes part of the errors.

    Examples
    --------
    >>> import confide as cf, numpy as np, pyarrow as pa
    >>> design = cf.Design(
    ...     [cf.YesNo("cheated"), cf.Number("age", 18, 30)],
    ...     [cf.Group(["cheated"], cf.ForcedResponse("2/3", {"cheated": {"yes": 0.5, "no": 0.5}}))],
    ... )
    >>> draw = np.random.default_rng(1)
    >>> age = draw.uniform(18, 30, 20_000)
    >>> cheated = draw.random(20_000) < 1 / (1 + np.exp(1 + 0.2 * (age - 24)))
    >>> reports = design.disguise(pa.table({"cheated": cheated, "age": age}), seed=2)
    >>> result = cf.DisguisedRegression(design, "cheated ~ I(age - 24)").fit(reports)
    >>> result.params.round(2).to_dict()
    {'Intercept': -1.02, 'I(age - 24)': -0.21}
    """

    def __init__(self, design: Design, formula: str, family: FamilyName = "logit") -> None:
        self.design = design
        self.formula = formula
        self.family = family
        self._parsed = Formula(formula)
        self._family = choose_family(design, self._parsed.outcome, family)
        check_outcome(design, self._parsed, self._family)

    def fit(
        self,
        reports: Any,
        *,
        missing: Missing = "error",
        offset: str | None = None,
        clusters: str | None = None,
        random_intercept: str | None = None,
        cov_type: CovarianceKind | None = None,
    ) -> RegressionResult:
        """Fit the coefficients to reports.

        Parameters
        ----------
        reports : dataframe, relation, path, address of a store, or Counts
            The disguised reports. Only the columns that are named need be there.
        missing : {"error", "drop"}
            Whether a row in which a named column is empty is refused, or left out and counted.
        offset : str, optional
            A column that is added to the linear predictor.
        clusters : str, optional
            A column of clusters, such as schools, within which people may be alike: the standard
            errors allow for it.
        random_intercept : str, optional
            A column of groups, each with an intercept of its own, drawn from a normal distribution
            whose deviation is estimated, by adaptive Gauss–Hermite quadrature.
        cov_type : {"nonrobust", "opg", "robust", "cluster"}, optional
            How standard errors are made: from the observed information, from the outer product of
            the scores, from both (a sandwich), or by clusters, the default where they are given.
        """
        kind = _read_kind(cov_type, clusters, random_intercept)
        if missing not in ("error", "drop"):
            raise QueryError(f'missing must be "error" or "drop". Got {missing!r}.')
        formula, asked = self._parsed, self.design.names
        others = [name for name in (offset, clusters, random_intercept) if name is not None]
        needed = [formula.outcome, *(w for w in formula.words if w in asked), *others]
        rows = read_rows(self.design, reports, needed, formula.words)
        variables = Variables(self.design, rows.columns, rows.counts, rows.typed)
        predictors = [word for word in formula.words if word in rows.columns]
        used = list(dict.fromkeys([formula.outcome, *predictors, *others]))
        keep = _find_complete(variables, used, missing)
        shift = _read_offset(variables, offset)[keep]
        model = build_model(self.design, formula, self._family, variables, predictors, keep, shift)
        dropped = int(rows.counts[~keep].sum())
        objective, peak, names = _climb(model, variables, keep, random_intercept)
        found = objective.evaluate(peak.params)
        clustered = None if clusters is None else number_groups(variables.value(clusters)[keep])
        spread = covariance(found, kind, clustered)
        return RegressionResult(model, objective, names, peak, spread, kind, dropped, self.family)


def _climb(
    model: RegressionModel, variables: Variables, keep: Codes, random_intercept: str | None
) -> tuple[Objective, Peak, list[str]]:
    """Climb to the peak, with an intercept for every group where they are asked for."""
    if random_intercept is None:
        return model.likelihood, climb(model.likelihood), model.names
    groups = number_groups(variables.value(random_intercept)[keep])
    objective, peak = climb_with_intercepts(model.likelihood, groups)
    place = model.likelihood.slices[0].stop
    names = [*model.names[:place], f"sd({random_intercept})", *model.names[place:]]
    return objective, peak, names


def _read_kind(
    kind: CovarianceKind | None, clusters: str | None, random_intercept: str | None
) -> CovarianceKind:
    """The kind of covariance: the one asked for, or what the clusters ask for."""
    if clusters is not None and random_intercept is not None:
        raise QueryError("give clusters or random_intercept, not both: each allows for the other.")
    if kind is None:
        return "nonrobust" if clusters is None else "cluster"
    check_kind(kind)
    if (kind == "cluster") != (clusters is not None):
        raise QueryError('cov_type="cluster" and clusters= go together: give both, or neither.')
    return kind


def _read_offset(variables: Variables, name: str | None) -> Array:
    """What is added to the linear predictor, row by row."""
    if name is None:
        return np.zeros(len(variables.counts))
    values = variables.numbers(name)
    if (unfit := np.isnan(values) & ~variables.empty(name)).any():
        raise ReportsError(f"the offset {name!r} is no number {variables.said(unfit)}.")
    return values


def _find_complete(variables: Variables, used: Sequence[str], missing: Missing) -> Codes:
    """The rows in which no column that is used is empty."""
    keep = np.ones(len(variables.counts), bool)
    for name in used:
        empty = variables.empty(name)
        if empty.any() and missing == "error":
            raise ReportsError(
                f"column {name!r} is empty {variables.said(empty)}. Fill them in, or leave those "
                'rows out with missing="drop".'
            )
        keep &= ~empty
    if not keep.any():
        raise ReportsError("no report has a value in every column that the regression names.")
    return keep
