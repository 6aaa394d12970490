"""All five papers, by name."""

from __future__ import annotations

from confide.errors import ConfideError, show
from confide.papers.agrawal_srikant_2000 import AGRAWAL_SRIKANT_2000
from confide.papers.du_zhan_2003 import DU_ZHAN_2003
from confide.papers.four_group import FOUR_GROUP
from confide.papers.multi_group import MULTI_GROUP
from confide.papers.paper import Paper
from confide.papers.surveys import SURVEYS

PAPERS: dict[str, Paper] = {
    paper.name: paper
    for paper in (DU_ZHAN_2003, MULTI_GROUP, FOUR_GROUP, SURVEYS, AGRAWAL_SRIKANT_2000)
}


def find_papers(name: str) -> list[Paper]:
    """Find a paper by its name, or all of them."""
    if name == "all":
        return list(PAPERS.values())
    if name not in PAPERS:
        raise ConfideError(f"there are the papers {', '.join(PAPERS)} and all. Got {show(name)}.")
    return [PAPERS[name]]
