"""Simulated people: the truth beside the estimates, and what other odds would have told of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import pyarrow as pa

from confide import privacy
from confide.crowd import Crowd
from confide.design import Design, Finite, Group, YesNo
from confide.files import Json
from confide.mechanisms import RelatedQuestion
from confide.privacy.rounding import of_hundred
from confide.web.admin.result_charts import Truth
from confide.web.admin.results import describe_estimate

LEAST, MOST = 100, 5000
"""How few and how many people can be tried."""

_PERCENTS = (55, 95)


@dataclass(frozen=True, eq=False)
class Simulation:
    """People of whom everything is known.

    Parameters
    ----------
    design : Design
        What they are asked.
    draw_people : callable
        Makes up so many people: an Arrow table of their true answers.
    people : int
        How many of them answer the survey.
    seed : int
        Of the chance with which they are disguised.
    """

    design: Design
    draw_people: Callable[[int], pa.Table]
    people: int
    seed: int

    @cached_property
    def truth(self) -> Truth:
        """The true share of each answer among those who answer the survey."""
        answers = self.draw_people(self.people)
        return {
            question.name: _find_shares(answers, question)
            for question in self.design.questions
            if isinstance(question, Finite)
        }

    def read(self, truth: str, people: str) -> tuple[int, int]:
        """Read how often the truth is let through, in percent, and how many people answer."""
        percent = int(truth) if truth.isdecimal() else 75
        count = int(people) if people.isdecimal() else self.people
        return int(np.clip(percent, *_PERCENTS)), int(np.clip(count, LEAST, MOST))

    def try_odds(self, percent: int, people: int) -> Json:
        """Disguise people with other odds, and estimate what is known of them."""
        asked = [each for each in self.design.questions if isinstance(each, YesNo)]
        asked = [each for each in asked if self._is_tried(each)]
        mechanism = RelatedQuestion(Fraction(percent, 100))
        design = Design(asked, [Group([each.name], mechanism) for each in asked])
        answers = self.draw_people(people).select([each.name for each in asked])
        crowd = Crowd(design, design.disguise(answers, seed=self.seed))
        rows = []
        for question in asked:
            true = _find_shares(answers, question)["yes"]
            reported = float(crowd.counts[0].table([question.name])[1] / people)
            found = describe_estimate(crowd.proportion({question.name: "yes"}))
            seen = {"question": question.name, "truth": true, "reported": reported}
            rows.append({**seen, **found})
        first = privacy.of(design, {asked[0].name: rows[0]["truth"]}).question(asked[0].name)
        prior = [1 - rows[0]["truth"], rows[0]["truth"]]
        guessed, before = first.guess(prior), max(prior)
        return {
            "rows": rows,
            "guessed": of_hundred(guessed),
            "before": of_hundred(before, guessed),
        }

    def _is_tried(self, question: YesNo) -> bool:
        disguised = self.design.block(question.name).mechanism is not None
        return disguised and not question.may_be_left_out


def _find_shares(answers: pa.Table, question: Finite) -> dict[str, float]:
    given = np.asarray(answers[question.name])
    return {str(label): float(np.mean(given == label)) for label in question.labels}
