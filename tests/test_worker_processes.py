"""Processes that work beside another end with it."""

import os
import signal
import subprocess
import sys

import pytest
from support.running import have_ended, is_running

PROGRAM = """
import os, time
{opening}
print(pool.submit(os.getpid).result(), flush=True)
time.sleep(60)
"""
OPENINGS = {
    "any": "from confide.worker_processes import open_pool; pool = open_pool(1)",
    "the server's": (
        "from confide.web.admin import background_learning; "
        "pool = background_learning._start_pool()"
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("opening", OPENINGS)
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_worker_ends_when_the_process_that_started_it_is_ended(tmp_path, opening, how):
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(opening=OPENINGS[opening])],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    with process:
        worker = int(process.stdout.readline())
        assert is_running(worker)
        process.send_signal(how)
    assert have_ended([worker])
