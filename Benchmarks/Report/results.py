"""What varve-bench has written: results, and why there are none.

A line of JSON has a result of an engine in a workload with a size; or, with `not_offered` or `failure`, why it has none.
Of several results with the same engine, workload and size the last counts. A result that comes after a refusal is one of
a later run, for varve-bench asks nobody twice.
"""
import json
import re

ENGINES = ["varve", "lmdb", "grdb", "grdb-raw", "files"]

# Of these the number of operations is what has been measured: how many there were in a time.
COUNTED = {"W9-readers", "W9-readers-commits", "F3-log"}

# The clock and a call of the observer need about that long: latencies below it are told, and not compared.
LEAST_LATENCY = 1e-6


def is_latency(result):
    return "p95" in result


def each(result, key="seconds"):
    """Seconds an operation; None where there was no operation."""
    if is_latency(result):
        return result[key]
    return result[key] / result["n"] if result["n"] > 0 else None


def is_question(workload):
    """A query about all rows, whose time is told as a whole."""
    return re.match(r"W3[b-g]", workload) is not None


def factor(value, own):
    """How many times one's own value another one is; None where that says nothing."""
    return value / own if value is not None and own else None


def belongs(workload, prefix):
    """W3w is no part of W3: it has a table of its own."""
    return re.match(re.escape(prefix) + r"(?!\d|w-)", workload) is not None


class Results:
    def __init__(self, lines, names=()):
        """lines: as in the file. names: of all workloads, in their order; what is behind them are variants."""
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

    def told(self, key):
        """What the lines of the run say of it: one value, as a rule."""
        return sorted({line[key] for line in self.lines if key in line})

    def refusal(self, engine, workload):
        """Of a workload, or of the one whose variant it is."""
        while (engine, workload) not in self.refusals:
            if workload in self.names or "-" not in workload:
                return None
            workload = workload.rpartition("-")[0]
        return self.refusals[engine, workload]

    def find(self, engine, workload, size=None):
        """With the most operations if no size is given."""
        found = [
            result
            for (e, w, n), result in self.found.items()
            if e == engine and w == workload and (size is None or n == size)
        ]
        return max(found, key=lambda result: result["n"]) if found else None

    def missing(self, engine, workload):
        """What stands where there is no result."""
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
        """What is compared: by size where an engine has several, else whatever each had."""
        if workload in COUNTED:
            return [None]
        of_engines = [sorted(n for e, w, n in self.found if w == workload and e == engine) for engine in self.engines]
        several = [sizes for sizes in of_engines if len(sizes) > 1]
        return several[0] if several else [None]

    def rows(self, prefixes):
        for workload in self.workloads(prefixes):
            for size in self.sizes(workload):
                yield workload, size, {e: self.find(e, workload, size) for e in self.engines}
