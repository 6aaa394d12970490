"""A tree as indented text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from confide.mining.exports.nodes import ShownNode, TreeReader, say_people

if TYPE_CHECKING:
    from confide.mining.trees.tree_classifier import DisguisedTreeClassifier


def to_text(model: DisguisedTreeClassifier, max_depth: int | None) -> str:
    """Write the tree with one line per node; nodes below the depth are only counted."""
    reader = TreeReader(model)
    return "\n".join(_write_lines(reader, 0, "", "", max_depth))


def _write_lines(
    reader: TreeReader, node: int, head: str, indent: str, depth: int | None
) -> Iterator[str]:
    shown = reader.node(node)
    hidden = shown.question is not None and depth is not None and depth <= 0
    yield f"{head}{_describe_node(reader, shown, hidden)}"
    if hidden:
        return
    for place, (condition, child) in enumerate(shown.branches):
        last = place == len(shown.branches) - 1
        yield from _write_lines(
            reader,
            child,
            f"{indent}{'└─' if last else '├─'} {condition}: ",
            indent + ("   " if last else "│  "),
            None if depth is None else depth - 1,
        )


def _describe_node(reader: TreeReader, shown: ShownNode, hidden: bool) -> str:
    if shown.question is not None and not hidden:
        return f"{shown.question}? ({say_people(shown.people)})"
    chances = ", ".join(
        f"{name} {100 * chance:.0f} %"
        for name, chance in zip(reader.classes, shown.chances, strict=True)
    )
    below = f"; {sum(1 for _ in reader.tree.walk(shown.node)) - 1} nodes below" if hidden else ""
    return f"{shown.label} ({say_people(shown.people)}; {chances}{below})"
