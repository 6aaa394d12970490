"""The site's pages of the papers, written from the folder of a run."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

from confide.papers.catalogue import PAPERS

SCRIPT = Path(__file__).parents[2] / "docs" / "reproduced.py"


def load_script():
    spec = importlib.util.spec_from_file_location("reproduced", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def make_run(folder):
    """A run of all papers with one claim and one figure each."""
    claim = {
        "section": "5.2",
        "claim": "a | b",
        "verdict": "holds",
        "reason": "0.8",
        "figure": None,
    }
    for name in PAPERS:
        figure = "one-to-four-groups" if name == "four-group" else "figure-1"
        about = {"made": "today", "command": f"confide reproduce {name}", "size": "9 runs"}
        found = {
            "paper": name,
            "title": "A paper.",
            "run": {**about, "repeats": "50"},
            "claims": [claim],
            "figures": [{"name": figure, "title": "Figure 1", "caption": "What it shows."}],
            "notes": ["Read so."],
        }
        (folder / name / "figures").mkdir(parents=True)
        (folder / name / "claims.json").write_text(json.dumps(found))
        (folder / name / "figures" / f"{figure}.svg").write_text("<svg/>")
    return folder


def test_every_paper_gets_a_page_with_its_run_claims_figures_and_readings(tmp_path):
    docs = tmp_path / "docs"
    old = docs / "ideas" / "papers" / "results" / "gone.md"
    old.parent.mkdir(parents=True)
    old.write_text("of an earlier run")
    (docs / "pictures").mkdir()
    load_script().main(make_run(tmp_path / "run"), docs)
    assert not old.exists()
    index = (old.parent / "index.md").read_text()
    for name in PAPERS:
        page = (old.parent / f"{name}.md").read_text()
        assert f"Made today with `confide reproduce {name}`. Repeats: 50. Size: 9 runs." in page
        assert "| 5.2 | a \\| b | ✓ holds | 0.8 |" in page
        assert "**Figure 1.** What it shows." in page
        assert "- Read so." in page
        assert f"## [{name}]({name}.md)" in index
        assert len(list((old.parent / name).glob("*.svg"))) == 1
    assert (docs / "pictures" / "one-to-four-groups.svg").read_text() == "<svg/>"
