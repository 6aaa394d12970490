"""SurveyJS forms ↔ surveys as plain values.

Read are the questions boolean, radiogroup, dropdown, rating, and text whose input is a number from
min to max, on pages and in panels. The groups, and how the web page presents the survey, stand in
the form's own key ``confide``, written as in survey files; a number's unit and the question that
tells whether it is missing in its element's keys ``unit`` and ``missing``. Looks are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from confide.errors import DesignError, show
from confide.files import Json
from confide.formats import PREFER_NOT
from confide.formats.forms import (
    NO_BRANCHING,
    NO_QUOTING,
    ONE_LANGUAGE,
    UNKNOWN,
    Label,
    Names,
    check_form_kind,
    check_question_count,
    explain_refusal,
    find_disguised_names,
    make_finite_entry,
)

_RATES = {"rateMin": 1, "rateStep": 1, "rateCount": 5}
_MOST_RATES = 1000
_CONTAINER = {"type", "name", "title", "description", "elements"}
_QUESTION = {"type", "name", "title", "description"}
_LOOKS = {
    *("allowClear", "autoGenerate", "choicesOrder", "colCount", "descriptionLocation"),
    *("displayMode", "errorLocation", "hideNumber", "indent", "isRequired", "maxWidth", "minWidth"),
    *("placeholder", "questionTitleLocation", "questionsOrder", "rateColorMode", "rateType"),
    *("renderAs", "requiredErrorText", "scaleColorMode", "searchEnabled", "showClearButton"),
    *("showNumber", "showQuestionNumbers", "size", "startWithNewLine", "state", "swapOrder"),
    *("titleLocation", "valueFalse", "valueTrue", "width"),
}
"""How things look, and the codes that SurveyJS stores; no part of a design."""


def is_form(value: object) -> bool:
    """Whether the content of a JSON file is a SurveyJS form and not a survey file."""
    return isinstance(value, dict) and ("pages" in value or "elements" in value)


def to_survey(form: Json) -> Json:
    """Read a form as a survey; whatever cannot be taken over is refused with its path.

    >>> to_survey({"elements": [{"type": "boolean", "name": "cheated", "title": "Ever?"}]})
    {'question': [{'name': 'cheated', 'kind': 'yes-no', 'text': 'Ever?'}]}
    """
    if not is_form(form):
        raise DesignError('a SurveyJS form must be an object with "pages" or "elements".')
    own = form.get("confide", {})
    if not isinstance(own, dict) or not set(own) <= {"group", "page"}:
        raise DesignError('confide must be an object such as {"group": […], "page": {…}}.')
    survey = _Reader(form, own.get("group")).read_survey()
    return {**survey, "page": own["page"]} if "page" in own else survey


class _Reader:
    """Reads one form; it knows the names of all questions and which are disguised."""

    def __init__(self, form: Json, groups: object) -> None:
        self.form, self.groups = form, groups
        self.disguised = find_disguised_names(groups)
        questions = list(self.list_questions())
        check_question_count(len(questions))
        self.names = Names(name for _, element in questions if (name := _find_name(element)))

    def read_survey(self) -> Json:
        survey: Json = {}
        for key, value in self.form.items():
            if key == "title":
                survey["title"] = self.read_text(value, "title")
            elif key not in ("pages", "elements", "confide") and (
                isinstance(value, list) or self.names.find_mentioned(value)
            ):
                raise explain_refusal(key, value, self.disguised, NO_BRANCHING)
        survey["question"] = [
            self.read_question(path, each) for path, each in self.list_questions()
        ]
        if self.groups is not None:
            survey["group"] = self.groups
        return survey

    def list_questions(self) -> Iterator[tuple[str, Json]]:
        """List every question with its path, through pages and panels."""
        for path, page in _list_entries(self.form, "pages", ""):
            yield from self.list_contained_questions(path, page)
        yield from self.list_elements("", self.form)

    def list_contained_questions(self, path: str, container: Json) -> Iterator[tuple[str, Json]]:
        self.check_keys(path, container, _CONTAINER)
        yield from self.list_elements(f"{path}.", container)

    def list_elements(self, prefix: str, container: Json) -> Iterator[tuple[str, Json]]:
        for path, element in _list_entries(container, "elements", prefix):
            if element.get("type") == "panel":
                yield from self.list_contained_questions(path, element)
            else:
                yield path, element

    def check_keys(self, path: str, element: Json, known: set[str]) -> None:
        for key, value in element.items():
            if key not in known and key not in _LOOKS:
                branching = key.endswith("If") or "xpression" in key
                reason = NO_BRANCHING if branching else UNKNOWN
                raise explain_refusal(f"{path}.{key}", value, self.disguised, reason)

    def read_question(self, path: str, element: Json) -> Json:
        kind = element.get("type")
        if not isinstance(kind, str) or kind not in _KINDS:
            raise DesignError(
                f"{path} ({show(_find_name(element))}) is of type {show(kind)}, which is not "
                f"supported. Supported are {', '.join(_KINDS)}."
            )
        read, keys = _KINDS[kind]
        self.check_keys(path, element, _QUESTION | keys)
        return read(self, path, element)

    def read_question_text(self, path: str, element: Json, *more: str) -> str:
        """Read what people see before they answer: title, description, and more lines."""
        lines = [self.read_text(element.get(key, ""), f"{path}.{key}") for key in _TEXTS]
        return "\n".join(line for line in [*lines, *more] if line)

    def read_text(self, value: object, path: str) -> str:
        if isinstance(value, dict) and len(value) == 1:
            (value,) = value.values()
        if not isinstance(value, str):
            reason = ONE_LANGUAGE if isinstance(value, dict) else "it must be a text."
            raise explain_refusal(path, value, self.disguised, reason)
        if self.names.find_mentioned(value):
            raise explain_refusal(path, value, self.disguised, NO_QUOTING)
        return value

    def read_boolean(self, path: str, element: Json) -> Json:
        options = [
            self.read_text(element.get(key, default), f"{path}.{key}")
            for key, default in (("labelFalse", "no"), ("labelTrue", "yes"))
        ]
        return make_finite_entry(
            element.get("name"), self.read_question_text(path, element), options
        )

    def read_choice(self, path: str, element: Json) -> Json:
        options = self.read_labels(path, element, "choices")
        if element.get("showRefuseItem"):
            options.append(PREFER_NOT)
        return make_finite_entry(
            element.get("name"), self.read_question_text(path, element), options
        )

    def read_rating(self, path: str, element: Json) -> Json:
        if "rateValues" in element:
            options = self.read_labels(path, element, "rateValues")
        else:
            options = [*list_rates(path, element)]
        ends = [
            f"{option} = {self.read_text(element[key], f'{path}.{key}')}"
            for key, option in zip(_ENDS, (options[0], options[-1]), strict=True)
            if key in element
        ]
        text = self.read_question_text(path, element, ", ".join(ends))
        return make_finite_entry(element.get("name"), text, options, ordered=True)

    def read_number(self, path: str, element: Json) -> Json:
        if element.get("inputType") != "number" or not {"min", "max"} <= set(element):
            raise DesignError(
                f"{path} ({show(_find_name(element))}) is not supported: of texts confide reads "
                'only numbers within a range. Write "inputType": "number", "min" and "max".'
            )
        entry = {"name": element.get("name"), "kind": "number"}
        entry |= {ours: element[key] for key, ours in _RANGE.items() if key in element}
        text = self.read_question_text(path, element)
        return {**entry, "text": text} if text else entry

    def read_labels(self, path: str, element: Json, key: str) -> list[Label]:
        """Read what people see of each choice."""
        choices = element.get(key)
        if not isinstance(choices, list) or not choices:
            raise DesignError(f"{path}.{key} must be a list of choices.")
        return [self.read_label(f"{path}.{key}[{i}]", choice) for i, choice in enumerate(choices)]

    def read_label(self, path: str, choice: object) -> Label:
        if isinstance(choice, dict):
            self.check_keys(path, choice, {"value", "text"})
            if "text" in choice:
                return self.read_text(choice["text"], f"{path}.text")
            choice = choice.get("value")
        if isinstance(choice, bool) or not isinstance(choice, str | int | float):
            raise DesignError(f"{path} must be a text or a number. Got {show(choice)}.")
        return choice if not isinstance(choice, str) else self.read_text(choice, path)


_Read = Callable[[_Reader, str, Json], Json]

_TEXTS = ("title", "description")
_ENDS = ("minRateDescription", "maxRateDescription")
_OWN = ("unit", "missing")
_RANGE = {"min": "low", "max": "high", "step": "step", **{key: key for key in _OWN}}
_KINDS: dict[str, tuple[_Read, set[str]]] = {
    "boolean": (_Reader.read_boolean, {"labelTrue", "labelFalse"}),
    "radiogroup": (_Reader.read_choice, {"choices", "showRefuseItem", "refuseText"}),
    "dropdown": (_Reader.read_choice, {"choices", "showRefuseItem", "refuseText"}),
    "rating": (
        _Reader.read_rating,
        {"rateValues", "rateMax", *_RATES, *_ENDS},
    ),
    "text": (_Reader.read_number, {"inputType", *_RANGE}),
}


def _list_entries(container: Json, key: str, prefix: str) -> list[tuple[str, Json]]:
    entries = container.get(key, [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise DesignError(f"{prefix}{key} must be a list of objects.")
    return [(f"{prefix}{key}[{i}]", entry) for i, entry in enumerate(entries)]


def _find_name(element: Json) -> str:
    name = element.get("name")
    return name if isinstance(name, str) else ""


def list_rates(path: str, element: Json) -> list[int]:
    """List the numbers of a rating that gives only its ends."""
    given = [element.get(key, default) for key, default in _RATES.items()]
    if all(type(value) is int for value in given):
        low, step, count = given
        high = element.get("rateMax", low + (count - 1) * step)
        if type(high) is int and step > 0 and 0 < (high - low) // step < _MOST_RATES:
            return list(range(low, high + 1, step))
    raise DesignError(
        f"{path} must rise in whole steps from rateMin to rateMax, or list its rateValues."
    )


def to_form(survey: Json) -> Json:
    """Write a survey as a form that SurveyJS shows, and `to_survey` reads back the same.

    >>> to_form({"question": [{"name": "cheated", "kind": "yes-no"}]})["pages"][0]["elements"]
    [{'type': 'boolean', 'name': 'cheated', 'isRequired': True}]
    """
    form: Json = {"title": survey["title"]} if "title" in survey else {}
    form["pages"] = [{"name": "page1", "elements": [_write_element(e) for e in survey["question"]]}]
    if "group" in survey:
        form["confide"] = {"group": survey["group"]}
    return form


def _write_element(entry: Json) -> Json:
    check_form_kind(entry)
    common = {"name": entry["name"], "isRequired": True}
    if "text" in entry:
        common["title"] = entry["text"]
    if entry["kind"] == "number":
        limits = {key: entry[ours] for key, ours in _RANGE.items() if ours in entry}
        common["isRequired"] = "missing" not in entry
        return {"type": "text", **common, "inputType": "number", **limits}
    missing = [PREFER_NOT] if "missing" in entry else []
    if entry["kind"] == "yes-no" and not missing:
        return {"type": "boolean", **common}
    options = [*entry.get("options", ["no", "yes"]), *missing]
    if "ordered" in entry:
        return {"type": "rating", **common, "rateValues": options}
    return {"type": "radiogroup", **common, "choices": options}
