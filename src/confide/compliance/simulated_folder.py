"""A simulated survey of any size, written to a folder in parts."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from confide.compliance.made_up_people import People
from confide.compliance.simulation import simulate
from confide.counts.counts import FINGERPRINT
from confide.design import Design
from confide.errors import ConfideError

PART = 1_000_000
"""So many people are drawn, disguised and written at a time."""


def write_simulation(
    design: Design,
    people: People,
    respondents: int,
    folder: Path,
    *,
    refusing: float = 0.0,
    inattentive: float = 0.0,
    seed: int | None = None,
    cores: int = 1,
) -> Iterator[int]:
    """Write ``reports`` and, for checking, the true ``answers`` of simulated people.

    Both are folders of Parquet files, row by row of the same people. The folder appears when all is
    written. What is drawn depends on the seed alone, not on the number of cores.

    Parameters
    ----------
    design : Design
        What is disguised, and how.
    people : People
        Who answers.
    respondents : int
        How many.
    folder : Path
        A folder that is not there yet.
    refusing, inattentive : float
        The shares of those who do not comply, as in `confide.simulate`.
    seed : int, optional
        Where chance starts.
    cores : int
        How many parts are made at once.

    Yields
    ------
    int
        How many people a part had that was just written.
    """
    if folder.exists():
        raise ConfideError(f"{folder} is already there. Give a folder that is not.")
    sizes = [min(PART, respondents - start) for start in range(0, respondents, PART)]
    seeds = np.random.SeedSequence(seed).spawn(len(sizes))
    unfinished = folder.with_name(f"{folder.name}.unfinished")

    def write_part(place: int) -> int:
        chance = np.random.default_rng(seeds[place])
        answers = people.draw(sizes[place], chance)
        reports = simulate(design, answers, refusing=refusing, inattentive=inattentive, seed=chance)
        for kind, table in (("answers", answers), ("reports", reports)):
            _write(table, design, unfinished / kind / f"part-{place:05}.parquet")
        return sizes[place]

    try:
        for kind in ("answers", "reports"):
            (unfinished / kind).mkdir(parents=True)
        with ThreadPoolExecutor(cores) as pool:
            parts = [pool.submit(write_part, place) for place in range(len(sizes))]
            try:
                yield from (part.result() for part in as_completed(parts))
            finally:
                pool.shutdown(cancel_futures=True)
        unfinished.rename(folder)
    except OSError as error:
        raise ConfideError(f"cannot write {folder}: {error.strerror}.") from None
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _write(table: pa.Table, design: Design, path: Path) -> None:
    metadata = {FINGERPRINT: design.fingerprint.encode()} if path.parent.name == "reports" else None
    pq.write_table(table.replace_schema_metadata(metadata), path)
