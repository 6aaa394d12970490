"""The privacy statement in plain sentences, with people out of a hundred."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, inf, sqrt
from typing import TYPE_CHECKING

import numpy as np

from confide.arrays import Array
from confide.design import Number
from confide.design.shares import Prior
from confide.privacy.certainties import join_words
from confide.privacy.exposure import MOST_DRAWN, Risk
from confide.privacy.group_privacy import GroupPrivacy
from confide.privacy.question_privacy import QuestionPrivacy
from confide.privacy.rounding import of_hundred, write_amount, write_epsilon, write_odds_ratio

if TYPE_CHECKING:
    from confide.privacy.statement import PrivacyStatement

_LEAST_GAIN = 0.01  # what other reports add to a guess is said from so much on
_MOST_OPTIONS = 4  # with more options only the most telling report is put in words


def write_sentences(statement: PrivacyStatement) -> list[str]:
    """Write the whole statement: what is known, what can be guessed, and the worst case."""
    return [
        *_say_clear(statement),
        *(s for question in statement.questions for s in _say_answers(statement, question)),
        *(s for group in statement.groups for s in group.certainties),
        *(s for group in statement.groups for s in _say_knowing(statement, group)),
        *_say_missing(statement),
        *_say_coins(statement),
        *_say_whole_report(statement),
        *_say_worst_case(statement),
        *_say_assumptions(statement),
    ]


def _say_clear(statement: PrivacyStatement) -> Iterator[str]:
    if statement.clear:
        names = join_words(statement.clear)
        if len(statement.clear) > 1:
            yield f"The answers to {names} are known: they are asked in the clear."
        else:
            yield f"The answer to {names} is known: it is asked in the clear."


def _say_answers(statement: PrivacyStatement, question: QuestionPrivacy) -> Iterator[str]:
    """What the report of one question says about its answer."""
    if question.clear:
        return
    asked, mechanism = question.question, question.block.mechanism
    if isinstance(asked, Number):
        yield _say_width(question, asked)
        if mechanism is not None and mechanism.by_chance and asked.step is None:
            yield (
                f"The last digits of a report of {question.name} can tell far more: without a step "
                "its noise is drawn in floating point, which is for simulations only."
            )
        return
    prior = statement.population.margin(question.name)
    after = question.posterior(prior).table
    supposed = "if in the crowd" if statement.population.unknown else "in the crowd"
    if question.reported is not asked:
        yield from _say_other_reports(question, prior, after, supposed)
        return
    shown = [int(code) for code in np.flatnonzero(np.isfinite(after[:, 0]))]
    if len(shown) > _MOST_OPTIONS:
        shown = [max(shown, key=lambda code: after[code, code])]
    for code in [1] if shown == [0, 1] else shown:
        label = asked.labels[code]
        other = (
            f", and of 100 whose report says {asked.labels[0]}, {of_hundred(after[0, 1], prior[1])}"
            if shown == [0, 1]
            else ""
        )
        yield (
            f"Of 100 people whose report says {label} to {question.name}, "
            f"{of_hundred(after[code, code], prior[code])} truly answer {label}{other} "
            f"({supposed} {of_hundred(prior[code], after[code, code])} of 100 do)."
        )


def _say_other_reports(
    question: QuestionPrivacy, prior: Array, after: Array, supposed: str
) -> Iterator[str]:
    """For each answer the report that tells most of it, where reports are none of the answers."""
    reports = np.nan_to_num(after).argmax(axis=0)
    for code, report in enumerate(reports.tolist()):
        label, found = question.question.labels[code], after[report, code]
        yield (
            f"Of 100 people whose report is {question.reported.labels[report]} to "
            f"{question.name}, {of_hundred(found, prior[code])} truly answer {label} "
            f"({supposed} {of_hundred(prior[code], found)} of 100 do)."
        )


def _say_width(question: QuestionPrivacy, asked: Number) -> str:
    """How wide the noise is; never wider than the range, which is known anyway."""
    width = question.width()
    if width >= asked.high - asked.low:
        where = "anywhere in its range"
    else:
        where = f"in an interval {write_amount(float(f'{width:.3g}'), asked.unit)} wide"
    return f"The noise alone hides {question.name} {where}, at 95 % confidence."


def _say_knowing(statement: PrivacyStatement, group: GroupPrivacy) -> Iterator[str]:
    """The one-group weakness, at its worst."""
    if len(group.names) == 1:
        return
    priors: dict[str, Prior] = {name: statement.population.margin(name) for name in group.names}
    telling = group.find_most_telling(priors)
    if telling.right - telling.without < 1e-9:
        return
    yield (
        f"Whoever knows the answer to {telling.known} guesses the answer to {telling.other} right "
        f"for {of_hundred(telling.right)} of 100 people instead of "
        f"{of_hundred(telling.without, telling.right)}: one draw disguises both."
    )


def _say_missing(statement: PrivacyStatement) -> Iterator[str]:
    """What the reports of a number and of the question that tells so give away together."""
    for name, teller in statement.design.declines.items():
        number, told = statement.question(name), statement.question(teller)
        if told.clear:
            continue
        assert isinstance(number.question, Number)
        middle = number.question.stand_in
        both = statement.guess_from_report(teller)
        alone = min(told.guess(statement.population.margin(teller)), both)
        yield (
            f"Whether {name} is missing is guessed right for {of_hundred(both)} of 100 people from "
            f"the whole report, and for {of_hundred(alone, both)} from that of {teller} alone: in "
            f"the place of a missing number {middle:g} is disguised."
        )
        seen = number.block.mixture.matrix()
        code = number.question.grid.code(np.array([middle]))[0]
        if (seen[:, code] == 0).any():
            yield (
                f"Some reports of {name} are too far from {middle:g} to come from it: they tell "
                "for certain that the number was given."
            )


def _say_coins(statement: PrivacyStatement) -> Iterator[str]:
    """Whether the whole report tells which reports are true."""
    exposure = statement.exposure
    for group, coin in zip(statement.groups, exposure.coins, strict=True):
        if coin is not None and group.truth is not None:
            guess_without_report = max(group.truth, 1 - group.truth)
            yield (
                f"Whether a report of {join_words(group.names)} is the truth or the cover is "
                f"guessed right for {of_hundred(coin.mean)} of 100 people from the whole report "
                f"({of_hundred(guess_without_report, coin.mean)} by the odds of the draw alone)"
                f"{_say_sure(coin)}."
            )
    if exposure.all_coins is not None and sum(c is not None for c in exposure.coins) > 1:
        yield (
            "Which groups of a report are the truth and which the cover is guessed right for "
            f"{of_hundred(exposure.all_coins.mean)} of 100 people{_say_sure(exposure.all_coins)}."
        )


def _say_sure(risk: Risk) -> str:
    share = risk.share(0.99)
    return f"; for {of_hundred(share)} of 100 the guess is 99 % sure" if share > 0 else ""


def _say_whole_report(statement: PrivacyStatement) -> Iterator[str]:
    """The most exposed answer, and all answers of a person."""
    exposure = statement.exposure
    disguised = [question.name for question in statement.questions if not question.clear]
    if disguised:
        name = max(disguised, key=statement.guess_from_report)
        guessed = statement.guess_from_report(name)
        before = statement.guess_without_report(name)
        clear = " but with the answers in the clear" if statement.clear else ""
        yield (
            f"The most exposed answer is {name}: the best guess from the whole report is right for "
            f"{of_hundred(guessed)} of 100 people, and for "
            f"{of_hundred(before, guessed)} without any report{clear}."
        )
        yield from _say_tried(statement, name)
        yield from _say_rest_of_report(statement, disguised)
    if exposure.all_answers is not None and len(disguised) > 1:
        truth, guessed = statement.truth, exposure.all_answers.mean
        papers = (
            ""
            if truth is None
            else f" (all are reported as they are for {of_hundred(truth, guessed)})"
        )
        yield (
            "All answers of a person are guessed right for "
            f"{of_hundred(guessed)} of 100 people{papers}."
        )


def _say_tried(statement: PrivacyStatement, name: str) -> Iterator[str]:
    """Who was tried on the most exposed answer: the best of them is a lower bound."""
    tried = statement.tried.get(name, ())
    if tried:
        said = "; ".join(f"{each.adversary}, {of_hundred(each.right)}" for each in tried)
        yield (
            "Adversaries who learned from one half of the reports were right about "
            f"{name} in the other half for so many of 100 people: {said}. Others may do better: "
            "this is a lower bound."
        )


def _say_rest_of_report(statement: PrivacyStatement, disguised: list[str]) -> Iterator[str]:
    """The answer about which the other reports of a person tell most, where they tell something."""

    def guess_alone(name: str) -> float:
        return statement.question(name).guess(statement.population.margin(name))

    name = max(disguised, key=lambda each: statement.guess_from_report(each) - guess_alone(each))
    guessed, alone = statement.guess_from_report(name), guess_alone(name)
    if guessed - alone >= _LEAST_GAIN:
        yield (
            f"The rest of the report tells most about {name}: the best guess from its own report "
            f"alone is right for {of_hundred(alone, guessed)} of 100 people, from the whole report "
            f"for {of_hundred(guessed)}."
        )


def _say_worst_case(statement: PrivacyStatement) -> Iterator[str]:
    if not statement.groups:
        yield "Nothing is disguised: a report gives every answer away."
    elif statement.epsilon == inf:
        yield "In the worst case nothing bounds what a report gives away: epsilon is infinite."
    else:
        odds, epsilon = write_odds_ratio(statement.epsilon), write_epsilon(statement.epsilon)
        yield (
            "In the worst case a report moves the odds between two sets of disguised answers by a "
            f"factor of {odds}: epsilon is {epsilon}."
        )


def _say_assumptions(statement: PrivacyStatement) -> Iterator[str]:
    if not statement.groups:  # nothing was guessed
        return
    yield f"The adversary of these numbers knows {statement.population.source}."
    drawn = statement.exposure.drawn
    if drawn is not None and drawn < MOST_DRAWN:
        yield (
            f"With so many questions, guesses from the whole report are those in {drawn:,} drawn "
            f"reports: within {ceil(100 / sqrt(drawn))} of 100 people, at two standard errors."
        )
    if statement.population.unknown and len(statement.design.names) > 1:
        yield (
            "Answers that hang together in the crowd can tell much more; how much, the reports of "
            "a survey show."
        )
