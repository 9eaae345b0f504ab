#!/usr/bin/env python3
"""Writes Docs/Benchmarks.md and its plots from results of varve-bench.

    report.py RESULTS.json [DOCS]

The text around the tables is in Benchmarks.md.in, where {{name}} stands for what is made here; why Varve loses where it
does is in reasons.json. Ends with 1, when all is written, if something has failed in the run.
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

# The tables: a placeholder, and how the names of its workloads begin.
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
    "files": ["F1", "F2", "F3", "F4"],
}
# What other stores do otherwise or not at all: Varve's own numbers, with disk and memory.
OWN = ["open-view", "diff", "growth", "migrate", "update", "export", "import"]


def summaries(program):
    """What the workloads are, in the order in which varve-bench lists them."""
    text = subprocess.run([program, "list"], check=True, capture_output=True, text=True).stdout
    return dict(re.split(r"\s{2,}", line, maxsplit=1) for line in text.splitlines() if "  " in line)


def page(results, names, reasons):
    """The text of all places but those that tell of the machine."""
    tables, targets = Tables(results, names), Targets(results, names, reasons)
    losses = Losses(results, reasons, sum(GROUPS.values(), []), OWN)
    values = {name: tables.table(prefixes) for name, prefixes in GROUPS.items()}
    return values | {
        "inside": InsideTable(results, names).table(),
        "server": ServerTables(results, names).tables(),
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
    queried = "time of an object; of a query of all of them"
    plots.bars(results, "Queries", ["W3"], images / "queries.svg", queried)
    collections = "Lists, dictionaries, versions, processes"
    plots.bars(results, collections, ["W4", "W5", "W7", "W9"], images / "collections.svg")
    plots.bars(results, "What is often kept in files", GROUPS["files"], images / "files.svg")
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
