"""confide check"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from confide import privacy
from confide.cli.showing import AsJson, print_json, print_table, print_text
from confide.design import Design, Finite, Question
from confide.planning import standard_error

_PEOPLE = 1_000


def check(
    survey: Annotated[Path, typer.Argument(help="The survey file.")],
    json: AsJson = False,
) -> None:
    """Say whether a survey is sound, what it gives away and what it will tell.

    Example: `confide check survey.toml`
    """
    design = Design.load(survey)
    statement = privacy.of(design)
    if json:
        print_json(
            {
                "sound": True,
                "fingerprint": design.fingerprint,
                "questions": [_described(design, question) for question in design.questions],
                "privacy": statement.to_dict(),
            }
        )
        return
    print_text(f"{survey.name} is sound. Fingerprint {design.fingerprint}")
    columns = [
        "question",
        "answers",
        "disguised by",
        "together with",
        f">± with {_PEOPLE:,} people",
    ]
    rows = [list(_described(design, question).values()) for question in design.questions]
    print_table(columns, [[_shown(cell) for cell in row] for row in rows])
    for sentence in statement.sentences():
        print_text(f"• {sentence}")


def _described(design: Design, question: Question) -> dict[str, Any]:
    """One question: its answers, its disguise, and the margin of its hardest share."""
    (block,) = (b for b in design.blocks if question in b.questions)
    margin = None
    if isinstance(question, Finite):
        events = [{question.name: label} for label in question.labels]
        margin = 1.96 * max(standard_error(design, event, None, _PEOPLE) for event in events)
    return {
        "name": question.name,
        "answers": list(question.labels) if isinstance(question, Finite) else [question.kind],
        "disguised_by": block.mechanism.kind if block.mechanism else "asked in the clear",
        "together_with": [other.name for other in block.questions if other is not question],
        "margin": margin,
    }


def _shown(cell: Any) -> str:
    if isinstance(cell, list):
        return ", ".join(cell[:5]) + (", …" if len(cell) > 5 else "")
    return f"{cell:.3f}" if isinstance(cell, float) else str(cell or "")
