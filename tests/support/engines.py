"""Every way in which a table of answers or reports can be held.

Each takes an arrow table and a folder to write in, and gives the same table in its own kind.
"""

from __future__ import annotations

import os
import shutil
import sys
from functools import cache

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq
import pytest


def is_text(kind):
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def texts(table):
    return [field.name for field in table.schema if is_text(field.type)]


def numpy_objects(table, _):
    rows = np.empty((table.num_rows, table.num_columns), dtype=object)
    rows[:] = [list(row.values()) for row in table.to_pylist()]
    return rows


def pandas_plain(table, _):
    return table.to_pandas()


def pandas_objects(table, _):
    return pd.DataFrame(
        {n: pd.Series(table[n].to_pylist(), dtype=object) for n in table.schema.names}
    )


def pandas_categories(table, _):
    return table.to_pandas().astype(dict.fromkeys(texts(table), "category"))


def pandas_nullable(table, _):
    kinds = {
        pa.string(): pd.StringDtype(),
        pa.bool_(): pd.BooleanDtype(),
        pa.int8(): pd.Int8Dtype(),
        pa.int64(): pd.Int64Dtype(),
        pa.float64(): pd.Float64Dtype(),
    }
    return table.to_pandas(types_mapper=kinds.get)


def pandas_arrow(table, _):
    return table.to_pandas(types_mapper=pd.ArrowDtype)


def polars_eager(table, _):
    return pl.from_arrow(table)


def polars_lazy(table, _):
    return pl.from_arrow(table).lazy()


def polars_categories(table, _):
    return pl.from_arrow(table).cast(dict.fromkeys(texts(table), pl.Categorical))


def polars_enums(table, _):
    kinds = {name: pl.Enum(pc.unique(table[name]).drop_null().to_pylist()) for name in texts(table)}
    return pl.from_arrow(table).cast(kinds)


def polars_lazy_enums(table, folder):
    return polars_enums(table, folder).lazy()


def arrow_plain(table, _):
    return table


def arrow_dictionaries(table, _):
    columns = [pc.dictionary_encode(c) if is_text(c.type) else c for c in table.columns]
    return pa.table(columns, names=table.schema.names)


def arrow_chunks(table, _):
    middle = table.num_rows // 2
    return pa.concat_tables([table.slice(0, middle), table.slice(middle)])


def duckdb_relation(table, _):
    return duckdb.from_arrow(table)


def duckdb_over_parquet(table, folder):
    pq.write_table(table, folder / "reports.parquet")
    return duckdb.read_parquet(str(folder / "reports.parquet"))


def ibis_table(table, _):
    import ibis

    return ibis.memtable(table)


def spark_frame(table, _):
    return spark().createDataFrame(table)


def require_java():
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java, and there is none on this machine")


@cache
def spark():
    """One small Spark of our own in this process."""
    require_java()
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[1]").appName("confide")
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": "1",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def parquet_file(table, folder):
    pq.write_table(table, folder / "reports.parquet", row_group_size=7)
    return folder / "reports.parquet"


def parquet_folder(table, folder):
    """As Spark writes it: a folder with parts, whose columns need not be in one order."""
    middle = table.num_rows // 2
    parts = folder / "parts.parquet"
    parts.mkdir()
    (parts / "_SUCCESS").touch()
    pq.write_table(table.slice(0, middle), parts / "part-0.parquet")
    rest = table.slice(middle).select(table.schema.names[::-1])
    pq.write_table(rest, parts / "part-1.parquet")
    return parts


def parquet_pattern(table, folder):
    return str(parquet_folder(table, folder) / "part-*.parquet")


def csv_file(table, folder):
    pyarrow.csv.write_csv(table, folder / "reports.csv")
    return folder / "reports.csv"


def csv_of_a_spreadsheet(table, folder):
    """Semicolons, quotes only where needed, carriage returns and a byte-order mark."""
    path = folder / "Reports.CSV"
    frame = table.to_pandas()
    frame.to_csv(path, sep=";", index=False, lineterminator="\r\n", encoding="utf-8-sig")
    return str(path)


IN_MEMORY = [
    pandas_plain,
    pandas_objects,
    pandas_categories,
    pandas_nullable,
    pandas_arrow,
    polars_eager,
    polars_categories,
    polars_enums,
    arrow_plain,
    arrow_dictionaries,
    arrow_chunks,
]

ELSEWHERE = [
    polars_lazy,
    polars_lazy_enums,
    duckdb_relation,
    duckdb_over_parquet,
    ibis_table,
    spark_frame,
    parquet_file,
    parquet_folder,
    parquet_pattern,
    csv_file,
    csv_of_a_spreadsheet,
]

ENGINES = [numpy_objects, *IN_MEMORY, *ELSEWHERE]


def named(engine):
    """An engine's name among the tests."""
    return engine.__name__
