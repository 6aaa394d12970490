"""`multi-group`: the attributes in one, two or three groups, each with a coin of its own."""

from confide.papers.multi_group.claims import CLAIMS
from confide.papers.multi_group.experiment import NOTES, list_cells
from confide.papers.multi_group.figures import draw
from confide.papers.paper import Paper

MULTI_GROUP = Paper(
    "multi-group",
    "Decision trees with multi-group randomized response: the attributes dealt into one, two or "
    "three groups, each disguised by its own coin.",
    50,
    ("adult", "breast-cancer", "voting"),
    list_cells,
    draw,
    CLAIMS,
    NOTES,
    default_repeats=5,
)
