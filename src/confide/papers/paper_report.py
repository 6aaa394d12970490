"""One HTML page that tells how a paper fared: its figures to explore, its claims, its readings.

The page holds all it needs, the scripts of Vega among it, as `vl-convert` brings them: nothing is
loaded from anywhere.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from html import escape
from pathlib import Path
from string import Template

from confide._version import __version__
from confide.files import write_atomically
from confide.papers.cells import Row, Scale
from confide.papers.claims import CheckedClaim, Verdict
from confide.papers.figures import Figure, load_drawing
from confide.papers.paper import Paper
from confide.papers.readings import READINGS

MARKS: dict[Verdict, str] = {"holds": "✓", "does not hold": "✗", "cannot be checked": "–"}
"""The verdicts as single characters."""

_QUICK = "This was a quick run: too small to judge the paper by"
_PAGE = Template("""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; color: #1f2937; margin: 2rem auto; max-width: 70rem;
  padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #e5e7eb; padding: .4rem .6rem; text-align: left;
  vertical-align: top; }
figure { margin: 2.5rem 0; overflow-x: auto; }
figcaption { max-width: 46rem; }
.holds { color: #15803d; } .not { color: #b91c1c; } .open { color: #6b7280; }
td:nth-child(3) { white-space: nowrap; font-weight: 600; }
dt { font-weight: 600; } dd { margin: 0 0 .4rem 0; }
@media (max-width: 44rem) {
  tr, td { display: block; } tr { border-bottom: 1px solid #e5e7eb; padding: .6rem 0; }
  tr:first-child { display: none; } td { border: 0; padding: .1rem 0; }
}
</style>
<h1>$name</h1>
<p>$about</p>
<h2>What it claims</h2>
<p>$tally</p>
<table>
<tr><th>section<th>claim<th>verdict<th>what decides</tr>
$claims
</table>
<h2>Its figures</h2>
<p>Every accuracy figure has the same lines: <b>original</b>, the learner on the true answers, which
nobody has; <b>paper</b>, the paper's method on the reports; <b>control</b>, the same learner on the
reports as they are, as if they were true; <b>confide</b>, confide's default learner. Point at a
point for its numbers, click on a line's name to see it alone, drag and scroll to look closer. A
band is two standard errors of the mean.</p>
$figures
<h2>How its text is read</h2>
<ul>
$notes
</ul>
<h2>This run</h2>
<dl>
$run
</dl>
<noscript>The figures need JavaScript; they lie beside this page as SVG and PNG too.</noscript>
<script>$scripts</script>
<script>
const figures = $specs;
const actions = {export: true, source: false, compiled: false, editor: false};
const options = {mode: "vega-lite", actions};
for (const [name, spec] of Object.entries(figures)) vegaEmbed("#" + name + " > div", spec, options);
</script>
""")


def describe_run(paper: Paper, scale: Scale, rows: Sequence[Row]) -> dict[str, str]:
    """Say when, by which version, how large and how long a run was, and how to repeat it."""
    seconds = sum(float(row.get("seconds") or 0) for row in rows)
    command = [f"confide reproduce {paper.name}"]
    if scale.quick:
        command.append("--quick")
    if scale.reading != "median":
        command.append(f"--reading {scale.reading}")
    if scale.repeats != paper.repeats and not scale.quick:
        command.append(f"--repeats {scale.repeats}")
    printed = f"the paper: {paper.repeats:,}" if paper.says_repeats else "the paper does not say"
    described = {
        "made": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC by confide {__version__}",
        "command": " ".join(command),
        "size": f"{len(rows):,} runs, {_format_seconds(seconds)} of processor time"
        + (f". {_QUICK}" if scale.quick else ""),
        "repeats": f"{scale.repeats:,} of each setting ({printed}); confide's default learner, "
        f"which is slower, {scale.default_repeats}",
    }
    if paper.data:
        described["reading"] = f"{scale.reading}: {READINGS[scale.reading].text}"
    return described


def _format_seconds(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def write_report(
    path: Path,
    paper: Paper,
    figures: Sequence[Figure],
    claims: Sequence[CheckedClaim],
    run: dict[str, str],
    quick: bool = False,
) -> None:
    """Write the report as one HTML page."""
    specs = json.dumps({figure.name: figure.spec for figure in figures})
    page = _PAGE.substitute(
        title=escape(f"{paper.name}, run again"),
        name=escape(paper.name),
        about=escape(paper.title),
        tally=escape(count_verdicts(claims) + (f". {_QUICK}." if quick else ".")),
        claims="\n".join(_write_claim(each) for each in claims),
        figures="\n".join(_write_figure(each) for each in figures),
        notes="\n".join(f"<li>{escape(note)}" for note in paper.notes),
        run="\n".join(f"<dt>{escape(k)}<dd>{escape(v)}" for k, v in run.items()),
        scripts=_read_scripts(),
        specs=specs.replace("</", "<\\/"),
    )
    with write_atomically(path) as temporary:
        temporary.write_text(page, encoding="utf-8")


def count_verdicts(claims: Sequence[CheckedClaim]) -> str:
    """Say how many claims hold."""
    verdicts = [each.finding.verdict for each in claims]
    said = [f"{verdict} {verdicts.count(verdict)}" for verdict in MARKS]
    return f"Of {len(claims)} claims: {', '.join(said)}"


def _write_claim(checked: CheckedClaim) -> str:
    claim, finding = checked.claim, checked.finding
    style = {"holds": "holds", "does not hold": "not"}.get(finding.verdict, "open")
    link = f' <a href="#{escape(finding.figure)}">figure</a>' if finding.figure else ""
    return (
        f"<tr><td>{escape(claim.section)}<td>{escape(claim.text)}"
        f'<td class="{style}">{MARKS[finding.verdict]} {finding.verdict}'
        f"<td>{escape(finding.reason)}{link}</tr>"
    )


def _write_figure(figure: Figure) -> str:
    caption = f"<b>{escape(figure.title)}.</b> {escape(figure.caption)}"
    return (
        f'<figure id="{escape(figure.name)}"><div></div><figcaption>{caption}</figcaption></figure>'
    )


@cache
def _read_scripts() -> str:
    bundle = load_drawing().javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return str(bundle).replace("</script", "<\\/script")
