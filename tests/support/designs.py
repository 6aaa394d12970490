"""Random designs for property tests, and the brute-force oracle they are checked against."""

from __future__ import annotations

from functools import reduce
from itertools import product

import numpy as np
from hypothesis import strategies as st

import confide as cf
from support.mechanisms import FINITE, oracle_of


@st.composite
def questions(draw, count):
    """Yes-no questions and choices of three or four options."""
    sizes = draw(st.lists(st.sampled_from([2, 2, 3, 4]), min_size=count, max_size=count))
    return [
        cf.YesNo(f"q{i}") if k == 2 else cf.Choice(f"q{i}", [f"o{j}" for j in range(k)])
        for i, k in enumerate(sizes)
    ]


@st.composite
def mechanisms(draw, asked):
    """Any finite mechanism that can disguise these questions."""
    kinds = draw(st.permutations(FINITE))
    drawn = (oracle_of(kind).draw(draw, asked) for kind in kinds)
    return next(mechanism for mechanism in drawn if mechanism is not None)


@st.composite
def designs(draw, most_questions=5, most_groups=5):
    """A design with one to several groups and perhaps questions in the clear."""
    count = draw(st.integers(1, most_questions))
    asked = draw(questions(count))
    places = draw(st.lists(st.integers(-1, most_groups - 1), min_size=count, max_size=count))
    groups = []
    for g in sorted(set(places) - {-1}):
        members = [q for q, place in zip(asked, places, strict=True) if place == g]
        members = draw(st.permutations(members))
        mechanism = draw(mechanisms(members).filter(lambda m, asked=members: sound(m, asked)))
        groups.append(cf.Group([q.name for q in members], mechanism))
    return cf.Design(asked, groups)


def sound(mechanism, asked):
    """Whether a mechanism leaves enough of the truth to be inverted to ten digits."""
    try:
        mechanism.check(asked)
    except cf.DesignError:
        return False
    return np.linalg.cond(group_matrix(mechanism, asked)) < 1e3


def group_matrix(mechanism, asked):
    """M[report, truth] of one group, written from the definition of each mechanism."""
    cells = list(product(*(range(q.size) for q in asked)))
    matrix = np.zeros((len(cells), len(cells)))
    for (r, report), (t, truth) in product(enumerate(cells), enumerate(cells)):
        matrix[r, t] = chance(mechanism, asked, report, truth)
    return matrix


def chance(mechanism, asked, report, truth):
    """The probability of one report given one truth."""
    return oracle_of(type(mechanism)).chance(mechanism, asked, report, truth)


def whole_matrix(design):
    """M of the whole design, and the questions in the order of its Kronecker factors."""
    grouped = [name for group in design.groups for name in group.questions]
    clear = [name for name in design.names if name not in grouped]
    factors = [
        group_matrix(group.mechanism, [design.question(name) for name in group.questions])
        for group in design.groups
    ]
    factors += [np.eye(design.question(name).size) for name in clear]
    return reduce(np.kron, factors), grouped + clear


def solved(design, codes):
    """Scan the records, build the table, solve M p = π: the true table in the design's order."""
    matrix, order = whole_matrix(design)
    sizes = [design.question(name).size for name in order]
    observed = np.zeros(sizes)
    for row in codes:
        observed[tuple(row[design.position(name)] for name in order)] += 1 / len(codes)
    truth = np.linalg.solve(matrix, observed.ravel()).reshape(sizes)
    return truth.transpose([order.index(name) for name in design.names])


def labelled(design, codes):
    """Codes as a pyarrow table of labels."""
    import pyarrow as pa

    columns = {
        q.name: [q.labels[code] for code in codes[:, i]] for i, q in enumerate(design.questions)
    }
    return pa.table(columns)


def random_codes(design, rows, seed):
    """Rows of random codes with some correlation."""
    generator = np.random.default_rng(seed)
    shared = generator.random(rows)
    return np.stack(
        [
            np.minimum((shared * generator.random(rows) ** 0.5 * q.size).astype(int), q.size - 1)
            for q in design.questions
        ],
        axis=1,
    )
