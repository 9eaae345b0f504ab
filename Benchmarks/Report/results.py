"""The result file of varve-bench.

A line of JSON contains the result of an engine for a workload and a size or, with `not_offered` or `failure`, the reason
why there is none. The last of several results for the same engine, workload and size counts. A result after a refusal
is from a later run, because varve-bench does not run a workload again on an engine that refused it.
"""
import json
import re

ENGINES = ["varve", "lmdb", "grdb", "grdb-raw", "files"]

# The workloads that measure the number of operations in a period.
COUNTED = {"W9-readers", "W9-readers-commits", "F3-log"}

# About the time of reading the clock and calling the observer: shorter latencies are listed, but not compared.
LEAST_LATENCY = 1e-6


def is_latency(result):
    return "p95" in result


def each(result, key="seconds"):
    """Returns the seconds per operation; None if there was no operation."""
    if is_latency(result):
        return result[key]
    return result[key] / result["n"] if result["n"] > 0 else None


def is_query(workload):
    """Whether a workload is a query of all rows, whose time is stated per query."""
    return re.match(r"W3[b-g]", workload) is not None


def factor(value, own):
    """Returns a value divided by Varve's; None if one of them is missing or Varve's is zero."""
    return value / own if value is not None and own else None


def belongs(workload, prefix):
    """Whether a workload belongs to a group. W3w does not belong to W3: it has a separate table."""
    return re.match(re.escape(prefix) + r"(?!\d|w-)", workload) is not None


class Results:
    def __init__(self, lines, names=()):
        """lines: the lines of the file. names: all workloads in order; other names are variants of them."""
        self.found = {}
        self.refusals = {}
        self.lines = [json.loads(line) for line in lines if line.strip()]
        for line in self.lines:
            pair = line["engine"], line["workload"]
            if "failure" in line or "not_offered" in line:
                self.refusals[pair] = line
            else:
                self.refusals.pop(pair, None)
                self.found[(*pair, line["n"])] = line
        self.names = list(names)
        present = {key[0] for key in self.found} | {key[0] for key in self.refusals}
        self.engines = [e for e in ENGINES if e in present]

    def failures(self):
        return [line for line in self.refusals.values() if "failure" in line]

    def values(self, key):
        """Returns the distinct values of a key in all lines: usually one."""
        return sorted({line[key] for line in self.lines if key in line})

    def refusal(self, engine, workload):
        """Returns the refusal of a workload, or of the workload whose variant it is."""
        while (engine, workload) not in self.refusals:
            if workload in self.names or "-" not in workload:
                return None
            workload = workload.rpartition("-")[0]
        return self.refusals[engine, workload]

    def find(self, engine, workload, size=None):
        """Returns a result; without a size, the one with the most operations."""
        found = [
            result
            for (e, w, n), result in self.found.items()
            if e == engine and w == workload and (size is None or n == size)
        ]
        return max(found, key=lambda result: result["n"]) if found else None

    def missing(self, engine, workload):
        """Returns the table cell for a missing result."""
        refusal = self.refusal(engine, workload)
        if refusal is None:
            return "not measured"
        return "failed" if "failure" in refusal else "–"

    def workloads(self, prefixes):
        all_names = {key[1] for key in self.found} | {key[1] for key in self.refusals}
        chosen = {name for name in all_names if any(belongs(name, p) for p in prefixes)}
        return sorted(chosen, key=lambda name: (self.position(name), name))

    def position(self, name):
        if name in self.names:
            return self.names.index(name)
        parents = [i for i, other in enumerate(self.names) if name.startswith(other + "-")]
        return parents[-1] if parents else len(self.names)

    def sizes(self, workload):
        """Returns the sizes to compare; [None] if each engine has one result, whatever its size."""
        if workload in COUNTED:
            return [None]
        of_engines = [sorted(n for e, w, n in self.found if w == workload and e == engine) for engine in self.engines]
        several = [sizes for sizes in of_engines if len(sizes) > 1]
        return several[0] if several else [None]

    def rows(self, prefixes):
        for workload in self.workloads(prefixes):
            for size in self.sizes(workload):
                yield workload, size, {e: self.find(e, workload, size) for e in self.engines}
