"""Which language of a form is taken over."""

from __future__ import annotations

from collections.abc import Iterable

from confide.errors import DesignError


def choose_language(languages: Iterable[str], wanted: str | None, usual: str = "") -> str:
    """Choose one of the languages that a form names.

    Parameters
    ----------
    languages : iterable of str
        As the form writes them; "" stands for texts that name no language.
    wanted : str, optional
        A code such as "en", or a name; left out, the form's usual one, or its first.
    usual : str
        The language that the form itself calls its usual one.

    Examples
    --------
    >>> choose_language(["Swahili (sw)", "English (en)"], "en")
    'English (en)'
    >>> choose_language(["", "chinese"], None), choose_language(["fr", "en"], None, "en")
    ('', 'en')
    """
    named = list(dict.fromkeys(languages)) or [""]
    if wanted is None:
        return next((each for each in named if usual and _is_same(each, usual)), named[0])
    for same in (_is_same, _begins):
        for each in named:
            if same(each, wanted):
                return each
    if named == [""]:
        return ""
    known = ", ".join(each or "one without a name" for each in named)
    raise DesignError(f"the form has no language {wanted!r}. It has {known}.")


def _is_same(language: str, wanted: str) -> bool:
    words = language.casefold().replace("(", " ").replace(")", " ").split()
    return wanted.casefold() in (language.casefold(), *words)


def _begins(language: str, wanted: str) -> bool:
    """English for "en": a form need not write codes."""
    return bool(language) and language.casefold().startswith(wanted.casefold())
