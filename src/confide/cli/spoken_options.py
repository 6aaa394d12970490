"""Errors of the library, said in the options of the command that was run.

Messages name Python's arguments, as ``method="likelihood"`` or ``weights=``. Who typed a command
has options: those of the same name. A command's parameters are called as the arguments are that
they become, whatever the option is called.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from typer.core import TyperCommand

from confide.errors import ConfideError

_ARGUMENT = re.compile(r"""\b([a-z]+(?:_[a-z]+)*)=("[^"]*"|'[^']*'|[\d.]*\d|(?!\w))""")
_LONG_NAME = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b(?!=)")
_CALL = re.compile(r"\b[\w.]+\([^()]*…[^()]*\)")


class SpokenCommand(TyperCommand):
    """A command whose errors speak of its options."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; an error that names an argument then names the option."""
        try:
            return super().invoke(ctx)
        except ConfideError as error:
            options = {
                each.name: (max(each.opts, key=len), getattr(each, "is_flag", False))
                for each in self.params
                if each.name and each.param_type_name == "option"
            }
            error.args = (say_options(str(error), options),)
            raise


def say_options(message: str, options: Mapping[str, tuple[str, bool]]) -> str:
    """Write a message with options in the place of arguments, and say what is Python's alone.

    Parameters
    ----------
    message : str
        A line that names arguments.
    options : mapping
        The option of each argument that has one, and whether it is a flag, which takes no value.

    Examples
    --------
    >>> options = {"method": ("--method", False), "missing": ("--missing-at-random", True)}
    >>> say_options('use method="auto", or missing="at random".', options)
    'use --method auto, or --missing-at-random.'
    >>> say_options('use method="auto" or design.only([…]).', {})
    'use method="auto" in Python or design.only([…]) in Python.'
    """

    def say_argument(found: re.Match[str]) -> str:
        name, value = found[1], found[2].strip("\"'")
        if name not in options:
            return found[0] if value and found[2] == value else f"{found[0]} in Python"
        option, is_flag = options[name]
        shown = f'"{value}"' if " " in value else value
        return option if is_flag or not value else f"{option} {shown}"

    def say_name(found: re.Match[str]) -> str:
        return options[found[0]][0] if found[0] in options else found[0]

    said = _CALL.sub(lambda found: f"{found[0]} in Python", message)
    return _LONG_NAME.sub(say_name, _ARGUMENT.sub(say_argument, said))
