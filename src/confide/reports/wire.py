"""A report as it travels: the exact bytes, and the checks that nothing else is accepted."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass

from confide.errors import ReportsError
from confide.surveys.questionnaire import BROWSER, CLEAR, OWN, Questionnaire

TICKET = 32 + 256
"""How many bytes a ticket has: random ones, and the signature of these and the report's id."""

_KEYS = ("design", "id", "ticket", "mode", "report")
_HEX = re.compile(r"[0-9a-f]{32}")
_TICKET = re.compile(rf"[0-9a-f]{{{2 * TICKET}}}|")


@dataclass(frozen=True)
class Report:
    """One person's disguised report.

    Parameters
    ----------
    id : str
        32 hexadecimal digits, made by the page from the receipt; the same report always has the
        same id.
    ticket : str
        What admits it where a survey is by invitation, in hexadecimal digits: bought with an
        invitation, for this id, and not naming it. Elsewhere nothing.
    modes : str
        Who drew, one letter per question.
    codes : tuple of int
        The disguised answers.
    """

    id: str
    ticket: str
    modes: str
    codes: tuple[int, ...]


def receipt_id(receipt: str) -> str:
    """Compute the id of the report that a receipt stands for; the receipt stays with the person.

    >>> receipt_id("00" * 16)
    '374708fff7719dd5979ec875d56cd228'
    """
    return hashlib.sha256(bytes.fromhex(receipt)).hexdigest()[:32]


def write_report(questionnaire: Questionnaire, report: Report) -> bytes:
    """Write the bytes that the page sends: of the same length whatever the answers."""
    written = [
        str(c).zfill(f.digits) for c, f in zip(report.codes, questionnaire.fields, strict=True)
    ]
    body = (questionnaire.design.fingerprint, report.id, report.ticket, report.modes, written)
    text = json.dumps(dict(zip(_KEYS, body, strict=True)), separators=(",", ":"))
    return text.encode()


def read_report(questionnaire: Questionnaire, body: bytes) -> Report:
    """Read and check what was sent; a value that was sent never appears in an error."""
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        raise ReportsError("the report is not JSON.") from None
    if not isinstance(given, dict) or set(given) != set(_KEYS):
        raise ReportsError(f"a report has exactly the keys {', '.join(_KEYS)}.")
    if given["design"] != questionnaire.design.fingerprint:
        raise ReportsError(
            "the report was made under another design. Load the survey's page again."
        )
    report_id = _match(given["id"], _HEX, "id must be 32 hexadecimal digits.")
    problem = f"ticket must be {2 * TICKET} hexadecimal digits, or empty."
    ticket = _match(given["ticket"], _TICKET, problem)
    return Report(
        report_id,
        ticket,
        _read_modes(questionnaire, given["mode"]),
        _read_codes(questionnaire, given["report"]),
    )


def _match(given: object, pattern: re.Pattern[str], problem: str) -> str:
    if not isinstance(given, str) or not pattern.fullmatch(given):
        raise ReportsError(problem)
    return given


def fits_modes(questionnaire: Questionnaire, given: str) -> bool:
    """Whether each letter can be true of its question, and a group's letters agree."""
    if len(given) != len(questionnaire.fields):
        return False
    for b, block in enumerate(questionnaire.blocks):
        letters = {given[position] for position in block.positions}
        usual = {questionnaire.usual_modes[block.positions[0]]}
        if letters not in ([usual, {OWN}] if b in questionnaire.by_hand else [usual]):
            return False
    return True


def _read_modes(questionnaire: Questionnaire, given: object) -> str:
    if given == questionnaire.usual_modes:
        return questionnaire.usual_modes
    if not isinstance(given, str) or not fits_modes(questionnaire, given):
        raise ReportsError(
            f"mode must be one letter per question: {BROWSER} where the browser drew, {OWN} where "
            f"the person did (not for noise), {CLEAR} in the clear; the same for a whole group."
        )
    return given


def _read_codes(questionnaire: Questionnaire, given: object) -> tuple[int, ...]:
    if not isinstance(given, list) or len(given) != len(questionnaire.fields):
        raise ReportsError(f"report must be a list of {len(questionnaire.fields)} codes.")
    for code, field in zip(given, questionnaire.fields, strict=True):
        if (
            not isinstance(code, str)
            or len(code) != field.digits
            or not (code.isascii() and code.isdigit())
            or int(code) >= field.size
        ):
            raise ReportsError(
                f"the report of {field.name} must be a code of {field.digits} digits below "
                f"{field.size}."
            )
    return tuple(map(int, given))
