"""The tables of the page on the default learner, from the commands on it: make tables.

    python docs/tables.py build/tables

Every line "python benchmarks/…" of the page is run, and what it prints is kept in a file of the
folder; a command that has its file is not run again. The tables and summaries below a command, down
to the next one, are replaced by those that it printed.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from rich.progress import track

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "research" / "mining-ablation.md"
COMMAND = re.compile(r"^ {4}python benchmarks/(.+)\n", re.MULTILINE)
BLOCK = re.compile(r"(?:^(?:\|| {4}default ).*\n)+", re.MULTILINE)
"""Lines of a table, or of a summary."""


def main(folder: Path, page: Path = PAGE) -> None:
    """Run what has not been run, and write the page."""
    folder.mkdir(parents=True, exist_ok=True)
    before, *rest = COMMAND.split(page.read_text("utf-8"))
    parts = [before]
    for command, below in track([*zip(rest[::2], rest[1::2], strict=True)], "Running"):
        parts += [f"    python benchmarks/{command}\n", replace(below, run(command, folder))]
    page.write_text("".join(parts), encoding="utf-8")


def run(command: str, folder: Path) -> str:
    """Give what a command prints: what its file holds, or now."""
    kept = folder / (re.sub(r"[^a-z0-9.]+", "-", command) + ".txt")
    if not kept.exists():
        arguments = [sys.executable, *f"benchmarks/{command}".split()]
        ran = subprocess.run(arguments, cwd=ROOT, stdout=subprocess.PIPE, check=True)
        kept.write_bytes(ran.stdout)
    return kept.read_text("utf-8")


def replace(below: str, printed: str) -> str:
    """Put the tables and summaries that were printed where others stand."""
    blocks, stand = BLOCK.findall(printed), len(BLOCK.findall(below))
    if len(blocks) != stand:
        sys.exit(f"A command prints {len(blocks)} tables and summaries; below it stand {stand}.")
    left = iter(blocks)
    return BLOCK.sub(lambda _: next(left), below)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
