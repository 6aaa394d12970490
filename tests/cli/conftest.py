"""The command line run as a person would, in this process."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

from confide.cli import main
from confide.cli.example import simulate_students


@dataclass
class Ran:
    code: int
    out: str
    err: str


@pytest.fixture
def confide(monkeypatch, capsys, tmp_path):
    """Run `confide …` in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["confide", *map(str, arguments)])
        capsys.readouterr()
        try:
            main()
            code = 0
        except SystemExit as stop:
            code = int(stop.code or 0)
        printed = capsys.readouterr()
        return Ran(code, printed.out, printed.err)

    return run


@pytest.fixture
def survey(confide, tmp_path):
    """The example survey with 2,000 simulated answers beside it."""
    assert confide("init", "survey.toml").code == 0
    answers = simulate_students(2_000, seed=1)
    pa.csv.write_csv(answers, tmp_path / "answers.csv")
    pa.parquet.write_table(answers, tmp_path / "answers.parquet")
    return tmp_path / "survey.toml"
