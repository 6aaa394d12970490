"""What the pages of the results show, from what was asked: cards, tables, lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from confide.arrays import Z95
from confide.files import Json
from confide.surveys.field import Field
from confide.web.admin.asked_only import link_asked, say_asked_only
from confide.web.admin.cross_tables import estimate_cross_table
from confide.web.admin.result_charts import Bar, Truth, choose_scale, draw_bars, show_question
from confide.web.admin.result_links import Links
from confide.web.admin.result_words import ResultWords
from confide.web.admin.results import describe_estimate, estimate_question
from confide.web.admin.shown_people import (
    ShownPeople,
    can_be_given,
    count_people,
    label_condition,
)

_SHORT = 40  # characters of a question in a list
_LINES = 5  # of the privacy card


@dataclass(frozen=True, eq=False)
class ResultViews:
    """Shows results in one language, with the links of one request.

    Parameters
    ----------
    words : ResultWords
        The language.
    links : Links
        Where the pages are.
    truth : Truth, optional
        The true shares, where people are simulated.
    """

    words: ResultWords
    links: Links = field(default_factory=Links)
    truth: Truth | None = None

    @property
    def fields(self) -> Sequence[Field]:
        """The survey's questions."""
        return self.words.survey.questionnaire.fields

    def list_cards(self, people: ShownPeople) -> list[Json]:
        """List a card for each question that is not given."""
        given = {each.name for each in people.conditions}
        shown = [each for each in self.fields if each.name not in given]
        return [self._show(people, each, brief=True) for each in shown]

    def show_question(self, people: ShownPeople, asked: Field) -> Json:
        """Show one question with all its answers."""
        return self._show(people, asked, brief=False)

    def _show(self, people: ShownPeople, asked: Field, *, brief: bool) -> Json:
        truth = None if people.conditions else self.truth
        found = estimate_question(people, asked)
        shown = show_question(self.words, asked, found, truth, brief)
        given = self._say_given(people, asked) if shown["bars"] else ""
        return {
            **shown,
            "given": given,
            "link": self.links.question(asked.name),
            "asked_only": say_asked_only(self.words, people, asked),
            "asked_link": link_asked(self.links, people, asked),
        }

    def _say_given(self, people: ShownPeople, *asked: Field) -> str:
        """Say that numbers which may be missing are of those who gave them; else nothing."""
        declines = self.words.survey.design.declines
        numbers = [each.name for each in asked if each.name in declines]
        if not numbers:
            return ""
        count, total = people.count_given(numbers), people.counts.n
        some = self.words.say("among_people", count=count, total=total)
        return self.words.say("of_given", people=some)

    def list_offered(self, people: ShownPeople) -> list[Json]:
        """List the answers by which people can be grouped further."""
        given, offered = {each.name for each in people.conditions}, []
        for each in self.fields:
            if each.name in given or not can_be_given(each):
                continue
            _, conditions, shown = people.list_groups(each.name)
            answers = [
                (people.write_condition(one), self.words.answer(each, label_condition(each, one)))
                for one, told in zip(conditions, shown, strict=True)
                if told
            ]
            if answers and len(conditions) > 1:
                text = self.words.name(each)
                offered.append({"text": text, "short": _shorten(text), "answers": answers})
        return offered

    def list_conditions(self, people: ShownPeople, path: str, **given: str) -> list[Json]:
        """List the answers that the people share, each with the address without it."""
        found = []
        for place, condition in enumerate(people.conditions):
            asked = people.find_field(condition.name)
            label = self.words.answer(asked, label_condition(asked, condition))
            others = [each for i, each in enumerate(self.links.among) if i != place]
            text = f"{_shorten(self.words.name(asked))} · {label}"
            found.append({"text": text, "without": self.links.to(path, others, **given)})
        return found

    def count_people(self, people: ShownPeople) -> str:
        """Say how many people share the answers."""
        if not people.conditions:
            return ""
        total = people.counts.n
        count = round(people.crowd.share * total)
        return self.words.say("among_people", count=count, total=total)

    def list_questions(self, *, finite: bool = False) -> list[tuple[str, str]]:
        """List the questions, by name, as a person chooses among them."""
        return [
            (each.name, _shorten(self.words.name(each)))
            for each in self.fields
            if each.finite or not finite
        ]

    def show_crossed(self, people: ShownPeople, row: str, column: str, of: str) -> Json:
        """Show two questions together."""
        found = estimate_cross_table(people, row, column, of)
        outer, inner = (people.find_field(name) for name in found["questions"])
        every = [each for group in found["groups"] for each in group["rows"] or []]
        scale = choose_scale(every) if of == "all" else 1.0
        groups = []
        for group in found["groups"]:
            bars = group["rows"] and draw_bars(self.words, inner, group["rows"], scale=scale)
            told = bars is not None
            count = self.words.say("model_people", count=group["people"]) if told else ""
            label = self.words.answer(outer, group["answer"])
            groups.append({"label": label, "people": count, "bars": bars})
        names = {"row": self.words.name(outer), "column": self.words.name(inner)}
        note = (
            self.words.say("shares_of_all", n=found["n"])
            if of == "all"
            else self.words.texts["shares_of_group"]
        )
        notes = [
            note,
            self._say_given(people, outer, inner),
            say_asked_only(self.words, people, outer, inner.name),
            say_asked_only(self.words, people, inner, outer.name),
        ]
        note = " · ".join(dict.fromkeys(filter(None, notes)))
        return {"caption": self.words.say("crossed", **names), "note": note, "groups": groups}

    def show_tried(self, row: Json) -> Json:
        """Show a yes-no question of simulated people beside the truth."""
        asked = next(each for each in self.fields if each.name == row["question"])
        rows, truth = [{**row, "answer": "yes"}], {"yes": row["truth"]}
        bars = draw_bars(self.words, asked, rows, truth=truth, digits=1)
        return {"text": self.words.name(asked), "bars": bars}

    def list_privacy_lines(self, found: Json) -> list[str]:
        """Say what a report gives away in five lines at most, the worst first."""
        say, names = self.words.say, {each.name: self.words.name(each) for each in self.fields}
        lines = []
        if found["clear"]:
            clear = ", ".join(_shorten(names[name]) for name in found["clear"])
            lines.append(say("privacy_clear", questions=clear))
        worst = say("privacy_nothing")
        if found["guesses"]:
            worst = (
                self.words.texts["privacy_unbounded"]
                if found["epsilon"] is None
                else say("privacy_epsilon", times=found["times"], epsilon=found["epsilon"])
            )
        ends = {"more than 99": "model_most", "fewer than 1": "model_few"}
        for name, *chances in found["guesses"][: _LINES - 1 - len(lines)]:
            said = [self.words.marks[ends[each]] if each in ends else each for each in chances]
            values = dict(zip(("guessed", "before"), said, strict=True))
            lines.append(say("privacy_guess", name=_shorten(names[name]), **values))
        return [*lines, worst]

    def draw_estimates(self, estimates: Sequence[tuple[str, Json]]) -> list[Bar]:
        """Draw shares that are no answers, such as accuracies."""
        return [
            Bar(
                label,
                self.words.percent(found["share"], 0),
                self.words.span(found, 0),
                100 * min(max(found["share"], 0), 1),
                None if found["low"] is None else (100 * found["low"], 100 * found["high"]),
            )
            for label, found in estimates
        ]

    def show_model(self, people: ShownPeople, target: str, found: Json) -> Json:
        """Show a learned model: how often it is right, beside the majority, and what it says."""
        asked, say = people.find_field(target), self.words.say
        majority = max(people.crowd.table([target]).rows(), key=lambda row: row[-1].value)
        always = say("model_majority", answer=self.words.answer(asked, str(majority[0])))
        compared, accuracy = [(always, describe_estimate(majority[-1]))], found["accuracy"]
        how, no_better = "", False
        if accuracy is not None:
            compared.insert(0, (self.words.texts["model_accuracy"], accuracy))
            how = say("model_how", folds=found["folds"])
            surely = accuracy["share"] - Z95 * accuracy["standard_error"]
            no_better = surely <= majority[-1].value
        shown: Json = {
            "accuracy": self.draw_estimates(compared),
            "how": how,
            "no_better": no_better,
            "unscored": found["unscored"],
            "tree": None,
            "table": None,
            "classes": [self.words.answer(asked, each) for each in found["model"]["classes"]],
        }
        if found.get("outline"):
            shown["tree"] = self._show_node(people, asked, found["outline"])
        if found.get("table"):
            sizes = count_people(people.crowd, target)
            told = [size >= self.words.survey.page.minimum for size in sizes]
            shown["table"] = self._show_chances(people, found["table"], told)
        return shown

    def _show_node(self, people: ShownPeople, target: Field, node: Json) -> Json:
        """One node of a tree: what it says of how many people, and where it leads."""
        parts = [self.words.say("model_leaf", answer=self.words.answer(target, node["label"]))]
        if node["people"] < (minimum := self.words.survey.page.minimum):
            parts.append(self.words.say("group_hidden", minimum=minimum))
        elif node["at_most"] is not None:
            parts.append(self.words.say("model_perhaps_none", count=round(node["at_most"])))
        else:
            share = self.words.percent(node["chance"])
            parts.append(self.words.say("model_chance", share=share))
            parts.append(self.words.say("model_people", count=round(node["people"])))
        branches = []
        if node["branches"]:
            asked = people.find_field(node["question"])
            branches = [
                (self._say_branch(asked, each), self._show_node(people, target, each["node"]))
                for each in node["branches"]
            ]
        text = self.words.name(people.find_field(node["question"])) if branches else ""
        return {"said": " · ".join(parts), "text": text, "branches": branches}

    def _say_branch(self, asked: Field, branch: Json) -> str:
        if branch["values"]:
            return " / ".join(self.words.answer(asked, each) for each in branch["values"])
        low, high = (
            None if branch[end] is None else self.words.decimal(branch[end], 1)
            for end in ("low", "high")
        )
        return " ".join(filter(None, (low and f"≥ {low}", high and f"< {high}"))) or "–"

    def _show_chances(
        self, people: ShownPeople, table: list[Json], told: list[bool]
    ) -> list[tuple[str, list[Any]]]:
        """How often each answer is given in each class that can be told of, by question."""
        shown: dict[str, list[Any]] = {}
        for row in table:
            asked = people.find_field(row["question"])
            chances = [
                self.words.percent(each if shown_of else None)
                for each, shown_of in zip(row["chances"], told, strict=True)
            ]
            rows = shown.setdefault(self.words.name(asked), [])
            rows.append((self.words.answer(asked, row["answer"]), chances))
        return list(shown.items())


def _shorten(text: str) -> str:
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 1]}…"
