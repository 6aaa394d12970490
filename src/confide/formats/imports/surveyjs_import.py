"""SurveyJS forms taken over as far as they go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from confide.errors import DesignError, show
from confide.files import Json
from confide.formats.forms import Names, check_question_count, make_finite_entry
from confide.formats.imports.conditions import read_conditions, read_surveyjs
from confide.formats.imports.languages import choose_language
from confide.formats.imports.surveyjs_elements import CONDITIONS, find_languages, walk_elements
from confide.formats.imports.taken_form import (
    FormCondition,
    Item,
    TakenForm,
    expand_options,
    make_name,
)
from confide.formats.surveyjs import is_form, list_rates
from confide.mechanisms.number_mechanism import is_number

_NOT_ANSWERED = ("html", "image", "expression", "empty")
_NESTED = ("paneldynamic", "matrixdynamic", "matrixdropdown")
_DEPENDENT = ("choicesVisibleIf", "choicesByUrl", "choicesFromQuestion", "rowsVisibleIf")
_DROPPED = {
    "defaultValue": "no answer is filled in beforehand",
    "defaultValueExpression": "no answer is filled in beforehand",
    "requiredIf": "what must be answered is the same for everyone",
    "setValueExpression": "no answer is filled in beforehand",
    "hasComment": "the comment is not asked: confide takes no free text",
    "showCommentArea": "the comment is not asked: confide takes no free text",
}


def take_surveyjs(form: Json, language: str | None = None) -> TakenForm:
    """Take over what a form asks, in one of its languages.

    >>> form = {"elements": [{"type": "boolean", "name": "lied"}, {"type": "comment", "name": "b"}]}
    >>> taken = take_surveyjs(form)
    >>> list(taken.items), [remark.place for remark in taken.refused]
    (['lied'], ['elements[1] (b)'])
    """
    if not is_form(form):
        raise DesignError('a SurveyJS form must be an object with "pages" or "elements".')
    return _Taker(form, language).take()


@dataclass(frozen=True)
class _Asked:
    """One element of a form, with what was read of it already."""

    place: str
    name: str
    text: str
    element: Json


@dataclass
class _Taker:
    """Takes one form over, element by element."""

    source: Json
    wanted: str | None
    form: TakenForm = field(default_factory=TakenForm)

    def take(self) -> TakenForm:
        self.language = self.choose_language()
        self.form.title = self.read_text(self.source.get("title", ""))
        own = self.source.get("confide", {})
        self.form.groups = own.get("group") if isinstance(own, dict) else None
        elements = list(walk_elements(self.source, "", ()))
        check_question_count(len(elements))
        self.names = Names(str(element.get("name")) for _, element, _ in elements)
        for key in ("triggers", "calculatedValues"):
            if self.source.get(key):
                self.form.skip(key, "what happens after certain answers is not taken over.")
        for path, element, conditions in elements:
            self.take_element(path, element, conditions)
        return self.form

    def choose_language(self) -> str:
        found = list(dict.fromkeys(find_languages(self.source)))
        usual = str(self.source.get("locale") or "default")
        language = choose_language(found, self.wanted, usual)
        others = [each for each in found if each != language]
        if others:
            self.form.skip("languages", f"taken is {language}; not {', '.join(others)}.")
        return language

    def read_text(self, value: object) -> str:
        if isinstance(value, dict):
            value = value.get(self.language, value.get("default", next(iter(value.values()), "")))
        return "" if value is None or isinstance(value, dict | list) else str(value).strip()

    def take_element(self, path: str, element: Json, given: tuple[str, ...]) -> None:
        kind, name = element.get("type"), element.get("name")
        place = f"{path} ({name})" if isinstance(name, str) else path
        if kind in _NOT_ANSWERED:
            self.form.skip(place, f"{kind}: nobody answers it.")
            return
        try:
            if not isinstance(name, str) or not isinstance(kind, str):
                raise DesignError("it has no name or no type.")
            item = self.make_item(place, name, kind, element)
            self.check_plain(element)
            item = replace(item, conditions=self.read_conditions(element, given))
        except DesignError as error:
            self.form.refuse(place, str(error))
            return
        self.form.add(name, item)
        for why in dict.fromkeys(why for key, why in _DROPPED.items() if element.get(key)):
            self.form.skip(place, f"{why}.")

    def read_conditions(self, element: Json, given: tuple[str, ...]) -> tuple[FormCondition, ...]:
        texts = [*given, *(str(element[key]) for key in CONDITIONS if element.get(key))]
        return read_conditions(read_surveyjs, texts, "{part} = 'production'")

    def check_plain(self, element: Json) -> None:
        for key in _DEPENDENT:
            if element.get(key):
                raise DesignError("which options it has depends on another answer or a server.")
        if self.names.find_mentioned([element.get(key) for key in ("title", "description")]):
            raise DesignError(
                "its text repeats an earlier answer; confide shows texts as they are."
            )

    def make_item(self, place: str, name: str, kind: str, element: Json) -> Item:
        if kind in _NESTED:
            raise DesignError(f"{kind}: confide asks every question once, one answer a cell.")
        make = _KINDS.get(kind)
        if make is None:
            raise DesignError(f"{kind}: confide asks options and numbers, nothing else.")
        title = self.read_text(element.get("title", ""))
        lines = [title if title != name else "", self.read_text(element.get("description", ""))]
        text = "\n".join(line for line in lines if line)
        return make(self, _Asked(place, name, text, element))

    def make_boolean(self, asked: _Asked) -> Item:
        labels = [
            self.read_text(asked.element.get("labelFalse", "no")),
            self.read_text(asked.element.get("labelTrue", "yes")),
        ]
        entry = make_finite_entry(asked.name, asked.text, labels)
        said = ["no", "yes"] if entry["kind"] == "yes-no" else labels
        codes = [asked.element.get("valueFalse", "false"), asked.element.get("valueTrue", "true")]
        answers = {
            str(code).lower(): (asked.name, label) for code, label in zip(codes, said, strict=True)
        }
        return Item(asked.place, [entry], {}, answers)

    def make_choice(self, asked: _Asked) -> Item:
        if asked.element.get("multiSelect"):
            return self.make_several(asked)
        options = self.read_options(asked)
        entry = make_finite_entry(asked.name, asked.text, [label for _, label in options])
        fold = str.lower if entry["kind"] == "yes-no" else str
        answers = {code: (asked.name, fold(label)) for code, label in options}
        return Item(asked.place, [entry], {}, answers)

    def make_several(self, asked: _Asked) -> Item:
        options = self.read_options(asked)
        if asked.element.get("hasNone") or asked.element.get("showNoneItem"):
            self.form.skip(asked.place, "“none” is no box: nothing ticked says it.")
        if asked.element.get("validators") or asked.element.get("maxSelectedChoices"):
            self.form.skip(asked.place, "how many may be ticked is not limited.")
        return expand_options(asked.place, asked.name, asked.text, options)

    def make_matrix(self, asked: _Asked) -> Item:
        columns = [label for _, label in self.read_items(asked.element.get("columns"))]
        rows = self.read_items(asked.element.get("rows"))
        if asked.element.get("cellType", "radio") != "radio":
            raise DesignError("its cells take more than one answer of a row.")
        if len(columns) < 2 or not rows:
            raise DesignError("its rows and columns are not listed in the form.")
        entries: list[Json] = []
        for code, label in rows:
            own = make_name(asked.name, code, [entry["name"] for entry in entries])
            entries.append({"name": own, "kind": "choice", "text": label, "options": columns})
        section: Json = {"look": "matrix"} | ({"text": asked.text} if asked.text else {})
        return Item(asked.place, entries, section)

    def make_rating(self, asked: _Asked) -> Item:
        given = [label for _, label in self.read_items(asked.element.get("rateValues"))]
        options = given or [str(rate) for rate in list_rates(asked.place, asked.element)]
        ends = zip(
            ("minRateDescription", "maxRateDescription"), (options[0], options[-1]), strict=True
        )
        said = [
            f"{end} = {self.read_text(asked.element[key])}"
            for key, end in ends
            if key in asked.element
        ]
        lines = "\n".join(line for line in (asked.text, ", ".join(said)) if line)
        entry = make_finite_entry(asked.name, lines, options, ordered=True)
        answers = {each: (asked.name, each) for each in options}
        return Item(asked.place, [entry], {}, answers)

    def make_number(self, asked: _Asked) -> Item:
        slider = asked.element.get("type") == "slider"
        if asked.element.get("sliderType") == "range":
            raise DesignError("a slider with two ends: confide asks one number.")
        if not slider and asked.element.get("inputType") not in ("number", "range"):
            raise DesignError("free text: confide asks options and numbers, nothing else.")
        limits = self.read_range(asked.element, slider)
        entry: Json = {"name": asked.name, "kind": "number", **limits}
        if asked.text:
            entry["text"] = asked.text
        return Item(asked.place, [entry])

    def read_range(self, element: Json, slider: bool) -> Json:
        """Read a number's range from its ends or from the validators that repeat them."""
        lowest, highest = [element.get("min")], [element.get("max")]
        validators = element.get("validators", [])
        for validator in validators if isinstance(validators, list) else [validators]:
            if not isinstance(validator, dict) or validator.get("type") != "numeric":
                raise DesignError("it is checked by more than a range, which confide does not do.")
            lowest.append(validator.get("minValue"))
            highest.append(validator.get("maxValue"))
        lows, highs = ([end for end in ends if is_number(end)] for ends in (lowest, highest))
        if slider:
            lows, highs = lows or [0], highs or [100]
        if not lows or not highs:
            raise DesignError('a number without a range: write "min" and "max".')
        step = element.get("step", 1 if slider else None)
        return {"low": max(lows), "high": min(highs)} | ({"step": step} if step else {})

    def read_options(self, asked: _Asked) -> list[tuple[str, str]]:
        options = self.read_items(asked.element.get("choices"))
        if not options:
            raise DesignError("its options are not listed in the form.")
        if asked.element.get("hasOther") or asked.element.get("showOtherItem"):
            options.append(("other", self.read_text(asked.element.get("otherText", "Other"))))
            self.form.skip(
                asked.place, "the text of “other” is not asked: confide takes no free text."
            )
        if asked.element.get("showRefuseItem"):
            options.append(("refuse", "prefer not to say"))
        return options

    def read_items(self, items: object) -> list[tuple[str, str]]:
        """Read the code and the label of each option, row or column."""
        found = []
        for item in items if isinstance(items, list) else []:
            if isinstance(item, dict):
                if item.get("visibleIf"):
                    raise DesignError("which options it has depends on another answer.")
                code = item.get("value", item.get("name", ""))
                found.append((str(code), self.read_text(item.get("text", item.get("title", code)))))
            elif isinstance(item, str | int | float):
                found.append((str(item), str(item)))
            else:
                raise DesignError(f"an option is {show(item)}, which is neither text nor number.")
        return found


_Make = Callable[[_Taker, _Asked], Item]
_KINDS: dict[str, _Make] = {
    "boolean": _Taker.make_boolean,
    "radiogroup": _Taker.make_choice,
    "dropdown": _Taker.make_choice,
    "buttongroup": _Taker.make_choice,
    "imagepicker": _Taker.make_choice,
    "checkbox": _Taker.make_several,
    "tagbox": _Taker.make_several,
    "matrix": _Taker.make_matrix,
    "rating": _Taker.make_rating,
    "text": _Taker.make_number,
    "slider": _Taker.make_number,
}
