"""The command `confide regress`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from confide.cli.options import (
    JsonOption,
    PoolOption,
    PopulationOption,
    ReportsArgument,
    ResultOutputOption,
    StrataOption,
    SurveyArgument,
    WeightsOption,
    read_pool,
)
from confide.cli.output import print_table, print_text, show_spinner, write_result
from confide.design import Design
from confide.files import Json

if TYPE_CHECKING:
    from confide.regression import RegressionResult


def regress(
    survey: SurveyArgument,
    reports: ReportsArgument,
    formula: Annotated[
        str, typer.Argument(help='The outcome and its predictors: "cheated ~ age + faculty".')
    ],
    family: Annotated[
        Literal["logit", "probit", "linear", "multinomial"],
        typer.Option(help="How the outcome depends on the predictors."),
    ] = "logit",
    missing: Annotated[
        Literal["error", "drop"],
        typer.Option(help="Refuse rows with an empty column, or leave them out."),
    ] = "error",
    cov_type: Annotated[
        Literal["nonrobust", "opg", "robust", "cluster", "linearised"] | None,
        typer.Option(
            "--errors", help="How standard errors are made; opg: outer product of the scores."
        ),
    ] = None,
    weights: WeightsOption = None,
    strata: StrataOption = None,
    clusters: Annotated[
        str | None, typer.Option(help="A column of clusters that standard errors allow for.")
    ] = None,
    population: PopulationOption = None,
    random_intercept: Annotated[
        str | None, typer.Option(help="A column of groups, each with an intercept of its own.")
    ] = None,
    offset: Annotated[
        str | None, typer.Option(help="A column that is added to the linear predictor.")
    ] = None,
    pool: PoolOption = None,
    output: ResultOutputOption = None,
    json: JsonOption = False,
) -> None:
    """Fit a regression to disguised reports.

    Example: `confide regress survey.toml reports.parquet "cheated ~ age + faculty"`
    """
    from confide.regression import DisguisedRegression

    design = Design.load(survey)
    model = DisguisedRegression(design, formula, family)
    with show_spinner("Fitting"):
        result = model.fit(
            reports,
            missing=missing,
            cov_type=cov_type,
            weights=weights,
            strata=strata,
            clusters=clusters,
            population=population,
            random_intercept=random_intercept,
            offset=offset,
            pool=read_pool(pool),
        )
    write_result(_to_dict(result), result.to_arrow, output, json)
    if json:
        return
    summary = result.summary()
    print_text(summary.title)
    print_text(", ".join(f"{name} {value}" for name, value in summary.facts))
    headings = ["", ">coef", ">std err", ">z", ">P>|z|", ">[0.025", ">0.975]"]
    print_table(headings, summary.rows)
    for note in summary.notes:
        print_text(note)


def _to_dict(result: RegressionResult) -> Json:
    ends = result.conf_int().to_numpy()
    columns = (result.params, result.bse, result.tvalues, result.pvalues)
    numbers = zip(*(column.tolist() for column in columns), *ends.T.tolist(), strict=True)
    keys = ("coefficient", "standard_error", "z", "p_value", "low", "high")
    return {
        "formula": result.model.formula.text,
        "family": result.family,
        "n": result.nobs,
        "left_out": result.dropped,
        "log_likelihood": result.llf,
        "aic": result.aic,
        "bic": result.bic,
        "standard_errors": result.cov_type,
        "parameters": [
            {"name": name, **dict(zip(keys, values, strict=True))}
            for name, values in zip(result.names, numbers, strict=True)
        ],
        "notes": result.notes,
    }
