"""Figures 5 and 6 of `agrawal-srikant-2000` as a table and a picture, its claims checked.

`python -m confide.papers.agrawal_srikant_2000.figures --into docs/research` takes 20 minutes on two
cores; with `--runs 1 --people 10000` some seconds, for a look.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import track

from confide.extras import explain_missing
from confide.papers.agrawal_srikant_2000.tree_experiments import (
    NOISES,
    OF_THE_PAPER,
    list_runs,
    measure_runs,
)

if TYPE_CHECKING:
    import pandas as pd

NAME = "number-trees"
_COMMAND = "python -m confide.papers.agrawal_srikant_2000.figures"

_CLAIMED = {1: 5, 2: 15, 3: 15, 4: 5, 5: 5}
"""By function: within so many points of Original at 100 % privacy (section 5.2)."""
_BEST = ("by-class", "local")
_COLOURS = ("#333333", "#b8bec7", "#d9a441", "#1f5fa8", "#c2410c")


def write_report(rows: pd.DataFrame) -> str:
    """Write the accuracies of Figures 5 and 6 and the paper's claims, as Markdown."""
    runs, people = rows["seed"].nunique(), rows["n"].iloc[0]
    error = f" The standard error of a mean is at most {_find_largest_error(rows):.3f}."
    parts = [
        "# Trees on noisy numbers, as in the paper",
        f"Figures 5 and 6 of `agrawal-srikant-2000`: the share of 5,000 clear test people whose "
        f"group is told by a tree learned from {people:,} people, all nine numbers disguised, "
        f"noise at 95 % confidence, mean of {runs} run(s).{error if runs > 1 else ''} Made by",
        f"    {_COMMAND} --people {people} --runs {runs} --into docs/research",
        f"![Accuracy by privacy](pictures/{NAME}.svg)",
        *(f"## {noise.capitalize()} noise\n\n{_write_table(rows, noise)}" for noise in NOISES),
        "## What the paper claims at 100 % privacy\n\n"
        "Section 5.2: within 5 points of Original for functions 1, 4 and 5, within 15 for 2 and 3."
        f"\n\n{_write_claims(rows)}",
    ]
    return "\n\n".join(parts) + "\n"


def _find_largest_error(rows: pd.DataFrame) -> float:
    each = rows.groupby(["function", "noise", "privacy", "algorithm"])["accuracy"]
    return float((each.std() / each.count() ** 0.5).max())


def _average(rows: pd.DataFrame) -> pd.Series[float]:
    return rows.groupby(["noise", "privacy", "algorithm", "function"])["accuracy"].mean()


def _write_table(rows: pd.DataFrame, noise: str) -> str:
    """Write one line per privacy and algorithm, one column per function."""
    means = _average(rows)
    functions, privacies = (sorted(rows[name].unique()) for name in ("function", "privacy"))
    shown = [("none", privacies[0], OF_THE_PAPER[0])]  # clear data know no privacy
    shown += [(f"{100 * p:.0f} %", p, a) for p in privacies for a in OF_THE_PAPER[1:]]
    lines = [
        ["privacy", "algorithm", *(f"F{f}" for f in functions)],
        ["---"] * (2 + len(functions)),
    ]
    for written, privacy, algorithm in shown:
        found = (means[noise, privacy, algorithm, f] for f in functions)
        lines.append([written, algorithm, *(f"{value:.3f}" for value in found)])
    return _to_markdown(lines)


def _write_claims(rows: pd.DataFrame) -> str:
    """Write how far the paper's two best algorithms are behind clear data, beside its claims."""
    means = _average(rows)
    lines = [["noise", "function", "claimed", *_BEST], ["---"] * (3 + len(_BEST))]
    for noise in NOISES:
        for function, claimed in _CLAIMED.items():
            clear = means[noise, 1.0, "original", function]
            behind = [100 * (clear - means[noise, 1.0, each, function]) for each in _BEST]
            shown = [f"{points:.1f}" + ("" if points <= claimed else " **✗**") for points in behind]
            lines.append([noise, f"F{function}", f"≤ {claimed}", *shown])
    return _to_markdown(lines)


def _to_markdown(lines: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def draw_accuracies(rows: pd.DataFrame) -> Any:
    """Draw accuracy by privacy as an Altair chart, one field per function and noise."""
    with explain_missing("confide[plot]", "a chart"):
        import altair as alt

    means = _average(rows).reset_index()
    means["function"] = "function " + means["function"].astype(str)
    colour = alt.Color(
        "algorithm:N",
        title=None,
        sort=list(OF_THE_PAPER),
        scale=alt.Scale(domain=list(OF_THE_PAPER), range=list(_COLOURS)),
        legend=alt.Legend(orient="top"),
    )
    across = alt.X("privacy:Q", title="privacy", axis=alt.Axis(format="%", values=[0.5, 1, 1.5, 2]))
    up = alt.Y("accuracy:Q", scale=alt.Scale(domain=[0.3, 1]), axis=alt.Axis(format="%"))
    lines = alt.Chart(means).mark_line(point={"size": 18}).encode(across, up, colour)
    return lines.properties(width=130, height=150).facet(
        column=alt.Column("function:N", title=None),
        row=alt.Row("noise:N", title=None, sort=list(NOISES)),
    )


def main() -> None:
    """Run the experiments; print the table, and write it and the picture if asked."""
    with explain_missing("pandas", "this experiment"):
        import pandas as pd

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--people", type=int, default=100_000, help="how many are learned from")
    parser.add_argument("--runs", type=int, default=10, help="how often each experiment is run")
    parser.add_argument("--processes", type=int, default=2, help="how many share the work")
    parser.add_argument("--into", type=Path, help="the folder of the table and the picture")
    options = parser.parse_args()
    console, runs = Console(stderr=True), list_runs(options.people, options.runs)
    found = measure_runs(runs, processes=options.processes)
    followed = track(found, "Growing trees", total=len(runs), console=console)
    rows = pd.DataFrame([row for run in followed for row in run])
    text = write_report(rows)
    Console().print(text, markup=False, highlight=False, soft_wrap=True)
    if options.into is not None:
        (options.into / f"{NAME}.md").write_text(text, encoding="utf-8")
        (options.into / "pictures").mkdir(exist_ok=True)
        draw_accuracies(rows).save(options.into / "pictures" / f"{NAME}.svg")


if __name__ == "__main__":
    main()
