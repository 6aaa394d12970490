"""What a regression found, in the conventions of statsmodels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from confide.arrays import Array
from confide.counts.drawn_sample import DrawnSample
from confide.counts.replicates import Replication, replicate_covariance
from confide.crowd.arrow_rows import ArrowRows
from confide.errors import QueryError
from confide.extras import Altair, PandasFrame
from confide.mechanisms.randomness import Seed, generator_of
from confide.regression.coefficient_chart import draw_coefficients
from confide.regression.covariance import CovarianceKind
from confide.regression.deviation_profile import DeviationProfile
from confide.regression.families import FamilyName
from confide.regression.marginal_effects import marginal_effects
from confide.regression.model import RegressionModel
from confide.regression.new_answers import read_answers
from confide.regression.newton import Objective, Peak, climb
from confide.regression.notes import find_without_estimate, write_notes
from confide.regression.random_intercept import GroupedLikelihood
from confide.regression.spread import Spread, find_p_values, find_quantiles
from confide.regression.summary import Summary, summarise
from confide.regression.variables import load_pandas


@dataclass(frozen=True, eq=False)
class RegressionResult(ArrowRows):
    """Coefficients of the true answers, with what chance does to them.

    Made by `DisguisedRegression.fit`. Names follow statsmodels; series and frames are pandas'.

    Parameters
    ----------
    model : RegressionModel
        What was fitted.
    objective : Objective
        Its log-likelihood.
    names : list of str
        The parameters' names.
    peak : Peak
        Where the log-likelihood is highest.
    spread : Spread
        How far chance moves the parameters.
    cov_type : str
        How it was made.
    drawn : DrawnSample
        How the people behind the rows were drawn.
    nobs, dropped : int
        How many reports were fitted, and how many were left out because a column was empty.
    family : str
        The family's name.
    """

    model: RegressionModel
    objective: Objective
    names: list[str]
    peak: Peak
    spread: Spread
    cov_type: CovarianceKind | Replication
    drawn: DrawnSample
    nobs: int
    dropped: int
    family: FamilyName

    @cached_property
    def params(self) -> Any:
        """The estimated parameters: the outcome's coefficients first, under the formula's names.

        Then, where there are any, a scale, the deviation of a random intercept, and how the
        disguised predictors are spread, such as ``drugs=yes ~ age``.
        """
        return _series(self.peak.params, self.names)

    @cached_property
    def bse(self) -> Any:
        """The standard errors; NaN without a finite estimate, and for a deviation at 0."""
        without = np.isin(self.names, [*self.deviations_at_edge, *find_without_estimate(self)])
        variances = np.maximum(np.diag(self.spread.covariance), 0.0)
        return _series(np.where(without, np.nan, np.sqrt(variances)), self.names)

    @property
    def tvalues(self) -> Any:
        """The parameters in standard errors: the z statistics; NaN for a deviation.

        A deviation is never below 0, so standard errors do not tell how far from 0 it is.
        """
        return (self.params / self.bse).where(np.arange(len(self.names)) != self._deviation)

    @cached_property
    def pvalues(self) -> Any:
        """The two-sided p-values of the parameters; of a deviation by its likelihood."""
        found = _series(find_p_values(self.tvalues.to_numpy(), self.freedoms), self.names)
        if self._profile is not None:
            found.iloc[self._deviation] = self._profile.p_value()
        return found

    def cov_params(self) -> PandasFrame:
        """The covariance of the parameters."""
        return _frame(self.spread.covariance, self.names, self.names)

    @property
    def freedom(self) -> float:
        """The degrees of freedom that the way of drawing leaves: then quantiles are Student's."""
        return self.spread.freedom

    @cached_property
    def freedoms(self) -> Array:
        """The degrees of freedom of each parameter: few clusters leave some fewer than others."""
        return self.spread.count_freedom(np.eye(len(self.names)))

    def conf_int(self, alpha: float = 0.05) -> PandasFrame:
        """The intervals that cover the parameters with confidence 1 − alpha, one per row.

        That of a random intercept's deviation is found by its profile likelihood, and begins at 0
        where the groups may not differ at all.
        """
        if not 0 < alpha < 1:
            raise QueryError(f"alpha must be between 0 and 1, such as 0.05. Got {alpha}.")
        reach = find_quantiles(1 - alpha / 2, self.freedoms) * self.bse.to_numpy()
        ends = np.stack([self.peak.params - reach, self.peak.params + reach], axis=1)
        if self._profile is not None:
            few = min(self.freedom, len(self._profile.groups.middles) - 1)
            (most,) = find_quantiles(1 - alpha / 2, np.array([few])).tolist()
            ends[self._deviation] = self._profile.ends(most)
        return _frame(ends, self.names, [0, 1])

    @cached_property
    def _profile(self) -> DeviationProfile | None:
        """What tells the deviation of a random intercept, where there is one."""
        if not isinstance(self.objective, GroupedLikelihood):
            return None
        return DeviationProfile(self.objective, self.peak.params, self.spread.covariance)

    @property
    def _deviation(self) -> int:
        """The place of a random intercept's deviation; −1 where there is none."""
        return self.objective.place if isinstance(self.objective, GroupedLikelihood) else -1

    @cached_property
    def llf(self) -> float:
        """The log-likelihood."""
        return self.objective.value(self.peak.params)

    @property
    def aic(self) -> float:
        """Akaike's criterion: 2·(parameters) − 2·llf."""
        return 2 * len(self.names) - 2 * self.llf

    @property
    def bic(self) -> float:
        """The Bayesian criterion: log(nobs)·(parameters) − 2·llf."""
        return float(np.log(self.nobs)) * len(self.names) - 2 * self.llf

    @property
    def converged(self) -> bool:
        """Whether the fit came to its end."""
        return self.peak.converged

    def log_likelihood(self, params: Any) -> float:
        """The log-likelihood of the reports at any parameters, in the order of `params`.

        It is all that a sampler needs to make the regression a Bayesian one.
        """
        given = np.asarray(params, dtype=float)
        if given.shape != (len(self.names),):
            raise QueryError(
                f"params must be {len(self.names)} numbers, in the order of result.params. "
                f"Got an array of shape {given.shape}."
            )
        return self.objective.value(given)

    def predict(self, answers: Any) -> Any:
        """Predict the outcome of people whose true predictors are known.

        Parameters
        ----------
        answers : dataframe
            With a column for every predictor.

        Returns
        -------
        array or pandas.DataFrame
            The probability of yes, the mean of a number, or the probability of every option. An
            offset is taken as 0, and so is the intercept of a group.
        """
        matrix = self.model.formula.matrix(read_answers(self.model, answers))
        mean = self.model.predict(self.coefficients, matrix)
        if mean.shape[1] == 1:
            return mean[:, 0]
        options = self.model.design.question(self.model.formula.outcome).labels
        return _frame(np.c_[1 - mean.sum(axis=1), mean], None, list(options))

    @property
    def coefficients(self) -> Array:
        """The parameters without the deviation of a random intercept."""
        return self.model.drop_deviation(self.peak.params)

    def marginal_effects(self) -> PandasFrame:
        """By how much each predictor moves the prediction, on average over the people asked.

        For a number the derivative, for yes against no and for an option against the first the
        difference. Standard errors come from those of the parameters (the delta method); an effect
        of what has no finite estimate has none, and the notes name it.
        """
        unknown = [*find_without_estimate(self), *np.array(self.names)[self.spread.alone]]
        return marginal_effects(self.model, self.peak.params, self.spread, unknown)

    @cached_property
    def notes(self) -> list[str]:
        """What a reader must know beside the numbers, in sentences."""
        return write_notes(self)

    @property
    def deviations_at_edge(self) -> list[str]:
        """The deviations of random intercepts that are at 0."""
        pairs = zip(self.names, self.peak.params, strict=True)
        return [name for name, value in pairs if name.startswith("sd(") and value < 1e-3]

    def replicate(
        self, by: Replication = "jackknife", surveys: int = 200, *, seed: Seed = None
    ) -> RegressionResult:
        """The result with standard errors from replicates of the sample, each fitted anew.

        A finite population is not allowed for, so that it makes nothing surer.

        Parameters
        ----------
        by : {"jackknife", "bootstrap"}
            Whether people, or clusters, are left out one at a time, or drawn again with replacement
            (Rao and Wu's rescaled bootstrap), within their strata.
        surveys : int
            How many times they are drawn again.
        seed : int or numpy Generator, optional
            The same seed gives the same replicates.

        Examples
        --------
        >>> import confide as cf, pyarrow as pa
        >>> design = cf.Design([cf.YesNo("cheated"), cf.YesNo("male")])
        >>> answers = pa.table({"cheated": [1, 0, 0, 0, 1, 1, 0] * 20, "male": [0, 1] * 70})
        >>> result = cf.DisguisedRegression(design, "cheated ~ male").fit(answers)
        >>> result.bse.round(2).to_dict(), result.replicate().bse.round(2).to_dict()
        ({'Intercept': 0.24, 'male': 0.34}, {'Intercept': 0.24, 'male': 0.35})
        """
        if isinstance(self.objective, GroupedLikelihood):
            raise QueryError(
                "replicates do not go with random_intercept, whose groups count once each. Give "
                "clusters= in its place."
            )
        rows = self.model.likelihood

        def fit(factors: Array) -> Array:
            return climb(replace(rows, counts=rows.counts * factors), self.peak.params).params

        found = replicate_covariance(self.drawn, fit, by, surveys, generator_of(seed))
        lost = np.zeros(len(found), bool)
        spread = Spread(found, lost, self.drawn.freedom, self.spread.clusters)
        return replace(self, spread=spread, cov_type=by)

    def summary(self) -> Summary:
        """The result as a table: ``print`` it, or see it as HTML in a notebook."""
        return summarise(self)

    def to_arrow(self) -> pa.Table:
        """One row per parameter, with z, p-value and 95 % interval; what there is not is empty."""
        low, high = self.conf_int().to_numpy().T
        found = (self.params, self.bse, self.tvalues, self.pvalues, low, high)
        columns = [pa.array(np.asarray(each), from_pandas=True) for each in found]
        heads = ("name", "coefficient", "standard_error", "z", "p_value", "low", "high")
        return pa.table([pa.array(self.names), *columns], names=heads)

    def plot(self) -> Altair:
        """The coefficients, but for the intercept, as points with 95 % intervals (Altair)."""
        return draw_coefficients(self.to_arrow(), self.model.formula.text)

    def _repr_html_(self) -> str:
        return self.summary().as_html()

    def __repr__(self) -> str:
        return (
            f"RegressionResult({self.model.formula.text!r}, {self.family}, "
            f"{self.nobs:,} reports, llf = {self.llf:.3f})"
        )


def _series(values: Array, names: list[str]) -> Any:
    return load_pandas().Series(values, index=names)


def _frame(values: Array, index: Any, columns: Any) -> PandasFrame:
    return load_pandas().DataFrame(values, index=index, columns=columns)
