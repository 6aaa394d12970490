"""The test round: each browser tells whether the model is right about its person (`surveys` 3.4).

It is a survey of its own with one yes-no question, *was the model right?*, which no person answers:
the page works the answer out from answers that it never sends. So one bit travels as every report
does: drawn for with exact integer weights before it is known, in a body of fixed length, under an
id that counts once, admitted by an invitation of its own, kept in a store of its own. Nothing joins
it to the report that the same person sent.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import compress

import numpy as np

from confide.counts import Counts
from confide.crowd import Crowd, Estimate
from confide.crowd.comparison import scale
from confide.design import Design, Group, YesNo
from confide.errors import DesignError
from confide.files import Json
from confide.mechanisms import RelatedQuestion
from confide.mining.classifier import DisguisedClassifier
from confide.reports.records import find_readable
from confide.reports.report_store import ReportStore
from confide.surveys.questionnaire import OWN, Questionnaire
from confide.surveys.survey import Survey

_RIGHT = "right"


@dataclass(frozen=True, eq=False)
class ModelTest:
    """The test round of one published model.

    Parameters
    ----------
    survey : Survey
        The survey that the model is of.
    model : DisguisedTreeClassifier or DisguisedNaiveBayes
        The model.
    model_hash : str
        Names the model: bits about another one are another round.
    truth : Fraction
        How often the bit is sent as it is; otherwise its opposite.
    """

    survey: Survey
    model: DisguisedClassifier
    model_hash: str
    truth: Fraction
    design: Design = field(init=False)
    """What respondent and collector agree on: the one question and how it is disguised."""

    def __post_init__(self) -> None:
        if self.truth == 1 and not self.personal:
            raise DesignError(
                "test of the page must be below 1: the bit is about people's own answers and "
                'must be disguised. Write test = "3/4".'
            )
        object.__setattr__(self, "design", self._make_design())  # which refuses a truth of 1/2

    @cached_property
    def names(self) -> list[str]:
        """The questions that are asked: those the model looks at, and last the one it predicts."""
        return [*self.model.used_, self.model.target_]

    @cached_property
    def personal(self) -> bool:
        """Whether it asks the personal questions, as the paper does, and not the survey's own.

        It does where one `UnrelatedQuestion` covers all that the model looks at, and the survey
        file gives a personal question for each.
        """
        for block in self.survey.design.blocks:
            covered = set(self.names) <= {question.name for question in block.questions}
            if covered and block.mechanism is not None and block.mechanism.personal_cover:
                return set(self.names) <= set(self.survey.page.personal)
        return False

    def _make_design(self) -> Design:
        asked = "personal" if self.personal else "own"
        title = f"Test of the model {self.model_hash} on people's {asked} answers"
        question = YesNo(_RIGHT, "Was the model right?")
        groups = [Group([_RIGHT], RelatedQuestion(self.truth))] if self.truth != 1 else []
        return Design([question], groups, title=title)

    @cached_property
    def survey_of_bits(self) -> Survey:
        """The round as a survey that can be served."""
        page = replace(self.survey.page, personal={}, test="", own_device=False, wanted=0)
        return Survey(self.design, page)

    def summarize(self, bits: Counts | None, reports: Counts | None, by_hand: float) -> Json:
        """Summarize what the bits say so far; nothing is estimated below the survey's minimum.

        Parameters
        ----------
        bits, reports : Counts or None
            What came in of this round, and of the survey.
        by_hand : float
            For which share of the reports people drew by a device of their own.
        """
        least = self.survey.page.minimum
        right = accuracy = None
        if bits is not None and bits.n >= least:
            right = Crowd(self.design, bits).proportion({_RIGHT: "yes"})
            accuracy = right
            if self.personal:
                enough = reports is not None and reports.n >= least
                accuracy = self._solve(right, reports, by_hand) if enough else None
        return {
            "design": self.design.fingerprint,
            "asked": "personal" if self.personal else "own",
            "n": bits.n if bits else 0,
            "minimum": least,
            "by_hand": by_hand,
            "right": None if right is None else right.to_dict(),
            "accuracy": None if accuracy is None else accuracy.to_dict(),
        }

    def _solve(self, right: Estimate, reports: Counts | None, by_hand: float) -> Estimate:
        """P(A(cc)) from P*(A(cc)) = P(A(cc))·θ + P(Y(cc))·(1 − θ).

        Only who draws by hand reports personal answers. A browser draws the cover from the design's
        distribution, for which P(Y(cc)) is known. So P(Y(cc)) is a mixture of both, of which only
        the part that the bits tell is uncertain.
        """
        crowd = Crowd(self.survey.design, reports)
        known, none, every = (
            self.model.score_disguised(crowd, personal=share).value for share in (None, 0.0, 1.0)
        )
        drawn = (none - known) / (none - every)  # the solution is linear in P(Y(cc))
        personal = scale(right, by_hand, (1 - by_hand) * drawn)
        return self.model.score_disguised(crowd, personal=personal)


def share_by_hand(questionnaire: Questionnaire, store: ReportStore, name: str) -> float:
    """Find the share of reports for which people drew a question's cover themselves."""
    patterns = store.count_patterns()
    fits = find_readable(questionnaire, [record for record, _ in patterns])
    if not fits.any():
        return 0.0
    patterns = list(compress(patterns, fits))
    rows = np.frombuffer(b"".join(record for record, _ in patterns), questionnaire.record)
    letters = np.ascontiguousarray(rows["modes"]).view("S1").reshape(len(rows), -1)
    own = letters[:, questionnaire.design.position(name)] == OWN.encode()
    return float(np.average(own, weights=[n for _, n in patterns]))
