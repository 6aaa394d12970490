"""Reports to several questions at once as words, of which far fewer occur than there are reports.

What a report's answers add up to, one number for each, is a sum over its words of what the answers
in a word add up to. Neighbouring questions share a word while few combinations of reports are
possible, so sums over many questions take a few steps for each report.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from scipy.sparse import csr_matrix

from confide.arrays import Array, Codes
from confide.counts.distinct_rows import number_cells

_MOST_COMBINATIONS = 64
"""More combinations of reports than this make no word, unless they are those of one question."""
_SMALL = 1 << 14
"""A matrix of so many cells is multiplied faster whole than without its zeros."""


class ReportWords:
    """Distinct reports to some questions, in words.

    Parameters
    ----------
    reports : array of shape (reports, questions)
        The codes of the reports.
    sizes : sequence of int
        How many different reports each question has.
    """

    def __init__(self, reports: Codes, sizes: Sequence[int]) -> None:
        parts = _split_questions(sizes)
        starts = np.cumsum([0, *(prod(sizes[i] for i in part) for part in parts)])
        words = [
            number_cells([reports[:, i].astype(np.intp) for i in part], [sizes[i] for i in part])
            for part in parts
        ]
        places = np.stack(words, axis=1).astype(np.intp) + starts[:-1]
        ends = np.arange(len(reports) + 1) * len(parts)
        words_of = csr_matrix(
            (np.ones(places.size), places.ravel(), ends), (len(reports), starts[-1])
        )
        self._words, self._by_word = _fill_small(words_of), _fill_small(words_of.T.tocsr())
        self._answers = _fill_small(_spell(parts, sizes))

    def sum_answers(self, values: Array) -> Array:
        """Sum the values of each report's answers: (answers, columns) → (reports, columns)."""
        return np.asarray(self._words @ (self._answers @ values))

    def sum_reports(self, values: Array) -> Array:
        """Sum the values of reports by answer: (reports, columns) → (answers, columns)."""
        return np.asarray(self._answers.T @ (self._by_word @ values))


def _split_questions(sizes: Sequence[int]) -> list[list[int]]:
    """Split questions into runs that make a word each."""
    parts: list[list[int]] = [[]]
    for question, size in enumerate(sizes):
        if parts[-1] and size * prod(sizes[i] for i in parts[-1]) > _MOST_COMBINATIONS:
            parts.append([])
        parts[-1].append(question)
    return parts


def _fill_small(matrix: csr_matrix) -> csr_matrix | Array:
    """Write the zeros of a small matrix out."""
    return np.asarray(matrix.toarray()) if np.prod(matrix.shape) <= _SMALL else matrix


def _spell(parts: Sequence[Sequence[int]], sizes: Sequence[int]) -> csr_matrix:
    """Tell which answers are in each word: (words, all answers one after the other)."""
    firsts = np.cumsum([0, *sizes])
    rows = []
    for part in parts:
        codes = np.indices([sizes[i] for i in part]).reshape(len(part), -1)
        spelled = np.zeros((codes.shape[1], firsts[-1]))
        for i, code in zip(part, codes, strict=True):
            spelled[np.arange(len(code)), firsts[i] + code] = 1
        rows.append(spelled)
    return csr_matrix(np.concatenate(rows))
