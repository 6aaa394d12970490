"""A telephone in the same room: four steps from the installation to a first report."""

import subprocess
import sys

import pytest
from support.cluster import free_port

from confide.errors import ConfideError
from confide.web.nearby import find_own_address

PROGRAM = [sys.executable, "-u", "-c", "from confide.cli import main; main()"]


@pytest.fixture
def own_address():
    """This machine's address in its network."""
    try:
        return find_own_address()
    except ConfideError:
        pytest.skip("this machine is in no network")


def test_after_the_installation_three_more_steps_lead_to_a_report(chromium, tmp_path, own_address):
    """1 pip install, 2 confide init, 3 confide serve --nearby, 4 scan, and answer."""
    init = [*PROGRAM, "init", "survey.toml", "--from", "health"]
    subprocess.run(init, cwd=tmp_path, check=True, capture_output=True)
    port = free_port()
    serve = [*PROGRAM, "serve", "survey.toml", "--nearby", "--port", str(port)]
    running = subprocess.Popen(serve, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    try:
        printed = iter(running.stdout.readline, "")
        address = next(line for line in printed if line.startswith("Survey:")).split()[1]
        assert address == f"https://{own_address}:{port}/"
        context = chromium.new_context(
            viewport={"width": 390, "height": 844}, ignore_https_errors=True
        )  # as a person who goes on after the warning
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.goto(address)
        page.check("#consent")
        page.click("#start")
        while not page.is_visible("#review"):
            page.locator(".sheet:not([hidden]) input[type=radio] >> nth=1").check()
            page.click("#next")
        page.click("#send")
        page.wait_for_selector("#done:not([hidden])")
        context.close()
    finally:
        running.terminate()
        running.wait(20)
        running.stdout.close()
