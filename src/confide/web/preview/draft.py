"""A survey that is still being written, sound or not."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from confide.design.survey_file import LARGEST_FILE, SurveyFile
from confide.errors import ConfideError, one_line
from confide.surveys.page_settings import Page
from confide.surveys.survey import Survey, find_survey_problems


@dataclass(frozen=True)
class Draft:
    """What a survey file holds at one moment.

    Parameters
    ----------
    name : str
        The file's name.
    content : bytes
        What it holds.

    Examples
    --------
    >>> Draft("survey.toml", b'[[question]]\\nname = "a"\\nkind = "yes-no"').survey.design.names
    ('a',)
    >>> Draft("survey.toml", b"title =").problems[0][:28]
    'survey.toml is not valid TOM'
    """

    name: str
    content: bytes

    @classmethod
    def read(cls, path: Path) -> Draft:
        """Read what a file holds now; one that cannot be read is a draft without a survey."""
        try:
            with path.open("rb") as file:
                return cls(path.name, file.read(LARGEST_FILE + 1))
        except OSError:
            return cls(path.name, b"")

    @cached_property
    def version(self) -> str:
        """A text that differs where the content does."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    def problems(self) -> list[str]:
        """Everything for which the survey could not be served, the worst first."""
        return self._survey_or_problems[1]

    @property
    def survey(self) -> Survey:
        """The survey, for everyone who comes: a preview needs no invitation."""
        survey, problems = self._survey_or_problems
        if survey is None:
            raise ConfideError(problems[0])
        return survey

    @cached_property
    def _survey_or_problems(self) -> tuple[Survey | None, list[str]]:
        try:
            file = SurveyFile.parse(self.content, self.name)
            if problems := find_survey_problems(file):
                return None, [one_line(each) for each in problems]
            page = replace(Page.from_table(file.page), invitation=False)
            return Survey(file.design, page), []
        except ConfideError as error:
            return None, [str(error)]
