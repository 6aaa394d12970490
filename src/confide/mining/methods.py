"""Which estimate of the population a learner works on."""

from __future__ import annotations

from typing import Literal, get_args

from confide.crowd import Crowd
from confide.errors import ModelError
from confide.mining.frontier import Population
from confide.mining.joint import choose_joint

Method = Literal["auto", "literal"]


def population(crowd: Population, target: str, method: Method) -> Population:
    """The estimate that a method works on.

    "literal" is the papers' inversion: unbiased, signed. "auto" is the joint distribution that
    `choose_joint` finds. What is no `Crowd`, or in the clear, is its own estimate.
    """
    if method not in get_args(Method):
        raise ModelError(f'method must be "auto" or "literal". Got {method!r}.')
    if method == "literal" or not isinstance(crowd, Crowd):
        return crowd
    if not any(batch.design.groups for batch in crowd.counts):
        return crowd
    return choose_joint(crowd, target)
