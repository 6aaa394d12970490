"""confide check"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from confide.cli.showing import AsJson, print_json, print_table, print_text
from confide.design import Design, Finite


def check(
    survey: Annotated[Path, typer.Argument(help="The survey file.")],
    json: AsJson = False,
) -> None:
    """Say whether a survey is sound, what it gives away and what it will tell.

    Example: `confide check survey.toml`
    """
    design = Design.load(survey)
    if json:
        print_json({"sound": True, "fingerprint": design.fingerprint, "questions": _rows(design)})
        return
    print_text(f"{survey.name} is sound. Fingerprint {design.fingerprint}")
    print_table(["question", "kind", "answers", "disguised by", "together with"], _rows(design))


def _rows(design: Design) -> list[list[str]]:
    rows = []
    for question in design.questions:
        (block,) = (b for b in design.blocks if question in b.questions)
        others = [other.name for other in block.questions if other is not question]
        how = block.mechanism.kind if block.mechanism else "asked in the clear"
        answers = question.labels if isinstance(question, Finite) else ()
        shown = ", ".join(answers[:6]) + (", …" if len(answers) > 6 else "")
        rows.append([question.name, question.kind, shown, how, ", ".join(others)])
    return rows
