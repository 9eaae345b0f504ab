#!/usr/bin/env python3
"""Writes Docs/Benchmarks.md and its plots from results of varve-bench.

    report.py RESULTS.json [DOCS]

The text around the tables is in Benchmarks.md.in; {{name}} is replaced by a generated part. The reasons of losses are in
reasons.json. Exits with status 1 if the results contain a failure, after writing everything.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

import setting
from inside import InsideTable
from losses import Losses, Reasons
from results import Results
from server import ServerTables
from tables import Tables
from targets import Targets

# The placeholder of each table, and the prefixes of its workloads.
GROUPS = {
    "inserting": ["W1"],
    "lookups": ["W2"],
    "queries": ["W3"],
    "inside": ["W3w"],
    "collections": ["W4", "W5"],
    "observing": ["W6"],
    "versions": ["W7", "W8"],
    "processes": ["W9"],
    "server": ["W10"],
    "texts": ["T1"],
    "files": ["F1", "F2", "F3", "F4"],
}
# The prefixes of the workloads for Varve alone, whose table includes disk and memory.
OWN = ["open-view", "diff", "growth", "migrate", "update", "export", "import"]


def summaries(program):
    """Returns the summaries of the workloads, in the order of `varve-bench list`."""
    text = subprocess.run([program, "list"], check=True, capture_output=True, text=True).stdout
    return dict(re.split(r"\s{2,}", line, maxsplit=1) for line in text.splitlines() if "  " in line)


def page(results, names, reasons):
    """Returns the values of all placeholders except those that describe the machine."""
    tables, targets = Tables(results, names), Targets(results, names, reasons)
    losses = Losses(results, reasons, sum(GROUPS.values(), []), OWN)
    values = {name: tables.table(prefixes) for name, prefixes in GROUPS.items()}
    return values | {
        "inside": InsideTable(results, names).table(),
        "server": ServerTables(results, names).tables(),
        "texts": tables.table(GROUPS["texts"], with_space=True),
        "own": tables.table(OWN, with_space=True),
        "failures": losses.failures(),
        "targets": targets.ratios(),
        "floors": targets.floors(),
        "losses": losses.table(),
        "not_measured": losses.not_offered(),
        "run": setting.run(results),
    }


def draw(results, images):
    # Only drawing needs matplotlib.
    import plots

    plots.bars(results, "Objects", ["W1", "W2"], images / "objects.svg")
    queried = "time per object; for W3b to W3g, per query"
    plots.bars(results, "Queries", ["W3"], images / "queries.svg", queried)
    collections = "Lists, dictionaries, versions, processes"
    plots.bars(results, collections, ["W4", "W5", "W7", "W9"], images / "collections.svg")
    plots.bars(results, "Workloads usually stored in files", GROUPS["files"], images / "files.svg")
    plots.latencies(results, images / "latency.svg")


def main():
    here = Path(__file__).parent
    docs = Path(sys.argv[2]) if len(sys.argv) > 2 else here.parent.parent / "Docs"
    images = docs / "Benchmarks"
    images.mkdir(parents=True, exist_ok=True)
    program = os.environ.get("VARVE_BENCH", "varve-bench")
    names = summaries(program)
    with open(sys.argv[1]) as lines:
        results = Results(lines, names)
    values = page(results, names, Reasons()) | {
        "threads": str(setting.threads()),
        "machine": setting.machine(os.environ.get("TMPDIR", "/tmp"), program),
    }
    text = (here / "Benchmarks.md.in").read_text()
    text = re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], text)
    (docs / "Benchmarks.md").write_text(re.sub(r"\n{3,}", "\n\n", text))
    draw(results, images)
    for line in results.failures():
        print(f"{line['engine']} failed in {line['workload']}: {line['failure']}", file=sys.stderr)
    return 1 if results.failures() else 0


if __name__ == "__main__":
    sys.exit(main())
