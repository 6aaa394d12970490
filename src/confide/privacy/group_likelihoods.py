"""What the reports of one group say about each class of people, branch by branch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from confide.arrays import Array, Codes
from confide.design import Block

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


@dataclass(frozen=True, eq=False)
class GroupLikelihoods:
    """The distinct reports of one block among some patterns of reports.

    Within a class answers are independent, so a branch of the channel (truth or cover) gives a
    report with a product of one number per question.

    Parameters
    ----------
    block : Block
        A group, or a question in the clear.
    reports : array of shape (distinct, questions)
        The block's distinct reports.
    index : array of shape (patterns,)
        Which of them each pattern shows.
    """

    block: Block
    reports: Codes
    index: Codes

    @classmethod
    def of(cls, block: Block, patterns: Codes) -> GroupLikelihoods:
        """Look at patterns of reports, whose columns are the design's questions."""
        shown = patterns[:, list(block.positions)]
        # rows as bytes: sorted far sooner than by column
        rows = np.ascontiguousarray(shown.astype(np.min_scalar_type(max(block.report_sizes))))
        as_bytes = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
        _, first, index = np.unique(as_bytes, return_index=True, return_inverse=True)
        return cls(block, shown[first], index.ravel())

    @cached_property
    def first_columns(self) -> Codes:
        """Where each question's values begin when all questions' values stand in one row."""
        return np.cumsum([0, *self.block.report_sizes])

    @cached_property
    def indicator(self) -> csr_matrix:
        """Which values each distinct report shows: (distinct, all questions' values)."""
        from scipy.sparse import csr_matrix  # slow to import: on use

        rows = np.repeat(np.arange(len(self.reports)), self.reports.shape[1])
        columns = (self.reports + self.first_columns[:-1]).ravel()
        shape = (len(self.reports), self.first_columns[-1])
        return csr_matrix((np.ones(len(rows)), (rows, columns)), shape=shape)

    def chances(self, shares: Mapping[str, Array]) -> Array:
        """The chance of each value of each question: (all questions' values, branches, classes)."""
        return np.concatenate(
            [
                (factor @ shares[question.name].T).transpose(1, 0, 2)
                for factor, question in zip(
                    self.block.mixture.factors, self.block.questions, strict=True
                )
            ]
        )

    def branches(self, chances: Array) -> tuple[Array, Array]:
        """P(branch, report | class), scaled, and the logarithm of each report's scale.

        The scale keeps products of many small numbers from vanishing; it is common to a report's
        branches and classes, so posteriors need not know it.

        Returns
        -------
        likelihood : array of shape (distinct, branches, classes)
        scale : array of shape (distinct,)
        """
        with np.errstate(divide="ignore"):
            logs = np.log(chances)
        total = self.indicator @ logs.reshape(len(logs), -1)
        total = total.reshape(-1, *logs.shape[1:]) + np.log(self.block.mixture.weights)[:, None]
        largest = total.max(axis=(1, 2))
        scale = np.where(np.isfinite(largest), largest, 0.0)
        return np.exp(total - scale[:, None, None]), scale

    def truth(self, shares: Mapping[str, Array]) -> Array:
        """log P(report as the answers | class): what the report says if it is true."""
        with np.errstate(divide="ignore"):
            logs = np.concatenate([np.log(shares[q.name].T) for q in self.block.questions])
        return np.asarray(self.indicator @ logs)


def normalise_rows(chances: Array) -> Array:
    """Give rows that sum to one; a row of zeros becomes one of equal chances."""
    total = chances.sum(axis=1, keepdims=True)
    equal = np.full_like(chances, 1 / chances.shape[1])
    return np.divide(chances, total, out=equal, where=total > 0)
