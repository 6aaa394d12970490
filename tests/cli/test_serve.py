"""`confide serve` of a folder, in a process of its own, and what it refuses."""

import subprocess
import sys

import httpx
import pytest
from support.cluster import free_port
from support.web_surveys import small


@pytest.mark.parametrize(
    "option", [("--preview",), ("--model", "tree.json"), ("--offline-form", "form.html")]
)
def test_what_is_for_one_survey_is_refused_for_a_folder(confide, tmp_path, option):
    ran = confide("serve", tmp_path, *option)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "are for one survey: name its file, not a folder" in ran.err


def test_a_folder_without_surveys_is_one_line(confide, tmp_path):
    ran = confide("serve", tmp_path, "--port", free_port())
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "holds no survey that can be served" in ran.err


@pytest.mark.slow
def test_a_folder_is_served_with_a_line_for_what_is_broken(tmp_path):
    for name in ("a", "b"):
        small().design.save(tmp_path / f"{name}.toml")
    (tmp_path / "c.toml").write_text("[[question]]\nname = 1\n")
    port, log = free_port(), tmp_path / "log.txt"
    program = [sys.executable, "-c", "from confide.cli import main; main()"]
    command = [*program, "serve", str(tmp_path), "--port", str(port)]
    with log.open("w") as errors:
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
    try:
        lines = [server.stdout.readline() for _ in range(9)]
        address = f"http://127.0.0.1:{port}"
        assert lines[0] == f"Surveys: {address}/\n"
        for place, name in ((2, "a"), (6, "b")):
            assert lines[place] == f"Survey:  {address}/s/{name}/\n"
            assert f"{address}/s/{name}/admin/welcome?key=" in lines[place + 1]
            assert lines[place + 2].startswith("Seal:    ")
            assert httpx.get(f"{address}/s/{name}/").status_code == 200
        assert httpx.get(f"{address}/s/c/").status_code == 404
    finally:
        server.terminate()
        server.wait(20)
        server.stdout.close()
    assert log.read_text().startswith("confide: note: c.toml is not served: ")
    assert log.read_text().count("\n") == 1
