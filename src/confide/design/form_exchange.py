"""Designs from other tools' forms, and forms from designs: the same design there and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from confide.design.design import Design
from confide.design.plain_values import from_dict, to_dict
from confide.errors import DesignError, show
from confide.files import Json
from confide.formats import surveyjs, xlsform
from confide.formats.forms import read_form

_Form = TypeVar("_Form")
_WHERE = "the form"  # with which messages about it begin


def from_surveyjs(form: Json) -> Design:
    """Read a SurveyJS form, given as plain values."""
    return from_dict(read_form(lambda: surveyjs.to_survey(form), _WHERE), _WHERE)


def from_xlsform(content: bytes) -> Design:
    """Read an XLSForm workbook, given as the content of its file."""
    return from_dict(read_form(lambda: xlsform.to_survey(content), _WHERE), _WHERE)


def to_surveyjs(design: Design) -> Json:
    """Write the design as a SurveyJS form."""
    return _write_same(design, surveyjs.to_form, from_surveyjs, "a SurveyJS form")


def to_xlsform(design: Design) -> bytes:
    """Write the design as an XLSForm workbook."""
    return _write_same(design, xlsform.to_workbook, from_xlsform, "an XLSForm")


def _write_same(
    design: Design,
    write: Callable[[Json], _Form],
    read: Callable[[_Form], Design],
    what: str,
) -> _Form:
    """The design as a form, unless others would read it as another design."""
    survey = to_dict(design)
    try:
        form = write(survey)
        came_back = to_dict(read(form))
        _check_same(survey, came_back)
    except DesignError as error:
        raise DesignError(f"this design cannot be written as {what}: {error}") from None
    return form


def _check_same(survey: Json, came_back: Json) -> None:
    for ours, theirs in zip(survey["question"], came_back["question"], strict=True):
        for key in {**ours, **theirs}:
            if ours.get(key) != theirs.get(key):
                raise DesignError(
                    f"{key} of question {ours['name']!r} would come back as "
                    f"{show(theirs.get(key))}. Change it, or write TOML or JSON."
                )
    if survey != came_back:
        raise DesignError("its title would come back changed. Change it, or write TOML or JSON.")
