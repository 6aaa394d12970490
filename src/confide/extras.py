"""Packages that confide can do without, until someone asks for what they are for.

Whatever needs one imports it within `explain_missing`, so that everywhere the same line says what
is missing and how to get it:

    a picture needs altair, which is not installed: pip install "confide[plot]".
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from confide.errors import MissingPackageError

Altair: TypeAlias = Any
"""Altair, its charts and its channels."""
PandasFrame: TypeAlias = Any
"""A frame of pandas."""


@contextmanager
def explain_missing(installed_by: str, purpose: str) -> Iterator[None]:
    """Turn a failed import into one line that names the package and how to install it.

    Parameters
    ----------
    installed_by : str
        What to give to ``pip install``: an extra such as "confide[plot]", or a package.
    purpose : str
        What the package is needed for, such as "a picture".

    Examples
    --------
    >>> with explain_missing("confide[plot]", "a picture"):
    ...     import a_package_of_that_extra
    Traceback (most recent call last):
        ...
    confide.errors.MissingPackageError: a picture needs a_package_of_that_extra, which is not
    installed: pip install "confide[plot]".
    """
    try:
        yield
    except MissingPackageError:
        raise
    except ImportError as error:
        package = (error.name or "another package").partition(".")[0]
        if package == "confide":  # then it is not the user who has something to install
            raise
        absent = isinstance(error, ModuleNotFoundError)
        problem = "is not installed" if absent else "does not work here"
        raise MissingPackageError(
            f'{purpose} needs {package}, which {problem}: pip install "{installed_by}".'
        ) from None
