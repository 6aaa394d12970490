"""A picture of a tree: node counts with intervals, classes in colour."""

from __future__ import annotations

from html import escape
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from confide.errors import ModelError
from confide.extras import explain_missing
from confide.files import write_atomically
from confide.mining.exports.nodes import ShownNode, TreeReader, say_people

if TYPE_CHECKING:
    from confide.mining.trees.tree_classifier import DisguisedTreeClassifier

_WIDTH, _HEIGHT, _GAP, _DROP = 150, 58, 16, 118
_COLOURS = ("#E69F00", "#56B4E9", "#009E73", "#F0E442", "#CC79A7", "#D55E00", "#0072B2", "#999999")
"""Okabe and Ito's palette: told apart by colour-blind readers too."""


def choose_class_colour(place: int) -> str:
    """Choose the colour of a class."""
    return _COLOURS[place % len(_COLOURS)]


def save_picture(model: DisguisedTreeClassifier, path: Path, max_depth: int) -> None:
    """Write the picture as SVG or, by the path's ending, PNG."""
    check_picture(path)
    drawing = draw_svg(model, max_depth)
    with write_atomically(path) as temporary:
        if path.suffix.lower() == ".svg":
            temporary.write_text(drawing, encoding="utf-8")
        else:
            temporary.write_bytes(_load_png_maker().svg_to_png(drawing, scale=2))


def check_picture(path: Path) -> None:
    """Refuse a file of another kind, or of one that cannot be drawn on this machine."""
    if path.suffix.lower() not in (".svg", ".png"):
        raise ModelError(f"a picture is an .svg or .png file. Got {path.name!r}.")
    if path.suffix.lower() == ".png":
        _load_png_maker()


def _load_png_maker() -> ModuleType:
    with explain_missing("confide[plot]", "a PNG picture"):
        import vl_convert
    return vl_convert


def draw_svg(model: DisguisedTreeClassifier, max_depth: int) -> str:
    """Draw the tree down to a depth."""
    drawing = _Drawing(TreeReader(model), max_depth)
    drawing.place(0, 0)
    height = drawing.deepest * _DROP + _HEIGHT + 70
    legend, legend_width = _draw_legend(drawing.reader.classes, height)
    width = max(drawing.columns * (_WIDTH + _GAP) + _GAP, legend_width)
    title = f"Decision tree for {model.target_}, from {model.n_:,} reports"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" font-family="sans-serif" font-size="12">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
            *drawing.parts,
            *legend,
            "</svg>",
            "",
        ]
    )


class _Drawing:
    """Places nodes so that each stands above the middle of its branches."""

    def __init__(self, reader: TreeReader, max_depth: int) -> None:
        self.reader, self.max_depth = reader, max_depth
        self.columns = self.deepest = 0
        self.parts: list[str] = []

    def place(self, node: int, depth: int) -> float:
        """Draw a node and all below it; give the node's middle."""
        shown = self.reader.node(node)
        self.deepest = max(self.deepest, depth)
        top = 20 + depth * _DROP
        if depth >= self.max_depth or not shown.branches:
            middle = self.columns * (_WIDTH + _GAP) + _GAP + _WIDTH / 2
            self.columns += 1
        else:
            ends = [self.place(child, depth + 1) for _, child in shown.branches]
            middle = (ends[0] + ends[-1]) / 2
            for (condition, _), end in zip(shown.branches, ends, strict=True):
                self.parts += _draw_edge(middle, top + _HEIGHT, end, top + _DROP, str(condition))
        self.parts += self._draw_box(shown, middle - _WIDTH / 2, top, depth >= self.max_depth)
        return middle

    def _draw_box(self, shown: ShownNode, left: float, top: float, cut: bool) -> list[str]:
        name = shown.label if shown.question is None or cut else shown.question + "?"
        more = " …" if cut and shown.question else ""
        middle = left + _WIDTH / 2
        bars, start = [], left
        for place, chance in enumerate(shown.chances):
            bars.append(
                f'<rect x="{start:.1f}" y="{top + _HEIGHT - 10}" width="{_WIDTH * chance:.1f}" '
                f'height="10" fill="{choose_class_colour(place)}"/>'
            )
            start += _WIDTH * chance
        return [
            f'<rect x="{left:.1f}" y="{top}" width="{_WIDTH}" height="{_HEIGHT}" rx="6" '
            'fill="#f7f7f7" stroke="#555555"/>',
            *bars,
            f'<text x="{middle:.1f}" y="{top + 18}" text-anchor="middle" font-weight="bold">'
            f"{escape(_shorten(name))}{more}</text>",
            f'<text x="{middle:.1f}" y="{top + 36}" text-anchor="middle">'
            f"{escape(say_people(shown.people))}</text>",
        ]


def _draw_edge(x1: float, y1: float, x2: float, y2: float, words: str) -> list[str]:
    return [
        f'<line x1="{x1:.1f}" y1="{y1}" x2="{x2:.1f}" y2="{y2}" stroke="#999999"/>',
        f'<text x="{(x1 + 3 * x2) / 4:.1f}" y="{(y1 + 3 * y2) / 4:.1f}" text-anchor="middle" '
        f'fill="#333333" stroke="#ffffff" stroke-width="4" paint-order="stroke">'
        f"{escape(_shorten(words))}</text>",
    ]


def _draw_legend(classes: tuple[str, ...], height: int) -> tuple[list[str], int]:
    """Draw the classes' colours at the bottom; give the drawing and its width."""
    parts, left = [], _GAP
    for place, name in enumerate(classes):
        parts += [
            f'<rect x="{left}" y="{height - 24}" width="12" height="12" '
            f'fill="{choose_class_colour(place)}"/>',
            f'<text x="{left + 18}" y="{height - 14}">{escape(_shorten(name))}</text>',
        ]
        left += 40 + 8 * len(_shorten(name))
    return parts, left


def _shorten(words: str) -> str:
    return words if len(words) <= 20 else words[:19] + "…"
