"""Cells, the grid that runs them, and the folder that keeps what is finished."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time

import pytest
from support.toy_cells import Toy

import confide as cf
from confide.papers.cell_runner import run_cells
from confide.papers.cells import derive_seed
from confide.papers.run_folder import RunFolder

CELLS = [Toy(number) for number in range(20)]


def test_seeds_follow_from_the_cell_and_from_nothing_else():
    assert derive_seed("adult", ".7", 3) == 65_282_465_651_038
    assert (
        len({derive_seed("adult", truth, r) for truth in (".6", ".7") for r in range(100)}) == 200
    )


def test_a_cells_key_names_all_its_settings():
    assert Toy(3).key == 'Toy {"number": 3, "unlucky": false}'


@pytest.mark.slow
@pytest.mark.parametrize("cores", [1, 2])
def test_any_number_of_processes_gives_the_same_rows(cores):
    found = dict(run_cells(CELLS, None, cores))
    assert found == {cell: cell.measure(None) for cell in CELLS}


def test_finished_cells_are_kept_and_come_back_in_the_order_asked_for(tmp_path):
    with RunFolder(tmp_path / "run", "toy") as run:
        for cell in reversed(CELLS):
            run.keep(cell, cell.measure(None))
    with RunFolder(tmp_path / "run", "toy") as run:
        assert set(run.finished) == {cell.key for cell in CELLS}
        assert [row["number"] for row in run.list_rows(CELLS)] == list(range(20))


@pytest.mark.parametrize("cut", [1, 10, 40])
def test_a_line_that_was_cut_off_is_dropped_and_nothing_else(tmp_path, cut):
    with RunFolder(tmp_path, "toy") as run:
        for cell in CELLS:
            run.keep(cell, cell.measure(None))
    file = tmp_path / "cells.jsonl"
    file.write_bytes(file.read_bytes()[:-cut])
    with RunFolder(tmp_path, "toy") as run:
        assert list(run.finished) == [cell.key for cell in CELLS[:-1]]
        run.keep(CELLS[-1], CELLS[-1].measure(None))
    lines = file.read_text().splitlines()
    assert [json.loads(line)["cell"] for line in lines] == [cell.key for cell in CELLS]


def test_a_folder_of_another_version_or_paper_is_refused_in_one_line(tmp_path):
    with RunFolder(tmp_path, "toy"):
        pass
    with (
        pytest.raises(cf.ConfideError, match=r"for toy; this is .* and other"),
        RunFolder(tmp_path, "other"),
    ):
        pass
    (tmp_path / "run.json").write_text('{"paper": "toy", "confide": "0.0.1"}')
    with (
        pytest.raises(cf.ConfideError, match=r"made by confide 0\.0\.1"),
        RunFolder(tmp_path, "toy"),
    ):
        pass


@pytest.mark.parametrize("content", ["", "{", "[]", '{"paper": "toy"}'])
def test_a_folder_of_something_else_is_refused(tmp_path, content):
    (tmp_path / "run.json").write_text(content)
    with pytest.raises(cf.ConfideError, match="something else"), RunFolder(tmp_path, "toy"):
        pass


def test_a_full_disk_loses_nothing_that_was_finished(tmp_path):
    """A file that may not grow takes half a line and then fails, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with RunFolder(tmp_path, "toy") as run:
        run.keep(CELLS[0], CELLS[0].measure(None))
        room = (tmp_path / "cells.jsonl").stat().st_size + 20
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
        try:
            with pytest.raises(cf.ConfideError, match=r"cannot write .* What is finished is kept"):
                run.keep(CELLS[1], CELLS[1].measure(None))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert (tmp_path / "cells.jsonl").stat().st_size == room - 20
    with RunFolder(tmp_path, "toy") as run:
        assert list(run.finished) == [CELLS[0].key]
        run.keep(CELLS[1], CELLS[1].measure(None))
    assert (tmp_path / "cells.jsonl").read_text().count("\n") == 2


def test_a_number_that_is_none_is_not_kept_as_one(tmp_path):
    with RunFolder(tmp_path, "toy") as run, pytest.raises(ValueError, match="JSON"):
        run.keep(CELLS[0], [{"accuracy": float("nan")}])


def test_ctrl_c_keeps_what_is_finished(tmp_path):
    unlucky = [Toy(number, unlucky=True) for number in range(20)]
    with pytest.raises(KeyboardInterrupt), RunFolder(tmp_path, "toy") as run:
        for cell, rows in run_cells(unlucky, None, 1):
            run.keep(cell, rows)
    with RunFolder(tmp_path, "toy") as run:
        assert list(run.finished) == [cell.key for cell in unlucky[:13]]


@pytest.mark.slow
def test_ctrl_c_at_a_terminal_ends_all_processes_with_one_line(tmp_path):
    command = [sys.executable, "-c", "from confide.cli import main; main()"]
    arguments = ["reproduce", "agrawal-srikant-2000", "--repeats", "1", "--cores", "2"]
    process = subprocess.Popen(
        [*command, *arguments, "-o", str(tmp_path)],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    kept = tmp_path / "agrawal-srikant-2000" / "cells.jsonl"
    limit = time.monotonic() + 120
    while not (kept.exists() and kept.stat().st_size) and time.monotonic() < limit:
        time.sleep(0.2)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    _, said = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "stopped. What is finished is in" in said
    assert "Traceback" not in said
    assert kept.read_bytes().endswith(b"\n")
