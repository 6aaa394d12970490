"""Data sets from OpenML, where the files of UCI are not at hand."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from confide.extras import explain_missing
from confide.papers.data_sets import MISSING, DataSet, Rows, hash_rows


def fetch_rows(data_set: DataSet, offline: Exception) -> Rows:
    """Fetch a data set; without a network raise what says where to put the files.

    Parameters
    ----------
    data_set : DataSet
        The data set.
    offline : Exception
        What is raised where OpenML cannot be reached.
    """
    with explain_missing("pandas", "reading a data set from OpenML"):
        import pandas  # noqa: F401  scikit-learn reads with it
    from sklearn.datasets import fetch_openml

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it tells of every attempt
            found = fetch_openml(
                data_id=data_set.openml, as_frame=True, cache=False, n_retries=1, parser="pandas"
            )
    except (OSError, ValueError):  # no network, or no such number there any more
        raise offline from None
    return arrange_rows(data_set, found.data, found.target)


def arrange_rows(data_set: DataSet, data: Any, target: Any) -> Rows:
    """Write a table of OpenML as rows, in the order of UCI's files where they can be told."""
    called = dict(zip(data_set.called, data_set.classes, strict=True))
    columns = [[_write_value(value) for value in data[name].tolist()] for name in data.columns]
    classes = [called.get(str(label), str(label)) for label in target.tolist()]
    rows = list(zip(*columns, classes, strict=True))
    turned = rows[data_set.first_there :] + rows[: data_set.first_there]
    return turned if hash_rows(turned) == data_set.sha256 else rows


def _write_value(value: object) -> str:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return MISSING
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()
