"""How the web page presents a survey: the ``[page]`` table of a survey file."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from confide.errors import DesignError
from confide.surveys.page_checks import find_page_problems


@dataclass(frozen=True)
class Page:
    """How the page presents a survey: the ``[page]`` table of a survey file.

    Parameters
    ----------
    language : str
        The language of the questions, such as "de", in which the page speaks, too; left out,
        English. One that is not built in needs all its texts.
    organiser : str
        Who runs the survey.
    consent : str
        What people agree to before the first question.
    own_device : bool
        Whether people may draw by their own coin.
    invitation : bool
        Whether only invited people can report.
    minimum : int
        Below this number of reports nothing is estimated.
    wanted : int
        The number of reports hoped for, shown as progress.
    exit : str
        Where the quick exit leads.
    test : str
        Whether people may test a published model, and how often a test's result is then sent as it
        is, such as "3/4"; left out, there is no test.
    thanks : str
        What the last screen says beside that the report has arrived.
    redirect : str
        Where its button leads, such as the address that a panel provider waits for.
    personal : mapping
        For an unrelated question its personal question, by question name.
    help : mapping
        A sentence below a question, by question name.
    texts : mapping
        Texts that replace the built-in ones.
    translations : mapping
        For each further language all that the survey says, by keys of the same names, with the
        questions' words under ``question``.
    section : list
        Questions that share a sheet, each a mapping with ``questions`` and, if need be, ``title``,
        ``text``, ``look`` and ``only_if``.
    """

    language: str = ""
    organiser: str = ""
    consent: str = ""
    own_device: bool = True
    invitation: bool = False
    minimum: int = 50
    wanted: int = 0
    exit: str = "about:blank"
    test: str = ""
    thanks: str = ""
    redirect: str = ""
    personal: dict[str, str] = field(default_factory=dict)
    help: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    translations: dict[str, dict[str, Any]] = field(default_factory=dict)
    section: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def from_table(cls, table: object) -> Page:
        """Read the ``[page]`` table of a survey file."""
        for problem in find_page_problems(table):
            raise DesignError(problem)
        assert isinstance(table, dict)
        return cls(**table)

    def __post_init__(self) -> None:
        for problem in find_page_problems(asdict(self)):
            raise DesignError(problem)
