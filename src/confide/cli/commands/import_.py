"""The command `confide import`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from confide.cli.options import JsonOption
from confide.cli.output import print_json, print_text
from confide.design.survey_file import read_content
from confide.errors import ConfideError, DesignError
from confide.files import write_atomically
from confide.formats.imports.taken_form import Remark
from confide.formats.toml import to_toml
from confide.surveys.form_import import ImportedForm, import_form


def import_(
    form: Annotated[Path, typer.Argument(help="An XLSForm (.xlsx) or a SurveyJS form (.json).")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The survey file to write.")],
    language: Annotated[
        str | None, typer.Option(help="Which of the form's languages, such as en.")
    ] = None,
    leave_out: Annotated[
        bool, typer.Option("--leave-out", help="Write the survey without what cannot be asked.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Turn a form of another tool into a survey, and list what cannot be taken over.

    Where a question cannot be asked nothing is written, unless you leave it out. Questions with
    several answers become yes-no questions. All is asked in the clear until you give it groups.

    Example: `confide import form.xlsx -o survey.toml --language en --leave-out`
    """
    if output.exists():
        raise ConfideError(f"{output.name} exists already. Choose another name.")
    if output.suffix != ".toml":
        raise ConfideError(f"a survey file's name ends in .toml. Got {output.name}.")
    imported = import_form(read_content(form), form.name, language)
    questions = imported.survey["question"]
    written = bool(questions) and (leave_out or not imported.left_out)
    if written:
        with write_atomically(output) as temporary:
            temporary.write_text(to_toml(imported.survey), encoding="utf-8")
    if json:
        print_json(_to_dict(imported, output if written else None))
    else:
        _print_remarks("Skipped, without harm to what is asked:", "·", imported.skipped)
        _print_remarks("Cannot be asked:", "✗", imported.left_out)
    if not questions:
        raise DesignError(f"{form.name}: nothing of it can be asked.")
    if not written:
        raise DesignError(
            f"{form.name}: {len(imported.left_out)} of its questions cannot be asked, and "
            f"{len(questions)} can. --leave-out writes the survey without them."
        )
    if not json:
        count = "1 question" if len(questions) == 1 else f"{len(questions)} questions"
        clear = "" if "group" in imported.survey else " All is in the clear until you add groups."
        print_text(f"Wrote {output} with {count}.{clear} Then: confide check {output}")


def _print_remarks(lead: str, mark: str, remarks: Sequence[Remark]) -> None:
    if remarks:
        print_text(lead)
    for remark in remarks:
        print_text(f"{mark} {remark.place}: {remark.why}")


def _to_dict(imported: ImportedForm, written: Path | None) -> dict[str, object]:
    return {
        "written": None if written is None else str(written),
        "questions": [entry["name"] for entry in imported.survey["question"]],
        "skipped": [vars(remark) for remark in imported.skipped],
        "left_out": [vars(remark) for remark in imported.left_out],
    }
