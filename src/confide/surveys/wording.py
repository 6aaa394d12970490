"""All words of a survey in one language: its own, and those of the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from confide.design import Design
from confide.surveys.explanations import translate_labels
from confide.surveys.page_settings import Page
from confide.surveys.page_texts import texts_in


@dataclass(frozen=True, eq=False)
class Wording:
    """What a survey says in one language.

    Parameters
    ----------
    design : Design
        What is asked.
    page : Page
        How it is presented.
    language : str
        That of the page, or one that it has a translation for.

    Examples
    --------
    >>> import confide as cf
    >>> german = {"title": "Alltag", "question": {"a": {"text": "Je geschlafen?"}}}
    >>> page = Page(translations={"de": german})
    >>> Wording(cf.Design([cf.YesNo("a", "Ever slept?")]), page, "de").labels(0)
    ['Nein', 'Ja']
    """

    design: Design
    page: Page
    language: str

    @property
    def texts(self) -> dict[str, str]:
        """The page's texts: the survey's own, the language's, else English."""
        own: dict[str, str] = self._translation.get("texts", {})
        return texts_in(self.language) | (own if self._is_translated else self.page.texts)

    @property
    def title(self) -> str:
        """The survey's name."""
        return str(self._translation.get("title") or self.design.title or "Survey")

    def say(self, key: str) -> str:
        """Say what stands under a key of the page, such as "consent"."""
        return str(self._translation.get(key) or getattr(self.page, key))

    def say_of(self, key: str, question: str) -> str:
        """Say what a table of the page, such as "help", holds for a question; else nothing."""
        found = self._translation.get(key, {}).get(question)
        return str(found or getattr(self.page, key).get(question, ""))

    def text(self, place: int) -> str:
        """The question at a place, as people read it."""
        asked = self.design.questions[place]
        found = self._question(place).get("text") or asked.text
        return str(found) if found else "".join(self.decline(place)) or asked.name

    def decline(self, place: int) -> tuple[str, str]:
        """What is written where one may prefer not to say a number: the number's text, then that.

        The first is for those who do not see the number beside it. Both are empty for any other
        question, and where the survey says it in words of its own.
        """
        asked = self.design.questions[place]
        numbers = [number for number, told in self.design.declines.items() if told == asked.name]
        if not numbers or self._question(place).get("text") or asked.text:
            return "", ""
        return f"{self.text(self.design.position(numbers[0]))} – ", self.texts["prefer_not"]

    def unit(self, place: int) -> str:
        """The unit of the number at a place."""
        return str(self._question(place).get("unit") or self.design.questions[place].unit)

    def labels(self, place: int) -> list[str]:
        """The options of the question at a place."""
        labels = self.design.questions[place].labels
        options = self._question(place).get("options", [])
        return [*options, *translate_labels(labels[len(options) :], self.texts)]

    def section(self, place: int) -> dict[str, str]:
        """The title and the text of a section."""
        given: Mapping[str, Any] = self.page.section[place]
        translated = self._translation.get("section", [])
        own = translated[place] if place < len(translated) else {}
        return {key: str(own.get(key) or given.get(key, "")) for key in ("title", "text")}

    @property
    def _is_translated(self) -> bool:
        return self.language in self.page.translations

    @property
    def _translation(self) -> dict[str, Any]:
        return self.page.translations.get(self.language, {})

    def _question(self, place: int) -> dict[str, Any]:
        found: dict[str, Any] = self._translation.get("question", {})
        return found.get(self.design.questions[place].name, {})
