"""All five papers, by name."""

from __future__ import annotations

from confide.errors import ConfideError, show
from confide.papers.du_zhan_2003 import DU_ZHAN_2003
from confide.papers.paper import Paper

PAPERS: dict[str, Paper] = {paper.name: paper for paper in (DU_ZHAN_2003,)}


def find_papers(name: str) -> list[Paper]:
    """Find a paper by its name, or all of them."""
    if name == "all":
        return list(PAPERS.values())
    if name not in PAPERS:
        raise ConfideError(f"there are the papers {', '.join(PAPERS)} and all. Got {show(name)}.")
    return [PAPERS[name]]
