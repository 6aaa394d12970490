"""The papers' algorithms read naively: one record, one node, one equation at a time."""

from __future__ import annotations

from itertools import product
from math import log2

import numpy as np

ROUNDING = 1e-11


def clear_count(codes):
    """How many records of undisguised data satisfy an expression {column: allowed codes}."""

    def count(where):
        return float(sum(all(row[i] in allowed for i, allowed in where.items()) for row in codes))

    return count


def orientation_count(design, codes):
    """The papers' estimate for flipped yes-no groups: 2^G orientations of E, P* by scanning, solve.

    An expression asks for one code per column; the groups that it touches are each as written or
    reversed (`multi-group`, equations 3 to 8, for any number of groups).
    """
    groups = [[design.position(name) for name in group.questions] for group in design.groups]
    thetas = [float(group.mechanism.truth) for group in design.groups]

    def count(where):
        touched = [g for g, members in enumerate(groups) if any(i in where for i in members)]
        turns = list(product([0, 1], repeat=len(touched)))
        observed = []
        for turn in turns:
            reversed_ = {i for g, t in zip(touched, turn, strict=True) if t for i in groups[g]}
            turned = {i: {1 - c for c in a} if i in reversed_ else a for i, a in where.items()}
            observed.append(clear_count(codes)(turned) / len(codes))
        matrix = np.array(
            [
                [
                    np.prod(
                        [
                            thetas[g] if a == b else 1 - thetas[g]
                            for g, a, b in zip(touched, r, t, strict=True)
                        ]
                    )
                    for t in turns
                ]
                for r in turns
            ]
        )
        return float(np.linalg.solve(matrix, observed)[0]) * len(codes)

    return count


def table_count(table, n):
    """Counts read off a whole table of estimated shares."""

    def count(where):
        chosen = [list(where.get(axis, range(size))) for axis, size in enumerate(table.shape)]
        return float(table[np.ix_(*chosen)].sum()) * n

    return count


def entropy(counts):
    total = sum(counts)
    return -sum(c / total * log2(c / total) for c in counts if c > 0) if total else 0.0


def gini(counts):
    total = sum(counts)
    return 1 - sum((c / total) ** 2 for c in counts) if total else 0.0


def grown(count, sizes, target, candidates, criterion, where=None, depth=None):
    """ID3 ("entropy", one branch per value) or CART ("gini", two branches), as nested dicts."""
    where = where or {}
    classes = range(sizes[target])
    by_class = [count({**where, target: {c}}) for c in classes]
    positive = [max(n, 0.0) if n > ROUNDING * 1e4 else 0.0 for n in by_class]
    node = {"counts": by_class, "label": majority(positive), "branches": None}
    if sum(n > 0 for n in positive) < 2 or depth == 0:
        return node
    best = None
    for question in candidates:
        for parting in partings(sizes[question], where.get(question), criterion):
            gain = gain_of(count, where, question, parting, target, classes, criterion)
            if gain is not None and (best is None or round(gain, 10) > round(best[0], 10)):
                best = (gain, question, parting)
    if best is None:
        return node
    node["gain"], node["question"] = best[0], best[1]
    node["branches"] = []
    for part in best[2]:
        path = {**where, best[1]: part & where.get(best[1], part)}
        counts = [count({**path, target: {c}}) for c in classes]
        if any(n > ROUNDING * 1e4 for n in counts):
            below = None if depth is None else depth - 1
            child = grown(count, sizes, target, candidates, criterion, path, below)
        else:
            child = {"counts": counts, "label": node["label"], "branches": None}
        node["branches"].append((part, child))
    return node


def majority(counts):
    """The first of the largest, to eight digits."""
    rounded = [round(n, 8) for n in counts]
    return rounded.index(max(rounded))


def partings(size, allowed, criterion):
    allowed = allowed if allowed is not None else set(range(size))
    if len(allowed) < 2:
        return
    if criterion == "entropy":
        yield [{v} for v in range(size)]
        return
    for number in range(1, 2 ** (size - 1)):
        right = {v for v in range(1, size) if number >> (v - 1) & 1}
        yield [set(range(size)) - right, right]


def gain_of(count, where, question, parting, target, classes, criterion):
    """The gain of a test from one table of class × value in which no count is negative."""
    impurity = entropy if criterion == "entropy" else gini
    allowed = where.get(question)
    values = {}
    for part in parting:
        for value in part:
            path = {**where, question: {value} if allowed is None else {value} & allowed}
            raw = [count({**path, target: {c}}) for c in classes]
            values[value] = [n if n > ROUNDING * 1e4 else 0.0 for n in raw]
    parts = [[sum(values[v][c] for v in part) for c in classes] for part in parting]
    if sum(sum(part) > 0 for part in parts) < 2:
        return None
    whole = [sum(part[c] for part in parts) for c in classes]
    total = sum(whole)
    return impurity(whole) - sum(sum(part) / total * impurity(part) for part in parts)


def assert_same(model, node, oracle, n, tolerance=1e-6):
    """Compare a fitted tree with nested dictionaries, node by node."""
    tree = model.tree_
    np.testing.assert_allclose(tree.shares[node] * n, oracle["counts"], atol=tolerance)
    assert tree.label[node] == oracle["label"]
    if oracle["branches"] is None:
        assert tree.question[node] == -1
        return 1
    design = model.design_
    asked = design.position(model.features_[tree.question[node]])
    assert asked == oracle["question"]
    assert abs(tree.gain[node] - oracle["gain"]) < 1e-8
    branches = tree.branches(node)
    seen = {}
    for codes, child in branches:
        seen[frozenset(codes)] = child
    total = 1
    for part, below in oracle["branches"]:
        total += assert_same(model, seen[frozenset(part)], below, n, tolerance)
    return total
