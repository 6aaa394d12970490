"""Reports in any dataframe, engine or file → the small table that is all an analysis needs."""

from confide.counts.counts import Counts, report_sizes

__all__ = ["Counts", "report_sizes"]
