"""One file per mechanism, named as its own: its definition once more, and examples of it.

The suites that every mechanism must pass find them here; see `oracle_of`. A mechanism of options
has ``chance(mechanism, asked, report, truth)``, the probability of a report (codes, one per
question) given the truth, from the literature and not from the code; ``draw(draw, asked)``, any
such mechanism for these questions, or None; and examples as (questions, mechanism): ``AUDITED``
with a third, a mechanism whose epsilon is 0.05 to 0.15 larger, and ``CERTAIN``, where epsilon is
infinite. Their probabilities are no multiples of 1/16: the audit must notice when they are rounded
to that. ``FOR_EPSILON`` has (questions, function of epsilon) for each way to make it for an
epsilon; it is empty where some report always tells the answer for certain. A mechanism of numbers
has ``EXAMPLES``, and one that adds noise ``cumulative(mechanism, amount)``, the probability that
the noise is at most that amount.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from confide.mechanisms import MECHANISMS, FiniteMechanism


def oracle_of(kind):
    """The file in this folder that has the same name as the mechanism's."""
    name = f"{__name__}.{kind.__module__.rsplit('.', 1)[1]}"
    assert find_spec(name), f"{kind.__name__} needs its tests/{name.replace('.', '/')}.py."
    return import_module(name)


FINITE = [kind for kind in MECHANISMS if issubclass(kind, FiniteMechanism)]
AUDITED = {name: each for kind in FINITE for name, each in oracle_of(kind).AUDITED.items()}
CERTAIN = {name: each for kind in FINITE for name, each in oracle_of(kind).CERTAIN.items()}
FOR_EPSILON = {name: each for kind in FINITE for name, each in oracle_of(kind).FOR_EPSILON.items()}
NUMBERS = {
    name: each
    for kind in MECHANISMS
    if kind not in FINITE
    for name, each in oracle_of(kind).EXAMPLES.items()
}
EVERY = {name: each[:2] for name, each in (AUDITED | CERTAIN | NUMBERS).items()}
"""Examples of every mechanism: the questions, and how they are disguised."""
