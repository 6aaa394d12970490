"""A tree in the language of Graphviz."""

from __future__ import annotations

from typing import TYPE_CHECKING

from confide.mining.exports.nodes import TreeReader, say_people
from confide.mining.exports.picture import choose_class_colour

if TYPE_CHECKING:
    from confide.mining.trees.tree_classifier import DisguisedTreeClassifier


def to_dot(model: DisguisedTreeClassifier) -> str:
    """Write the tree in the language of Graphviz."""
    reader = TreeReader(model)
    lines = [
        "digraph tree {",
        '  node [shape=box, style="rounded,filled", fontname="sans-serif"];',
        '  edge [fontname="sans-serif"];',
    ]
    for node in range(len(reader.tree)):
        shown = reader.node(node)
        words = f"{shown.question or shown.label}\n{say_people(shown.people)}"
        fill = (
            choose_class_colour(int(reader.tree.label[node]))
            if shown.question is None
            else "#ffffff"
        )
        lines.append(f'  {node} [label={quote(words)}, fillcolor="{fill}"];')
        lines += [
            f"  {node} -> {child} [label={quote(str(condition))}];"
            for condition, child in shown.branches
        ]
    return "\n".join([*lines, "}", ""])


def quote(words: str) -> str:
    """Write words as a text of that language."""
    escaped = words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
