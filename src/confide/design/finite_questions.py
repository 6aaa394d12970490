"""Questions with finitely many options: yes-no, and one of several."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, Self, cast

import numpy as np

from confide.arrays import Array
from confide.design.question import Option, Question, as_whole, check_line, drop_defaults
from confide.errors import DesignError, QueryError, show
from confide.files import Json
from confide.formats import PREFER_NOT
from confide.mechanisms.number_mechanism import LARGEST_NUMBER

Missing = Literal["error", "option"]


@dataclass(frozen=True)
class Finite(Question):
    """A question with finitely many options; an option's number is its code."""

    _other_spellings: ClassVar[dict[str, int]] = {}
    """Texts that stand for an option beside its own."""

    @property
    @abstractmethod
    def options(self) -> tuple[Option, ...]:
        """The options, in the order of their codes."""

    @property
    def stored(self) -> tuple[Option, ...]:
        """The options as tables may hold them, such as 1 and 2 for female and male."""
        return self.options

    @property
    def size(self) -> int:
        """How many options there are."""
        return len(self.options)

    @property
    def labels(self) -> tuple[str, ...]:
        """The options as people read them."""
        return tuple(map(str, self.options))

    @property
    def values(self) -> tuple[Option, ...]:
        """The options, as a table or a query names them."""
        return self.options

    @property
    def numbers(self) -> Array:
        """The options' codes: 0, 1, 2, …"""
        return np.arange(self.size, dtype=float)

    @property
    def may_be_left_out(self) -> bool:
        return self.options[-1] == PREFER_NOT

    @property
    def allowed(self) -> str:
        """The values that stand for an option, as an error lists them."""
        return ", ".join(self.labels[:20]) + (", …" if self.size > 20 else "")

    @cached_property
    def spellings(self) -> dict[str, int]:
        """Every text that stands for an option, with its code; whole numbers may be written 1.0."""
        spellings = {str(option): code for code, option in enumerate(self.stored)}
        spellings |= {label: code for code, label in enumerate(self.labels)}
        spellings |= {f"{o}.0": code for code, o in enumerate(self.stored) if isinstance(o, int)}
        return spellings | self._other_spellings

    def code(self, value: object) -> int:
        """The number of the option that a value stands for: the same in reports and queries."""
        if value in self.options:
            return self.options.index(value)
        if isinstance(value, float | np.floating) and float(value).is_integer():
            word = str(int(value))
        else:
            word = str(value)
        if value is None or word not in self.spellings:
            raise QueryError(
                f"{self.name} has no option {value!r}. Its options are {', '.join(self.labels)}."
            )
        return self.spellings[word]

    def _check_missing(self, missing: Missing) -> None:
        if missing not in ("error", "option"):
            raise DesignError(
                f'missing of question {self.name!r} must be "error" or "option". '
                f"Got {show(missing)}."
            )


@dataclass(frozen=True)
class YesNo(Finite):
    """A question answered by yes or no.

    Parameters
    ----------
    name : str
        A short name, used as the column's.
    text : str
        The question as people read it.
    missing : {"error", "option"}
        With "option", "prefer not to say" is one more option, disguised like the rest; where a
        personal or forced distribution leaves it out, a report of it is true for certain.

    Examples
    --------
    >>> YesNo("cheated", "Have you ever cheated in an exam?").options
    ('no', 'yes')
    """

    text: str = ""
    missing: Missing = "error"
    kind: ClassVar[str] = "yes-no"
    summary: ClassVar[str] = "Answered by yes or no."
    needed_keys: ClassVar[Json] = {
        "name": {"$ref": "#/$defs/name"},
    }
    optional_keys: ClassVar[Json] = {
        "text": {"$ref": "#/$defs/text"},
        "missing": {"$ref": "#/$defs/missing"},
    }

    def __post_init__(self) -> None:
        self._check_words()
        self._check_missing(self.missing)

    @property
    def options(self) -> tuple[Option, ...]:
        return ("no", "yes", PREFER_NOT) if self.missing == "option" else ("no", "yes")

    def parameters(self) -> Json:
        optional = {"text": (self.text, ""), "missing": (self.missing, "error")}
        return {"name": self.name} | drop_defaults(optional)

    @property
    def allowed(self) -> str:
        return "yes/no, 1/0 and true/false"

    _other_spellings: ClassVar[dict[str, int]] = {
        "false": 0, "true": 1, "0": 0, "1": 1, "0.0": 0, "1.0": 1,
    }  # fmt: skip

    def code(self, value: object) -> int:
        if isinstance(value, str) and value.lower() in self.spellings:
            return self.spellings[value.lower()]
        if value in (0, 1):
            return 1 if value == 1 else 0
        return super().code(value)


@dataclass(frozen=True)
class Choice(Finite):
    """A question with one answer out of several options.

    Parameters
    ----------
    name : str
        A short name, used as the column's.
    choices : sequence of str, or of int
        At least two different options.
    text : str
        The question as people read it.
    ordered : bool
        Whether the options rise in a natural order.
    missing : {"error", "option"}
        With "option", "prefer not to say" is one more option, disguised like the rest; where a
        personal or forced distribution leaves it out, a report of it is true for certain.
    codes : sequence of str, or of int, optional
        What tables of data hold for each option, such as ``[1, 2]`` or ``["f", "m"]``. Answers,
        reports and queries may have either; reports come back as the answers came, and people read
        the options.

    Examples
    --------
    >>> Choice("faculty", ["arts", "law", "science"]).options
    ('arts', 'law', 'science')
    >>> Choice("sex", ["female", "male"], codes=[1, 2]).code(2)
    1
    """

    choices: Sequence[Option]
    text: str = ""
    ordered: bool = False
    missing: Missing = "error"
    codes: Sequence[Option] | None = None
    kind: ClassVar[str] = "choice"
    summary: ClassVar[str] = "Answered by one of several options."
    needed_keys: ClassVar[Json] = {
        "name": {"$ref": "#/$defs/name"},
        "options": {"$ref": "#/$defs/options"},
    }
    optional_keys: ClassVar[Json] = {
        "text": {"$ref": "#/$defs/text"},
        "ordered": {
            "description": "Whether the options rise in a natural order.",
            "type": "boolean",
            "default": False,
        },
        "missing": {"$ref": "#/$defs/missing"},
        "codes": {
            "description": "What tables of data hold for each option, in their order.",
            "$ref": "#/$defs/options",
        },
    }

    def __post_init__(self) -> None:
        self._check_words()
        self._check_missing(self.missing)
        given = _read_options(self.choices, f"options of question {self.name!r}")
        if type(self.ordered) is not bool:
            raise DesignError(
                f"ordered of question {self.name!r} must be true or false. "
                f"Got {show(self.ordered)}."
            )
        object.__setattr__(self, "choices", given)
        if self.codes is not None:
            codes = _read_options(self.codes, f"codes of question {self.name!r}")
            object.__setattr__(self, "codes", codes)
            self._check_codes(given, codes)

    def _check_codes(self, given: tuple[Option, ...], codes: tuple[Option, ...]) -> None:
        if not all(isinstance(option, str) for option in given) or len(codes) != len(given):
            raise DesignError(
                f"codes of question {self.name!r} must be one for each of its options, which must "
                f"be texts. Got {len(codes)} for {len(given)}."
            )
        for place, code in enumerate(codes):
            if code in given and given.index(code) != place:
                raise DesignError(
                    f"codes of question {self.name!r}: {code!r} is another option. A code must "
                    "not be the text of an option that it does not stand for."
                )

    @property
    def stored(self) -> tuple[Option, ...]:
        if self.codes is None:
            return self.options
        return (*self.codes, PREFER_NOT) if self.missing == "option" else tuple(self.codes)

    @property
    def options(self) -> tuple[Option, ...]:
        given = tuple(self.choices)
        return (*given, PREFER_NOT) if self.missing == "option" else given

    def parameters(self) -> Json:
        optional = {
            "text": (self.text, ""),
            "ordered": (self.ordered, False),
            "missing": (self.missing, "error"),
            "codes": (None if self.codes is None else list(self.codes), None),
        }
        return {"name": self.name, "options": list(self.choices)} | drop_defaults(optional)

    @classmethod
    def from_parameters(cls, parameters: Json) -> Self:
        others = {key: value for key, value in parameters.items() if key != "options"}
        return cls(choices=parameters["options"], **others)


def _read_options(options: object, where: str) -> tuple[Option, ...]:
    """Read options, or the codes that stand for them: different texts or whole numbers."""
    if isinstance(options, str) or not isinstance(options, Sequence | range):
        raise DesignError(f'{where} must be a list such as ["arts", "law"].')
    given = tuple(map(as_whole, options))
    numbers = all(type(o) is int and abs(o) <= LARGEST_NUMBER for o in given)
    if not numbers and not all(isinstance(o, str) for o in given):
        raise DesignError(f"{where} must be all texts or all whole numbers up to 2^53.")
    if len(set(given)) < len(given):
        raise DesignError(f"{where} must differ from each other. Got {show(list(given))}.")
    if len(given) < 2:
        raise DesignError(f"{where} must be at least two. Got {len(given)}.")
    for option in given:
        if option == PREFER_NOT:
            raise DesignError(f'{where}: write missing = "option" for {PREFER_NOT!r}.')
        if isinstance(option, str):
            check_line(option, f"each of the {where}")
    return cast("tuple[Option, ...]", given)
