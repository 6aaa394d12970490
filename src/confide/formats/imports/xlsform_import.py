"""XLSForm workbooks taken over as far as they go."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from confide.errors import DesignError
from confide.formats.forms import Names, check_question_count, make_finite_entry
from confide.formats.imports.conditions import read_conditions, read_xpath
from confide.formats.imports.languages import choose_language
from confide.formats.imports.taken_form import FormCondition, Item, TakenForm, expand_options
from confide.formats.workbook import Row, Rows, read_sheets
from confide.formats.xlsform import read_groups, read_option, read_ranged_entry

_TRANSLATED = ("label", "hint")
_SELECT = re.compile(
    r"(?:add )?select[ _]?(?P<one>one|1)(?: prompt using| from)? (?P<list>\S+)(?P<other> .*)?"
    r"|(?:add )?select[ _](?:multiple|all that apply)(?: prompt using| from)? "
    r"(?P<many>\S+)(?P<more> .*)?",
    re.IGNORECASE,
)
_NUMBERS = ("integer", "int", "decimal", "range")
_DEVICE = {
    *("start", "end", "today", "deviceid", "device id", "subscriberid", "subscriber id"),
    *("simserial", "sim id", "phonenumber", "username", "email", "audit", "start time"),
    *("end time", "start-geopoint", "background-audio", "background-geopoint"),
}
_NOT_ANSWERED = {"note", "calculate", "hidden", "xml-external", "csv-external", "add note prompt"}
_DROPPED = {
    "default": "no answer is filled in beforehand",
    "read_only": "no answer is filled in beforehand",
    "image": "pictures and sounds are not shown",
    "audio": "pictures and sounds are not shown",
    "video": "pictures and sounds are not shown",
}


def take_xlsform(content: bytes, language: str | None = None) -> TakenForm:
    """Take over what a workbook asks, in one of its languages."""
    sheets = read_sheets(content, name_column)
    if "survey" not in sheets:
        raise DesignError("a workbook of XLSForm has a sheet named survey. This one has none.")
    check_question_count(len(sheets["survey"]))
    return _Taker(sheets, language).take()


def name_column(head: object) -> str:
    """Give a column's name in lower case; the language of a label stays as it is written.

    >>> [name_column(head) for head in ("List Name", "label::English (en)", "Label:fr", "Label")]
    ['list_name', 'label::English (en)', 'label::fr', 'label']
    """
    base, colon, language = str(head or "").strip().partition(":")
    name = "_".join(base.lower().split())
    if name in _TRANSLATED and colon:
        return f"{name}::{language.lstrip(':').strip()}"
    return name + colon + language.lower()


@dataclass
class _Container:
    """A group that is open: after which answers it is asked, as the form writes it."""

    relevant: str
    repeated: bool


@dataclass
class _Taker:
    """Takes one workbook over, row by row."""

    sheets: dict[str, Rows]
    wanted: str | None
    form: TakenForm = field(default_factory=TakenForm)
    open_groups: list[_Container] = field(default_factory=list)

    def take(self) -> TakenForm:
        form = self.form
        settings = {
            key: value for _, row in self.sheets.get("settings", []) for key, value in row.items()
        }
        form.title = str(settings.get("form_title", ""))
        form.groups = read_groups(self.sheets.get("confide", []))
        self.language = self.choose_language(str(settings.get("default_language", "")))
        self.lists: dict[str, Rows] = {}
        for place, row in self.sheets.get("choices", []):
            self.lists.setdefault(str(row.get("list_name", "")).strip(), []).append((place, row))
        self.names = Names(
            str(row["name"]).strip() for _, row in self.sheets["survey"] if "name" in row
        )
        for place, row in self.sheets["survey"]:
            self.take_row(place, row)
        return form

    def choose_language(self, usual: str) -> str:
        columns = [
            c
            for sheet in ("survey", "choices")
            for _, row in self.sheets.get(sheet, [])
            for c in row
        ]
        named = [c.partition("::")[2] for c in columns if c.partition("::")[0] in _TRANSLATED]
        language = choose_language(named, self.wanted, usual)
        others = sorted({each for each in named if each not in ("", language)})
        if others:
            self.form.skip(
                "languages",
                f"taken is {language or 'the one without a name'}; not {', '.join(others)}.",
            )
        return language

    def read_text(self, row: Row, base: str) -> str:
        for column in (f"{base}::{self.language}", base):
            if column in row:
                return str(row[column]).strip()
        return ""

    def take_row(self, place: str, row: Row) -> None:
        given = " ".join(str(row.get("type", "")).split())
        kind = given.lower().replace("_", " ")
        name = str(row.get("name", "")).strip()
        place = f"{place} ({name})" if name else place
        if kind.startswith(("begin", "end")) and kind not in _DEVICE:
            self.take_container(place, kind, row)
        elif not given or kind in _NOT_ANSWERED:
            self.form.skip(place, f"{given or 'an empty row'}: nobody answers it.")
        elif kind in _DEVICE or given.lower() in _DEVICE:
            self.form.skip(place, f"{given}: confide never asks a device who or where it is.")
        else:
            self.take_question(place, name, given, row)

    def take_container(self, place: str, kind: str, row: Row) -> None:
        if kind.startswith("end"):
            if self.open_groups:
                self.open_groups.pop()
            return
        repeated = "group" not in kind
        if repeated:
            self.form.skip(place, f"{kind}: confide asks every question once.")
        self.open_groups.append(_Container(str(row.get("relevant", "")), repeated))

    def take_question(self, place: str, name: str, given: str, row: Row) -> None:
        try:
            item = self.make_item(place, name, given, row)
            self.check_plain(row)
            item = replace(item, conditions=self.find_conditions(row))
        except DesignError as error:
            self.form.refuse(place, str(error).removeprefix(f"{place}, "))
            return
        self.form.add(name, item)
        bases = {re.split(":+", column.removeprefix("media::"))[0] for column in row}
        for why in dict.fromkeys(_DROPPED[base] for base in _DROPPED if base in bases):
            self.form.skip(place, f"{why}.")

    def find_conditions(self, row: Row) -> tuple[FormCondition, ...]:
        if any(group.repeated for group in self.open_groups):
            raise DesignError("it is asked several times over; confide asks every question once.")
        texts = [group.relevant for group in self.open_groups] + [str(row.get("relevant", ""))]
        given = [text for text in texts if text]
        return read_conditions(read_xpath, given, "${part} = 'production'")

    def check_plain(self, row: Row) -> None:
        """Refuse what depends on earlier answers in another way."""
        if "choice_filter" in row:
            raise DesignError("which options it has depends on another answer.")
        texts = [self.read_text(row, base) for base in _TRANSLATED]
        if self.names.find_mentioned(" ".join(texts)):
            raise DesignError(
                "its text repeats an earlier answer; confide shows texts as they are."
            )

    def make_item(self, place: str, name: str, given: str, row: Row) -> Item:
        label = self.read_text(row, "label")
        text = "\n".join(
            filter(None, [label if label != name else "", self.read_text(row, "hint")])
        )
        if found := _SELECT.fullmatch(given):
            options = self.read_options(found["list"] or found["many"])
            if "other" in (found["other"] or found["more"] or "").lower():
                options.append(("other", "Other"))
                self.form.skip(
                    place, "the text of “other” is not asked: confide takes no free text."
                )
            if found["many"]:
                return expand_options(place, name, text, options)
            ordered = "likert" in str(row.get("appearance", "")).split()
            entry = make_finite_entry(name, text, [label for _, label in options], ordered)
            answers = {code: (name, str(label)) for code, label in options}
            if entry["kind"] == "yes-no":
                answers = {
                    code: (name, label.strip().lower()) for code, (_, label) in answers.items()
                }
            return Item(place, [entry], {}, answers)
        kind = given.lower()
        if kind in _NUMBERS:
            if kind != "range" and "constraint" not in row:
                raise DesignError(
                    "a number without a range: write a constraint such as . >= 0 and . <= 99."
                )
            ranged = {**row, "label": label, "hint": self.read_text(row, "hint")}
            entry = read_ranged_entry(place, {k: v for k, v in ranged.items() if v != ""}, kind)
            return Item(place, [entry])
        raise DesignError(f"{given}: confide asks options and numbers, nothing else.")

    def read_options(self, name: str) -> list[tuple[str, str]]:
        choices = self.lists.get(name, [])
        if not choices:
            raise DesignError(f"its options ({name}) are not in the sheet choices.")
        found = []
        for _, row in choices:
            code = str(read_option(row.get("name", row.get("value", ""))))
            label = next((row[c] for c in (f"label::{self.language}", "label") if c in row), code)
            found.append((code, str(read_option(label))))
        return found
