"""After which answers a form asks a question: the conditions that confide can keep, too."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from confide.errors import DesignError
from confide.formats.imports.taken_form import FormCondition

_VALUE = r"""(?:'([^']*)'|"([^"]*)"|(-?\w+(?:\.\d+)?))"""
_NAME = r"\{(?P<name>[^{}]+)\}\s*"
_XPATH = (
    re.compile(rf"\${_NAME}(?P<sign>!?=)\s*{_VALUE}"),
    re.compile(rf"(?P<sign>not)?\(?\s*selected\(\s*\${_NAME},\s*{_VALUE}\s*\)\s*\)?"),
)
_SURVEYJS = (
    re.compile(rf"{_NAME}(?P<sign>==?|!=|<>|contains|notcontains)\s*{_VALUE}", re.IGNORECASE),
    re.compile(rf"{_NAME}(?P<sign>anyof|contains|=)\s*\[\s*{_VALUE}\s*\]", re.IGNORECASE),
)
_NEGATIONS = ("not", "!=", "<>", "notcontains")
_QUOTES = str.maketrans("‘’“”", "''\"\"")  # as word processors write them; pyxform takes them, too


def read_conditions(
    read: Callable[[str], tuple[FormCondition, ...] | None], texts: Iterable[str], example: str
) -> tuple[FormCondition, ...]:
    """Read all conditions of a question and of what stands around it; refuse any other."""
    found: list[FormCondition] = []
    for text in texts:
        conditions = read(text)
        if conditions is None:
            raise DesignError(
                "it is asked after certain answers alone, and confide knows only one answer to one "
                f"question in the clear as a condition, such as {example}."
            )
        found += conditions
    return tuple(dict.fromkeys(found))


def read_xpath(text: str) -> tuple[FormCondition, ...] | None:
    """Read a condition of an XLSForm; None where confide has nothing like it.

    >>> read_xpath("${part} = 'production'")
    (FormCondition(question='part', code='production', negated=False),)
    >>> read_xpath("not(selected(${done}, ‘b’))")
    (FormCondition(question='done', code='b', negated=True),)
    >>> read_xpath("selected(${done}, 'b') and ${age} > 17") is None
    True
    """
    return _read(_XPATH, text)


def read_surveyjs(text: str) -> tuple[FormCondition, ...] | None:
    """Read a condition of SurveyJS; None where confide has nothing like it.

    >>> read_surveyjs("{smokes} = true"), read_surveyjs("{smokes} notempty")
    ((FormCondition(question='smokes', code='true', negated=False),), None)
    """
    return _read(_SURVEYJS, text)


def _read(patterns: Sequence[re.Pattern[str]], text: str) -> tuple[FormCondition, ...] | None:
    stripped = text.strip().translate(_QUOTES)
    if stripped.startswith("(") and stripped.endswith(")") and "(" not in stripped[1:]:
        stripped = stripped[1:-1].strip()
    for pattern in patterns:
        if found := pattern.fullmatch(stripped):
            code = next(each for each in found.groups()[-3:] if each is not None)
            negated = (found["sign"] or "").lower() in _NEGATIONS
            return (FormCondition(found["name"].strip(), code, negated),)
    return None
