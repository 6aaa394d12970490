"""confide demo"""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pyarrow as pa
import typer

from confide.cli.init import example_survey
from confide.cli.output import (
    AsJson,
    bar,
    estimate_to_dict,
    margin,
    print_json,
    print_table,
    print_text,
)
from confide.cli.served_demo import ServedDemo
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
    json: AsJson = False,
) -> None:
    """Serve an example survey, let simulated people answer it, and watch the results move.

    Answer it yourself meanwhile. Everything is gone when you press Ctrl-C.

    Example: `confide demo --respondents 5000`
    """
    design = SurveyFile.parse(example_survey().encode(), "campus.toml").design
    answers = simulated(respondents, seed)
    if terminal or json:
        _print(design, answers, seed, json)
        return
    ServedDemo(design, answers, seed, seconds, browser).run()


def _print(design: Design, answers: pa.Table, seed: int, json: bool) -> None:
    """Print what the collector would see, what comes back, and the truth."""
    crowd = Crowd(design, design.disguise(answers, seed=seed))
    rows = [
        (
            question.name,
            label,
            _share(answers, question.name, label),
            _raw(crowd, question, label),
            crowd.proportion({question.name: label}),
        )
        for question in design.questions
        if isinstance(question, Finite)
        for label in question.labels
    ]
    if json:
        print_json(
            [
                {"question": q, "answer": a, "truth": t, "reported": r, **estimate_to_dict(e)}
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
            [q if new else "", a, f"{r:.3f}", f"{e.value:.3f}", margin(e), bar(e.value), f"{t:.3f}"]
        )
    print_table(["question", "answer", ">reported", ">estimate", ">95 %", "", ">truth"], shown)
    print_text(
        "Faculty and age are asked in the clear. Next: confide init survey.toml writes this survey "
        "for you to edit."
    )


def simulated(respondents: int, seed: int) -> pa.Table:
    """A made-up student body in which the sensitive answers go together."""
    generator = np.random.default_rng(seed)
    faculty = generator.choice(["arts", "law", "science"], respondents, p=[0.4, 0.25, 0.35])
    wild = generator.random(respondents)
    cheated = wild + 0.1 * (faculty == "law") > 0.75
    drugs = (wild > 0.8) | (generator.random(respondents) < 0.08)
    harassed = generator.choice(
        ["never", "once", "more than once"], respondents, p=[0.72, 0.18, 0.10]
    )
    age = np.clip(18 + generator.gamma(2.0, 2.5, respondents).round(), 16, 80)
    words = np.array(["no", "yes"])
    return pa.table(
        {
            "cheated": words[cheated.astype(int)],
            "drugs": words[drugs.astype(int)],
            "harassed": harassed,
            "faculty": faculty,
            "age": age,
        }
    )


def _share(answers: pa.Table, name: str, label: str) -> float:
    return float(np.mean(np.asarray(answers[name]) == label))


def _raw(crowd: Crowd, question: Finite, label: str) -> float:
    (counts,) = crowd.counts
    return float(counts.table([question.name])[question.code(label)] / counts.n)
