"""Make a release: version, changelog, sdist and wheel, both tried in an empty environment, a tag.

    make release VERSION=0.1.0

Nothing leaves this machine: what is in `dist` is uploaded, and the tag pushed, by hand.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tarfile
import tempfile
import venv
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
VERSION_FILE = ROOT / "src" / "confide" / "_version.py"
CHANGELOG = ROOT / "CHANGELOG.md"
CITATION = ROOT / "CITATION.cff"
PINS = ROOT / "docs" / "deploy" / "requirements.txt"
QUICK_TESTS = ("tests/mechanisms", "tests/test_layers.py")
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def main(version: str) -> None:
    """Make the release of a version from a clean checkout."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        sys.exit(f"a version is three numbers such as 0.1.0. Got {version!r}.")
    if run("git", "status", "--porcelain"):
        sys.exit("the checkout has changes that are not committed.")
    if run("git", "tag", "--list", f"v{version}"):
        sys.exit(f"v{version} is released already.")
    write_version(version, today())
    try:
        built = [*build(), write_bill_of_materials(version)]
        try_in_an_empty_environment(built, version)
    except BaseException:  # so that what was mended can be released by the same command
        run("git", "checkout", "--", *map(str, (CHANGELOG, VERSION_FILE, CITATION)))
        raise
    run("git", "commit", "--allow-empty", "--all", "--message", f"Release {version}")
    run("git", "tag", "--annotate", f"v{version}", "--message", f"confide {version}")
    print(f"dist holds {', '.join(path.name for path in built)}; the tag is v{version}.")


def write_version(version: str, day: str) -> None:
    """Write the version and the day of its release wherever they stand."""
    CHANGELOG.write_text(dated(CHANGELOG.read_text("utf-8"), version, day), "utf-8")
    written = re.sub(r'"[^"]*"$', f'"{version}"', VERSION_FILE.read_text("utf-8").strip())
    VERSION_FILE.write_text(written + "\n", "utf-8")
    CITATION.write_text(cited(CITATION.read_text("utf-8"), version, day), "utf-8")


def cited(citation: str, version: str, day: str) -> str:
    """Give the citation file with another version and its day.

    >>> cited("version: 0.1.0\\ndate-released: 2024-01-01\\n", "0.2.0", "2026-01-02")
    'version: 0.2.0\\ndate-released: 2026-01-02\\n'
    """
    without = re.sub(r"^date-released: .*\n", "", citation, flags=re.MULTILINE)
    now = f"version: {version}\ndate-released: {day}"
    return re.sub(r"^version: .*$", now, without, flags=re.MULTILINE)


def today() -> str:
    """The day of the release."""
    return datetime.now(UTC).strftime("%Y-%m-%d")


def dated(changelog: str, version: str, day: str) -> str:
    """Give the changelog with its topmost section dated; refuse one of another version."""
    heading = re.search(r"^## (\S+) \(not released yet\)$", changelog, re.MULTILINE)
    if heading is None or heading.group(1) != version:
        sys.exit(f"CHANGELOG.md must begin with ## {version} (not released yet).")
    return changelog.replace(heading.group(0), f"## {version} ({day})", 1)


def build() -> list[Path]:
    """Build the sdist, and from it the wheel."""
    for old in (ROOT / "dist").glob("confide-*"):
        old.unlink()
    run(sys.executable, "-m", "build", "--quiet")
    return sorted((ROOT / "dist").glob("confide-*"))


def write_bill_of_materials(version: str) -> Path:
    """Write what the web app is made of beside the release, as CycloneDX has it."""
    path = ROOT / "dist" / f"confide-{version}.cdx.json"
    bill = list_materials(PINS.read_text("utf-8"), version)
    path.write_text(json.dumps(bill, indent=2) + "\n", "utf-8")
    return path


def list_materials(pins: str, version: str) -> dict[str, object]:
    """List the packages of a file of pins, each with its version and the hashes of its wheels.

    >>> bill = list_materials("# pins\\na==1.0 \\\\\\n    --hash=sha256:00\\n", "0.1.0")
    >>> [(each["purl"], each["hashes"]) for each in bill["components"]]
    [('pkg:pypi/a@1.0', [{'alg': 'SHA-256', 'content': '00'}])]
    """
    pin = re.compile(r"^(\S+)==(\S+)((?: \\\n +--hash=\S+)*)$", re.MULTILINE)
    parts = [
        {
            "type": "library",
            "name": name,
            "version": pinned,
            "purl": f"pkg:pypi/{name}@{pinned}",
            "hashes": [
                {"alg": "SHA-256", "content": digest}
                for digest in re.findall(r"sha256:([0-9a-f]+)", hashes)
            ],
        }
        for name, pinned, hashes in pin.findall(pins)
    ]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "confide", "version": version}},
        "components": parts,
    }


def try_in_an_empty_environment(built: list[Path], version: str) -> None:
    """Install the wheel in a new environment; run README's examples, and tests of the sdist."""
    sdist, wheel = (next(p for p in built if p.name.endswith(end)) for end in (".tar.gz", ".whl"))
    with tempfile.TemporaryDirectory() as folder:
        python = str(Path(folder) / "venv" / "bin" / "python")
        venv.create(Path(folder) / "venv", with_pip=True)
        constraints = ("--constraint", str(ROOT / "constraints.txt"))
        run(python, "-m", "pip", "--quiet", "install", *constraints, str(wheel))
        said = run(str(Path(python).with_name("confide")), "--version", folder=folder)
        if version not in said:
            sys.exit(f"the installed program says it is {said!r}.")
        blocks = BLOCK.findall((ROOT / "README.md").read_text("utf-8"))
        examples = Path(folder) / "readme.py"
        examples.write_text("\n".join(map(statements, blocks)), "utf-8")
        run(python, str(examples), folder=folder)
        with tarfile.open(sdist) as archive:
            archive.extractall(folder, filter="data")
        unpacked = Path(folder) / sdist.name.removesuffix(".tar.gz")
        for kept in (
            "CHANGELOG.md",
            "Makefile",
            "benchmarks",
            "constraints.txt",
            "docs",
            "vectors",
        ):
            if not (unpacked / kept).exists():
                sys.exit(f"the sdist lacks {kept}, which its tests need.")
        tools = f"{wheel}[regression,serve,test-serve]"
        run(python, "-m", "pip", "--quiet", "install", *constraints, tools)
        run(python, "-m", "pytest", *QUICK_TESTS, folder=unpacked)


def statements(block: str) -> str:
    """The statements of a block, which may show prompts and what they print.

    >>> statements(">>> 1 + 1\\n2\\n"), statements("x = 3")
    ('1 + 1', 'x = 3')
    """
    if ">>> " not in block:
        return block
    lines = [line for line in block.splitlines() if line.startswith((">>> ", "... "))]
    return "\n".join(line[4:] for line in lines)


def run(*command: str, folder: str | Path = ROOT) -> str:
    """Run a command, give what it prints, and stop where it fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
