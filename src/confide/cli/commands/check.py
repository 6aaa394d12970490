"""The command `confide check`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from confide import privacy
from confide.arrays import Z95
from confide.cli.ethics import write_for_ethics
from confide.cli.options import JsonOption, SurveyArgument
from confide.cli.output import print_json, print_table, print_text
from confide.design import Design, Question
from confide.design.survey_file import SurveyFile
from confide.errors import DesignError, one_line
from confide.planning import standard_error
from confide.surveys.survey import Survey, find_survey_problems

_PEOPLE = 1_000
_COLUMNS = {
    "name": "question",
    "answers": "answers",
    "disguised_by": "disguised by",
    "together_with": "together with",
    "margin": f">± with {_PEOPLE:,} people",
}


class Reader(StrEnum):
    """Whom a check is written for."""

    ETHICS = "ethics"


def check(
    survey: SurveyArgument,
    reader: Annotated[
        Reader | None,
        typer.Option("--for", help="Write a consent text and a summary for an ethics board."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Say whether a survey is sound, what it gives away and what it will tell.

    All that is wrong is listed, the worst first. The exit code is 2 where the survey is unsound: no
    command takes it; and 1 where it is sound, but `confide serve` refuses it.

    Example: `confide check survey.toml --for ethics`
    """
    if reader is Reader.ETHICS:
        typer.echo(write_for_ethics(Survey.load(survey)), nl=False)
        return
    file = SurveyFile.read(survey)
    refused = [one_line(problem) for problem in find_survey_problems(file)]
    if file.problems:
        if json:
            print_json({"sound": False, "served": False, "findings": refused})
        elif len(refused) > 1:
            _print_findings(f"{survey.name} is not sound.", refused)
        raise DesignError(f"{file.name}: {refused[0]}")
    design = file.design
    statement = privacy.of(design)
    if json:
        print_json(
            {
                "sound": True,
                "served": not refused,
                "findings": refused,
                "fingerprint": design.fingerprint,
                "questions": [_describe(design, question) for question in design.questions],
                "privacy": statement.to_dict(),
            }
        )
        raise typer.Exit(1 if refused else 0)
    if refused:
        _print_findings(f"{survey.name}: confide serve refuses this survey.", refused)
        print_text("For all other commands it is sound.")
    else:
        print_text(f"{survey.name} is sound.")
    print_text(f"Fingerprint {design.fingerprint}")
    rows = [_describe(design, question) for question in design.questions]
    shown = [key for key in _COLUMNS if any(row[key] for row in rows)]
    print_table(
        [_COLUMNS[key] for key in shown],
        [[_format_cell(row[key]) for key in shown] for row in rows],
    )
    for sentence in statement.sentences():
        print_text(f"• {sentence}")
    if refused:
        raise typer.Exit(1)


def _print_findings(lead: str, findings: list[str]) -> None:
    print_text(f"{lead} The worst first:")
    for finding in findings:
        print_text(f"✗ {finding}")


Cell = str | list[str] | float | None


def _describe(design: Design, question: Question) -> dict[str, Cell]:
    """Describe one question: its answers, its disguise, and the margin of its hardest share."""
    block = design.block(question.name)
    margin = None
    if question.grid is None:
        events = [{question.name: label} for label in question.labels]
        margin = Z95 * max(standard_error(design, event, None, _PEOPLE) for event in events)
    return {
        "name": question.name,
        "answers": list(question.labels) if question.grid is None else [question.kind],
        "disguised_by": block.mechanism.kind if block.mechanism else "asked in the clear",
        "together_with": [other.name for other in block.questions if other is not question],
        "margin": margin,
    }


def _format_cell(cell: Cell) -> str:
    if isinstance(cell, list):
        return ", ".join(cell[:5]) + (", …" if len(cell) > 5 else "")
    return f"{cell:.3f}" if isinstance(cell, float) else str(cell or "")
