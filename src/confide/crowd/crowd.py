"""What the reports say about the population."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from confide.arrays import Array
from confide.counts.replicates import Replication
from confide.crowd._likelihood import fit_cells
from confide.crowd._queries import (
    check_sample_size,
    read_features,
)
from confide.crowd._raking import Margins, rake_people
from confide.crowd._replication import find_variance
from confide.crowd._sampling import draw_people
from confide.crowd._signed_shares import SignedShares
from confide.crowd._subpopulation import Subpopulation
from confide.crowd._summary import list_estimates, summarise_questions
from confide.crowd.arrow_rows import ArrowRows
from confide.crowd.comparing_crowd import ComparingCrowd
from confide.crowd.estimate import Approximation, Estimate, Quantity
from confide.crowd.sensitivity import Sensitivity, measure_sensitivity
from confide.crowd.weighted_patterns import WeightedPatterns
from confide.errors import QueryError
from confide.estimators.crossed_inverse import Path
from confide.mechanisms.randomness import Seed, generator_of


class Crowd(ComparingCrowd, ArrowRows):
    """The estimated true joint distribution behind a set of disguised reports.

    Parameters
    ----------
    design : Design
        The design under which the reports were made.
    reports : dataframe, relation, path, address, array or Counts
        The disguised reports. The rows stay where they are; only their counts travel. An address
        is that of the web app's database: ``sqlite:///survey.db`` or ``postgresql://…``.
    weights, strata, clusters : str, optional
        Columns beside the reports that say how people were drawn: how many people of the population
        each stands for, and the strata and the clusters that they were drawn from. Standard errors
        and intervals then are those of such a sample (Taylor's linearisation).
    population : float or mapping, optional
        How many people there are, in all or in each stratum: the more of them were asked, the
        surer an estimate is. `total` needs it, too.
    missing : {"error", "at random"}
        What a report does in which an answer is empty, such as a number that nobody gave: it is
        refused, or left out with a warning. What is then estimated is true of all people if answers
        are missing at random. A part of the design (`Design.only`) leaves out fewer.

    Examples
    --------
    >>> import confide as cf, numpy as np
    >>> design = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion(0.75))])
    >>> answers = np.repeat([1, 0], [300, 700])
    >>> crowd = cf.Crowd(design, design.disguise(answers, seed=1))
    >>> crowd.proportion({"cheated": "yes"})
    0.282 ± 0.061 (95 %, n = 1,000)
    """

    def to_arrow(self) -> pa.Table:
        """What the reports say about every question: the share of each answer, or the mean.

        Columns are ``question``, ``answer`` ("mean" for a number), ``value``, ``standard_error``,
        ``n``, and ``low`` and ``high``, the ends of the 95 % interval where it is known.
        """
        return summarise_questions(self)

    def _repr_html_(self) -> str:
        """What the reports say, under how many they are."""
        return f"<p>{escape(repr(self))}</p>{super()._repr_html_()}"

    def _notes(self) -> Iterator[str]:
        return (estimate.note for _, _, estimate in list_estimates(self))

    def rake(self, margins: Margins) -> Self:
        """The crowd with weights that give known shares of the population.

        Standard errors count that these are known. One question is post-stratification.

        Parameters
        ----------
        margins : mapping
            For each question, asked in the clear, the known share or number of each answer:
            ``{"sex": {"f": 0.51, "m": 0.49}}``.

        Examples
        --------
        >>> import confide as cf, pyarrow as pa
        >>> design = cf.Design([cf.YesNo("cheated"), cf.Choice("sex", ["f", "m"])])
        >>> answers = {"cheated": [1, 0] * 50, "sex": ["f"] * 20 + ["m"] * 80}
        >>> crowd = cf.Crowd(design, pa.table(answers)).rake({"sex": {"f": 0.5, "m": 0.5}})
        >>> crowd.proportion({"sex": "f"}).value
        0.5
        """
        people = rake_people(self._people, margins)
        return self._of(people, SignedShares(people))

    def sensitivity(
        self, question: str, refusing: tuple[float, float] = (0.0, 0.3), points: int = 7
    ) -> Sensitivity:
        """How the share of yes moves with the share of people who say no whatever the coin says.

        Parameters
        ----------
        question : str
            A disguised yes-no question.
        refusing : pair of float
            From which share of people who refuse to which.
        points : int
            How many shares, evenly spaced.

        Returns
        -------
        Sensitivity
            The estimates; its ``plot()`` draws them.

        Examples
        --------
        >>> import confide as cf, numpy as np
        >>> group = cf.Group(["cheated"], cf.RelatedQuestion(0.75))
        >>> design = cf.Design([cf.YesNo("cheated")], [group])
        >>> crowd = cf.Crowd(design, np.repeat([1, 0], [350, 650]))
        >>> crowd.sensitivity("cheated", refusing=(0, 0.2), points=3)
        cheated = yes, if people refuse
          0.0% refuse: 0.200 ± 0.059 (95 %, n = 1,000); 0.200 to 0.200 of everybody
         10.0% refuse: 0.278 ± 0.066 (95 %, n = 1,000); 0.250 to 0.350 of everybody
         20.0% refuse: 0.375 ± 0.074 (95 %, n = 1,000); 0.300 to 0.500 of everybody
        """
        if self.within or len(self.batches) > 1:
            raise QueryError("sensitivity is of a whole crowd under one design.")
        return measure_sensitivity(self.batches[0], question, refusing, points)

    def replicate(
        self,
        ask: Callable[[Crowd], Estimate | float],
        by: Replication = "jackknife",
        surveys: int = 200,
        *,
        seed: Seed = None,
    ) -> Quantity:
        """Anything asked of a crowd, with a standard error from replicates of the sample.

        Parameters
        ----------
        ask : callable
            Such as ``lambda crowd: crowd.rake(margins).proportion({"cheated": "yes"})``.
        by : {"jackknife", "bootstrap"}
            Whether people, or clusters, are left out one at a time, or drawn again with replacement
            (Rao and Wu's rescaled bootstrap), within their strata.
        surveys : int
            How many times they are drawn again.
        seed : int or numpy Generator, optional
            The same seed gives the same replicates.

        Examples
        --------
        >>> import confide as cf, numpy as np
        >>> crowd = cf.Crowd(cf.Design([cf.YesNo("cheated")]), np.repeat([1, 0], [30, 70]))
        >>> share = crowd.replicate(lambda each: each.proportion({"cheated": "yes"}))
        >>> round(share.standard_error, 4)
        0.0461
        """

        def answer(people: Subpopulation) -> float:
            return float(ask(self._of(people, SignedShares(people))))

        variance = find_variance(self._people, answer, by, surveys, generator_of(seed))
        return Approximation(answer(self._people), variance**0.5, self.n)

    def weighted(self, target: str, questions: Sequence[str] | None = None) -> WeightedPatterns:
        """Patterns, labels and non-negative weights that train any scikit-learn classifier.

        The weights are the likelihood estimate of the joint table, times n. With fewer reports than
        some fifty per combination of answers it follows its noise: rare answers come out too
        common. Then name fewer questions, or learn with confide's own classifiers. The weights are
        estimates themselves: a model trained on them knows nothing of their errors, and standard
        errors that it prints are wrong. `confide.DisguisedRegression` gives right ones.

        In X a yes-no question is a column of 0 and 1, a choice without an order one such column per
        option (of two options one for the second), an ordered one a column of option numbers, a
        number one of interval middles; y has the target's values in the kind that the reports have.

        Parameters
        ----------
        target : str
            The question to predict.
        questions : sequence of str, optional
            The features; left out, all other questions.

        Returns
        -------
        X, y, weight : arrays
            One row per pattern; ``model.fit(X, y, sample_weight=weight)``. The names of X's columns
            are ``names`` of what is returned.

        Examples
        --------
        >>> import confide as cf, pyarrow as pa
        >>> design = cf.Design([cf.YesNo("cheated"), cf.Choice("faculty", ["arts", "law", "art"])])
        >>> answers = pa.table({"cheated": [0, 1, 1], "faculty": ["arts", "law", "law"]})
        >>> patterns = cf.Crowd(design, answers).weighted("cheated")
        >>> patterns.names
        ('faculty = arts', 'faculty = law', 'faculty = art')
        >>> X, y, weight = patterns
        >>> X.tolist(), y.tolist(), weight.tolist()
        ([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [0, 1], [1.0, 2.0])
        """
        features = read_features(self._people, target, questions)
        self._people.require_given([*features, target])
        cells, weight = fit_cells(self._people, [*features, target])
        asked = [self.design.question(name) for name in features]
        labels = self._people.labels(target)[cells[:, -1]]
        return WeightedPatterns.of(asked, cells[:, :-1], labels, weight * self.n)

    def sample(self, n: int, *, seed: Seed = None) -> pa.Table:
        """Draw a synthetic population of n people from the estimated joint distribution.

        Its people are drawn from the likelihood estimate of the joint table: they share the
        crowd's proportions and correlations, as far as the reports tell them, and are nobody. With
        fewer reports than some fifty per combination of answers, rare answers come out too common.

        Parameters
        ----------
        n : int
            How many people.
        seed : int or numpy Generator, optional
            The same seed gives the same people.

        Returns
        -------
        pyarrow.Table
            One column per question: its options, in the kind in which the reports have them, or
            numbers drawn evenly within their interval, null where they are missing.

        Examples
        --------
        >>> import confide as cf, numpy as np
        >>> group = cf.Group(["cheated"], cf.RelatedQuestion(0.75))
        >>> design = cf.Design([cf.YesNo("cheated")], [group])
        >>> crowd = cf.Crowd(design, design.disguise(np.repeat([1, 0], [300, 700]), seed=1))
        >>> crowd.sample(4, seed=1)["cheated"].to_pylist()
        [0, 1, 0, 1]
        """
        check_sample_size(n)
        names = [name for name in self.design.names if name not in self._people.within]
        cells, weight = fit_cells(self._people, names)
        return draw_people(self._people, names, cells, weight, n, seed)

    def cells(self) -> tuple[NDArray[np.int16], Array] | None:
        """The true answers that people may have given, and the estimated share of each.

        Returns
        -------
        codes, shares : arrays or None
            Rows of option numbers, one column per question, and the inverse estimate of each row's
            share: signed, adding up to 1. A row may appear more than once; its share is the sum.
            None where there are too many to write out.
        """
        if self._people.within:
            raise QueryError("cells are those of the whole crowd, not of a sub-population.")
        self._people.require_given(self.design.names)
        return self._signed.cells()

    def cross(self, target: str, candidates: Sequence[str]) -> dict[str, Array]:
        """The estimated joint shares of target × candidate in this sub-population.

        They are shares of the whole population and, being unbiased, may be negative. One pass
        serves all candidates: what a tree's node needs.
        """
        self._people.require_given([target, *candidates])
        return self._signed.cross(self._people.within, target, candidates)

    def cross_nodes(
        self, paths: Sequence[Path], target: str, names: Sequence[str]
    ) -> dict[str, Array]:
        """The estimated joint shares of target × question in the nodes of a tree, all at once.

        A path has for each of its questions the codes of the true answers that it leaves. The
        tables, (paths, classes, answers), are shares of the whole population; they may be negative.
        """
        self._people.require_given({target, *names}.union(*paths))
        return self._signed.cross_nodes(paths, target, names)
