"""The privacy statement as plain values: for JSON, and as the rows of a table."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, cast

from confide.files import Json, to_json_value
from confide.privacy.exposure import Risk
from confide.privacy.group_privacy import GroupPrivacy
from confide.privacy.question_privacy import QuestionPrivacy, odds_ratio
from confide.privacy.rounding import of_hundred, write_epsilon

if TYPE_CHECKING:
    from confide.privacy.statement import PrivacyStatement

_LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
_SURE = (0.9, 0.99, 0.999)


def statement_to_dict(statement: PrivacyStatement) -> Json:
    """The whole statement, safe for JSON."""
    exposure = statement.exposure
    described = {
        "title": statement.design.title,
        "fingerprint": statement.design.fingerprint,
        "epsilon": statement.epsilon,
        "odds_ratio": odds_ratio(statement.epsilon),
        "truth": statement.truth,
        "clear": list(statement.clear),
        "adversary_knows": statement.population.source,
        "all_coins": _risk_to_dict(exposure.all_coins),
        "all_answers": _risk_to_dict(exposure.all_answers),
        "reports_drawn": exposure.drawn,
        "groups": [
            _group_to_dict(group, coin)
            for group, coin in zip(statement.groups, exposure.coins, strict=True)
        ],
        "questions": [_question_to_dict(statement, question) for question in statement.questions],
        "sentences": statement.sentences(),
    }
    return cast("Json", to_json_value(described))


def _risk_to_dict(risk: Risk | None) -> Json | None:
    if risk is None:
        return None
    return {
        "mean": risk.mean,
        "quantiles": {str(level): risk.quantile(level) for level in _LEVELS},
        "share_of_reports_at_least": {str(sure): risk.share(sure) for sure in _SURE},
    }


def _group_to_dict(group: GroupPrivacy, coin: Risk | None) -> Json:
    several = len(group.names) > 1
    return {
        "questions": list(group.names),
        "mechanism": group.mechanism.kind,
        "epsilon": group.epsilon,
        "odds_ratio": odds_ratio(group.epsilon),
        "certain": list(group.certainties),
        "truth": group.truth,
        "coin": _risk_to_dict(coin),
        "knowing_one_answer": {n: group.guess_knowing(n) for n in group.names} if several else {},
    }


def _question_to_dict(statement: PrivacyStatement, question: QuestionPrivacy) -> Json:
    prior = statement.population.margin(question.name)
    described: Json = {
        "name": question.name,
        "clear": question.clear,
        "epsilon": statement.epsilon_of(question.name),
        "epsilon_alone": question.epsilon_alone,
        "guess_without_report": statement.guess_without_report(question.name),
        "guess_from_its_report": question.guess(prior),
        "guess_from_whole_report": _risk_to_dict(statement.exposure.answers[question.name]),
        "single_entry": question.single_entry(prior),
        "recovery": statement.recovery.get(question.name, 0.0),
        "adversaries": [asdict(each) for each in statement.tried.get(question.name, ())],
    }
    if not question.block.invertible:
        described["width"] = {str(c): question.width(c) for c in (0.5, 0.95, 0.999)}
        described["entropy_width"] = question.entropy_width(prior)
    elif question.question.grid is None:
        labels, table = question.question.labels, question.posterior(prior).table
        described["prior"] = dict(zip(labels, prior.tolist(), strict=True))
        described["posterior"] = {
            report: dict(zip(labels, row.tolist(), strict=True))
            for report, row in zip(question.reported.labels, table, strict=True)
        }
    return described


def statement_to_rows(statement: PrivacyStatement) -> list[tuple[str, ...]]:
    """One row per question; guesses are out of a hundred."""
    return [_question_to_row(statement, question) for question in statement.questions]


def _question_to_row(statement: PrivacyStatement, question: QuestionPrivacy) -> tuple[str, ...]:
    mechanism = question.block.mechanism
    guessed = question.guess(statement.population.margin(question.name))
    return (
        question.name,
        "asked in the clear" if mechanism is None else mechanism.kind,
        "known" if question.clear else write_epsilon(statement.epsilon_of(question.name)),
        of_hundred(statement.guess_without_report(question.name), guessed),
        of_hundred(guessed),
        of_hundred(statement.guess_from_report(question.name)),
    )
