"""A tree as nested plain values, for a page on which branches fold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from confide.files import Json
from confide.mining.exports.nodes import TreeReader, find_upper_limit

if TYPE_CHECKING:
    from confide.mining.trees.tree_classifier import DisguisedTreeClassifier


def to_outline(model: DisguisedTreeClassifier) -> Json:
    """Write the tree: each node with what it asks and says, its people, and its branches."""
    return _write_node(TreeReader(model), 0)


def _write_node(reader: TreeReader, node: int) -> Json:
    shown = reader.node(node)
    return {
        "question": shown.question,
        "label": str(shown.label),
        "chance": max(shown.chances),
        "people": shown.people.value,
        "at_most": find_upper_limit(shown.people),
        "branches": [
            {
                "values": [str(each) for each in condition.values],
                "low": condition.low,
                "high": condition.high,
                "node": _write_node(reader, child),
            }
            for condition, child in shown.branches
        ],
    }
