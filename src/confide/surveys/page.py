"""How the web page presents a survey: the ``[page]`` table of a survey file."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

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
    personal : mapping
        For an unrelated question its personal question, by question name.
    texts : mapping
        Texts that replace the built-in ones.
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
    personal: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

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
