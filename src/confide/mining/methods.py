"""Which estimate of the population a learner works on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from confide.crowd import Crowd, ReportsInPlace
from confide.design import Design, Number
from confide.errors import ModelError
from confide.estimators.merged_intervals import has_noise, has_noisy_number
from confide.mining.joint import choose_joint
from confide.mining.noisy_numbers import associate_reports, choose_population, open_local_root
from confide.mining.population import Population
from confide.mining.trees.frontier import Frontier, open_root

Method = Literal["auto", "literal", "global", "by-class", "local"]
OF_NUMBERS = ("global", "by-class", "local")
"""The methods of `agrawal-srikant-2000`, for designs with numbers."""


def estimate_population(crowd: Population, target: str, method: Method) -> Population:
    """Estimate the population as a method does.

    "literal" is the papers' inversion: unbiased, signed. "auto" is the joint distribution that
    `choose_joint` finds. What is no `Crowd`, or in the clear, is its own estimate.

    Numbers with noise have no inverse: there "global" and "by-class" associate reports with
    intervals (`agrawal-srikant-2000`), and "auto" reconstructs the few questions that matter
    jointly, or by class where the reports are too few for that. Where nothing is disguised, the
    paper's methods are its baseline "Original".
    """
    if method not in get_args(Method):
        allowed = ", ".join(f'"{each}"' for each in get_args(Method))
        raise ModelError(f"method must be one of {allowed}. Got {method!r}.")
    if isinstance(crowd, ReportsInPlace):
        return _check_in_place(crowd, method)
    if isinstance(crowd, Crowd) and uses_reconstruction(crowd, method):
        if method == "auto":
            return choose_population(crowd, target)
        return associate_reports(crowd.counts, target, by_class=method == "by-class")
    if method == "literal" or not isinstance(crowd, Crowd):
        return crowd
    if not any(batch.design.groups for batch in crowd.batches):
        return crowd
    return choose_joint(crowd, target)


def _check_in_place(reports: ReportsInPlace, method: Method) -> ReportsInPlace:
    """Refuse reports in place where a method would need them counted."""
    if method != "literal":
        raise ModelError(
            f'method "{method}" needs counted reports. From those that are read in place only '
            'method="literal" learns.'
        )
    _refuse_noise(reports.design.names, [reports.design])
    return reports


def open_tree_root(crowd: Crowd, target: str, features: Sequence[str], method: Method) -> Frontier:
    """Open the root of a tree on what a method reconstructs of a crowd."""
    if method == "local":
        return open_local_root(crowd.counts, target, features)
    return open_root(estimate_population(crowd, target, method), target, features)


def uses_reconstruction(crowd: Crowd, method: Method) -> bool:
    """Whether a method reconstructs a crowd's numbers; refuse one that does not fit the design."""
    design = crowd.design
    if method in OF_NUMBERS:
        if not any(isinstance(question, Number) for question in design.questions):
            raise ModelError(f'method "{method}" is for designs with numbers: use "auto".')
        return True
    if method == "literal":
        _refuse_noise(design.names, [batch.design for batch in crowd.batches])
    return has_noise(crowd.batches, design.names)


def _refuse_noise(names: Sequence[str], designs: Sequence[Design]) -> None:
    """Refuse noise on a number, which has no inverse."""
    for name in names:
        if any(has_noisy_number(design, [name]) for design in designs):
            raise ModelError(
                f'the disguise of {name} has no inverse, which method "literal" needs: use "auto".'
            )
