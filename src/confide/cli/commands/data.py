"""The command `confide data`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from confide.cli.output import print_text


def data(
    name: Annotated[str, typer.Argument(help="adult, breast-cancer or voting.")],
    folder: Annotated[
        Path | None, typer.Option("--data", help="A folder that may have the data set.")
    ] = None,
) -> None:
    """Find a data set of the papers, or download it from OpenML, and check it.

    Example: `confide data adult`
    """
    from confide.papers.data import find_data_set, find_or_download, read

    data_set = find_data_set(name)
    place = find_or_download(data_set, folder)
    rows = read(data_set, place)
    print_text(
        f"{name}: {len(rows):,} records in {place}, SHA-256 {data_set.sha256[:12]}… as it must be."
    )
