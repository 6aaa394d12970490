"""The command line, with one file per command."""

from __future__ import annotations


def main() -> None:
    """Run the command line."""
    from confide.cli.app import main as run

    run()
