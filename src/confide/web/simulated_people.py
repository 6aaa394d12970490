"""Simulated people whose reports travel as everyone's do: disguised first, then sent over HTTP."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPException

from confide.files import Json
from confide.reports.wire import Report, receipt_id, write_report
from confide.surveys.survey import Survey


def answer_survey(
    survey: Survey, people: list[Json], host: str, port: int, words: Iterator[int]
) -> Iterator[int]:
    """Let one person after the other answer, until the survey takes no more.

    Parameters
    ----------
    survey : Survey
        What is asked.
    people : list of dict
        Each one's true answers in words, by question.
    host, port : str and int
        Where the survey is served.
    words : iterator of int
        Chance, as unsigned 32-bit words.

    Yields
    ------
    int
        How many reports have been stored.
    """
    for stored, answers in enumerate(people, 1):
        codes = survey.questionnaire.disguise(answers, words)
        report = Report(receipt_id(secrets.token_hex(16)), "", survey.questionnaire.modes(), codes)
        if not _send(write_report(survey.questionnaire, report), host, port):
            return
        yield stored


def _send(body: bytes, host: str, port: int) -> bool:
    """Send a report; return whether it was acknowledged."""
    with closing(HTTPConnection(host, port, timeout=30)) as connection:
        try:
            connection.request("POST", "/report", body, {"Content-Type": "application/json"})
            return connection.getresponse().status == 200
        except (OSError, HTTPException):
            return False
