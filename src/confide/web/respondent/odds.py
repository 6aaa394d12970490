"""What happens to the answers, in words and odds that people can read: "in 3 of 4 cases"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from math import ceil, exp, inf, lcm, log

from confide.design import Block
from confide.surveys.certainty import UNDISGUISED, Certainty
from confide.surveys.field import Field
from confide.surveys.questionnaire import Questionnaire
from confide.web.respondent.written_numbers import written

_LARGE = 1_000_000  # odds above this are as good as certainty


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
        """What gives most away of all that tells nothing for certain.

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


def lead(form: Questionnaire, texts: Mapping[str, str]) -> list[str]:
    """Say first of all what becomes of the answers to this survey, and never more than is so."""
    found = set(form.certainty_by_question)
    disguised = found - UNDISGUISED
    if not disguised:
        told = ["how_none"]
    else:
        worst = next(
            each
            for each in (Certainty.SOMETIMES, Certainty.WITH_MORE, Certainty.NEVER)
            if each in found
        )
        told = [_LEADS[worst][0 if found == disguised else 1]]
    told += ["how_clear"] if Certainty.ALWAYS in found else []
    told += ["how_range"] if Certainty.RANGE in found else []
    told += ["how_crowd"] if disguised else []
    return [texts[key] for key in told]


_LEADS = {  # where everything is disguised, and where only some questions are
    Certainty.NEVER: ("how_lead", "how_some"),
    Certainty.WITH_MORE: ("how_lead_with_more", "how_some_with_more"),
    Certainty.SOMETIMES: ("how_lead_sometimes", "how_some_sometimes"),
}


def explained(form: Questionnaire, texts: Mapping[str, str]) -> list[dict[str, object]]:
    """Say for every block what happens to its answers; the page draws the odds beside it."""
    return [_block(form, block, texts) for block in form.blocks]


def _block(form: Questionnaire, block: Block, texts: Mapping[str, str]) -> dict[str, object]:
    asked = [form.fields[position] for position in block.positions]
    first, sure = asked[0], form.certainty_by_question[block.positions[0]]
    told: dict[str, object] = {"questions": asked, "pictures": []}
    if first.edges is not None:
        ends = pairwise(written(edge, texts) for edge in first.edges)
        intervals = "; ".join(f"{low} – {high}" for low, high in ends)
        return told | {"sentences": [texts["interval"].format(intervals=intervals)]}
    if not first.disguised:
        return told | {"sentences": [texts["clear"]]}
    if first.noise is not None:
        return told | {"sentences": noise_sentences(first, texts)}
    odds = [Odds.of(block, i) for i in range(len(asked))]
    sentences: list[str] = []
    for each, field in zip(odds, asked, strict=True):
        labels = labelled(field.question.labels, texts)
        sentences += _sentences(each, labels, sure, texts) + _conclusions(each, labels, sure, texts)
    if len(asked) > 1 and sure is not Certainty.ALWAYS:
        sentences.append(texts["together"].format(count=len(asked)))
    alone = any(each.telling for each in odds)
    if sure is Certainty.WITH_MORE:
        sentences.append(texts["rules_out" if len(asked) == 1 else "rules_out_together"])
    elif sure is Certainty.SOMETIMES and not alone:
        sentences.append(texts["tells_together"])
    pictures = sorted({each.kept for each in odds if each.kept is not None})
    if sure is Certainty.ALWAYS:
        pictures = []
    return told | {"sentences": list(dict.fromkeys(sentences)), "pictures": pictures}


def noise_sentences(field: Field, texts: Mapping[str, str]) -> list[str]:
    """Say how far noise moves a number, and what the number sent tells; never in our favour."""
    asked, mechanism, weights = field.number, field.block.mechanism, field.noise
    assert mechanism is not None and weights is not None

    def amount(number: float) -> str:
        return f"{written(number, texts)} {asked.unit}".strip()

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


def _sentences(
    odds: Odds, labels: list[str], sure: Certainty, texts: Mapping[str, str]
) -> list[str]:
    if odds.kept == (1, 1):
        return [texts["clear"]]
    if odds.kept is not None:
        kept, total = odds.kept
        key = "kept_opposite" if len(labels) == 2 else "kept_another"
        said = texts[key].format(kept=kept, total=total, rest=total - kept)
        which = {Certainty.NEVER: "nobody_tells", Certainty.WITH_MORE: "nobody_tells_alone"}.get(
            sure
        )
        return [f"{said} {texts[which]}" if which else said]
    lines = [texts["kept_uneven"]]
    for label, row in zip(labels, odds.table, strict=True):
        parts = [
            texts["sent_as"].format(option=option, weight=weight, total=odds.total)
            for option, weight in zip(labels, row, strict=True)
            if weight
        ]
        lines.append(texts["if_answer"].format(answer=label) + " " + ", ".join(parts) + ".")
    return lines


def _conclusions(
    odds: Odds, labels: list[str], sure: Certainty, texts: Mapping[str, str]
) -> list[str]:
    if sure is Certainty.ALWAYS:
        return [texts["conclude_always"]]
    certain = [
        texts["conclude_certain"].format(option=labels[report], guess=labels[truth])
        for report, truth in odds.telling
    ]
    if odds.surest is None:
        return certain
    report, truth, share = odds.surest
    guess = texts["conclude_report"].format(
        option=labels[report], guess=labels[truth], right=share.numerator, of=share.denominator
    )
    return [*certain, guess]


def altogether(form: Questionnaire, texts: Mapping[str, str]) -> list[str]:
    """What all reports together can tell, never rounded in our favour."""
    found = set(form.certainty_by_question)
    loss = sum(
        block.mechanism.epsilon(block.questions)
        for block in form.blocks
        if block.mechanism is not None
        and form.certainty_by_question[block.positions[0]] not in UNDISGUISED
    )
    sentences = []
    if loss == inf:
        sentences.append(texts["conclude_endless"])
    elif loss > log(_LARGE):
        sentences.append(texts["conclude_large"].format(factor=written(_LARGE, texts)))
    elif loss:
        factor = exp(loss)
        # a float above its whole number by rounding alone is that whole number
        whole = round(factor) if abs(factor - round(factor)) < 1e-9 * factor else ceil(factor)
        sentences.append(texts["conclude_sum"].format(factor=written(whole, texts)))
    if Certainty.ALWAYS in found:
        sentences.append(texts["conclude_clear"])
    if Certainty.RANGE in found:
        sentences.append(texts["conclude_range"])
    return sentences
