"""A program that asks a Spark cluster for counts, estimates and models, and prints them as JSON.

python spark_program.py spark://… reports.parquet design.json classic|connect

"connect" asks through a server of Spark Connect, which the program starts for that master.

After the counts it says "counted" and waits for a line: time to kill a worker.
"""

from __future__ import annotations

import json
import os
import sys

from pyspark.sql import SparkSession

import confide as cf


def main(url, path, design, mode):
    design = cf.Design.load(design)
    settings = {
        "spark.api.mode": mode,
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        "spark.executor.memory": "600m",
        "spark.executorEnv.PYTHONPATH": os.environ["PYTHONPATH"],
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    }
    builder = SparkSession.builder.master(url).appName("confide")
    for name, value in settings.items():
        builder = builder.config(name, value)
    frame = builder.getOrCreate().read.parquet(path).repartition(4)
    counts = cf.Counts.of(design, frame)
    reports = cf.ReportsInPlace(design, frame)
    say("counted")
    sys.stdin.readline()
    say(json.dumps(describe(design, counts, reports)))


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def describe(design, counts, reports):
    """Everything that must not depend on where the reports are."""
    crowd, target = cf.Crowd(design, counts), design.names[0]
    table = crowd.table([target, design.names[1]])
    tree = cf.DisguisedTreeClassifier(design, target, method="literal", max_depth=2).fit(reports)
    bayes = cf.DisguisedNaiveBayes(design, target, method="literal").fit(reports)
    return {
        "reports": sorted(
            [*row, n]
            for row, n in zip(counts.patterns.tolist(), counts.reports.tolist(), strict=True)
        ),
        "values": table.values.tolist(),
        "errors": table.standard_errors.tolist(),
        "tree": [getattr(tree.tree_, part).tolist() for part in ("question", "child", "shares")],
        "bayes": [bayes.prior_.tolist(), *(each.tolist() for each in bayes.likelihood_)],
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
