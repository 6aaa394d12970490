"""What serving installs is pinned by hashes, in the versions that everything is tested with."""

import re
import runpy
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PINS = (ROOT / "docs" / "deploy" / "requirements.txt").read_text("utf-8")
LINE = re.compile(r"^(\S+)==(\S+)((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", re.MULTILINE)


def plain(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned():
    return {plain(name): version for name, version, _ in LINE.findall(PINS)}


def test_every_line_is_a_version_with_hashes_and_no_address():
    left = LINE.sub("", PINS)
    assert all(not line or line.startswith("#") for line in left.splitlines())
    assert "://" not in PINS and "index" not in PINS
    hashes = re.findall(r"sha256:(\w+)", PINS)
    assert len(hashes) == len(set(hashes))


def test_the_versions_are_those_that_everything_is_tested_with():
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    tested = dict(line.split("==") for line in lines if "==" in line)
    tested = {plain(name): version for name, version in tested.items()}
    assert {name: tested.get(name) for name in pinned()} == pinned()


def test_all_that_serving_asks_for_is_there():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["serve"]]
    names = {plain(re.split(r"[\[><=;! ]", line)[0]) for line in asked}
    assert names <= set(pinned())


def test_a_release_lists_the_same_parts():
    release = runpy.run_path(str(ROOT / "scripts" / "release.py"))
    bill = release["list_materials"](PINS, "0.1.0")
    assert {each["name"]: each["version"] for each in bill["components"]} == {
        name: version for name, version, _ in LINE.findall(PINS)
    }
    assert all(each["hashes"] for each in bill["components"])
