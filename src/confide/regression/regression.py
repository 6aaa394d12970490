"""Regression on disguised reports."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

import numpy as np

from confide.arrays import Array, Codes
from confide.counts.sample_columns import Population, SampleColumns
from confide.design import Design
from confide.errors import QueryError, ReportsError
from confide.regression.covariance import CovarianceKind, choose_kind, find_spread
from confide.regression.disguise_variance import disguise_variance
from confide.regression.drawn_rows import draw_groups, draw_rows, scale_weights
from confide.regression.families import FamilyName
from confide.regression.formula import Formula
from confide.regression.model import RegressionModel, build_model
from confide.regression.newton import Objective, Peak, climb
from confide.regression.pooled_rows import pool_rows
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
        weights: str | None = None,
        strata: str | None = None,
        clusters: str | None = None,
        population: Population | None = None,
        random_intercept: str | None = None,
        cov_type: CovarianceKind | None = None,
        pool: Sequence[tuple[Design, Any]] = (),
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
        weights, strata : str, optional
            Columns that say how people were drawn: how many people of the population each stands
            for, and the strata that they were drawn from. Weights make the fit one to the
            population (by pseudo-likelihood), and standard errors are those of such a sample.
        clusters : str, optional
            A column of clusters, such as schools, within which people may be alike, or by which
            they were drawn: the standard errors allow for it.
        population : float or mapping, optional
            How many people there are: in all, or in each stratum. The coefficients are then those
            of these people, and the surer the more of them were asked; the chance in the disguise
            stays.
        random_intercept : str, optional
            A column of groups, each with an intercept of its own, drawn from a normal distribution
            whose deviation is estimated, by adaptive Gauss–Hermite quadrature. Weights then count
            within groups, each of which lies within one stratum and one cluster.
        cov_type : {"nonrobust", "opg", "robust", "cluster", "linearised"}, optional
            How standard errors are made: from the observed information, from the outer product of
            the scores, from both (a sandwich), by clusters, the default where they are given, or
            as the sample was drawn, the default with weights, strata or a population.
        pool : sequence of (Design, reports), optional
            More reports, each under a design of its own. The questions that are named must be the
            same in all; how they are disguised may differ.
        """
        plan = SampleColumns(weights, strata, clusters, population)
        kind = choose_kind(cov_type, plan)
        designs = [self.design, *(design for design, _ in self._check_pool(pool))]
        self._check_plan(plan, random_intercept, designs)
        if missing not in ("error", "drop"):
            raise QueryError(f'missing must be "error" or "drop". Got {missing!r}.')
        formula, asked = Formula(self.formula), self.design.names  # it learns factors' levels
        others = [n for n in (offset, strata, clusters, random_intercept) if n is not None]
        needed = [formula.outcome, *(w for w in formula.words if w in asked), *others]
        parts = [
            (design, read_rows(design, given, needed, formula.words, weights))
            for design, given in ((self.design, reports), *pool)
        ]
        rows = pool_rows(parts)
        sizes = [(design, len(each.counts)) for design, each in parts]
        variables = Variables(self.design, rows.columns, rows.counts, rows.typed, sizes)
        predictors = [word for word in formula.words if word in rows.columns]
        named = list(dict.fromkeys([formula.outcome, *predictors, *others]))
        keep = _find_complete(variables, named, missing)
        shift = _read_offset(variables, offset)[keep]
        groups = None
        if random_intercept is not None:
            groups = number_groups(variables.value(random_intercept)[keep])
        drawn = draw_rows(rows, variables, keep, plan)
        units = drawn if groups is None else draw_groups(drawn, groups)
        weighed = scale_weights(rows, keep, groups)
        model = build_model(
            self.design, formula, self._family, variables, predictors, keep, shift, weighed
        )
        used, dropped = (int(rows.counts[which].sum()) for which in (keep, ~keep))
        objective, peak, names = _climb(model, groups, random_intercept)
        channels = partial(variables.every_channel, model.hidden, keep)
        disguise = disguise_variance(model.likelihood, channels(), peak.params, drawn)
        spread = find_spread(objective, peak.params, kind, units, channels, disguise)
        return RegressionResult(
            model, objective, names, peak, spread, kind, drawn, used, dropped, self.family
        )

    def _check_pool(self, pool: Sequence[tuple[Design, Any]]) -> Sequence[tuple[Design, Any]]:
        """Refuse what is no design with its reports, or a design that has no such outcome."""
        for each in pool:
            if not (isinstance(each, tuple) and len(each) == 2 and isinstance(each[0], Design)):
                raise QueryError(
                    "pool takes pairs of a design and its reports: [(design, reports)]."
                )
            check_outcome(each[0], self._parsed, self._family)
        return pool

    def _check_plan(
        self, plan: SampleColumns, random_intercept: str | None, designs: Sequence[Design]
    ) -> None:
        """Refuse strata and clusters nobody knows, and a population that cannot be allowed for."""
        for design in designs:
            plan.check_questions(design)
        if plan.population is None:
            return
        if random_intercept is not None:
            raise QueryError(
                "population does not go with random_intercept, whose deviation is that of groups "
                "yet to be drawn. Leave one of them out."
            )
        outcome = self._parsed.outcome
        if self._family.continuous and any(
            outcome in design.names and design.block(outcome).mechanism for design in designs
        ):
            raise QueryError(
                "population does not go with an outcome that is a number with noise: how much of "
                "its errors is noise is not told apart. Leave population out."
            )


def _climb(
    model: RegressionModel, groups: Codes | None, random_intercept: str | None
) -> tuple[Objective, Peak, list[str]]:
    """Climb to the peak, with an intercept for every group where they are asked for."""
    if groups is None:
        return model.likelihood, climb(model.likelihood), model.names
    objective, peak = climb_with_intercepts(model.likelihood, groups)
    place = model.likelihood.slices[0].stop
    names = [*model.names[:place], f"sd({random_intercept})", *model.names[place:]]
    return objective, peak, names


def _read_offset(variables: Variables, name: str | None) -> Array:
    """What is added to the linear predictor, row by row."""
    if name is None:
        return np.zeros(len(variables.counts))
    values = variables.numbers(name)
    if (unfit := np.isnan(values) & ~variables.empty(name)).any():
        raise ReportsError(f"the offset {name!r} is no number {variables.say_rows(unfit)}.")
    return values


def _find_complete(variables: Variables, used: Sequence[str], missing: Missing) -> Codes:
    """The rows in which no column that is used is empty."""
    keep = np.ones(len(variables.counts), bool)
    for name in used:
        empty = variables.empty(name)
        if empty.any() and missing == "error":
            raise ReportsError(
                f"column {name!r} is empty {variables.say_rows(empty)}. Fill them in, or leave "
                'those rows out with missing="drop".'
            )
        keep &= ~empty
    if not keep.any():
        raise ReportsError("no report has a value in every column that the regression names.")
    return keep
