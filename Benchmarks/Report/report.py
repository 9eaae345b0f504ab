#!/usr/bin/env python3
"""Writes Docs/Benchmarks.md and its plots from results of varve-bench.

    report.py RESULTS.json [DOCS]

RESULTS.json has a line of JSON for each result; of several with the same engine, workload and size the last counts.
The text around the tables is in Benchmarks.md.in, where {{name}} stands for what is made here.
"""
import json
import math
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot as plot  # noqa: E402

ENGINES = ["varve", "lmdb", "grdb", "grdb-raw", "files"]
COLOURS = {
    "varve": "#1f6f54",
    "lmdb": "#8a8d91",
    "grdb": "#c8553d",
    "grdb-raw": "#e29a86",
    "files": "#4a6fa5",
}
# The tables: a placeholder, and how the names of its workloads begin.
GROUPS = {
    "inserting": ["W1"],
    "lookups": ["W2"],
    "queries": ["W3"],
    "collections": ["W4", "W5"],
    "observing": ["W6"],
    "versions": ["W7", "W8"],
    "processes": ["W9"],
    "files": ["F1", "F2", "F3", "F4"],
}
# The ratios that Varve is to reach: against, workload, size or None, times faster, or slower where it is below 1.
TARGETS = [
    ("lmdb", "W2", None, 1),
    ("lmdb", "W1a", None, 1 / 1.3),
    ("grdb", "W1a", None, 8),
    ("grdb", "W1b", None, 8),
    ("grdb", "W2", None, 20),
    ("grdb", "W3a", None, 15),
    ("grdb", "W6-all", 1_000_000, 100),
    ("grdb", "W6-filter", 1_000_000, 100),
    ("grdb", "W6-sorted", 1_000_000, 100),
    ("grdb-raw", "W1a", None, 1.8),
    ("grdb-raw", "W2", None, 4),
    ("grdb-raw", "W3b", None, 8),
    ("grdb-raw", "W3c", None, 8),
    ("files", "F1-random-read", None, 3),
    ("files", "F4", None, 3),
]


def read(path):
    results = {}
    with open(path) as lines:
        for line in lines:
            result = json.loads(line)
            results[result["engine"], result["workload"], result["n"]] = result
    return results


def summaries(binary):
    """What the workloads are, in the order in which varve-bench lists them."""
    text = subprocess.run([binary, "list"], check=True, capture_output=True, text=True).stdout
    return dict(re.split(r"\s{2,}", line, maxsplit=1) for line in text.splitlines() if "  " in line)


def is_latency(result):
    return "p95" in result


def each(result):
    """Seconds an operation."""
    return result["seconds"] if is_latency(result) else result["seconds"] / result["n"]


def shown(result):
    """What a table tells: the time of an operation, or of a question about all rows."""
    asks = re.match(r"W3[b-g]", result["workload"]) is not None
    return time(result["seconds"] if asks else each(result))


def time(seconds):
    for unit, factor in (("s", 1), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1:
            return f"{three(seconds * factor)} {unit}"
    return f"{three(seconds * 1e9)} ns"


def three(number):
    """Three digits, as people write them."""
    if number <= 0:
        return "0"
    digits = max(0, 2 - math.floor(math.log10(number)))
    return f"{number:.{digits}f}"


def ratio(factor):
    return f"{factor:.2f} ×" if factor < 10 else f"{factor:.0f} ×"


class Report:
    def __init__(self, results, names):
        self.results = results
        self.names = names
        self.engines = [e for e in ENGINES if any(key[0] == e for key in results)]

    def workloads(self, prefixes):
        found = {key[1] for key in self.results if any(belongs(key[1], p) for p in prefixes)}
        order = list(self.names)
        return sorted(found, key=lambda name: (self.position(name, order), name))

    def position(self, name, order):
        if name in order:
            return order.index(name)
        parents = [i for i, other in enumerate(order) if name.startswith(other + "-")]
        return parents[-1] if parents else len(order)

    def sizes(self, workload):
        """What is compared: by size where varve has several, else whatever each engine had."""
        own = sorted(n for engine, name, n in self.results if name == workload and engine == "varve")
        return own if len(own) > 1 else [None]

    def find(self, engine, workload, size):
        found = [
            result
            for (e, w, n), result in self.results.items()
            if e == engine and w == workload and (size is None or n == size)
        ]
        return max(found, key=lambda result: result["n"]) if found else None

    def rows(self, prefixes):
        for workload in self.workloads(prefixes):
            for size in self.sizes(workload):
                yield workload, size, {e: self.find(e, workload, size) for e in self.engines}

    def table(self, prefixes):
        lines = [
            "| | what | " + " | ".join(self.engines) + " |",
            "|---|---|" + "---:|" * len(self.engines),
        ]
        for workload, size, found in self.rows(prefixes):
            own = found.get("varve")
            cells = [self.cell(found[engine], own) for engine in self.engines]
            label = workload if size is None else f"{workload} {size:,}"
            lines.append(f"| {label} | {self.summary(workload)} | " + " | ".join(cells) + " |")
        return "\n".join(lines)

    def summary(self, workload):
        if workload in self.names:
            return self.names[workload]
        if workload.endswith("-whole"):
            return "with the commit itself"
        return {"W9-readers-commits": "the commits of the fifth", "F3-log": "the lines of the log"}.get(
            workload, ""
        )

    def cell(self, result, own):
        if result is None:
            return "–"
        if result["workload"] == "W8":
            text, value = f"{result['bytes_on_disk'] / 1e6:.1f} MB", result["bytes_on_disk"] / result["n"]
            reference = own and own["bytes_on_disk"] / own["n"]
        else:
            text, value = shown(result), each(result)
            reference = own and each(own)
        if own is None or result is own or not reference:
            return text
        return f"{text} ({ratio(value / reference)})"

    def targets(self):
        lines = ["| against | workload | to reach | reached | |", "|---|---|---:|---:|---|"]
        for engine, workload, size, wanted in TARGETS:
            own, other = self.find("varve", workload, size), self.find(engine, workload, size)
            if own is None or other is None:
                continue
            reached = each(other) / max(each(own), 1e-9)
            name = workload if size is None else f"{workload} at {size:,}"
            lines.append(
                f"| {engine} | {name} | {ratio(wanted)} | {ratio(reached)} | {'' if reached >= wanted else 'not reached'} |"
            )
        for name in ["W6-all", "W6-filter", "W6-sorted", "W6-list", "W6-map"]:
            small, large = self.find("varve", name, 10_000), self.find("varve", name, 1_000_000)
            if small and large and each(large) > 0:
                reached = each(large) / each(small)
                lines.append(
                    f"| itself | {name}, 1 M against 10 k | at most 2.00 × | {ratio(reached)} | {'' if reached <= 2 else 'not reached'} |"
                )
        own, other = self.find("varve", "F1-write", None), self.find("files", "F1-write", None)
        if own and other:
            reached = own["bytes_on_disk"] / other["bytes_on_disk"]
            lines.append(
                f"| files | F1, bytes on disk | at most 1.00 × | {reached:.3f} × | {'' if reached <= 1 else 'not reached'} |"
            )
        return "\n".join(lines)

    def losses(self):
        lines = []
        for workload, size, found in self.rows(sum(GROUPS.values(), [])):
            own = found.get("varve")
            if own is None or workload == "W8":
                continue
            for engine in self.engines[1:]:
                other = found[engine]
                if other and each(other) < each(own):
                    label = workload if size is None else f"{workload} at {size:,}"
                    lines.append(f"- {label}: {engine} takes {each(other) / each(own):.2f} of Varve's time.")
        return "\n".join(lines) or "Nowhere in this run."

    def bars(self, title, prefixes, path):
        rows = [row for row in self.rows(prefixes) if row[0] != "W8" and row[2].get("varve")]
        engines = [e for e in self.engines if any(row[2][e] for row in rows)]
        figure, axes = plot.subplots(figsize=(9, 0.16 * len(rows) * (len(engines) + 1.5) + 1.2))
        height = 1 / (len(engines) + 1)
        for place, engine in enumerate(engines):
            places = [i for i, row in enumerate(rows) if row[2][engine]]
            axes.barh(
                [i + place * height for i in places],
                [max(each(rows[i][2][engine]), 1e-10) * 1e9 for i in places],
                height=height * 0.92,
                color=COLOURS[engine],
                label=engine,
            )
        axes.set_yticks(
            [i + height * (len(engines) - 1) / 2 for i in range(len(rows))],
            [w if s is None else f"{w} {s:,}" for w, s, _ in rows],
        )
        axes.invert_yaxis()
        axes.set_xscale("log")
        axes.set_xlabel("nanoseconds an operation (shorter is better)")
        axes.set_title(title)
        axes.grid(axis="x", alpha=0.3)
        axes.legend(fontsize=8)
        save(figure, path)

    def latencies(self, path):
        figure, axes = plot.subplots(figsize=(9, 5))
        styles = {"W6-all": "-", "W6-filter": "--", "W6-sorted": ":", "W6-list": "-.", "W6-map": (0, (1, 1))}
        whole = "-whole"
        for engine in self.engines:
            for workload, style in styles.items():
                points = sorted(
                    (n, each(r)) for (e, w, n), r in self.results.items() if e == engine and w == workload + whole
                )
                if len(points) > 1:
                    axes.plot(
                        [n for n, _ in points],
                        [max(t, 1e-7) * 1e6 for _, t in points],
                        linestyle=style,
                        marker="o",
                        markersize=3,
                        color=COLOURS[engine],
                        label=f"{engine} {workload[3:]}",
                    )
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("elements in the collection")
        axes.set_ylabel("microseconds from the begin of the commit to the callback")
        axes.set_title("How long after a commit an observer hears of it")
        axes.grid(alpha=0.3, which="both")
        axes.legend(fontsize=7, ncol=2)
        save(figure, path)


def belongs(workload, prefix):
    return re.match(re.escape(prefix) + r"(?!\d)", workload) is not None


def save(figure, path):
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plot.close(figure)
    # Trailing spaces only make differences between versions harder to read.
    path.write_text("\n".join(line.rstrip() for line in path.read_text().splitlines()) + "\n")


def first_line(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0]
    except (OSError, IndexError):
        return "?"


def machine(directory):
    cpu = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), "?")
    memory = next(int(l.split()[1]) for l in open("/proc/meminfo") if l.startswith("MemTotal"))
    return "\n".join(
        [
            f"- {os.cpu_count()} cores ({cpu}), {memory / 2**20:.0f} GiB of memory, {platform.system()} {platform.release()}",
            f"- file system of the stores: {first_line('stat', '-f', '-c', '%T', directory)}",
            f"- {first_line('swift', '--version')}",
            f"- LMDB {first_line('pkg-config', '--modversion', 'lmdb')}, SQLite {first_line('pkg-config', '--modversion', 'sqlite3')}, GRDB 7.10",
        ]
    )


def main():
    here = Path(__file__).parent
    results = read(sys.argv[1])
    docs = Path(sys.argv[2]) if len(sys.argv) > 2 else here.parent.parent / "Docs"
    images = docs / "Benchmarks"
    images.mkdir(exist_ok=True)
    matplotlib.rcParams["svg.hashsalt"] = "varve"
    report = Report(results, summaries(os.environ.get("VARVE_BENCH", "varve-bench")))
    text = (here / "Benchmarks.md.in").read_text()
    values = {name: report.table(prefixes) for name, prefixes in GROUPS.items()}
    values |= {
        "targets": report.targets(),
        "losses": report.losses(),
        "machine": machine(os.environ.get("TMPDIR", "/tmp")),
    }
    text = re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], text)
    (docs / "Benchmarks.md").write_text(text)
    report.bars("Objects", ["W1", "W2"], images / "objects.svg")
    report.bars("Queries", ["W3"], images / "queries.svg")
    report.bars("Lists, dictionaries, versions, processes", ["W4", "W5", "W7", "W9"], images / "collections.svg")
    report.bars("What is often kept in files", ["F1", "F2", "F3", "F4"], images / "files.svg")
    report.latencies(images / "latency.svg")


main()
