"""Everything that can go wrong for a user, as one tree.

    ConfideError                     catch this to catch all of them
    ├── DesignError                  a question, mechanism, group or survey file is unsound
    ├── AnswersError                 the answers to disguise do not fit the design
    ├── ReportsError                 the reports do not fit the design, or cannot be read
    ├── QueryError                   a question is put to a crowd that it cannot answer
    └── ModelError                   a learner cannot learn, predict or be read

A message names what is wrong and where, what was given, what is allowed, and the way out.
No message ever contains an answer.
"""

from __future__ import annotations


class ConfideError(Exception):
    """Any mistake confide can name."""


class DesignError(ConfideError):
    """A question, mechanism, group or survey file is unsound."""


class AnswersError(ConfideError):
    """The answers to disguise do not fit the design."""


class ReportsError(ConfideError):
    """The reports do not fit the design, or cannot be read."""


class ModelError(ConfideError, ValueError):
    """A learner cannot learn, predict or be read; a ValueError too, as scikit-learn has it."""


class QueryError(ConfideError):
    """A question is put to a crowd that it cannot answer."""
