"""Survey files of every format: parsed once into a design and its page, and written."""

from __future__ import annotations

import json
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from confide.design.design import Design
from confide.design.form_exchange import to_xlsform
from confide.design.plain_values import read_design, to_dict
from confide.errors import DesignError
from confide.files import read_json, write_atomically
from confide.formats import surveyjs, xlsform
from confide.formats.forms import check_question_count, read_form
from confide.formats.toml import read_toml, to_toml

LARGEST_FILE = 1 << 20
_MOST_OPTIONS = 5_000


@dataclass(frozen=True, eq=False)
class SurveyFile:
    """What a survey file holds.

    Parameters
    ----------
    name : str
        The file's name, with which messages about it begin.
    values : object
        The survey as plain values, with the keys of a survey file in TOML.

    Examples
    --------
    >>> file = SurveyFile.parse(b'[[question]]\\nname = "a"\\nkind = "yes-no"', "survey.toml")
    >>> file.design.names, file.page
    (('a',), {})
    """

    name: str
    values: object

    @classmethod
    def read(cls, path: str | Path) -> SurveyFile:
        """Read a file: which format it has, its name and content say."""
        path = Path(path)
        return cls.parse(read_content(path), path.name)

    @classmethod
    def parse(cls, content: bytes, name: str) -> SurveyFile:
        """Parse what a file of this name holds."""
        values = _read_values(content, name)
        try:
            _check_size(values)
        except DesignError as error:
            raise DesignError(f"{name}: {error}") from None
        return cls(name, values)

    @cached_property
    def _design_or_problems(self) -> tuple[Design | None, list[str]]:
        return read_design(self.values)

    @property
    def problems(self) -> list[str]:
        """Everything for which the design is unsound; nothing where it is sound."""
        return self._design_or_problems[1]

    @property
    def design(self) -> Design:
        """What is asked, and how it is disguised."""
        design, problems = self._design_or_problems
        if design is None:
            raise DesignError(f"{self.name}: {problems[0]}")
        return design

    @property
    def page(self) -> object:
        """How the web page presents the survey, as it is written: no part of the design."""
        return self.values.get("page", {}) if isinstance(self.values, dict) else {}


def read_content(path: Path) -> bytes:
    """Read a file of bearable size."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise DesignError(f"cannot read {path.name or path}: {error.strerror}.") from None
    if len(content) > LARGEST_FILE:
        raise DesignError(
            f"{path.name} has more than the {LARGEST_FILE:,} bytes of the largest survey file. "
            "Is it the right file?"
        )
    return content


def write_survey_file(design: Design, path: Path) -> None:
    """Write a design in the format that the file's name asks for; nothing is left half-written."""
    match path.suffix.lower():
        case ".xlsx":
            content = to_xlsform(design)
        case ".toml":
            content = to_toml(to_dict(design)).encode()
        case _:
            content = (json.dumps(to_dict(design), indent=2, ensure_ascii=False) + "\n").encode()
    with write_atomically(path) as temporary:
        temporary.write_bytes(content)


def _read_values(content: bytes, name: str) -> object:
    """Read the survey that a file of this name holds, as plain values."""
    suffix = Path(name).suffix.lower()
    if suffix == ".xlsx":
        return read_form(lambda: xlsform.to_survey(content), name)
    kind, read = ("JSON", read_json) if suffix == ".json" else ("TOML", read_toml)
    text = _text(content, name)
    try:
        values = read(text)
    except RecursionError:
        raise DesignError(f"{name} is not valid {kind}: it is nested too deeply.") from None
    except ValueError as error:
        told = "a number has too many digits." if "integer string" in str(error) else error
        raise DesignError(f"{name} is not valid {kind}: {told}") from None
    if surveyjs.is_form(values):
        return read_form(lambda: surveyjs.to_survey(values), name)
    return values


def _check_size(values: object) -> None:
    """Refuse more questions and options than privacy can be worked out for in reasonable time."""
    asked = values.get("question") if isinstance(values, dict) else None
    if not isinstance(asked, list):
        return  # which reading the design refuses
    check_question_count(len(asked))
    listed = [entry.get("options") for entry in asked if isinstance(entry, dict)]
    count = sum(len(options) for options in listed if isinstance(options, list))
    if count > _MOST_OPTIONS:
        raise DesignError(
            f"its questions have {count:,} options. A survey file has at most {_MOST_OPTIONS:,}."
        )


def _text(content: bytes, name: str) -> str:
    wide = b"\0" in content or content.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        looks = "; it looks like UTF-16" if wide else ""
        raise DesignError(
            f"{name} is not UTF-8 text (see byte {error.start}){looks}. Save it as UTF-8."
        ) from None
    if wide:
        raise DesignError(f"{name} is not UTF-8 text; it looks like UTF-16. Save it as UTF-8.")
    return text
