"""The design: what respondent, collector and analyst must agree on."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from confide.design.block import Block
from confide.design.group import Group
from confide.design.questions import Choice, Finite, Number, Question, YesNo
from confide.design.soundness import find_problems, read_parts
from confide.errors import AnswersError, DesignError, QueryError, show
from confide.files import Json
from confide.mechanisms import Randomness
from confide.mechanisms.randomness import Seed

_LINE = 96


@dataclass(frozen=True)
class Design:
    """The questions, their groups and mechanisms. Immutable, and named by its fingerprint.

    Parameters
    ----------
    questions : sequence of YesNo, Choice or Number
        What is asked. A question in no group is asked in the clear.
    groups : sequence of Group
        Which questions are disguised together, and how.
    title : str
        The survey's name.

    Examples
    --------
    >>> import confide as cf
    >>> design = cf.Design(
    ...     [cf.YesNo("cheated", "Have you ever cheated in an exam?"), cf.Number("age", 16, 80)],
    ...     groups=[cf.Group(["cheated"], cf.RelatedQuestion(truth="3/4"))],
    ... )
    >>> design.names
    ('cheated', 'age')
    >>> design
    Design '', 1d49174f9579…
      cheated: RelatedQuestion(truth='3/4')
      age: in the clear
    """

    questions: Sequence[Question]
    groups: Sequence[Group] = ()
    title: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "questions", read_parts(self.questions, Question, "questions"))
        object.__setattr__(self, "groups", read_parts(self.groups, Group, "groups"))
        for problem in find_problems(self.questions, self.groups, self.title):
            raise DesignError(problem)
        object.__setattr__(self, "groups", tuple(map(self._with_own_options, self.groups)))

    def _with_own_options(self, group: Group) -> Group:
        """The group, with the options that its mechanism names as the questions write them."""
        mechanism = group.mechanism.for_questions(self._ask(group))
        return group if mechanism is group.mechanism else replace(group, mechanism=mechanism)

    def _ask(self, group: Group) -> list[Question]:
        return [self.question(name) for name in group.questions]

    def __repr__(self) -> str:
        """One line per group, and one for what is asked in the clear."""
        disguised = [(group.questions, repr(group.mechanism)) for group in self.groups]
        clear = [block.questions[0].name for block in self.blocks if block.mechanism is None]
        parts = [*disguised, *([(clear, "in the clear")] if clear else [])]
        lines = [_shorten(f"{', '.join(names)}: {how}") for names, how in parts]
        return "\n  ".join([f"Design {self.title!r}, {self.fingerprint[:12]}…", *lines])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The questions' names, in order."""
        return tuple(question.name for question in self.questions)

    def question(self, name: str) -> Question:
        """The question of this name."""
        return self.questions[self.position(name)]

    def position(self, name: str) -> int:
        """The place of a question among all."""
        if name not in self._positions:
            raise QueryError(
                f"there is no question {name!r}. The questions are {', '.join(self.names)}."
            )
        return self._positions[name]

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def declines(self) -> dict[str, str]:
        """Numbers that may be missing, each with the yes-no question that tells whether it is."""
        numbers = (question for question in self.questions if isinstance(question, Number))
        return {number.name: number.missing for number in numbers if number.missing is not None}

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The groups, and each question in the clear as a block of its own."""
        grouped = {name for group in self.groups for name in group.questions}
        disguised = [(group.questions, group.mechanism) for group in self.groups]
        clear = [([name], None) for name in self.names if name not in grouped]
        return tuple(
            Block(
                tuple(self.position(name) for name in names),
                tuple(self.question(name) for name in names),
                mechanism,
            )
            for names, mechanism in [*disguised, *clear]
        )

    def block(self, name: str) -> Block:
        """The block that a question is in."""
        return self._blocks_by_position[self.position(name)]

    def reported(self, name: str) -> Finite:
        """What is reported of a question with options, as a question of its own."""
        block = self.block(name)
        return block.reported[block.positions.index(self.position(name))]

    @cached_property
    def _blocks_by_position(self) -> dict[int, Block]:
        return {position: block for block in self.blocks for position in block.positions}

    @cached_property
    def fingerprint(self) -> str:
        """The SHA-256 of the canonical JSON: two designs agree if their fingerprints do."""
        return hashlib.sha256(self.canonical_json().encode()).hexdigest()

    def canonical_json(self) -> str:
        """The design as JSON with sorted keys, no spaces and exact fractions."""
        from confide.design.plain_values import canonical_json

        return canonical_json(self)

    @classmethod
    def load(cls, path: str | Path) -> Design:
        """Read a survey file (TOML or JSON) or a form (SurveyJS JSON or XLSForm ``.xlsx``)."""
        from confide.design.survey_file import SurveyFile

        return SurveyFile.read(path).design

    @classmethod
    def like(
        cls,
        frame: object,
        groups: Sequence[Group] = (),
        *,
        questions: Sequence[str] | None = None,
        title: str = "",
    ) -> Design:
        """Read a design off a table of answers, one question for each column.

        Truth values, 0 and 1, and yes and no make a `YesNo`, other texts a `Choice`, other numbers
        a `Number` from the lowest to the highest, by steps of 1 if they are whole. Options and
        ranges are then those of the people in the table: who may not tell them writes them down. An
        ordered column of pandas, or an Enum of Polars, tells its own options and their order.

        Parameters
        ----------
        frame : dataframe
            Of any kind that is held in memory.
        groups : sequence of Group
            Which questions are disguised together, and how.
        questions : sequence of str, optional
            The columns to take; left out, all.
        title : str
            The survey's name.

        Examples
        --------
        >>> import confide as cf, pyarrow as pa
        >>> people = pa.table({"cheated": [True, False], "sex": ["f", "m"], "age": [19, 24]})
        >>> design = cf.Design.like(people, [cf.Group(["cheated"], cf.RelatedQuestion(0.8))])
        >>> [question.kind for question in design.questions]
        ['yes-no', 'choice', 'number']
        """
        from confide.design.likeness import infer_design

        return infer_design(frame, questions, groups, title)

    def save(self, path: str | Path) -> None:
        """Write the design as TOML, as an XLSForm or as JSON: ``.toml``, ``.xlsx``, or other."""
        from confide.design.survey_file import write_survey_file

        write_survey_file(self, Path(path))

    @classmethod
    def from_surveyjs(cls, form: Json) -> Design:
        """Read a SurveyJS form, as `json.load` gives it."""
        from confide.design.form_exchange import from_surveyjs

        return from_surveyjs(form)

    def to_surveyjs(self) -> Json:
        """Give the design as a SurveyJS form, ready for `json.dump`.

        Its groups travel in the form's key ``confide``; `from_surveyjs` and `load` give the same
        design back.
        """
        from confide.design.form_exchange import to_surveyjs

        return to_surveyjs(self)

    def only(self, questions: Sequence[str]) -> Design:
        """The part of the design that asks some of its questions, disguised as here.

        Reports made under the whole design are read under a part of it: only the columns of these
        questions need be there, and what other columns hold does not matter. With a number comes
        the question that tells whether it is missing.

        Examples
        --------
        >>> import confide as cf, pyarrow as pa
        >>> groups = [cf.Group(["cheated", "drugs"], cf.RelatedQuestion(truth=1))]
        >>> design = cf.Design([cf.YesNo("cheated"), cf.YesNo("drugs")], groups)
        >>> crowd = cf.Crowd(design.only(["cheated"]), pa.table({"cheated": [1, 0, 1, 1]}))
        >>> crowd.proportion({"cheated": "yes"}).value
        0.75
        """
        wanted = [questions] if isinstance(questions, str) else list(questions)
        told = [self.declines[name] for name in wanted if name in self.declines]
        places = sorted({self.position(name) for name in (*wanted, *told)})
        kept = [self.questions[place] for place in places]
        names = {question.name for question in kept}
        groups = [group.narrow(self._ask(group), names) for group in self.groups]
        part = Design(kept, [group for group in groups if group], self.title)
        object.__setattr__(part, "_whole", self.whole)
        return part

    @property
    def whole(self) -> Design:
        """The design of which this is a part; itself, if it is not."""
        found: Design = self.__dict__.get("_whole", self)
        return found

    def with_missing_option(self) -> Design:
        """The same design with "prefer not to say" as an option of every finite question."""
        questions = [
            replace(q, missing="option")
            if isinstance(q, YesNo | Choice) and q.name not in self.declines.values()
            else q
            for q in self.questions
        ]
        return replace(self, questions=questions)

    def disguise(
        self,
        answers: object,
        *,
        seed: Seed = None,
        missing: Literal["error", "option", "at random"] = "error",
        keep: Sequence[str] | None = None,
    ) -> Any:
        """Disguise a whole table of answers by chance.

        Parameters
        ----------
        answers : dataframe or numpy array
            Any dataframe that narwhals reads (pandas, Polars, PyArrow, …) with one column per
            question but those that tell of missing numbers, or an array with all columns in order.
        seed : int or numpy Generator, optional
            For simulations: the same seed gives the same reports, and lets anyone undo them. Take
            another than drew the answers. Without it chance is the system's secure source.
        missing : {"error", "option", "at random"}
            With "option" a missing answer is disguised as "prefer not to say", one more option of
            every question; analyse such reports with `with_missing_option`. Where a personal or
            forced distribution leaves that option out, a report of it is true for certain. With
            "at random" a missing number stays missing, for all to see who read the reports: give
            them to a `Crowd` with ``missing="at random"``.
        keep : sequence of str, optional
            Other columns that stay in the reports, such as ``["id", "weight"]``. They are not
            disguised: who reads the reports reads them. Left out, there are none, and a warning
            says which columns were dropped; ``keep=[]`` drops them without a word.

        Returns
        -------
        dataframe or numpy array
            The reports, in the kind the answers came in: the questions in their order, then the
            kept columns. The index of a pandas frame and categories stay.
        """
        from confide.design.disguise import disguise

        if missing not in ("error", "option", "at random"):
            raise AnswersError(
                f'missing must be "error", "option" or "at random". Got {show(missing)}.'
            )
        design = self.with_missing_option() if missing == "option" else self
        return disguise(design, answers, Randomness(seed), keep, missing == "at random")


def _shorten(line: str) -> str:
    """Leave out the middle of a long line."""
    half = _LINE // 2
    return line if len(line) <= _LINE else f"{line[: half - 1]}…{line[-half:]}"
