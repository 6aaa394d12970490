"""Which question may be the outcome of which family, and which predictors are disguised."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from confide.design import Design
from confide.design.questions import Finite, Number
from confide.errors import QueryError
from confide.regression.families import Family, FamilyName, Linear, Multinomial, Probit
from confide.regression.formula import Formula

_MOST_CELLS = 64


def choose_family(design: Design, outcome: str, name: FamilyName) -> Family:
    """The family of that name, for that outcome; refuses an outcome that it is not for."""
    question = design.question(outcome) if outcome in design.names else None
    if name == "linear":
        if isinstance(question, Finite):
            raise QueryError(
                f'family "linear" is for numbers, and {outcome!r} has options. Use "logit", '
                '"probit" or "multinomial".'
            )
        return Linear()
    if name not in ("logit", "probit", "multinomial"):
        raise QueryError(
            f'family must be "logit", "probit", "linear" or "multinomial". Got {name!r}.'
        )
    if not isinstance(question, Finite):
        raise QueryError(
            f"the outcome {outcome!r} of a {name} regression must be a question with options. "
            f"Those are {', '.join(q.name for q in design.questions if isinstance(q, Finite))}."
        )
    if name != "multinomial" and question.size != 2:
        raise QueryError(
            f"the outcome {outcome!r} has {question.size} options, and {name} takes two. "
            'Use family="multinomial".'
        )
    return Probit() if name == "probit" else Multinomial(question.size)


def check_outcome(design: Design, formula: Formula, family: Family) -> None:
    """Refuse an outcome that is a predictor too, and numbers that do not tell enough.

    Such are one that is disguised so that it has no mean, and one that may be missing.
    """
    outcome = formula.outcome
    for name in design.declines:
        if name in (outcome, *formula.words):
            raise QueryError(
                f"{name!r} may be missing, and a regression takes numbers that everybody gave. "
                "Leave it out of the formula."
            )
    if outcome in formula.words:
        raise QueryError(f"the outcome {outcome!r} cannot be its own predictor.")
    if not family.continuous or outcome not in design.names:
        return
    mechanism = design.block(outcome).mechanism
    if mechanism is None:
        return
    if mechanism.noise_width(0.5) is None:
        raise QueryError(
            f"the outcome {outcome!r} is reported by its interval alone, so a linear regression "
            "has no number to explain."
        )
    if disguised := find_disguised([design], formula.words):
        raise QueryError(
            f"the outcome {outcome!r} is a number with noise and the predictor {disguised[0]!r} is "
            "disguised, too: a linear regression takes one or the other."
        )


def find_disguised(designs: Sequence[Design], predictors: Sequence[str]) -> tuple[str, ...]:
    """Find the predictors that are disguised in any design; refuse a number that is."""
    design = designs[0]
    found = [
        name
        for name in predictors
        if name in design.names and any(each.block(name).mechanism for each in designs)
    ]
    for name in found:
        if isinstance(design.question(name), Number):
            raise QueryError(
                f"the predictor {name!r} is a disguised number. A regression takes disguised "
                "predictors with options alone: ask for it in the clear, or as a choice."
            )
    cells = prod(design.question(name).size for name in found)
    if cells > _MOST_CELLS:
        raise QueryError(
            f"the disguised predictors {', '.join(found)} have {cells:,} combinations together, "
            f"more than the {_MOST_CELLS} that a regression takes. Name fewer of them."
        )
    return tuple(found)
