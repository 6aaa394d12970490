"""A standalone Spark of our own: a master and two workers, each a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.cluster import free_port
from support.engines import require_java

_PATIENCE = 300  # seconds, on a machine that does much else


class SparkCluster:
    """A master with two workers of one core each, made of the `pyspark` package alone.

    Parameters
    ----------
    folder : Path
        Where the processes write.
    """

    def __init__(self, folder):
        pyspark = pytest.importorskip("pyspark", reason="a Spark cluster takes confide[spark]")
        require_java()
        self._folder, self._program = folder, Path(pyspark.__file__).parent / "bin" / "spark-class"
        self._home = Path(pyspark.__file__).parent
        self.url = f"spark://127.0.0.1:{free_port()}"
        self._running = []

    def __enter__(self):
        port = self.url.rpartition(":")[2]
        self._start("master.Master", "--host", "127.0.0.1", "--port", port)
        self._wait_for("master.Master", "I have been elected leader")
        self.workers = [self._start_worker(number) for number in range(2)]
        for number in range(2):
            self._wait_for(f"worker{number}", "Successfully registered with master")
        return self

    def _start_worker(self, number):
        folder = self._folder / f"work{number}"
        options = ["--host", "127.0.0.1", "--cores", "1", "--memory", "700m", "--work-dir", folder]
        return self._start("worker.Worker", *options, self.url, log=f"worker{number}")

    def _start(self, what, *options, log=None):
        environment = {
            **os.environ,
            "SPARK_HOME": str(self._home),
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
            "PYSPARK_PYTHON": sys.executable,
        }
        command = [self._program, f"org.apache.spark.deploy.{what}", *options]
        command[2:2] = ["--webui-port", "0"]
        with (self._folder / f"{log or what}.log").open("wb") as sink:
            process = subprocess.Popen(  # a group of its own, with the executors that it starts
                list(map(str, command)),
                env=environment,
                stdout=sink,
                stderr=sink,
                start_new_session=True,
            )
        self._running.append(process)
        return process

    def _wait_for(self, log, said):
        path = self._folder / f"{log}.log"
        for _ in range(_PATIENCE * 10):
            if said in path.read_text(encoding="utf-8", errors="replace"):
                return
            time.sleep(0.1)
        raise TimeoutError(f"{log} did not start")

    @staticmethod
    def kill(process):
        """Kill a process and all that it started, at once."""
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def __exit__(self, *_):
        for process in reversed(self._running):
            self.kill(process)
