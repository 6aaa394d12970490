"""Pages of the papers run again, from the folder of a run: make reproduce.

    python docs/reproduced.py build/reproduced

It writes one page per paper and one with all claims into docs/ideas/papers/results, with the
figures, and the figure of the README.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

from confide.papers.catalogue import PAPERS
from confide.papers.paper_report import MARKS

DOCS = Path(__file__).parent
README_FIGURE = ("four-group", "one-to-four-groups")


def main(run: Path, docs: Path = DOCS) -> None:
    """Write all pages."""
    results = docs / "ideas" / "papers" / "results"
    found = [json.loads((run / name / "claims.json").read_text("utf-8")) for name in PAPERS]
    shutil.rmtree(results, ignore_errors=True)
    for each in found:
        folder = results / each["paper"]
        folder.mkdir(parents=True)
        for figure in each["figures"]:
            name = f"{figure['name']}.svg"
            shutil.copyfile(run / each["paper"] / "figures" / name, folder / name)
        (results / f"{each['paper']}.md").write_text(write_page(each), encoding="utf-8")
    (results / "index.md").write_text(write_index(found), encoding="utf-8")
    paper, name = README_FIGURE
    shutil.copyfile(run / paper / "figures" / f"{name}.svg", docs / "pictures" / f"{name}.svg")


def write_page(found: dict[str, Any]) -> str:
    """One paper: how it was run, its claims, its figures, its readings."""
    parts = [
        f"# {found['paper']}, run again",
        f"{found['title']} [The paper, section by section](../{found['paper']}.md).",
        write_run(found["run"]),
        "## What it claims",
        write_claims(found["claims"]),
        "## Its figures",
        "The same lines stand in every accuracy figure: *original*, the learner on the true "
        "answers, which nobody has; *paper*, the paper's method on the reports; *control*, the "
        "same learner on the reports as they are, as if they were true; *confide*, confide's "
        "default learner. A band is two standard errors of the mean.",
        *(
            f"![{figure['title']}]({found['paper']}/{figure['name']}.svg)\n\n"
            f"**{figure['title']}.** {figure['caption']}"
            for figure in found["figures"]
        ),
        "## How its text is read",
        "\n".join(f"- {note}" for note in found["notes"]),
    ]
    return "\n\n".join(parts) + "\n"


def write_index(found: list[dict[str, Any]]) -> str:
    """All claims of all papers."""
    parts = [
        "# The papers, run again",
        "Every claim that numbers can decide, checked on a run of the papers' experiments. `make "
        "reproduce` makes these pages again; `confide reproduce PAPER` makes a report of one paper "
        "in which the figures can be explored.",
    ]
    for each in found:
        parts += [f"## [{each['paper']}]({each['paper']}.md)", write_run(each["run"])]
        parts.append(write_claims(each["claims"]))
    toctree = "\n".join(each["paper"] for each in found)
    return "\n\n".join([*parts, f"```{{toctree}}\n:hidden:\n\n{toctree}\n```"]) + "\n"


def write_run(run: dict[str, str]) -> str:
    """When and how it was run."""
    made = f"Made {run['made']} with `{run['command']}`."
    return f"{made} Repeats: {run['repeats']}. Size: {run['size']}."


def write_claims(claims: list[dict[str, Any]]) -> str:
    """A table with a line for each claim."""
    lines = ["| section | claim | verdict | what decides |", "|---|---|---|---|"]
    for each in claims:
        verdict = f"{MARKS[each['verdict']]} {each['verdict']}"
        cells = (each["section"], each["claim"], verdict, each["reason"])
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
