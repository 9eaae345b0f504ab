"""Where Varve loses, and what nobody else does; each with its reason from reasons.json."""
import json
import re
from fnmatch import fnmatch
from pathlib import Path

from results import belongs, each, is_latency
from tables import shown
from wording import count, listing, markdown, megabytes, ratio

# Where the bytes on the disk are those of what has been stored; and where memory is worth comparing.
DISK = ["W8", "W3c-indexed", "W4a", "W5a", "F1-write", "F2", "F3", "F4"]
MEMORY = ["W1a", "W2", "W3a", "W3d", "W4a", "W5a", "W6-all", "F1-write", "F1-random-read", "F4"]
# How much of what Varve takes another engine may take and be told as much: it varies from run to run.
LEAST = 0.95
UNKNOWN = "no reason known yet"
WITHIN = "no more than Varve's own times differ in this run"


class Reasons:
    """A reason belongs to a kind (“time”, “disk”, “memory”, “not offered”, “targets”) and to a pattern of
    workload/engine, with stars; the first that fits counts."""

    def __init__(self, path=Path(__file__).parent / "reasons.json"):
        self.kinds = json.loads(path.read_text())

    def find(self, kind, workload, engine):
        for pattern, reason in self.kinds.get(kind, {}).items():
            if fnmatch(f"{workload}/{engine}", pattern):
                return reason
        return None


class Losses:
    def __init__(self, results, reasons, shared, own):
        """shared, own: how the names of workloads begin that all engines are asked for, and that are Varve's."""
        self.results = results
        self.reasons = reasons
        self.shared = shared
        self.own = own

    def table(self):
        rows = []
        for kind, workload, size, of_reasons in self.grouped():
            for reason, found in of_reasons.items():
                own = found[0][1]
                others = listing(f"{engine} {text} ({ratio(times)})" for engine, _, text, times in found)
                rows.append([f"{workload}, {kind}" if kind != "time" else workload, count(size), own, others, reason])
        if not rows:
            return "Nowhere in this run."
        return markdown(["", ":n", ":varve", "less", "why"], rows)

    def grouped(self):
        """Engines with the same reason share a line."""
        for kind in ("time", "disk", "memory"):
            for workload, _, found in self.results.rows(self.shared + self.own):
                own = found.get("varve")
                of_reasons = {}
                for engine in self.results.engines:
                    lost = own and found[engine] and engine != "varve" and self.loss(kind, own, found[engine])
                    if lost:
                        is_within = kind == "time" and self.is_within(own, found[engine])
                        reason = WITHIN if is_within else self.reasons.find(kind, workload, engine) or UNKNOWN
                        of_reasons.setdefault(reason, []).append((engine, *lost))
                if of_reasons:
                    yield kind, workload, own["n"], of_reasons

    def is_within(self, own, other):
        """Whether Varve took no more in one of its repeats. The least of many latencies is none of a repeat."""
        return not is_latency(own) and each(other) >= each(own, "min_seconds")

    def loss(self, kind, own, other):
        """Both values as they are told, and how many times Varve's the other one is; None where Varve does not lose."""
        workload = own["workload"]
        if kind == "time":
            # The seconds of W8 are none.
            if workload == "W8" or each(own) is None or each(other) is None:
                return None
            # A latency that is none: the observer was called before the commit returned.
            if each(other) <= 0:
                return None
            mine, theirs, texts = each(own), each(other), (shown(own)[0], shown(other)[0])
        else:
            key = "bytes_on_disk" if kind == "disk" else "peak_rss"
            # Of several sizes the largest tells all.
            is_told = workload in (DISK if kind == "disk" else MEMORY) and own is self.results.find("varve", workload)
            if not is_told:
                return None
            texts = (megabytes(own[key]), megabytes(other[key]))
            mine, theirs = own[key], other[key]
            if kind == "disk" and own["n"] and other["n"]:
                mine, theirs = mine / own["n"], theirs / other["n"]
            elif own["n"] != other["n"]:
                return None
        return (*texts, theirs / mine) if theirs < mine * LEAST else None

    def not_offered(self):
        """Workloads that only some engines do, by the reason; not those that are Varve's own."""
        reasons = {}
        for (engine, workload), line in self.results.refusals.items():
            known = self.reasons.find("not offered", workload, engine)
            said = line.get("not_offered")
            if said is None:
                continue
            # varve-bench says no more where an engine lacks a whole part.
            if re.search(r"does not have what|^not any ", said):
                if known is None and not any(belongs(workload, prefix) for prefix in self.shared):
                    continue
                said = known
            reason = said or UNKNOWN
            reasons.setdefault(reason, {}).setdefault(engine, []).append(workload)
        lines = []
        for reason, engines in reasons.items():
            of_workloads = {}
            for engine, workloads in engines.items():
                of_workloads.setdefault(listing(self.joined(workloads)), []).append(engine)
            which = "; ".join(f"{workloads} ({listing(engines)})" for workloads, engines in of_workloads.items())
            lines.append(f"- {which}: {reason}.")
        return "\n".join(lines) or "Everything was measured."

    def joined(self, workloads):
        """With one name for all questions inside of writes, which are many."""
        group = "W3w"
        questions = [name for name in self.results.names if belongs(name, group)]
        if len(questions) < 2 or not set(questions) <= set(workloads):
            return workloads
        return [*(name for name in workloads if name not in questions), group]

    def failures(self):
        """Before all the rest. Paths are those of a machine and tell nobody else anything."""
        lines = []
        for line in self.results.failures():
            text = re.sub(r"(?<![\w.])/[^\s\"”]+", "…", line["failure"].split("\n")[0])[:300]
            lines.append(f"- {line['workload']}, {line['engine']}: {text}")
        return "**Failed in this run:**\n\n" + "\n".join(lines) + "\n" if lines else ""
