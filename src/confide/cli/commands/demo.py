"""The command `confide demo`."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import numpy as np
import pyarrow as pa
import typer

from confide.cli.demo_server import DemoServer
from confide.cli.example import read_example_survey, simulate_students
from confide.cli.options import JsonOption
from confide.cli.output import (
    draw_bar,
    format_margin,
    print_json,
    print_table,
    print_text,
    share_to_dict,
)
from confide.crowd import Crowd
from confide.design import Design, Finite
from confide.design.survey_file import SurveyFile


def demo(
    respondents: Annotated[int, typer.Option(min=50, help="How many people to simulate.")] = 500,
    seconds: Annotated[
        float, typer.Option(min=0, help="How long the last of them take to answer.")
    ] = 60,
    browser: Annotated[bool, typer.Option(help="Open the results in a browser.")] = True,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Serve nothing; print the results and the truth.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Another seed, another crowd.")] = 2,
    json: JsonOption = False,
) -> None:
    """Serve an example survey, let simulated people answer it, and watch the results move.

    Answer it yourself meanwhile. Everything is gone when you press Ctrl-C.

    Example: `confide demo --respondents 5000`
    """
    design = SurveyFile.parse(read_example_survey().encode(), "campus.toml").design
    if terminal or json:
        _print_results(design, simulate_students(respondents, seed), seed, json)
        return
    draw_people = partial(simulate_students, seed=seed)
    DemoServer(design, draw_people, respondents, seed, seconds, browser).run()


def _print_results(design: Design, answers: pa.Table, seed: int, json: bool) -> None:
    """Print what the collector would see, what comes back, and the truth."""
    crowd = Crowd(design, design.disguise(answers, seed=seed))
    rows = [
        (
            question.name,
            label,
            _find_true_share(answers, question.name, label),
            _find_reported_share(crowd, question, label),
            crowd.proportion({question.name: label}),
        )
        for question in design.questions
        if isinstance(question, Finite)
        for label in question.labels
    ]
    if json:
        print_json(
            [
                {"question": q, "answer": a, "truth": t, "reported": r, **share_to_dict(e)}
                for q, a, t, r, e in rows
            ]
        )
        return
    print_text(
        f"{design.title}: {crowd.n:,} simulated people, each with answers disguised by chance "
        "before anyone saw them. “Reported” is all that a collector gets, “estimate” is what the "
        "algebra gives back, “truth” is known only because this is a simulation."
    )
    shown = []
    for i, (q, a, t, r, e) in enumerate(rows):
        new = i == 0 or rows[i - 1][0] != q
        shown.append(
            [
                q if new else "",
                a,
                f"{r:.3f}",
                f"{e.value:.3f}",
                format_margin(e),
                draw_bar(e.value),
                f"{t:.3f}",
            ]
        )
    print_table(["question", "answer", ">reported", ">estimate", ">95 %", "", ">truth"], shown)
    print_text(
        "Faculty and age are asked in the clear. Next: confide init survey.toml writes this survey "
        "for you to edit."
    )


def _find_true_share(answers: pa.Table, name: str, label: str) -> float:
    return float(np.mean(np.asarray(answers[name]) == label))


def _find_reported_share(crowd: Crowd, question: Finite, label: str) -> float:
    (counts,) = crowd.counts
    return float(counts.table([question.name])[question.code(label)] / counts.n)
