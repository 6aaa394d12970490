"""A question's disguise in odds that people can read: "in 3 of 4 cases"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import ceil, exp, inf, lcm

from confide.collect.field import Field
from confide.collect.form import Form
from confide.design import Block
from confide.mechanisms.number_mechanism import Noise


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
    def surest(self) -> tuple[int, int, Fraction]:
        """What gives most away: a report, the truth to guess from it, how often that is right.

        Before the report every answer is held equally likely.
        """
        sums = [sum(column) for column in zip(*self.table, strict=True)]
        cells = [
            (Fraction(weight, sums[r]), r, t)
            for t, row in enumerate(self.table)
            for r, weight in enumerate(row)
            if sums[r]
        ]
        # among equals a "yes" says most to people
        share, report, truth = max(cells, key=lambda cell: (cell[0], cell[1] == 1, -cell[1]))
        return report, truth, share


def explained(form: Form, texts: Mapping[str, str]) -> list[dict[str, object]]:
    """Say for every block what happens to its answers; the page draws the odds beside it."""
    return [_block(form, block, texts) for block in form.blocks]


def _block(form: Form, block: Block, texts: Mapping[str, str]) -> dict[str, object]:
    asked = [form.fields[position] for position in block.positions]
    first = asked[0]
    if not first.disguised:
        if first.edges is None:
            return {"questions": asked, "sentences": [texts["clear"]], "pictures": []}
        intervals = ", ".join(first.words(code) for code in range(first.size))
        told = texts["interval"].format(intervals=intervals)
        return {"questions": asked, "sentences": [told], "pictures": []}
    if first.noise is not None:
        return {"questions": asked, "sentences": noise_sentences(first, texts), "pictures": []}
    odds = [Odds.of(block, i) for i in range(len(asked))]
    sentences: list[str] = []
    for each, field in zip(odds, asked, strict=True):
        labels = labelled(field.question.labels, texts)
        for sentence in [*_sentences(each, labels, texts), _conclusion(each, labels, texts)]:
            if sentence not in sentences:
                sentences.append(sentence)
    if len(asked) > 1:
        sentences.append(texts["together"].format(count=len(asked)))
    pictures = sorted({each.kept for each in odds if each.kept is not None})
    return {"questions": asked, "sentences": sentences, "pictures": pictures}


def noise_sentences(field: Field, texts: Mapping[str, str]) -> list[str]:
    """Say how far noise moves a number, and what the number sent tells; never in our favour."""
    asked, mechanism, weights = field.question, field.block.mechanism, field.noise
    assert isinstance(mechanism, Noise)
    assert weights is not None

    def amount(number: float) -> str:
        return f"{number:.10g} {asked.unit}".strip()

    noise, ends = weights["noise"], {"low": amount(asked.low), "high": amount(asked.high)}
    if mechanism.bounded:
        most = amount(max(k for k, weight in enumerate(noise) if weight) * field.step)
        told = ("noise_bounded", "conclude_bounded")
        return [texts[key].format(most=most, **ends) for key in told]
    within = list(accumulate(noise, lambda total, weight: total + 2 * weight))
    total = within[-1]
    half = next(k for k, weight in enumerate(within) if 2 * weight >= total)
    often = -(-100 * within[half] // total)  # rounded towards less noise
    values = {"amount": amount(half * field.step), "often": often, "rest": 100 - often}
    return [texts["noise_endless"].format(**values), texts["conclude_noise"].format(**ends)]


def labelled(labels: tuple[str, ...], texts: Mapping[str, str]) -> list[str]:
    """Options in the page's language, where they are its own words."""
    own = {"yes": "yes", "no": "no", "prefer not to say": "prefer_not"}
    return [texts[own[label]] if label in own else label for label in labels]


def left_out(field: Field, texts: Mapping[str, str]) -> str:
    """What becomes of "prefer not to say" to a question that may be left out; else nothing.

    Where chance never reports it for another answer, a report of it is true for certain.
    """
    if getattr(field.question, "missing", "error") != "option":
        return ""
    if not field.disguised:
        return texts["optional_clear"]
    odds = Odds.of(field.block, field.block.questions.index(field.question))
    covered = any(row[-1] for row in odds.table[:-1])
    return texts["optional" if covered else "optional_certain"]


def _sentences(odds: Odds, labels: list[str], texts: Mapping[str, str]) -> list[str]:
    if odds.kept is not None:
        kept, total = odds.kept
        key = "kept_opposite" if len(labels) == 2 else "kept_another"
        return [texts[key].format(kept=kept, total=total, rest=total - kept)]
    lines = [texts["kept_uneven"]]
    for label, row in zip(labels, odds.table, strict=True):
        parts = [
            texts["sent_as"].format(option=option, weight=weight, total=odds.total)
            for option, weight in zip(labels, row, strict=True)
            if weight
        ]
        lines.append(texts["if_answer"].format(answer=label) + " " + ", ".join(parts) + ".")
    return lines


def _conclusion(odds: Odds, labels: list[str], texts: Mapping[str, str]) -> str:
    report, truth, share = odds.surest
    return texts["conclude_report"].format(
        option=labels[report], guess=labels[truth], right=share.numerator, of=share.denominator
    )


def altogether(form: Form, texts: Mapping[str, str]) -> list[str]:
    """What all reports together can tell, never rounded in our favour."""
    loss = sum(
        block.mechanism.epsilon(block.questions)
        for block in form.blocks
        if block.mechanism is not None and form.fields[block.positions[0]].disguised
    )
    sentences = []
    if loss == inf:
        sentences.append(texts["conclude_endless"])
    elif loss:
        factor = exp(loss)
        # a float above its whole number by rounding alone is that whole number
        whole = round(factor) if abs(factor - round(factor)) < 1e-9 * factor else ceil(factor)
        sentences.append(texts["conclude_sum"].format(factor=f"{whole:,}"))
    if any(not field.disguised for field in form.fields):
        sentences.append(texts["conclude_clear"])
    return sentences
