"""`agrawal-srikant-2000`: noise on numbers, reconstructed distributions, and trees on them."""

from confide.papers.agrawal_srikant_2000.claims import CLAIMS
from confide.papers.agrawal_srikant_2000.experiment import NOTES, list_cells
from confide.papers.agrawal_srikant_2000.figures import draw
from confide.papers.paper import Paper

AGRAWAL_SRIKANT_2000 = Paper(
    "agrawal-srikant-2000",
    "Privacy-preserving data mining: noise on numbers, their distributions reconstructed, and "
    "decision trees on the reconstruction.",
    5,
    (),
    list_cells,
    draw,
    CLAIMS,
    NOTES,
    default_repeats=1,
    says_repeats=False,
)
