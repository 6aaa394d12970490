"""The odds of a disguise in whole numbers: "in 3 of 4 cases"."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from confide.design import Block


@dataclass(frozen=True)
class Odds:
    """How often each report follows each true answer to one question, whatever the others are.

    Parameters
    ----------
    table : tuple of tuples of int
        ``table[truth][report]``; every row sums to ``total``.
    total : int
        Of how many cases.
    """

    table: tuple[tuple[int, ...], ...]
    total: int

    @classmethod
    def of(cls, block: Block, question: int) -> Odds:
        """The odds of one question of a block: its branches summed up, exactly.

        >>> import confide as cf
        >>> group = cf.Group(["a", "b"], cf.RelatedQuestion("3/4"))
        >>> design = cf.Design([cf.YesNo("a"), cf.YesNo("b")], [group])
        >>> Odds.of(design.blocks[0], 1)
        Odds(table=((3, 1), (1, 3)), total=4)
        """
        channel = block.channel
        matrices = [branch[question] for branch in channel.branches]
        size = block.questions[question].size
        chances = [
            [
                sum(
                    (odd * m[r][t] for odd, m in zip(channel.odds, matrices, strict=True)),
                    Fraction(),
                )
                for r in range(size)
            ]
            for t in range(size)
        ]
        total = lcm(*(chance.denominator for row in chances for chance in row))
        return cls(tuple(tuple(int(c * total) for c in row) for row in chances), total)

    @property
    def kept(self) -> tuple[int, int] | None:
        """In how many of how many cases the answer is sent as it is, if for all answers alike."""
        diagonal = {row[t] for t, row in enumerate(self.table)}
        if len(diagonal) > 1:
            return None
        share = Fraction(diagonal.pop(), self.total)
        return share.numerator, share.denominator

    @property
    def telling(self) -> list[tuple[int, int]]:
        """The reports that come from one answer alone, each with that answer."""
        columns = enumerate(zip(*self.table, strict=True))
        origins = [(r, [t for t, weight in enumerate(column) if weight]) for r, column in columns]
        return [(report, truths[0]) for report, truths in origins if len(truths) == 1]

    @property
    def surest(self) -> tuple[int, int, Fraction] | None:
        """The report that gives most away, among those that tell nothing for certain.

        A report, the truth to guess from it, and how often that is right if before the report every
        answer was held equally likely; None where every report is certain.
        """
        certain = {report for report, _ in self.telling}
        sums = [sum(column) for column in zip(*self.table, strict=True)]
        cells = [
            (Fraction(weight, sums[r]), r, t)
            for t, row in enumerate(self.table)
            for r, weight in enumerate(row)
            if sums[r] and r not in certain
        ]
        if not cells:
            return None
        # among equals a "yes" says most to people
        share, report, truth = max(cells, key=lambda cell: (cell[0], cell[1] == 1, -cell[1]))
        return report, truth, share
