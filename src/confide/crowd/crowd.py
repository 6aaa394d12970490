"""What the reports say about the population."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import prod
from typing import Any, Literal, get_args

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from confide.counts import Counts
from confide.crowd import moments
from confide.crowd.algebra import Algebra, Array, size
from confide.crowd.axes import intervals as intervals_for
from confide.crowd.axes import noisy
from confide.crowd.bootstrap import replicates
from confide.crowd.distribution import Distribution
from confide.crowd.estimate import Estimate
from confide.crowd.likelihood import Observed, most_likely
from confide.crowd.origins import written_out
from confide.crowd.patterns import contracted
from confide.crowd.reconstruction import Procedure, reconstruct
from confide.crowd.sampling import drawn
from confide.crowd.support import weighted_support
from confide.crowd.table import Table
from confide.design import Design, Number
from confide.errors import QueryError

Method = Literal["auto", "inverse", "likelihood"]
Pooling = Literal["size", "precision"]

DENSE_CELLS = 1 << 22
"""Up to this many cells a table is kept whole; beyond it the patterns carry the weights."""


class Crowd:
    """The estimated true joint distribution behind a set of disguised reports.

    Parameters
    ----------
    design : Design
        The design under which the reports were made.
    reports : dataframe, relation, path, address, array or Counts
        The disguised reports. The rows stay where they are; only their counts travel. An address
        is that of the web app's database: ``sqlite:///survey.db`` or ``postgresql://…``.

    Examples
    --------
    >>> import confide as cf, numpy as np
    >>> design = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion(0.75))])
    >>> answers = np.repeat([1, 0], [300, 700])
    >>> crowd = cf.Crowd(design, design.disguise(answers, seed=1))
    >>> crowd.proportion({"cheated": "yes"})
    0.282 ± 0.060 (95 %, n = 1,000)
    """

    def __init__(self, design: Design, reports: Any) -> None:
        self._batches: tuple[Counts, ...] = (Counts.of(design, reports),)
        self._by: Pooling = "size"
        self._within: dict[str, int] = {}
        self._whole = self

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
            likelihood always uses every report for what it tells.
        """
        given = list(crowds)
        if not given:
            raise QueryError("there are no crowds to pool.")
        if by not in get_args(Pooling):
            raise QueryError(f'by must be "size" or "precision". Got {by!r}.')
        if any(crowd._within for crowd in given):
            raise QueryError("pool whole crowds, then ask for a sub-population of the pool.")
        first = given[0].design
        for other in (crowd.design for crowd in given[1:]):
            if _domain(other) != _domain(first):
                raise QueryError("crowds can be pooled only over the same questions and options.")
        pooled = cls.__new__(cls)
        pooled._batches = tuple(batch for crowd in given for batch in crowd._batches)
        pooled._by, pooled._within, pooled._whole = by, {}, pooled
        return pooled

    @property
    def design(self) -> Design:
        """The design; of a pool, the first one."""
        return self._batches[0].design

    @property
    def n(self) -> int:
        """The number of reports; within a sub-population, of all of them."""
        return sum(batch.n for batch in self._batches)

    @property
    def counts(self) -> tuple[Counts, ...]:
        """The counted reports, a batch each."""
        return self._batches

    @property
    def within(self) -> dict[str, Any]:
        """The true answers that make this sub-population; empty for the whole crowd."""
        return self._values(self._within)

    def given(self, where: Mapping[str, Any]) -> Crowd:
        """The sub-population with the given true answers.

        >>> import confide as cf, numpy as np
        >>> design = cf.Design([cf.YesNo("a"), cf.YesNo("b")])
        >>> crowd = cf.Crowd(design, np.array([[1, 1], [1, 0], [1, 1], [0, 0]]))
        >>> crowd.given({"a": "yes"}).proportion({"b": "yes"}).value
        0.6666666666666666
        """
        part = type(self).__new__(type(self))
        part.__dict__.update(self.__dict__)
        part._within = {**self._within, **self._codes(where)}
        part._whole = self._whole
        return part

    def proportion(self, where: Mapping[str, Any], method: Method = "auto") -> Estimate:
        """The share of people with the given true answers.

        Parameters
        ----------
        where : mapping
            Questions with a value each, such as ``{"cheated": "yes", "faculty": "law"}``.
        method : {"auto", "inverse", "likelihood"}
            As for `table`.
        """
        event = self._codes(where)
        if self._method(event, method) == "likelihood":
            return self.table(list(event), method="likelihood")[where]
        value, error = moments.combined(
            [moments.of_event(batch, event, self._within) for batch in self._batches], self._by
        )
        return Estimate(float(value), float(error), self.n)

    def table(self, questions: Sequence[str], method: Method = "auto") -> Table:
        """The share of every combination of the questions' true values, with standard errors.

        Parameters
        ----------
        questions : sequence of str
            The axes of the table.
        method : {"auto", "inverse", "likelihood"}
            "inverse" is unbiased and may leave [0, 1]; "likelihood" is always a distribution.
            "auto" is the inverse, or the likelihood where noise on a number has no inverse. Numbers
            with noise are then cut into as many intervals as the reports can tell apart: about a
            hundred reports a cell.
        """
        names = [questions] if isinstance(questions, str) else list(questions)
        if clash := [name for name in names if name in self._within]:
            raise QueryError(f"{clash[0]!r} is fixed in this sub-population.")
        if len(set(names)) < len(names) or not names:
            raise QueryError("a table needs questions, each once.")
        chosen = self._method(names, method)
        if chosen == "inverse":
            values, errors = self._inverse(names)
            return Table(self.design, tuple(names), values, errors, self.n, chosen)
        return self._likelihood(names)

    def cross(self, target: str, candidates: Sequence[str]) -> dict[str, Array]:
        """The estimated joint shares of target × candidate in this sub-population.

        They are shares of the whole population and, being unbiased, may be negative. One pass
        serves all candidates: what a tree's node needs.
        """
        if self._signed is None:
            return {name: self._contracted([target, name]) for name in candidates}
        table, axes = self._node()
        kept = {name: {axes[target], axes[name]} for name in candidates}
        return {
            name: _oriented(table, kept[name], axes[target] < axes[name]) for name in candidates
        }

    @property
    def share(self) -> float:
        """The estimated share of this sub-population in the whole."""
        if not self._within:
            return 1.0
        return self._whole.proportion(self._values(self._within)).value

    def weighted(
        self, target: str, questions: Sequence[str] | None = None
    ) -> tuple[NDArray[Any], NDArray[Any], Array]:
        """Patterns, labels and non-negative weights that train any scikit-learn classifier.

        The weights are the likelihood estimate of the joint table, times n. A yes-no question is a
        column of 0 and 1, a choice one of option numbers, a number one of interval middles.

        Parameters
        ----------
        target : str
            The question to predict.
        questions : sequence of str, optional
            The features; left out, all other questions.

        Returns
        -------
        X, y, weight : arrays
            One row a pattern; ``model.fit(X, y, sample_weight=weight)``.
        """
        self.design.position(target)
        chosen = self.design.names if questions is None else tuple(questions)
        features = [name for name in chosen if name != target and name not in self._within]
        cells, weight = self._likely_cells([*features, target])
        columns = [self._numbers(name)[cells[:, i]] for i, name in enumerate(features)]
        labels = np.array(_options(self.design, target))[cells[:, -1]]
        return np.stack(columns, axis=1), labels, weight * self.n

    def sample(self, n: int, *, seed: int | None = None) -> pa.Table:
        """Draw a synthetic population of n people from the estimated joint distribution.

        Its people are drawn from the likelihood estimate of the joint table: they share the
        crowd's proportions and correlations, as far as the reports tell them, and are nobody.

        Parameters
        ----------
        n : int
            How many people.
        seed : int, optional
            The same seed gives the same people.

        Returns
        -------
        pyarrow.Table
            A column a question: option labels, or numbers drawn evenly within their interval.

        Examples
        --------
        >>> import confide as cf, numpy as np
        >>> group = cf.Group(["cheated"], cf.RelatedQuestion(0.75))
        >>> design = cf.Design([cf.YesNo("cheated")], [group])
        >>> crowd = cf.Crowd(design, design.disguise(np.repeat([1, 0], [300, 700]), seed=1))
        >>> crowd.sample(4, seed=1)["cheated"].to_pylist()
        ['no', 'yes', 'no', 'yes']
        """
        if n < 1:
            raise QueryError(f"a sample needs at least one person. Got n = {n}.")
        names = [name for name in self.design.names if name not in self._within]
        cells, weight = self._likely_cells(names)
        return drawn(self.design, names, cells, weight, self._within, n, seed)

    def cells(self) -> tuple[NDArray[np.int16], Array] | None:
        """The true answers that people may have given, and the estimated share of each.

        Returns
        -------
        codes, shares : arrays or None
            Rows of option numbers, a column a question, and the inverse estimate of each row's
            share: signed, adding up to 1. A row may appear more than once; its share is the sum.
            None where there are too many to write out.
        """
        if self._within:
            raise QueryError("cells are those of the whole crowd, not of a sub-population.")
        if self._signed is not None and not self._clear:
            filled = np.flatnonzero(self._signed)
            rows = np.stack(np.unravel_index(filled, self._signed.shape), axis=1)
            return rows.astype(np.int16), self._signed.ravel()[filled]
        return written_out(self._batches, self.design.names, DENSE_CELLS)

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
            The paper's iteration, the same in leaps and carried further, or the same smoothed.

        Examples
        --------
        >>> import confide as cf, numpy as np
        >>> noise = cf.GaussianNoise.for_privacy(0.5, span=64)
        >>> design = cf.Design([cf.Number("age", 16, 80)], [cf.Group(["age"], noise)])
        >>> ages = np.random.default_rng(1).normal(40, 8, 5000).clip(16, 80)
        >>> found = cf.Crowd(design, design.disguise(ages, seed=2)).distribution("age")
        >>> found.mean
        39.961 ± 0.287 (95 %, n = 5,000)
        """
        asked: Any = self.design.question(question)
        if not isinstance(asked, Number):
            raise QueryError(f"{question} is no number. Use table for its shares.")
        if question in self._within:
            raise QueryError(f"{question!r} is fixed in this sub-population.")
        if procedure not in get_args(Procedure):
            raise QueryError(f'procedure must be "em", "squarem" or "ems". Got {procedure!r}.')
        cells = self._wanted_intervals([question], intervals)
        observed = self._observed([*self._within, question], cells)
        self._check_spread(question, observed)
        within = self._within_cell(observed)

        def fit(batches: Sequence[Observed]) -> Array:
            return reconstruct(batches, procedure)

        truth = fit(observed)
        grid = observed[0].algebra.merged[question].grid
        found = [_conditional(each, within) for each in replicates(observed, truth, fit)]
        return Distribution(
            question, grid.array, _conditional(truth, within), np.array(found), self.n
        )

    # What follows is the work behind the questions above.

    def _codes(self, where: Mapping[str, Any]) -> dict[str, int]:
        if not isinstance(where, Mapping) or not where:
            raise QueryError('say which answers, such as {"cheated": "yes"}.')
        codes = {}
        for name, value in where.items():
            question: Any = self.design.question(name)
            codes[name] = question.code(value)
            if name in self._within and self._within[name] != codes[name]:
                raise QueryError(f"{name!r} has another value in this sub-population.")
        return codes

    def _values(self, codes: Mapping[str, int]) -> dict[str, Any]:
        return {name: _options(self.design, name)[code] for name, code in codes.items()}

    def _cells(self, names: Iterable[str]) -> int:
        return prod(size(self.design, name) for name in names)

    def _method(self, names: Iterable[str], method: Method) -> str:
        if method not in get_args(Method):
            raise QueryError(f'method must be "inverse" or "likelihood". Got {method!r}.')
        if method != "auto":
            return method
        asked = [*self._within, *names]
        invertible = all(Algebra(batch.design, asked).invertible for batch in self._batches)
        return "inverse" if invertible else "likelihood"

    def _inverse(self, names: list[str]) -> tuple[Array, Array]:
        fixed = {name: code for name, code in self._within.items() if name not in names}
        axes = [*fixed, *names]
        if self._cells(names) > DENSE_CELLS:
            raise QueryError(
                f"a table of {', '.join(names)} has {self._cells(names):,} cells; at most "
                f"{DENSE_CELLS:,} are given. Ask for fewer questions."
            )
        if self._cells(axes) > DENSE_CELLS:
            found = [moments.from_patterns(batch, fixed, names) for batch in self._batches]
        else:
            codes = tuple(fixed.values())
            found = [
                moments.from_table(batch.algebra, batch.shares, batch.n, codes)
                for batch in self._observed(axes)
            ]
        return moments.combined(found, self._by)

    def _likelihood(self, names: list[str]) -> Table:
        axes = [*self._within, *names]
        if self._cells(axes) > DENSE_CELLS:
            raise QueryError(
                f"the likelihood of {', '.join(axes)} needs {self._cells(axes):,} cells; at most "
                f"{DENSE_CELLS:,} are possible. Ask for fewer questions."
            )
        noise = any(noisy(batch.design, axes) for batch in self._batches)
        cells = self._wanted_intervals(axes, None) if noise else {}
        observed = self._observed(axes, cells)
        fixed = self._within_cell(observed)
        truth = _fitted(observed)
        values = _conditional(truth, fixed)
        if len(observed) == 1 and observed[0].algebra.invertible:
            # At the maximum the information is that of the saturated table, whose inverse is the
            # inverse estimator's covariance with the fitted reports in place of the observed.
            (batch,) = observed
            fitted = batch.algebra.disguised(truth)
            errors = moments.combined(
                [moments.from_table(batch.algebra, fitted, batch.n, fixed)], self._by
            )[1]
        else:
            drawn = replicates(observed, truth, lambda batches: _fitted(batches, truth))
            errors = np.std([_conditional(each, fixed) for each in drawn], axis=0, ddof=1)
        grids = {name: axis.grid for name, axis in observed[0].algebra.merged.items()}
        return Table(self.design, tuple(names), values, errors, self.n, "likelihood", grids)

    def _wanted_intervals(self, names: list[str], given: int | None) -> dict[str, int]:
        if given is None:
            return intervals_for(self.design, [*self._within, *names], self.n)
        if isinstance(given, bool) or not isinstance(given, int) or given < 1:
            raise QueryError(f"intervals must be a whole number of at least 1. Got {given!r}.")
        if given > self.n:
            raise QueryError(
                f"{self.n:,} reports cannot tell {given:,} intervals apart. Ask for fewer."
            )
        return {**intervals_for(self.design, list(self._within), self.n), names[0]: given}

    def _within_cell(self, observed: list[Observed]) -> tuple[int, ...]:
        """The place of the sub-population on the first axes."""
        merged = observed[0].algebra.merged
        return tuple(
            int(merged[name].truth[code]) if name in merged else code
            for name, code in self._within.items()
        )

    def _check_spread(self, question: str, observed: list[Observed]) -> None:
        """Refuse noisy reports that are all alike: no noise gives those."""
        others = tuple(range(len(self._within)))
        seen = sum(np.count_nonzero(batch.shares.sum(axis=others)) for batch in observed)
        if seen == 1 and noisy(self.design, [question]) and self.n > 1:
            raise QueryError(
                f"all {self.n:,} reports of {question} lie in one interval, which noise does not "
                "do. Were they disguised under this design?"
            )

    def _likely_cells(self, names: list[str]) -> tuple[NDArray[Any], Array]:
        """The combinations with positive likelihood in this sub-population, and their shares."""
        axes = [*self._within, *names]
        if self._cells(axes) > DENSE_CELLS:
            return weighted_support(self._batches, axes, self._within)
        table = _fitted(self._observed(axes))[tuple(self._within.values())]
        cells = np.argwhere(table > 0)
        return cells, table[tuple(cells.T)]

    def _observed(
        self, names: Sequence[str], cells: Mapping[str, int] | None = None
    ) -> list[Observed]:
        return [Observed.of(batch, names, cells) for batch in self._batches]

    @cached_property
    def _signed_table(self) -> Array | None:
        """The whole table inverted once, if it is small enough to keep."""
        names = self.design.names
        if self._cells(names) > DENSE_CELLS:
            return None
        return np.asarray(
            sum(
                batch.n / self.n * batch.algebra.inverted(batch.shares)
                for batch in self._observed(names)
            )
        )

    @property
    def _clear(self) -> bool:
        """Whether nothing is disguised, so that the patterns are the cells."""
        return not any(batch.design.groups for batch in self._batches)

    @property
    def _signed(self) -> Array | None:
        return self._whole._signed_table

    def _node(self) -> tuple[Array, dict[str, int]]:
        """The part of the signed table in this sub-population, and where its axes are."""
        assert self._signed is not None
        names = self.design.names
        table = self._signed[tuple(self._within.get(name, slice(None)) for name in names)]
        free = [name for name in names if name not in self._within]
        return table, {name: axis for axis, name in enumerate(free)}

    def _contracted(self, names: list[str]) -> Array:
        return np.asarray(
            sum(
                batch.n / self.n * contracted(batch, batch.reports / batch.n, self._within, names)
                for batch in self._batches
            )
        )

    def _numbers(self, name: str) -> Array:
        question: Any = self.design.question(name)
        grid = getattr(question, "grid", None)
        return np.arange(question.size, dtype=float) if grid is None else grid.middles

    def __repr__(self) -> str:
        within = "".join(
            f", {name} = {value}" for name, value in self._values(self._within).items()
        )
        return f"Crowd({self.n:,} reports, {len(self.design.names)} questions{within})"


def _fitted(batches: Sequence[Observed], near: Array | None = None) -> Array:
    """The likelihood estimate; with noise on numbers, stopped before it follows every report."""
    if not all(batch.algebra.invertible for batch in batches):
        return reconstruct(batches)
    return most_likely(batches, None if near is None else (near + 1 / near.size) / 2)


def _conditional(truth: Array, within: tuple[int, ...]) -> Array:
    """A table within the sub-population that its first axes fix."""
    return np.asarray(truth[within] / (truth[within].sum() or 1.0))


def _options(design: Design, name: str) -> tuple[Any, ...]:
    question: Any = design.question(name)
    return tuple(getattr(question, "options", question.labels))


def _domain(design: Design) -> dict[str, tuple[Any, ...]]:
    return {name: _options(design, name) for name in design.names}


def _oriented(table: Array, kept: set[int], first: bool) -> Array:
    others = tuple(axis for axis in range(table.ndim) if axis not in kept)
    summed = table.sum(axis=others)
    return summed if first else summed.T
