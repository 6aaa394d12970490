"""What the reports say about the population."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from confide.arrays import Array, Values
from confide.counts import Counts
from confide.crowd._correlation import estimate_correlation
from confide.crowd._cutting import cut_questions, cut_ranges
from confide.crowd._histogram import count_distribution
from confide.crowd._independence import judge_homogeneity, judge_independence
from confide.crowd._inverse import invert_event, invert_table
from confide.crowd._likelihood import fit_cells, fit_table
from confide.crowd._means import estimate_mean
from confide.crowd._pooling import pool_populations
from confide.crowd._queries import (
    Method,
    check_intervals,
    check_procedure,
    check_sample_size,
    check_where,
    choose_method,
    read_codes,
    read_event,
    read_features,
    read_number,
    read_questions,
    require_free,
)
from confide.crowd._raking import Margins, rake_people
from confide.crowd._reconstruction import check_spread, reconstruct_distribution
from confide.crowd._replication import Replication, find_variance
from confide.crowd._sampling import draw_people
from confide.crowd._signed_shares import SignedShares
from confide.crowd._subpopulation import Pooling, Subpopulation
from confide.crowd.comparison import divide, odds, scale
from confide.crowd.comparisons import Comparisons, compare_pairs
from confide.crowd.cut import Cut
from confide.crowd.distribution import Distribution
from confide.crowd.estimate import Approximation, Estimate, Quantity
from confide.crowd.significance import SignificanceTest
from confide.crowd.table import Table
from confide.design import Design
from confide.design.questions import Option
from confide.errors import QueryError
from confide.estimators.merged_intervals import choose_intervals
from confide.estimators.reconstruction import Procedure
from confide.mechanisms.randomness import Seed, generator_of


class Crowd:
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
        How many people there are, in all or in each stratum: the less of them were not asked, the
        surer an estimate is. It also makes totals.

    Examples
    --------
    >>> import confide as cf, numpy as np
    >>> design = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion(0.75))])
    >>> answers = np.repeat([1, 0], [300, 700])
    >>> crowd = cf.Crowd(design, design.disguise(answers, seed=1))
    >>> crowd.proportion({"cheated": "yes"})
    0.282 ± 0.061 (95 %, n = 1,000)
    """

    def __init__(
        self,
        design: Design,
        reports: object,
        *,
        weights: str | None = None,
        strata: str | None = None,
        clusters: str | None = None,
        population: float | Mapping[object, float] | None = None,
    ) -> None:
        counts = Counts.of(
            design,
            reports,
            weights=weights,
            strata=strata,
            clusters=clusters,
            population=population,
        )
        self._people = Subpopulation((counts,), "size", {})
        self._signed = SignedShares(self._people)

    @classmethod
    def _of(cls, people: Subpopulation, signed: SignedShares) -> Crowd:
        crowd = cls.__new__(cls)
        crowd._people, crowd._signed = people, signed
        return crowd

    @classmethod
    def pool(cls, crowds: Iterable[Crowd], by: Pooling = "size") -> Crowd:
        """Join crowds over the same questions, whatever the designs they were disguised under.

        A design without groups brings wholly true data in (`multi-group`, sections 2 and 4.8).

        Parameters
        ----------
        crowds : iterable of Crowd
            At least one.
        by : {"size", "precision"}
            Whether inverse estimates count by their number of reports or by their precision. The
            likelihood always uses every report for what it tells; learners, rules and scores
            always count by number.
        """
        pooled = pool_populations([crowd._people for crowd in crowds], by)
        return cls._of(pooled, SignedShares(pooled))

    @property
    def design(self) -> Design:
        """The design; of a pool, the first one."""
        return self._people.design

    @property
    def n(self) -> int:
        """The number of reports; within a sub-population, of all of them."""
        return self._people.n

    @property
    def counts(self) -> tuple[Counts, ...]:
        """The counted reports, one `Counts` per batch; refused where people were not drawn alike.

        Learners, rules, scores and statements of privacy read them, and take no weights yet.
        """
        if any(batch.drawn is not None for batch in self._people.batches):
            raise QueryError(
                "reports with weights, strata or clusters are no plain counts: learners, rules and "
                "statements of privacy do not take them. Make a crowd without them for these."
            )
        return self._people.batches

    @property
    def within(self) -> dict[str, Option]:
        """The true answers that make this sub-population; empty for the whole crowd."""
        codes = self._people.within.items()
        return {name: self.design.question(name).values[code] for name, code in codes}

    def given(self, where: Mapping[str, object]) -> Crowd:
        """The sub-population with the given true answers.

        A pair is a range of a number asked in the clear: ``{"age": (18, 25)}`` is from 18 to below
        25.

        >>> import confide as cf, numpy as np
        >>> design = cf.Design([cf.YesNo("a"), cf.YesNo("b")])
        >>> crowd = cf.Crowd(design, np.array([[1, 1], [1, 0], [1, 1], [0, 0]]))
        >>> crowd.given({"a": "yes"}).proportion({"b": "yes"}).value
        0.6666666666666666
        """
        check_where(self._people, where)
        people, answers = cut_ranges(self._people, where)
        signed = self._signed if people is self._people else SignedShares(people)
        return self._of(people, signed).given_codes(read_codes(people, answers))

    def given_codes(self, codes: Mapping[str, int]) -> Crowd:
        """The sub-population with the true answers of these codes, as `cells` numbers them."""
        within = {**self._people.within, **codes}
        return self._of(replace(self._people, within=within), self._signed)

    def proportion(self, where: Mapping[str, object], method: Method = "auto") -> Estimate:
        """The share of people with the given true answers.

        Parameters
        ----------
        where : mapping
            Questions with a value each, such as ``{"cheated": "yes", "faculty": "law"}``, read as
            in reports. A number that shares its interval with others is asked for by the interval's
            name, as `table` and `distribution` list it: ``{"age": "16 to 17.28"}``. A pair is a
            range of a number asked in the clear, from the first to below the second:
            ``{"age": (18, 25)}``.
        method : {"auto", "inverse", "likelihood"}
            As for `table`.
        """
        check_where(self._people, where)
        if choose_method(self._people, list(where), method) == "inverse":
            return invert_event(self._people, read_event(self._people, where))
        if any(isinstance(value, tuple) for value in where.values()):
            raise QueryError("a range needs method='inverse', and a number asked in the clear.")
        return self.table(list(where), method="likelihood")[where]

    def table(self, questions: Sequence[str | Cut], method: Method = "auto") -> Table:
        """The share of every combination of the questions' true values, with standard errors.

        Parameters
        ----------
        questions : sequence of str or Cut
            The axes of the table; a number asked in the clear may be cut: ``cut("age", [18, 25])``.
        method : {"auto", "inverse", "likelihood"}
            "inverse" is unbiased and may leave [0, 1]; "likelihood" is always a distribution.
            "auto" is the inverse, or the likelihood where noise on a number has no inverse. Numbers
            with noise are then cut into as many intervals as the reports can tell apart: about a
            hundred reports per cell.
        """
        asked = [questions] if isinstance(questions, str | Cut) else questions
        people, named = cut_questions(self._people, asked)
        names = read_questions(people, named)
        if choose_method(people, names, method) == "inverse":
            return invert_table(people, names)
        return fit_table(people, names)

    def mean(self, question: str, given: Mapping[str, object] | None = None) -> Quantity:
        """The mean of a number, also of one with noise.

        A report counts with the number that it stands for: noise has the mean 0. No histogram
        stands in between, so the mean is right on average and its interval holds.

        Parameters
        ----------
        question : str
            A `Number`.
        given : mapping, optional
            Only people with these true answers, such as ``{"cheated": "yes"}``.

        Examples
        --------
        >>> import confide as cf, numpy as np
        >>> group = cf.Group(["age"], cf.GaussianNoise(10))
        >>> design = cf.Design([cf.Number("age", 16, 80)], [group])
        >>> ages = np.random.default_rng(1).normal(40, 8, 5000).clip(16, 80)
        >>> cf.Crowd(design, design.disguise(ages, seed=2)).mean("age")
        39.968 ± 0.356 (95 %, n = 5,000)
        """
        people = (self.given(given) if given else self)._people
        number = read_number(people, question)
        check_spread(people, number)
        return estimate_mean(people, number)

    def total(self, where: Mapping[str, object]) -> Quantity:
        """How many people of the population have the given true answers.

        It is their share times the population that was given, or the sum of the weights.
        """
        drawn = [batch.drawn for batch in self._people.batches]
        sizes = [d and (d.population or float(d.weights.sum())) for d in drawn]
        if len(sizes) != 1 or not sizes[0]:
            raise QueryError("a total needs the population of one sample: Crowd(…, population=).")
        size = sizes[0] * self.share
        return scale(self.proportion(where), size)

    def rake(self, margins: Margins) -> Crowd:
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

    def difference(
        self,
        where: Mapping[str, object],
        first: Mapping[str, object],
        second: Mapping[str, object],
    ) -> Quantity:
        """By how much more people of the first sub-population have some answers than of the second.

        Parameters
        ----------
        where : mapping
            The answers, such as ``{"cheated": "yes"}``.
        first, second : mappings
            The sub-populations by their true answers: ``{"faculty": "law"}``.

        Examples
        --------
        >>> import confide as cf, numpy as np
        >>> design = cf.Design([cf.YesNo("cheated"), cf.YesNo("drugs")])
        >>> answers = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], [30, 30, 20, 120], axis=0)
        >>> crowd = cf.Crowd(design, answers)
        >>> crowd.difference({"cheated": "yes"}, {"drugs": "yes"}, {"drugs": "no"})
        0.400 ± 0.147 (95 %, n = 200)
        """
        return self.given(first).proportion(where) - self.given(second).proportion(where)

    def risk_ratio(
        self,
        where: Mapping[str, object],
        first: Mapping[str, object],
        second: Mapping[str, object],
    ) -> Quantity:
        """How many times as often people of the first sub-population have some answers."""
        return self.given(first).proportion(where) / self.given(second).proportion(where)

    def odds_ratio(self, first: str, second: str) -> Quantity:
        """The odds of a question's yes among those with another's yes, over the others' odds."""
        pair = [self._people.design.question(name) for name in (first, second)]
        if any(question.size != 2 for question in pair):
            raise QueryError("an odds ratio is that of two questions with two answers each.")
        high, low = ({second: pair[1].values[code]} for code in (1, 0))
        event = {first: pair[0].values[1]}
        return divide(
            odds(self.given(high).proportion(event)), odds(self.given(low).proportion(event))
        )

    def correlation(self, first: str, second: str) -> Quantity:
        """The correlation of two true answers, each a number or a question with two options.

        Noise and disguise are taken out, so it is not pulled towards 0 as that of the reports is.

        Examples
        --------
        >>> import confide as cf, numpy as np
        >>> design = cf.Design([cf.YesNo("cheated"), cf.Number("age", 16, 80, step=1)])
        >>> answers = np.repeat([[1, 20], [1, 40], [0, 20], [0, 40]], [40, 10, 20, 30], axis=0)
        >>> cf.Crowd(design, answers).correlation("cheated", "age")
        -0.408 ± 0.179 (95 %, n = 100)
        """
        for name in (first, second):
            require_free(self._people, name)
        return estimate_correlation(self._people, first, second)

    def test_independence(self, first: str | Cut, second: str | Cut) -> SignificanceTest:
        """Whether two true answers are independent: Pearson's χ² test through the disguise.

        With groups of people as one of the two it tells whether the groups answer alike.

        Examples
        --------
        >>> import confide as cf, numpy as np
        >>> design = cf.Design([cf.YesNo("a"), cf.YesNo("b")])
        >>> answers = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], [30, 20, 20, 30], axis=0)
        >>> cf.Crowd(design, answers).test_independence("a", "b")
        p = 0.046 (χ² = 4.000, 1 degree of freedom, n = 100)
        """
        people, named = cut_questions(self._people, [first, second])
        names = read_questions(people, named)
        return judge_independence(people, names[0], names[1])

    @staticmethod
    def test_homogeneity(crowds: Iterable[Crowd], question: str) -> SignificanceTest:
        """Whether several crowds, each under its own design, truly answer a question alike."""
        given = [crowd._people for crowd in crowds]
        for people in given:
            require_free(people, question)
        return judge_homogeneity(given, question)

    def compare(self, where: Mapping[str, object], groups: str | Cut) -> Comparisons:
        """By how much the share of some answers differs between all pairs of groups.

        Parameters
        ----------
        where : mapping
            The answers, such as ``{"cheated": "yes"}``.
        groups : str or Cut
            The question whose answers make the groups.

        Examples
        --------
        >>> import confide as cf, numpy as np
        >>> design = cf.Design([cf.YesNo("cheated"), cf.Choice("faculty", ["a", "b", "c"])])
        >>> codes = np.repeat([[1, 0], [0, 0], [1, 1], [0, 1], [0, 2]], [30, 20, 20, 30, 50], 0)
        >>> crowd = cf.Crowd(design, cf.Counts.gather(design, list(codes.T)))
        >>> crowd.compare({"cheated": "yes"}, "faculty")
        a − b  0.200 ± 0.187 (95 %, n = 150)  p = 0.043
        a − c  0.600 ± 0.141 (95 %, n = 150)  p < 0.001
        b − c  0.400 ± 0.142 (95 %, n = 150)  p < 0.001
        """
        people, (name,) = cut_questions(self._people, [groups])
        require_free(people, name)
        crowd = self._of(people, SignedShares(people))
        asked = people.design.question(name)
        return compare_pairs(
            {
                label: crowd.given_codes({name: code}).proportion(where)
                for code, label in enumerate(asked.labels)
            }
        )

    def cross(self, target: str, candidates: Sequence[str]) -> dict[str, Array]:
        """The estimated joint shares of target × candidate in this sub-population.

        They are shares of the whole population and, being unbiased, may be negative. One pass
        serves all candidates: what a tree's node needs.
        """
        return self._signed.cross(self._people.within, target, candidates)

    @property
    def share(self) -> float:
        """The estimated share of this sub-population in the whole."""
        if not self._people.within:
            return 1.0
        return invert_event(replace(self._people, within={}), self._people.within).value

    def weighted(
        self, target: str, questions: Sequence[str] | None = None
    ) -> tuple[Array, Values, Array]:
        """Patterns, labels and non-negative weights that train any scikit-learn classifier.

        The weights are the likelihood estimate of the joint table, times n. With fewer reports than
        some fifty per combination of answers it follows its noise: rare answers come out too
        common. Then name fewer questions, or learn with confide's own classifiers. In X a yes-no
        question is a column of 0 and 1, a choice one of option numbers, a number one of interval
        middles; y has the target's values in the kind in which the reports have them.

        Parameters
        ----------
        target : str
            The question to predict.
        questions : sequence of str, optional
            The features; left out, all other questions.

        Returns
        -------
        X, y, weight : arrays
            One row per pattern; ``model.fit(X, y, sample_weight=weight)``.
        """
        features = read_features(self._people, target, questions)
        cells, weight = fit_cells(self._people, [*features, target])
        columns = [
            self.design.question(name).numbers[cells[:, i]] for i, name in enumerate(features)
        ]
        labels = self._people.labels(target)
        return np.stack(columns, axis=1), labels[cells[:, -1]], weight * self.n

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
            numbers drawn evenly within their interval.

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
        return self._signed.cells()

    def distribution(
        self, question: str, intervals: int | None = None, procedure: Procedure = "squarem"
    ) -> Distribution:
        """The distribution of a number, given back from its disguise.

        Parameters
        ----------
        question : str
            A `Number`.
        intervals : int, optional
            How many intervals to tell apart; left out, one for every hundred reports, between ten
            and a hundred (`agrawal-srikant-2000`, section 4.2).
        procedure : {"em", "squarem", "ems"}
            The paper's iteration, the same accelerated and carried further, or the same smoothed.

        Examples
        --------
        >>> import confide as cf, numpy as np
        >>> noise = cf.GaussianNoise.for_privacy(0.5, span=64)
        >>> design = cf.Design([cf.Number("age", 16, 80)], [cf.Group(["age"], noise)])
        >>> ages = np.random.default_rng(1).normal(40, 8, 5000).clip(16, 80)
        >>> found = cf.Crowd(design, design.disguise(ages, seed=2)).distribution("age")
        >>> found.mean
        39.956 ± 0.318 (95 %, n = 5,000)
        """
        number = read_number(self._people, question)
        check_procedure(procedure)
        check_intervals(self._people, intervals)
        if not self._people.invertible([question]):
            return reconstruct_distribution(self._people, number, intervals, procedure)
        chosen = choose_intervals(self.design, [*self._people.within, question], self.n)
        return count_distribution(self._people, number, intervals or chosen[question])

    def __repr__(self) -> str:
        within = "".join(f", {name} = {value}" for name, value in self.within.items())
        return f"Crowd({self.n:,} reports, {len(self.design.names)} questions{within})"
