"""Trees, naive Bayes, rules: plain learners over a crowd; scoring; model files."""

from confide.mining.files import load_model
from confide.mining.naive_bayes import DisguisedNaiveBayes
from confide.mining.rules import DisguisedRules, Itemset, Rule
from confide.mining.scoring import Evaluation
from confide.mining.tree_classifier import DisguisedTreeClassifier

__all__ = [
    "DisguisedNaiveBayes",
    "DisguisedRules",
    "DisguisedTreeClassifier",
    "Evaluation",
    "Itemset",
    "Rule",
    "load_model",
]
