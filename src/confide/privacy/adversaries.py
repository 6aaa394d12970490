"""Adversaries who have the reports themselves: what each takes the rest of a report to tell.

An adversary learns from counted reports how likely each answer to one question is, given all that
the question's own draw has no part in. Whoever joins that to the question's own report by Bayes'
rule guesses the answer.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from confide.arrays import Array, Codes
from confide.counts import Counts, report_sizes
from confide.crowd import Crowd
from confide.privacy.group_likelihoods import normalise_rows
from confide.privacy.known_crowd import KnownCrowd, read_known_crowd
from confide.privacy.question_privacy import QuestionPrivacy
from confide.privacy.whole_report import WholeReport

_SMOOTHING = 5.0  # so many reports' worth of the whole crowd are added to each cell


@dataclass(frozen=True, eq=False)
class Adversary(ABC):
    """Someone who has learned from counted reports.

    Parameters
    ----------
    learned : Counts
        The reports it has learned from.
    """

    learned: Counts
    name: ClassVar[str]
    """What it does, in words."""
    from_clear_alone: ClassVar[bool] = False
    """Whether it believes what it does from the answers in the clear alone."""

    @abstractmethod
    def believe(self, question: QuestionPrivacy, patterns: Codes) -> Array:
        """How likely each answer is, given each pattern without the question's own report.

        Returns
        -------
        array of shape (patterns, answers)
        """


class ByCell(Adversary):
    """Estimates a table of the answer for each combination of the answers in the clear."""

    name: ClassVar[str] = "a table for each combination of the answers in the clear"
    from_clear_alone: ClassVar[bool] = True

    def believe(self, question: QuestionPrivacy, patterns: Codes) -> Array:
        clear = [b.positions[0] for b in self.learned.design.blocks if b.mechanism is None]
        place = self.learned.design.position(question.name)
        both = np.concatenate([self.learned.patterns[:, clear], patterns[:, clear]])
        _, cells = np.unique(both, axis=0, return_inverse=True)
        mine, theirs = np.split(cells.ravel(), [len(self.learned.patterns)])
        size = report_sizes(self.learned.design)[place]
        key = mine * size + self.learned.patterns[:, place]
        counted = np.bincount(key, self.learned.reports, (cells.max() + 1) * size)
        table = counted.reshape(-1, size)
        shares = table.sum(axis=0) / table.sum()
        reported = table + _SMOOTHING * shares
        return _undo(question, reported / reported.sum(axis=1, keepdims=True))[theirs]


class NaiveBayes(Adversary):
    """Learns naive Bayes for the question's report from all that others say in the same report."""

    name: ClassVar[str] = "naive Bayes from the rest of the report"

    def believe(self, question: QuestionPrivacy, patterns: Codes) -> Array:
        design, reports = self.learned.design, self.learned.reports
        sizes, place = report_sizes(design), design.position(question.name)
        own = self.learned.patterns[:, place]
        counted = np.bincount(own, reports, sizes[place]) + 1
        logs = np.tile(np.log(counted / counted.sum()), (len(patterns), 1))
        for other, size in enumerate(sizes):
            if other in question.block.positions:
                continue
            key = own * size + self.learned.patterns[:, other]
            table = np.bincount(key, reports, sizes[place] * size).reshape(-1, size)
            shares = table.sum(axis=0) / table.sum()
            smoothed = table + _SMOOTHING * (shares + 1e-9)
            chances = smoothed / smoothed.sum(axis=1, keepdims=True)
            logs += np.log(chances[:, patterns[:, other]]).T
        reported = np.exp(logs - logs.max(axis=1, keepdims=True))
        return _undo(question, reported / reported.sum(axis=1, keepdims=True))


class KnowsCrowd(Adversary):
    """Models the crowd as the rest of the statement does: its joint table, or classes of people."""

    name: ClassVar[str] = "the crowd's joint table, or classes of alike people"

    def believe(self, question: QuestionPrivacy, patterns: Codes) -> Array:
        return WholeReport(self.learned.design, self._crowd, patterns).prior(question.name)

    @cached_property
    def _crowd(self) -> KnownCrowd:
        return read_known_crowd(self.learned.design, Crowd(self.learned.design, self.learned))


ADVERSARIES: tuple[type[Adversary], ...] = (KnowsCrowd, ByCell, NaiveBayes)
"""All that are tried."""


def _undo(question: QuestionPrivacy, reported: Array) -> Array:
    """The distribution of answers behind distributions of reports; below 0 becomes 0."""
    return normalise_rows((reported @ np.linalg.inv(question.matrix).T).clip(0))
