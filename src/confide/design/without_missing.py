"""The part of a design that everybody answers."""

from __future__ import annotations

from confide.design.design import Design


def leave_out_missing(design: Design) -> Design:
    """The part of a design without numbers that may be missing; what tells of them stays."""
    if not design.declines:
        return design
    return design.only([name for name in design.names if name not in design.declines])
