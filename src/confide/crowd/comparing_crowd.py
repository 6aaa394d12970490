"""Comparing sub-populations and answers of a crowd."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from confide.arrays import ROUNDING
from confide.crowd._correlation import estimate_correlation
from confide.crowd._cutting import cut_questions
from confide.crowd._independence import judge_homogeneity, judge_independence
from confide.crowd._queries import (
    read_questions,
    require_free,
)
from confide.crowd._signed_shares import SignedShares
from confide.crowd.base_crowd import BaseCrowd
from confide.crowd.comparison import divide, odds
from confide.crowd.comparisons import Comparisons, compare_pairs
from confide.crowd.cut import Cut
from confide.crowd.estimate import Quantity
from confide.crowd.significance import SignificanceTest
from confide.errors import QueryError


class ComparingCrowd(BaseCrowd):
    """A crowd whose sub-populations and answers are compared."""

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
        if first == second or any(question.size != 2 for question in pair):
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
        people = self._people.who_gave([first, second])
        for name in (first, second):
            require_free(people, name)
        return estimate_correlation(people, first, second)

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
        people = people.who_gave(named)
        names = read_questions(people, named)
        return judge_independence(people, names[0], names[1])

    @staticmethod
    def test_homogeneity(crowds: Iterable[BaseCrowd], question: str) -> SignificanceTest:
        """Whether several crowds, each under its own design, truly answer a question alike."""
        given = [crowd._people.who_gave([question]) for crowd in crowds]
        for people in given:
            require_free(people, question)
        return judge_homogeneity(given, question)

    def compare(self, where: Mapping[str, object], groups: str | Cut) -> Comparisons:
        """By how much the share of some answers differs between all pairs of groups.

        A group is left out if, as far as the reports tell, nobody is in it.

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
        shares = crowd.table([name], method="inverse").values
        labels = people.design.question(name).labels
        there = np.flatnonzero(shares > ROUNDING).tolist()
        if len(there) < 2:
            raise QueryError(f"as far as the reports tell, all people are in one group of {name}.")
        return compare_pairs(
            {labels[code]: crowd.given_codes({name: code}).proportion(where) for code in there}
        )
