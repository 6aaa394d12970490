"""The kinds of model that files, the command line and the dashboard know."""

from __future__ import annotations

from confide.errors import QueryError
from confide.mining.bayes import DisguisedNaiveBayes
from confide.mining.classifier import DisguisedClassifier
from confide.mining.trees.tree_classifier import DisguisedTreeClassifier

LEARNERS: tuple[type[DisguisedClassifier], ...] = (
    DisguisedTreeClassifier,
    DisguisedNaiveBayes,
)
"""One line per kind; what is particular to a kind is said by its class."""


def find_learner(command: str) -> type[DisguisedClassifier]:
    """Find the learner that a command or a page asks for, such as "tree"."""
    known = {learner.command: learner for learner in LEARNERS}
    if command not in known:
        raise QueryError(f"a model is one of {', '.join(known)}. Got {command[:20]!r}.")
    return known[command]
