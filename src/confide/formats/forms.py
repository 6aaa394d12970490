"""What confide takes over from other tools' forms, and what it refuses in them.

An option is what people read, not the code that a tool stores for it. Nothing that a form asks
is left out in silence. Nothing may be asked only after certain answers: after a disguised question
such a branch would tell the answer, and a design knows no other branches either.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from confide.errors import DesignError
from confide.files import Json
from confide.formats import MOST_QUESTIONS, PREFER_NOT

_Form = TypeVar("_Form")
Label = str | int | float
"""An option as a form writes it."""

_REFERENCE = re.compile(r"\{(?:last-saved#|#)?([^{}]+)\}")  # {name}, and ${name} with it


def make_finite_entry(
    name: object, text: str, options: Sequence[Label], ordered: bool = False
) -> Json:
    """Make the entry of a question with these options, as survey files write it.

    "Yes" and "no" make a yes-no question; "prefer not to say" is one more option of any.

    >>> make_finite_entry("cheated", "", ["Yes", "No", "Prefer not to say"])
    {'name': 'cheated', 'kind': 'yes-no', 'missing': 'option'}
    >>> make_finite_entry("siblings", "", [0, 1, "more"])
    {'name': 'siblings', 'kind': 'choice', 'options': ['0', '1', 'more']}
    """
    given = [option for option in options if _fold_case(option) != PREFER_NOT]
    entry: Json = {"name": name, "kind": "choice"}
    if sorted(map(_fold_case, given)) == ["no", "yes"]:
        entry["kind"] = "yes-no"
    else:
        whole = all(type(option) is int for option in given)
        entry["options"] = given if whole else [str(option) for option in given]
        if ordered:
            entry["ordered"] = True
    if text:
        entry["text"] = text
    if len(given) < len(options):
        entry["missing"] = "option"
    return entry


def check_form_kind(entry: Json) -> None:
    """Refuse to write a question of a kind, or with codes, that forms do not give back."""
    if "codes" in entry:
        raise DesignError(
            f"question {entry['name']!r} has codes beside its options, which forms of other tools "
            "do not give back. Save the survey as TOML or JSON."
        )
    if entry["kind"] not in ("yes-no", "choice", "number"):
        raise DesignError(
            f"question {entry['name']!r} is of the kind {entry['kind']!r}, which forms of other "
            "tools do not have. Save the survey as TOML or JSON."
        )


def _fold_case(option: object) -> str:
    return str(option).strip().casefold()


def find_disguised_names(groups: object) -> Names:
    """Find the questions that a form's groups disguise, whether or not the groups are sound."""
    tables = [g for g in groups if isinstance(g, dict)] if isinstance(groups, list) else []
    lists = [names for g in tables if isinstance(names := g.get("questions"), list)]
    return Names(name for names in lists for name in names if isinstance(name, str))


class Names:
    """Some questions' names, to be looked for in a form's expressions and texts.

    >>> names = Names(["cheated"])
    >>> names.find_mentioned("{age} > 18 and {cheated.value} = 'yes'")
    'cheated'
    """

    def __init__(self, names: Iterable[str]) -> None:
        # tools look names up in any case
        self._by_word = {_to_json(name)[1:-1].casefold(): name for name in names}
        self._lengths = sorted({len(word) for word in self._by_word})

    def find_mentioned(self, value: object) -> str | None:
        """Find a question whose answer an expression or a text looks up."""
        for reference in _REFERENCE.findall(_to_json(value)):
            word = reference.casefold()
            for length in self._lengths:
                if length > len(word):
                    break
                if word[length : length + 1] in ("", ".", "[") and word[:length] in self._by_word:
                    return self._by_word[word[:length]]
        return None


def check_question_count(count: int) -> None:
    """Refuse more questions than a survey file may ask."""
    if count > MOST_QUESTIONS:
        raise DesignError(
            f"it asks {count:,} questions. A survey file asks at most {MOST_QUESTIONS:,}."
        )


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def explain_refusal(where: str, value: object, disguised: Names, reason: str) -> DesignError:
    """Make the error that says why a part of a form cannot be taken over."""
    if name := disguised.find_mentioned(value):
        return DesignError(
            f"{where} depends on the answer to {name!r}, which is disguised: what is asked next "
            "would tell the answer. Ask it of everyone."
        )
    return DesignError(f"{where} is not supported: {reason}")


def read_form(read: Callable[[], _Form], where: str) -> _Form:
    """Read a form; an error begins with the form's name."""
    try:
        return read()
    except DesignError as error:
        raise DesignError(f"{where}: {error}") from None
    except RecursionError:
        raise DesignError(f"{where} is nested too deeply.") from None


NO_BRANCHING = "confide asks every question of everyone. Remove the condition."
NO_QUOTING = "confide shows every text as it is, without earlier answers in it."
UNKNOWN = "confide has nothing like it, and leaves nothing out in silence. Remove it."
ONE_LANGUAGE = "a design has one language. Keep one."
