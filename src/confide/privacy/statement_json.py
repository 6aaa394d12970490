"""The privacy statement as plain values: for JSON, and as the rows of a table."""

from __future__ import annotations

from math import exp, inf
from typing import TYPE_CHECKING, Any, cast

from confide.files import to_json_value
from confide.mechanisms import NumberMechanism
from confide.privacy.exposure import Risk
from confide.privacy.group import GroupPrivacy
from confide.privacy.question import QuestionPrivacy
from confide.privacy.rounding import decimal, of_hundred

if TYPE_CHECKING:
    from confide.privacy.statement import PrivacyStatement

_LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
_SURE = (0.9, 0.99, 0.999)


def to_dict(statement: PrivacyStatement) -> dict[str, Any]:
    """The whole statement, safe for JSON."""
    exposure = statement.exposure
    described = {
        "title": statement.design.title,
        "fingerprint": statement.design.fingerprint,
        "epsilon": statement.epsilon,
        "odds_ratio": _odds_ratio(statement.epsilon),
        "truth": statement.truth,
        "clear": list(statement.clear),
        "adversary_knows": statement.population.source,
        "all_coins": _risk(exposure.all_coins),
        "all_answers": _risk(exposure.all_answers),
        "reports_drawn": exposure.drawn,
        "groups": [
            _group(group, coin)
            for group, coin in zip(statement.groups, exposure.coins, strict=True)
        ],
        "questions": [_question(statement, question) for question in statement.questions],
        "sentences": statement.sentences(),
    }
    return cast("dict[str, Any]", to_json_value(described))


def _odds_ratio(epsilon: float) -> float:
    return exp(epsilon) if epsilon < 700 else inf


def _risk(risk: Risk | None) -> dict[str, Any] | None:
    if risk is None:
        return None
    return {
        "mean": risk.mean,
        "quantiles": {str(level): risk.quantile(level) for level in _LEVELS},
        "share_of_reports_at_least": {str(sure): risk.share(sure) for sure in _SURE},
    }


def _group(group: GroupPrivacy, coin: Risk | None) -> dict[str, Any]:
    several = len(group.names) > 1
    return {
        "questions": list(group.names),
        "mechanism": group.mechanism.kind,
        "epsilon": group.epsilon,
        "odds_ratio": _odds_ratio(group.epsilon),
        "certain": list(group.certain),
        "truth": group.truth,
        "coin": _risk(coin),
        "knowing_one_answer": {n: group.knowing(n) for n in group.names} if several else {},
    }


def _question(statement: PrivacyStatement, question: QuestionPrivacy) -> dict[str, Any]:
    prior = statement.population.margin(question.name)
    described: dict[str, Any] = {
        "name": question.name,
        "clear": question.clear,
        "epsilon": question.epsilon,
        "epsilon_alone": question.epsilon_alone,
        "guess_without_report": statement.exposure.unaided(question.name),
        "guess_from_its_report": question.guess(prior),
        "guess_from_whole_report": _risk(statement.exposure.answers[question.name]),
        "single_entry": question.single_entry(prior),
    }
    if isinstance(question.block.mechanism, NumberMechanism):
        described["width"] = {str(c): question.width(c) for c in (0.5, 0.95, 0.999)}
        described["entropy_width"] = question.entropy_width(prior)
    elif question.question.grid is None:
        labels, table = question.question.labels, question.posterior(prior).table
        described["prior"] = dict(zip(labels, prior.tolist(), strict=True))
        described["posterior"] = {
            report: dict(zip(labels, row.tolist(), strict=True))
            for report, row in zip(labels, table, strict=True)
        }
    return described


def rows(statement: PrivacyStatement) -> list[tuple[str, ...]]:
    """A row a question; guesses out of a hundred."""
    return [_row(statement, question) for question in statement.questions]


def _row(statement: PrivacyStatement, question: QuestionPrivacy) -> tuple[str, ...]:
    exposure = statement.exposure
    mechanism = question.block.mechanism
    guessed = question.guess(statement.population.margin(question.name))
    return (
        question.name,
        "asked in the clear" if mechanism is None else mechanism.kind,
        "known" if question.clear else decimal(question.epsilon),
        of_hundred(exposure.unaided(question.name), guessed),
        of_hundred(guessed),
        of_hundred(exposure.answers[question.name].mean),
    )
