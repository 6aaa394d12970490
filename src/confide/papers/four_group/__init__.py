"""`four-group`: one to four groups, ID3 and CART side by side, accuracy and privacy by groups."""

from confide.papers.four_group.claims import CLAIMS
from confide.papers.four_group.experiment import NOTES, list_cells
from confide.papers.four_group.figures import draw
from confide.papers.paper import Paper

FOUR_GROUP = Paper(
    "four-group",
    "Four groups, with ID3 and CART: what a fourth group does to accuracy and privacy.",
    50,
    ("adult",),
    list_cells,
    draw,
    CLAIMS,
    NOTES,
    default_repeats=5,
)
