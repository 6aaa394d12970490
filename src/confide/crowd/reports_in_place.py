"""Reports that learners read where they are, in passes."""

from __future__ import annotations

from collections.abc import Sequence

from confide.arrays import Array, Codes
from confide.crowd.crowd import Crowd
from confide.design import Design
from confide.design.column_kinds import Kind
from confide.design.finer_number import list_coarse, list_places, refine_design
from confide.estimators.crossed_inverse import Path, cross_nodes


class ReportsInPlace:
    """Reports too many and too different to be counted as patterns, for learners alone.

    A `Crowd` counts how often each pattern of reports came. With sixty questions hardly two
    reports are alike, and the counts of a hundred million people do not fit into memory. Trees and
    naive Bayes with ``method="literal"`` need much less: they read the reports where they are, once
    to see that all fit and once for each level of the tree, and get the same model as from a crowd.

    Parameters
    ----------
    design : Design
        The design under which the reports were made.
    reports : path, relation or Spark frame
        Files (also a folder or pattern of Parquet files), a relation of DuckDB, or a frame of
        Spark, whose own processes then do the work. Those of other libraries are held in memory.

    Examples
    --------
    >>> import confide as cf, duckdb, numpy as np, pyarrow as pa
    >>> names = ["cheated", "drugs", "failed"]
    >>> asked = [cf.YesNo(name) for name in names]
    >>> design = cf.Design(asked, [cf.Group(names, cf.RelatedQuestion(0.8))])
    >>> drugs = np.random.default_rng(1).integers(0, 2, 4000)
    >>> answers = np.stack([drugs, drugs, np.roll(drugs, 1)], axis=1)
    >>> table = dict(zip(names, design.disguise(answers, seed=2).T))
    >>> reports = cf.ReportsInPlace(design, duckdb.from_arrow(pa.table(table)))
    >>> tree = cf.DisguisedTreeClassifier(design, "cheated", method="literal", max_depth=1)
    >>> tree.fit(reports).predict(np.array([[1, 0], [0, 1]])).tolist()
    [1, 0]
    """

    def __init__(self, design: Design, reports: object) -> None:
        from confide.counts.report_passes import ReportPasses

        self._passes, self._reports = ReportPasses(design, reports), reports

    @property
    def design(self) -> Design:
        """The design under which the reports were made."""
        return self._passes.design

    @property
    def n(self) -> int:
        """The number of reports."""
        return self._passes.n

    def kind(self, question: str) -> Kind | None:
        """The kind in which a question's reports are held; None where that differs."""
        return self._passes.kind(question)

    def tell_apart(self) -> ReportsInPlace:
        """The same reports with numbers in the clear told apart as `Crowd.tell_apart` does."""
        alone = [
            Crowd(self.design.only([number.name]), self._reports).tell_apart()
            for number in list_coarse(self.design)
        ]
        places = [place for crowd in alone for place in list_places(crowd.design)]
        return ReportsInPlace(refine_design(self.design, places), self._reports) if places else self

    def cells(self) -> tuple[Codes, Array] | None:
        """None: people's answers are not written out."""
        return None

    def cross_nodes(
        self, paths: Sequence[Path], target: str, names: Sequence[str]
    ) -> dict[str, Array]:
        """The estimated joint shares of target × question in the nodes of a tree, in one pass.

        As `Crowd.cross_nodes` gives them.
        """
        return cross_nodes([self._passes], paths, target, names)

    def __repr__(self) -> str:
        return f"ReportsInPlace: {self.n:,} reports of {len(self.design.names)} questions"
