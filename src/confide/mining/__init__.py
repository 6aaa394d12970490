"""Trees, naive Bayes, rules, clusters, networks; scoring; model files."""

from confide.mining.association_rule import Itemset, Rule
from confide.mining.bayes import DisguisedNaiveBayes
from confide.mining.clusters import DisguisedClusters
from confide.mining.model_files import load_model
from confide.mining.model_selection import (
    CrossValidation,
    Search,
    cross_validate_disguised,
    search_disguised,
)
from confide.mining.network import DisguisedNetwork
from confide.mining.rules import DisguisedRules
from confide.mining.scorer import disguised_scorer
from confide.mining.scoring import Evaluation
from confide.mining.trees.tree_classifier import DisguisedTreeClassifier

__all__ = [
    "CrossValidation",
    "DisguisedClusters",
    "DisguisedNaiveBayes",
    "DisguisedNetwork",
    "DisguisedRules",
    "DisguisedTreeClassifier",
    "Evaluation",
    "Itemset",
    "Rule",
    "Search",
    "cross_validate_disguised",
    "disguised_scorer",
    "load_model",
    "search_disguised",
]
