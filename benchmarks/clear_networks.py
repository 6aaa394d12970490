"""Networks learned in the clear, beside those of pgmpy: edges, scores and a query.

python benchmarks/clear_networks.py    seconds; takes `pip install pgmpy`
"""

from __future__ import annotations

import warnings

import numpy as np
import pyarrow as pa
from pgmpy.estimators import BIC, HillClimbSearch, TreeSearch
from pgmpy.inference import VariableElimination
from pgmpy.models import DiscreteBayesianNetwork

import confide as cf
from confide.mining.network import Edge

REGIONS, INCOMES, ANSWERS = ["north", "south", "west"], ["low", "middle", "high"], ["no", "yes"]
DESIGN = cf.Design(
    [
        cf.Choice("region", REGIONS),
        cf.Choice("income", INCOMES),
        *(cf.YesNo(name) for name in ("works", "cheated", "late")),
    ]
)
PEOPLE, SURVEYS = 3_000, 10
GIVEN = {"works": "yes", "income": "high"}


def main() -> None:
    """Print a line for each simulated survey."""
    warnings.simplefilter("ignore")  # pgmpy's own
    for seed in range(SURVEYS):
        compare(draw_people(seed))


def draw_people(seed: int) -> pa.Table:
    """region → income → cheated ← works, cheated → late."""
    chance = np.random.default_rng(seed)
    region = chance.choice(3, PEOPLE, p=[0.5, 0.3, 0.2])
    shares = np.array([[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.1, 0.2, 0.7]])
    income = (chance.random(PEOPLE)[:, None] > shares.cumsum(axis=1)[region][:, :2]).sum(axis=1)
    works = chance.integers(0, 2, PEOPLE)
    cheating = np.array([[0.1, 0.4], [0.3, 0.7], [0.6, 0.85]])[income, works]
    cheated = (chance.random(PEOPLE) < cheating).astype(int)
    late = (chance.random(PEOPLE) < np.where(cheated, 0.75, 0.2)).astype(int)
    codes = {"region": region, "income": income, "works": works, "cheated": cheated, "late": late}
    words = {"region": REGIONS, "income": INCOMES}
    return pa.table({name: np.array(words.get(name, ANSWERS))[c] for name, c in codes.items()})


def compare(people: pa.Table) -> None:
    """Learn from one survey by both, and print how far they agree."""
    frame = people.to_pandas().astype("category")
    ours = cf.DisguisedNetwork(DESIGN, surveys=0).fit(people)
    tree = cf.DisguisedNetwork(DESIGN, method="tree", surveys=0).fit(people)
    score = BIC(frame)
    same = _to_pgmpy([(edge.parent, edge.child) for edge in ours.edges_])
    search = HillClimbSearch(frame).estimate(scoring_method="bic-d", show_progress=False)
    theirs = score.score(_to_pgmpy(search.edges()))
    chow_liu = TreeSearch(frame, root_node="region").estimate("chow-liu", show_progress=False)
    asked = VariableElimination(same.fit(frame)).query(["late"], GIVEN, show_progress=False)
    query = float(asked.get_value(late="yes")) - ours.query("late", given=GIVEN)["yes"].value
    print(
        f"score, by pgmpy {score.score(same) - ours.score_:+.3f}; "
        f"pgmpy's own search {theirs - score.score(same):+.3f}; "
        f"same tree {_join(tree.edges_) == {frozenset(edge) for edge in chow_liu.edges()}}; "
        f"query {query:+.4f}"
    )


def _to_pgmpy(edges: object) -> DiscreteBayesianNetwork:
    network = DiscreteBayesianNetwork(edges)
    network.add_nodes_from(DESIGN.names)
    return network


def _join(edges: tuple[Edge, ...]) -> set[frozenset[str]]:
    return {frozenset((edge.parent, edge.child)) for edge in edges}


if __name__ == "__main__":
    main()
