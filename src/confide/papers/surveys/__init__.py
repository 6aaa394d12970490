"""`surveys`: the unrelated-question model, naive Bayes, and measures of privacy."""

from confide.papers.paper import Paper
from confide.papers.surveys.claims import CLAIMS
from confide.papers.surveys.experiment import NOTES, list_cells
from confide.papers.surveys.figures import draw

SURVEYS = Paper(
    "surveys",
    "Privacy-preserving data mining in electronic surveys: unrelated questions, naive Bayes, and "
    "measures of privacy.",
    1000,
    ("adult", "breast-cancer"),
    list_cells,
    draw,
    CLAIMS,
    NOTES,
)
