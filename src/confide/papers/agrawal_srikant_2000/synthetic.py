"""The synthetic people of `agrawal-srikant-2000`, section 5.1 (Tables 2 and 3).

Nine attributes and five functions that sort people into groups A and B. Two readings are ours: the
nine zipcodes are numbered 1 to 9 and each zipcode is its own k of the house values, k · 50,000 to
k · 150,000; and equity is 0.1 · hvalue · max(hyears − 20, 0), where the print lost a sign.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from confide.design import Choice, Design, Group, Number
from confide.errors import QueryError
from confide.extras import explain_missing
from confide.mechanisms import MECHANISMS, UniformNoise
from confide.mechanisms.number_mechanism import Noise

if TYPE_CHECKING:
    import pandas as pd

FUNCTIONS = (1, 2, 3, 4, 5)
"""The functions that decide who is in group A."""

ATTRIBUTES = (
    Number("salary", 20_000, 150_000),
    Number("commission", 0, 75_000),
    Number("age", 20, 80, unit="years"),
    Number("elevel", 0, 4, step=1),
    Number("car", 1, 20, step=1),
    Number("zipcode", 1, 9, step=1),
    Number("hvalue", 50_000, 1_350_000),
    Number("hyears", 1, 30, unit="years"),
    Number("loan", 0, 500_000),
)
"""The nine questions, with the ranges of Table 2."""

_STREAM = 2000

People = dict[str, NDArray[Any]]


def build_design(
    privacy: float, noise: str | type[Noise] = UniformNoise, confidence: float = 0.95
) -> Design:
    """Build the survey in which all nine attributes are disguised and the group is told.

    Uniform noise of less than half a step would not hide a whole number at all; at privacies that
    low (10 % for elevel and zipcode) the attribute is asked in the clear.

    Parameters
    ----------
    privacy : float
        The width of the interval in which a number can be told, as a share of its range.
    noise : str or class
        "uniform", "gaussian" or "laplace", or the mechanism's class.
    confidence : float
        How surely it lies in that interval.

    Examples
    --------
    >>> round(build_design(1.0).groups[2].mechanism.half_width, 2)
    31.58
    """
    kind = _find_noise(noise) if isinstance(noise, str) else noise
    noises = {
        q: kind.for_privacy(privacy, span=q.high - q.low, confidence=confidence) for q in ATTRIBUTES
    }
    groups = [Group([q.name], noise) for q, noise in noises.items() if _can_hide(q, noise)]
    return Design([*ATTRIBUTES, Choice("group", ["A", "B"])], groups, title="Synthetic people")


def _can_hide(question: Number, noise: Noise) -> bool:
    """Whether noise can hide a whole number: below half a step rounding would undo it."""
    return question.step is None or not noise.bounded or noise.reach > question.step / 2


def _find_noise(name: str) -> type[Noise]:
    kinds = {m.kind.removesuffix("-noise"): m for m in MECHANISMS if issubclass(m, Noise)}
    if name not in kinds:
        raise QueryError(f"noise must be one of {', '.join(kinds)}. Got {name!r}.")
    return kinds[name]


def generate(
    function: int, n: int, *, seed: int | None = None, balanced: bool = False
) -> pd.DataFrame:
    """Draw people and their groups.

    Parameters
    ----------
    function : int
        1 to 5: who is in group A (Table 3).
    n : int
        How many people.
    seed : int, optional
        The same seed gives the same people.
    balanced : bool
        Whether both groups are equally large, as in the paper's training and test sets.

    Returns
    -------
    pandas.DataFrame
        Nine attributes and the column ``group`` with "A" or "B".

    Examples
    --------
    >>> people = generate(1, 1000, seed=1, balanced=True)
    >>> people.shape, int((people["group"] == "A").sum())
    ((1000, 10), 500)
    """
    if function not in FUNCTIONS:
        raise QueryError(f"function must be one of 1, 2, 3, 4 and 5. Got {function!r}.")
    if n < 1:
        raise QueryError(f"n must be at least 1. Got {n}.")
    with explain_missing("pandas", "a frame of synthetic people"):
        import pandas as pd

    # a stream of its own: answers must not follow the noise of a disguise with the same seed
    generator = np.random.default_rng(None if seed is None else (_STREAM, seed))
    people = _draw_balanced(function, n, generator) if balanced else _draw_people(n, generator)
    group = np.where(_in_group_a(function, people), "A", "B")
    return pd.DataFrame({**people, "group": group})


def _draw_people(n: int, generator: np.random.Generator) -> People:
    """Draw the nine attributes of n people (Table 2)."""
    salary = generator.uniform(20_000, 150_000, n)
    zipcode = generator.integers(1, 10, n)
    return {
        "salary": salary,
        "commission": np.where(salary >= 75_000, 0.0, generator.uniform(10_000, 75_000, n)),
        "age": generator.uniform(20, 80, n),
        "elevel": generator.integers(0, 5, n),
        "car": generator.integers(1, 21, n),
        "zipcode": zipcode,
        "hvalue": zipcode * generator.uniform(50_000, 150_000, n),
        "hyears": generator.uniform(1, 30, n),
        "loan": generator.uniform(0, 500_000, n),
    }


def _draw_balanced(function: int, n: int, generator: np.random.Generator) -> People:
    """Draw until both groups are full, keep the first of each, in the order they came."""
    wanted = {True: n - n // 2, False: n // 2}
    people = _draw_people(4 * n, generator)
    while True:
        inside = _in_group_a(function, people)
        if all(np.count_nonzero(inside == side) >= size for side, size in wanted.items()):
            break
        more = _draw_people(4 * n, generator)
        people = {name: np.r_[people[name], more[name]] for name in people}
    kept = np.sort(np.r_[tuple(np.flatnonzero(inside == s)[:size] for s, size in wanted.items())])
    return {name: column[kept] for name, column in people.items()}


def _in_group_a(function: int, people: People) -> NDArray[np.bool_]:
    """Decide who is in group A by one of the five functions (Table 3)."""
    age, salary = people["age"], people["salary"]
    young, old = age < 40, age >= 60
    middle = ~young & ~old
    if function == 1:
        return np.asarray(young | old)
    if function == 2:
        return np.asarray(
            young & _within(salary, 50_000, 100_000)
            | middle & _within(salary, 75_000, 125_000)
            | old & _within(salary, 25_000, 75_000)
        )
    if function == 3:
        low, mid, high = (_within(salary, k, k + 50_000) for k in (25_000, 50_000, 75_000))
        level = people["elevel"]
        return np.asarray(
            young & (np.isin(level, [0, 1]) & low | np.isin(level, [2, 3]) & mid)
            | middle & (np.isin(level, [1, 2, 3]) & mid | (level == 4) & high)
            | old & (np.isin(level, [2, 3, 4]) & mid | (level == 1) & low)
        )
    spare = 0.67 * (salary + people["commission"]) - 0.2 * people["loan"] - 10_000
    if function == 5:
        spare = spare + 0.2 * 0.1 * people["hvalue"] * np.maximum(people["hyears"] - 20, 0)
    return np.asarray(spare > 0)


def _within(values: NDArray[Any], low: float, high: float) -> NDArray[np.bool_]:
    return (low <= values) & (values <= high)
