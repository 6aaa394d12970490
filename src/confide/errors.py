"""Everything that can go wrong for a user, as one tree.

    ConfideError                     catch this to catch all of them
    ├── DesignError                  a question, mechanism, group or survey file is unsound
    ├── AnswersError                 the answers to disguise do not fit the design
    ├── ReportsError                 the reports do not fit the design, or cannot be read
    ├── QueryError                   a question is put to a crowd that it cannot answer
    ├── ModelError                   a learner cannot learn, predict or be read
    └── MissingPackageError          a package that is not installed is needed for this

A message names what is wrong and where, what was given, what is allowed, and the way out.
It is one printable line, whatever names a file holds. No message ever contains an answer.
"""

from __future__ import annotations

_LONGEST_MESSAGE = 600
_LONGEST_VALUE = 60


class ConfideError(Exception):
    """Any mistake confide can name."""

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


class DesignError(ConfideError):
    """A question, mechanism, group or survey file is unsound."""


class AnswersError(ConfideError):
    """The answers to disguise do not fit the design."""


class ReportsError(ConfideError):
    """The reports do not fit the design, or cannot be read."""


class ModelError(ConfideError, ValueError):
    """A learner cannot learn, predict or be read; a ValueError too, as scikit-learn has it."""


class MissingPackageError(ConfideError, ImportError):
    """A package that is not installed is needed for this; an ImportError too, as Python has it."""


class QueryError(ConfideError):
    """A question is put to a crowd that it cannot answer."""


def show(value: object) -> str:
    """Write a value that a design was given as a message shows it: short, whatever it is.

    >>> show("3/4"), show([0] * 100)[:12]
    ("'3/4'", '[0, 0, 0, 0,')
    """
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # an integer of thousands of digits, a deep nest
        text = f"a {type(value).__name__} too long to show"
    return text if len(text) <= _LONGEST_VALUE else text[:_LONGEST_VALUE] + "…"


def one_line(message: str) -> str:
    """A message as one printable line of bearable length, whatever names it holds."""
    line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in message)
    if len(line) <= _LONGEST_MESSAGE:
        return line
    return f"{line[: _LONGEST_MESSAGE * 2 // 3]} … {line[-_LONGEST_MESSAGE // 3 :]}"
