"""Where a package is missing, one line names it and how to install it; everywhere."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "confide"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
IMPORTED_AS = {"scikit-learn": "sklearn", "vl-convert-python": "vl_convert"}
COMES_WITH = {"jinja2": {"markupsafe"}}


def packages(requirements):
    """The names by which what these lines install is imported."""
    names = {re.split(r"[\[><=;! ]", line)[0] for line in requirements}
    return {IMPORTED_AS.get(name, name) for name in names}.union(
        *(COMES_WITH.get(name, ()) for name in names)
    )


CORE = packages(PROJECT["dependencies"])
SERVE = packages(PROJECT["optional-dependencies"]["serve"])


def unguarded(tree, guarded=False):
    """Every import outside `with explain_missing(…)`, as the names it may bring in."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        here = guarded or (
            isinstance(node, ast.With)
            and any("explain_missing(" in ast.unparse(item) for item in node.items)
        )
        if isinstance(node, ast.Import) and not here:
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not here:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            yield "a name made up as the program runs"
        yield from unguarded(node, here)


def modules():
    """Every module of confide with what it imports unguarded, wherever in it."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = ("confide", *path.relative_to(SOURCE).with_suffix("").parts)
        name = ".".join(parts).removesuffix(".__init__")
        found[name] = set(unguarded(ast.parse(path.read_text(encoding="utf-8"))))
    return found


def reached(starts, known):
    """What importing and using these modules imports, and the way there."""
    ways, todo = {start: (start,) for start in starts}, list(starts)
    while todo:
        here = todo.pop()
        for name in known.get(here, ()):
            if name not in ways:
                ways[name] = (*ways[here], name)
                todo.append(name)
    return ways


def strangers(starts, allowed, known):
    """The ways by which a package that need not be there is imported without a word."""
    ours = {*sys.stdlib_module_names, "confide", *allowed}
    return [
        " → ".join(way)
        for name, way in reached(starts, known).items()
        if name.partition(".")[0] not in ours
    ]


@pytest.mark.slow
def test_no_optional_package_is_imported_without_saying_how_to_get_it():
    known = modules()
    # what opens a database is reached through `open_store` alone, which says how to get it
    inside = ("confide.web", "confide.reports.sql", "confide.reports.postgres")
    outside = [name for name in known if not name.startswith(inside)]
    assert strangers(outside, CORE, known) == []


@pytest.mark.slow
def test_the_web_app_needs_only_its_extra():
    assert strangers(["confide.web.server"], CORE | SERVE, modules()) == []


def test_the_scan_would_notice_an_import_without_a_word():
    bare = ast.parse("def draw():\n    import altair as alt\n")
    assert "altair" in set(unguarded(bare))
    said = ast.parse("with explain_missing('confide[plot]', 'a chart'):\n    import altair\n")
    assert not set(unguarded(said))
    two = {"confide.x": {"confide.y"}, "confide.y": {"altair"}}
    assert strangers(["confide.x"], CORE, two) == ["confide.x → confide.y → altair"]


ABSENT = [
    "altair",
    "vl_convert",
    "pandas",
    "polars",
    "pyreadstat",
    "openpyxl",
    "pyxform",
    "psycopg",
    "pyspark",
    "ibis",
    "formulaic",
]
WITHOUT_SERVE = [*ABSENT, "starlette", "uvicorn", "apsw", "jinja2", "markupsafe", "httptools"]
PREPARED = """
import json, sys

class Absent:
    def find_spec(name, *_):
        if name.partition(".")[0] in {absent!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent)
import numpy as np, pyarrow as pa, pyarrow.parquet
import confide as cf
from confide.cli import main

design = cf.Design(
    [cf.YesNo("a"), cf.YesNo("b"), cf.Number("age", 0, 10, step=1)],
    [cf.Group(["a"], cf.RelatedQuestion("3/4"))], title="T",
)
draw = np.random.default_rng(1)
answers = pa.table({{"a": draw.integers(0, 2, 400), "b": draw.integers(0, 2, 400),
                     "age": draw.integers(0, 11, 400)}})
reports = design.disguise(answers, seed=1)
pa.parquet.write_table(reports, "reports.parquet")
design.save("d.json")
open("form.xlsx", "wb").write(b"PK")
crowd = cf.Crowd(design, reports)
tree = cf.DisguisedTreeClassifier(design, "a").fit(crowd)

def command(*arguments):
    import contextlib, io
    sys.argv, said = ["confide", *arguments], io.StringIO()
    try:
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
            main()
    except SystemExit as stop:
        raise RuntimeError(f"{{stop.code}}: {{said.getvalue().strip()}}") from None

said = {{}}
for name, tried in {{ {cases} }}.items():
    try:
        tried()
        said[name] = "it worked"
    except Exception as error:
        said[name] = f"{{type(error).__name__}}: {{error}}"
print(json.dumps(said))
"""
CASES = {
    "Distribution.plot": ("crowd.distribution('age').plot()", "altair", "confide[plot]"),
    "plan.plot": ("cf.plan(design, 500).plot()", "altair", "confide[plot]"),
    "privacy.plot": ("cf.privacy.of(design).plot()", "altair", "confide[plot]"),
    "plan.save": ("cf.plan(design, 500).save('p.svg')", "altair", "confide[plot]"),
    "tree.picture": ("tree.picture('t.png')", "vl_convert", "confide[plot]"),
    "Table.to_pandas": ("crowd.table(['a']).to_pandas()", "pandas", "pandas"),
    "Plan.to_pandas": ("cf.plan(design, 500).to_pandas()", "pandas", "pandas"),
    "reading an XLSForm": ("cf.Design.load('form.xlsx')", "pyxform", "confide[forms]"),
    "writing an XLSForm": ("design.save('new.xlsx')", "openpyxl", "confide[forms]"),
    "PostgreSQL": ("cf.Crowd(design, 'postgresql://u@h/d')", "psycopg", "confide[postgres]"),
    "synthetic people": (
        "__import__('confide.papers.agrawal_srikant_2000.synthetic', fromlist=['synthetic'])"
        ".generate(1, 10)",
        "pandas",
        "pandas",
    ),
    "confide tree --picture": (
        "command('tree','d.json','reports.parquet','--target','a','--picture','t.png')",
        "vl_convert",
        "confide[plot]",
    ),
    "confide plan --picture": (
        "command('plan','d.json','--respondents','500','--picture','p.svg')",
        "altair",
        "confide[plot]",
    ),
    "regression": (
        "cf.DisguisedRegression(design, 'a ~ age').fit(reports)",
        "pandas",
        "confide[regression]",
    ),
    "confide regress": (
        "command('regress','d.json','reports.parquet','a ~ age')",
        "pandas",
        "confide[regression]",
    ),
    "confide check": ("command('check','form.xlsx')", "pyxform", "confide[forms]"),
}
SERVED = {
    "confide serve": ("command('serve','d.json')", None, "confide[serve]"),
    "confide demo": ("command('demo','--no-browser')", None, "confide[serve]"),
    "confide invite": (
        "command('invite','d.json','--count','1','-o','l.csv')",
        None,
        "confide[serve]",
    ),
    "SQLite": ("cf.Crowd(design, 'sqlite:///x.db')", "apsw", "confide[serve]"),
}


SAID = r"MissingPackageError: .+ needs (\w+), which is not installed: .+"


def said_without(absent, cases, folder):
    """What each case says where these packages are not installed."""
    lambdas = ",\n".join(f"{name!r}: lambda: {code}" for name, (code, *_) in cases.items())
    code = PREPARED.format(absent=absent, cases=lambdas)
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("absent", "cases"),
    [(ABSENT, CASES), (WITHOUT_SERVE, SERVED)],
    ids=["without any extra but serve", "without serve"],
)
def test_a_missing_package_is_one_line_that_says_how_to_get_it(absent, cases, tmp_path):
    said = said_without(absent, cases, tmp_path)
    for name, (_, package, installed_by) in cases.items():
        line = said[name].replace("RuntimeError: 2: confide: ", "MissingPackageError: ")
        named = re.fullmatch(SAID, line)
        assert named, f"{name}: {line}"
        assert named[1] == package if package else named[1] in WITHOUT_SERVE, line
        assert line.endswith(f'pip install "{installed_by}".'), line


@pytest.mark.slow
def test_a_missing_package_leaves_no_file_behind(tmp_path):
    said_without(ABSENT, CASES, tmp_path)
    kept = {"reports.parquet", "d.json", "form.xlsx"}
    assert {path.name for path in tmp_path.iterdir()} == kept


def test_a_mistake_of_confide_itself_is_not_blamed_on_a_missing_package():
    from confide.extras import explain_missing

    mistaken = pytest.raises(ImportError, match="cannot import name")
    with mistaken, explain_missing("confide[plot]", "a chart"):
        from confide.errors import NoSuchError  # noqa: F401
