"""`du-zhan-2003`: one coin for all answers of a record; ID3 and its accuracy from reports alone."""

from confide.papers.du_zhan_2003.claims import CLAIMS
from confide.papers.du_zhan_2003.experiment import NOTES, list_cells
from confide.papers.du_zhan_2003.figures import draw
from confide.papers.paper import Paper

DU_ZHAN_2003 = Paper(
    "du-zhan-2003",
    "Using randomized response techniques for privacy-preserving data mining: one coin for all "
    "answers of a record, ID3 from the disguised records.",
    50,
    ("adult",),
    list_cells,
    draw,
    CLAIMS,
    NOTES,
)
