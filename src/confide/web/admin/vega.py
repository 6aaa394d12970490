"""Vega, with which the dashboard draws: one script, from the package that brings it."""

from __future__ import annotations

import asyncio
import sys

# It takes seconds, so it is not for the server's own process.
_COMMAND = [
    sys.executable,
    "-c",
    "import sys, vl_convert; "
    "sys.stdout.write(vl_convert.javascript_bundle('window.vegaEmbed = vegaEmbed;'))",
]


class VegaBundle:
    """Vega, Vega-Lite and Vega-Embed as one script, made once."""

    def __init__(self) -> None:
        self._task: asyncio.Task[bytes] | None = None

    def start(self) -> asyncio.Task[bytes]:
        """Start to make the script, unless it is made already; the task gives its bytes."""
        if self._task is None:
            self._task = asyncio.create_task(_run_command(_COMMAND))
        return self._task


async def _run_command(command: list[str]) -> bytes:
    """Run a command and give what it prints; when the server stops first, so does the command."""
    pipe, nowhere = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=nowhere)
    try:
        output, _ = await process.communicate()
    except asyncio.CancelledError:
        process.kill()
        await process.wait()
        raise
    return output
