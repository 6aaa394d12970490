"""The command line: every verb reads and writes ordinary files."""

from __future__ import annotations

import sys
import warnings

import typer
from rich.console import Console

from confide.cli.commands.admin import administration
from confide.cli.commands.backup import backup, restore
from confide.cli.commands.bayes import bayes
from confide.cli.commands.check import check
from confide.cli.commands.clusters import clusters
from confide.cli.commands.data import data
from confide.cli.commands.demo import demo
from confide.cli.commands.disguise import disguise
from confide.cli.commands.estimate import estimate
from confide.cli.commands.import_ import import_
from confide.cli.commands.init import init
from confide.cli.commands.invite import invite, remind
from confide.cli.commands.network import network
from confide.cli.commands.new import new
from confide.cli.commands.plan import plan
from confide.cli.commands.privacy import privacy
from confide.cli.commands.regress import regress
from confide.cli.commands.report import report
from confide.cli.commands.reproduce import reproduce
from confide.cli.commands.rules import rules
from confide.cli.commands.score import score
from confide.cli.commands.seal import seal
from confide.cli.commands.serve import serve
from confide.cli.commands.simulate import simulate
from confide.cli.commands.tree import tree
from confide.cli.commands.verify import verify
from confide.cli.spoken_options import SpokenCommand
from confide.errors import ConfideError

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
COMMANDS = (
    demo,
    init,
    new,
    import_,
    check,
    simulate,
    disguise,
    estimate,
    regress,
    tree,
    bayes,
    rules,
    clusters,
    network,
    score,
    privacy,
    plan,
    serve,
    invite,
    remind,
    seal,
    verify,
    backup,
    restore,
    data,
    report,
    reproduce,
)
for command in COMMANDS:
    name = command.__name__.rstrip("_")  # import is a word of Python's
    app.command(name, cls=SpokenCommand)(command)
app.add_typer(administration, name="admin")


@app.callback(invoke_without_command=True)
def confide(
    context: typer.Context,
    memory_limit: str | None = typer.Option(
        None,
        help="How much memory reading files may take, such as 500MB or 2GiB; what is more goes "
        "to a temporary folder. Left out: four fifths of the machine's.",
    ),
    version: bool = typer.Option(False, "--version", help="Show the version and stop."),
) -> None:
    """Sensitive surveys whose collector cannot know the answers.

    Start with `confide demo`, or with `confide init survey.toml`.
    """
    if version:
        from confide import __version__

        Console().print(f"confide {__version__}", highlight=False)
        raise typer.Exit
    if memory_limit:
        from confide.counts.file_engine import limit_memory

        context.with_resource(limit_memory(memory_limit))


def main() -> None:
    """Run the command line; a user's mistake is one clear line and exit code 2."""
    warnings.showwarning = _print_warning  # type: ignore[assignment]  # it needs only the message
    try:
        app()
    except ConfideError as error:
        _print_line(f"confide: {error}", "red")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)


def _print_warning(message: Warning | str, *_: object) -> None:
    """Show a warning as one line, not as a place in the program."""
    _print_line(f"confide: note: {message}", "yellow")


def _print_line(line: str, style: str) -> None:
    Console(stderr=True).print(line, style=style, highlight=False, markup=False, soft_wrap=True)
