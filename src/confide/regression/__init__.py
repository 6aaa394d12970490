"""Reports → coefficients: models with disguised outcomes or predictors."""

from confide.regression.regression import DisguisedRegression
from confide.regression.result import RegressionResult

__all__ = ["DisguisedRegression", "RegressionResult"]
