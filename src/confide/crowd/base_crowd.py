"""What a crowd is: people behind reports, sub-populations of them, shares and numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

from confide.counts import Counts
from confide.counts.counts import MissingReports
from confide.counts.recounting import keep_at_hand
from confide.crowd._cutting import cut_questions, cut_ranges, refine_ranges
from confide.crowd._finer_numbers import tell_apart, tell_apart_at
from confide.crowd._histogram import count_distribution
from confide.crowd._inverse import invert_event, invert_table
from confide.crowd._likelihood import fit_table
from confide.crowd._means import estimate_mean
from confide.crowd._pooling import pool_populations
from confide.crowd._queries import (
    Method,
    check_intervals,
    check_procedure,
    check_where,
    choose_method,
    read_codes,
    read_event,
    read_number,
    read_questions,
)
from confide.crowd._reconstruction import check_spread, reconstruct_distribution
from confide.crowd._signed_shares import SignedShares
from confide.crowd._subpopulation import Pooling, Subpopulation
from confide.crowd.comparison import scale
from confide.crowd.cut import Cut
from confide.crowd.distribution import Distribution
from confide.crowd.estimate import Estimate, Quantity
from confide.crowd.table import Table
from confide.design import Design
from confide.design.finer_number import list_coarse, list_places
from confide.design.questions import Option
from confide.errors import QueryError
from confide.estimators.merged_intervals import FEWEST, MOST, REPORTS_EACH, choose_intervals
from confide.estimators.reconstruction import Procedure


class BaseCrowd:
    """People behind reports, their sub-populations, and the shares and numbers in them.

    `Crowd` describes its parameters.
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
        missing: MissingReports = "error",
    ) -> None:
        how: dict[str, Any] = {
            "weights": weights,
            "strata": strata,
            "clusters": clusters,
            "population": population,
            "missing": missing,
        }
        counts = keep_at_hand(Counts.of(design, reports, **how), reports, how)
        self._people = Subpopulation((counts,), "size", {})
        self._signed = SignedShares(self._people)

    @classmethod
    def _of(cls, people: Subpopulation, signed: SignedShares) -> Self:
        crowd = cls.__new__(cls)
        crowd._people, crowd._signed = people, signed
        return crowd

    @classmethod
    def pool(cls, crowds: Iterable[BaseCrowd], by: Pooling = "size") -> Self:
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
    def effective_n(self) -> float:
        """The number of reports; with weights, as many of equal weight as would tell as much."""
        return sum(batch.effective_n for batch in self._people.batches)

    @property
    def counts(self) -> tuple[Counts, ...]:
        """The counted reports, one `Counts` per batch; refused where people were not drawn alike.

        What reads them takes no weights: `batches` is for what does.
        """
        if any(batch.drawn is not None for batch in self._people.batches):
            raise QueryError(
                "reports with weights, strata or clusters are no plain counts, and this takes no "
                "others. Make a crowd without them for it."
            )
        return self._people.batches

    @property
    def batches(self) -> tuple[Counts, ...]:
        """The counted reports, one `Counts` per batch, as they were drawn."""
        return self._people.batches

    @property
    def within(self) -> dict[str, Option]:
        """The true answers that make this sub-population; empty for the whole crowd."""
        codes = self._people.within.items()
        return {name: self.design.question(name).values[code] for name, code in codes}

    def given(self, where: Mapping[str, object]) -> Self:
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

    def given_codes(self, codes: Mapping[str, int]) -> Self:
        """The sub-population with the true answers of these codes, as `cells` numbers them."""
        within = {**self._people.within, **codes}
        return self._of(replace(self._people, within=within).who_gave(codes), self._signed)

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
        people = self._people.who_gave(where)
        if choose_method(people, list(where), method) == "inverse":
            people = refine_ranges(people, where)
            return invert_event(people, read_event(people, where))
        people, answers = cut_ranges(people, where)
        if not answers:  # ranges that hold everybody
            return invert_event(people, read_event(people, where))
        return fit_table(people, read_questions(people, list(answers)))[answers]

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
        people = people.who_gave(named)
        names = read_questions(people, named)
        if choose_method(people, names, method) == "inverse":
            return invert_table(people, names)
        return fit_table(people, names)

    def mean(self, question: str, given: Mapping[str, object] | None = None) -> Quantity:
        """The mean of a number, also of one with noise.

        A report counts with the number that it stands for: noise has the mean 0. No histogram
        stands in between, so the mean is right on average and its interval holds. Counts that were
        saved or given know a number in the clear by a hundred intervals, and their mean's interval
        is as much wider as numbers may lie away from the middles (`Number`).

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
        people = (self.given(given) if given else self)._people.who_gave([question])
        number = read_number(people, question)
        check_spread(people, number)
        return estimate_mean(people, number)

    def total(self, where: Mapping[str, object]) -> Quantity:
        """How many people of the population have the given true answers.

        It is their share times the population that was given, or the sum of the weights. How many
        people there are in a sub-population is not known, and that is counted.
        """
        check_where(self._people, where)
        drawn = [batch.drawn for batch in self._people.batches]
        sizes = [d and (d.population or float(d.weights.sum())) for d in drawn]
        if len(sizes) != 1 or not sizes[0]:
            raise QueryError("a total needs the population of one sample: Crowd(…, population=).")
        people = self._people.who_gave(where)
        if choose_method(people, list(where), "auto") == "inverse":
            people = refine_ranges(people, where)
            event = {**people.within, **read_event(people, where)}
            return scale(invert_event(replace(people, within={}), event), sizes[0])
        return scale(self.proportion(where), sizes[0] * self._of(people, self._signed).share)

    @property
    def share(self) -> float:
        """The estimated share of this sub-population in the whole."""
        if not self._people.within:
            return 1.0
        return invert_event(replace(self._people, within={}), self._people.within).value

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
        people = self._people.who_gave([question])
        number = read_number(people, question)
        check_procedure(procedure)
        check_intervals(people, intervals)
        if not people.invertible([question]):
            return reconstruct_distribution(people, number, intervals, procedure)
        chosen = choose_intervals(self.design, [*people.within, question], self.n)
        return count_distribution(people, number, intervals or chosen[question])

    def tell_apart(self, like: Design | None = None) -> Self:
        """The crowd with its numbers in the clear told apart as finely as a learner should.

        No interval holds more than two parts of the people. There are as many parts as intervals
        in a histogram: one for every hundred reports, at least ten and at most a hundred. `Counts`
        that were given or saved stay as they are.

        Parameters
        ----------
        like : Design, optional
            The design of a crowd that was told apart: at the same places as there.
        """
        people, wanted = self._people, None if like is None else set(list_places(like))
        if wanted is None:
            numbers = [number.name for number in list_coarse(self.design)]
            parts = min(max(self.n / REPORTS_EACH, FEWEST), MOST)
            people = tell_apart(people, numbers, 1 / parts)
        elif wanted != set(list_places(self.design)):
            people = tell_apart_at(people, wanted)
        return self if people is self._people else self._of(people, SignedShares(people))

    def __repr__(self) -> str:
        within = "".join(f", {name} = {value}" for name, value in self.within.items())
        return f"Crowd({self.n:,} reports, {len(self.design.names)} questions{within})"
