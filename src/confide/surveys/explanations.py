"""What happens to the answers, in words and odds that people can read: "in 3 of 4 cases"."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from math import ceil, exp, inf, log

from confide.design import Block
from confide.surveys.certainty import UNDISGUISED, Certainty
from confide.surveys.field import Field
from confide.surveys.odds import Odds
from confide.surveys.questionnaire import Questionnaire
from confide.surveys.written_numbers import write_number

_LARGE = 1_000_000  # odds above this are as good as certainty


@dataclass(frozen=True)
class Explanation:
    """What happens to the answers of one block.

    Parameters
    ----------
    fields : list of Field
        The questions that share a draw.
    sentences : list of str
        What the page says.
    pictures : list of pairs of int
        In how many of how many cases an answer is sent as it is, for the page to draw.
    """

    fields: list[Field]
    sentences: list[str]
    pictures: list[tuple[int, int]] = dataclasses.field(default_factory=list)


def explain_first(questionnaire: Questionnaire, texts: Mapping[str, str]) -> list[str]:
    """Say what becomes of the answers to this survey, and promise nothing that is not so."""
    found = set(questionnaire.certainty_by_question)
    disguised = found - UNDISGUISED
    surest = _find_surest(questionnaire)
    keys = ["how_none"] if surest is None else [_LEADS[surest][0 if found == disguised else 1]]
    keys += ["how_clear"] if Certainty.ALWAYS in found else []
    keys += ["how_range"] if Certainty.RANGE in found else []
    keys += ["how_crowd"] if disguised else []
    return [texts[key] for key in keys]


_LEADS = {  # where everything is disguised, and where only some questions are
    Certainty.NEVER: ("how_lead", "how_some"),
    Certainty.WITH_MORE: ("how_lead_with_more", "how_some_with_more"),
    Certainty.SOMETIMES: ("how_lead_sometimes", "how_some_sometimes"),
}


def explain_review(questionnaire: Questionnaire, texts: Mapping[str, str]) -> str:
    """Say of a report that is ready to be sent that it may differ, and who can tell."""
    surest = _find_surest(questionnaire)
    if surest is None:
        return texts["review_clear"]
    hidden = surest is not Certainty.SOMETIMES
    return " ".join([texts["review_note"], *([texts["review_nobody"]] if hidden else [])])


def _find_surest(questionnaire: Questionnaire) -> Certainty | None:
    """Find how sure someone can be of the disguised answer that is hidden least.

    Each of many answers may be hidden: someone who knows how they go together can still be sure.
    """
    found = set(questionnaire.certainty_by_question)
    order = (Certainty.SOMETIMES, Certainty.WITH_MORE, Certainty.NEVER)
    surest = next((each for each in order if each in found), None)
    choices = [field for field in _find_disguised(questionnaire) if field.finite]
    if surest is Certainty.NEVER and _sum_losses(choices) > log(_LARGE):
        return Certainty.WITH_MORE
    return surest


def _find_disguised(questionnaire: Questionnaire) -> list[Field]:
    """Find the first question of each block that chance disguises."""
    firsts = [block.positions[0] for block in questionnaire.blocks]
    sure = questionnaire.certainty_by_question
    return [questionnaire.fields[first] for first in firsts if sure[first] not in UNDISGUISED]


def _sum_losses(fields: Iterable[Field]) -> float:
    """Sum the epsilons of the blocks that these questions are of."""
    blocks = [field.block for field in fields]
    return sum(each.mechanism.epsilon(each.questions) for each in blocks if each.mechanism)


def explain_blocks(questionnaire: Questionnaire, texts: Mapping[str, str]) -> list[Explanation]:
    """Explain for every block what happens to its answers."""
    return [_explain_block(questionnaire, block, texts) for block in questionnaire.blocks]


def _explain_block(
    questionnaire: Questionnaire, block: Block, texts: Mapping[str, str]
) -> Explanation:
    asked = [questionnaire.fields[position] for position in block.positions]
    first, sure = asked[0], questionnaire.certainty_by_question[block.positions[0]]
    if first.edges is not None:
        ranges = ([write_number(end, texts) for end in ends] for ends in first.ranges)
        intervals = "; ".join(" – ".join(dict.fromkeys(ends)) for ends in ranges)
        return Explanation(asked, [texts["interval"].format(intervals=intervals)])
    if not first.disguised:
        return Explanation(asked, [texts["clear"]])
    if first.noise is not None:
        return Explanation(asked, explain_noise(first, texts))
    odds = [Odds.of(block, i) for i in range(len(asked))]
    sentences = [
        _explain_stand_in(questionnaire.fields[number], texts)
        for number, told in questionnaire.pairs.items()
        if told == block.positions[0]
    ]
    for each, field in zip(odds, asked, strict=True):
        labels = translate_labels(field.question.labels, texts)
        sentences += _explain_odds(each, labels, sure, texts) + _explain_conclusions(
            each, labels, sure, texts
        )
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
    return Explanation(asked, list(dict.fromkeys(sentences)), pictures)


def explain_noise(field: Field, texts: Mapping[str, str]) -> list[str]:
    """Say how far noise moves a number and what the number sent tells, never too favourably."""
    asked, mechanism, weights = field.number, field.block.mechanism, field.noise
    assert mechanism is not None and weights is not None

    def amount(number: float) -> str:
        return f"{write_number(number, texts)} {asked.unit}".strip()

    noise, ends = weights["noise"], {"low": amount(asked.low), "high": amount(asked.high)}
    if mechanism.bounded:
        most = amount(max(k for k, weight in enumerate(noise) if weight) * field.step)
        keys = ("noise_bounded", "conclude_bounded")
        return [texts[key].format(most=most, **ends) for key in keys]
    within = list(accumulate(noise, lambda total, weight: total + 2 * weight))
    total = within[-1]
    half = next(k for k, weight in enumerate(within) if 2 * weight >= total)
    often = -(-100 * within[half] // total)  # rounded towards less noise
    values = {"amount": amount(half * field.step), "often": often, "rest": 100 - often}
    return [texts["noise_endless"].format(**values), texts["conclude_noise"].format(**ends)]


def _explain_stand_in(field: Field, texts: Mapping[str, str]) -> str:
    """Say what is disguised where one prefers not to say a number, and that both reports tell."""
    number = f"{write_number(field.number.stand_in, texts)} {field.number.unit}".strip()
    return texts["stand_in"].format(number=number)


def translate_labels(labels: tuple[str, ...], texts: Mapping[str, str]) -> list[str]:
    """Translate those options that are the page's own words; give the others as they are."""
    own = {"yes": "yes", "no": "no", "prefer not to say": "prefer_not"}
    return [texts[own[label]] if label in own else label for label in labels]


def _explain_odds(
    odds: Odds, labels: list[str], sure: Certainty, texts: Mapping[str, str]
) -> list[str]:
    if odds.kept == (1, 1):
        return [texts["clear"]]
    if odds.kept is not None:
        kept, total = odds.kept
        key = "kept_opposite" if len(labels) == 2 else "kept_another"
        said = texts[key].format(kept=kept, total=total, rest=total - kept)
        hidden = sure in (Certainty.NEVER, Certainty.WITH_MORE)
        return [f"{said} {texts['nobody_tells']}" if hidden else said]
    lines = [texts["kept_uneven"]]
    for label, row in zip(labels, odds.table, strict=True):
        parts = [
            texts["sent_as"].format(option=option, weight=weight, total=odds.total)
            for option, weight in zip(labels, row, strict=True)
            if weight
        ]
        lines.append(texts["if_answer"].format(answer=label) + " " + ", ".join(parts) + ".")
    return lines


def _explain_conclusions(
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


def explain_total(questionnaire: Questionnaire, texts: Mapping[str, str]) -> list[str]:
    """Say what all reports together can tell, never rounded to look more private."""
    found = set(questionnaire.certainty_by_question)
    loss = _sum_losses(_find_disguised(questionnaire))
    sentences = []
    if loss == inf:
        sentences.append(texts["conclude_endless"])
    elif loss > log(_LARGE):
        sentences.append(texts["conclude_large"].format(factor=write_number(_LARGE, texts)))
    elif loss:
        factor = exp(loss)
        # a float above its whole number by rounding alone is that whole number
        whole = round(factor) if abs(factor - round(factor)) < 1e-9 * factor else ceil(factor)
        sentences.append(texts["conclude_sum"].format(factor=write_number(whole, texts)))
    if Certainty.ALWAYS in found:
        sentences.append(texts["conclude_clear"])
    if Certainty.RANGE in found:
        sentences.append(texts["conclude_range"])
    return sentences
