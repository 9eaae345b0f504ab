"""The losses of Varve, the workloads that engines do not offer, and the reasons from reasons.json."""
import json
import re
from fnmatch import fnmatch
from pathlib import Path

from results import belongs, each, is_latency
from tables import shown
from wording import count, listing, markdown, megabytes, ratio

# The workloads whose disk use and memory use are compared.
DISK = ["W8", "W3c-indexed", "W4a", "W4-small", "W5a", "W5a-small", "F1-write", "F2", "F3", "F4", "T1-add"]
MEMORY = ["W1a", "W2", "W3a", "W3d", "W4a", "W5a", "W6-all", "F1-write", "F1-random-read", "F4"]
# Another engine wins if its value is below this fraction of Varve's: values vary from run to run.
LEAST = 0.95
UNKNOWN = "not explained"
WITHIN = "within the spread of Varve's times in this run"


class Reasons:
    """The reasons in reasons.json, by kind (“time”, “disk”, “memory”, “not offered”, “targets”) and by pattern of
    workload/engine, with stars. The first matching pattern counts; null means that the reason is not known."""

    def __init__(self, path=Path(__file__).parent / "reasons.json"):
        self.kinds = json.loads(path.read_text())

    def find(self, kind, workload, engine):
        for pattern, reason in self.kinds.get(kind, {}).items():
            if fnmatch(f"{workload}/{engine}", pattern):
                return reason
        return None


class Losses:
    def __init__(self, results, reasons, shared, own):
        """shared, own: the prefixes of the workloads for all engines, and of those for Varve alone."""
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
            return "None in this run."
        return markdown(["", ":n", ":varve", "engines with less", "reason"], rows)

    def grouped(self):
        """Yields the losses of each workload. Engines with the same reason share a line."""
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
        """Whether one of Varve's repeats was as fast. Latencies are excluded: their minimum is not that of a repeat."""
        return not is_latency(own) and each(other) >= each(own, "min_seconds")

    def loss(self, kind, own, other):
        """Returns both values as texts and the other value divided by Varve's; None if Varve does not lose."""
        workload = own["workload"]
        if kind == "time":
            # W8 measures bytes, not seconds.
            if workload == "W8" or each(own) is None or each(other) is None:
                return None
            # A latency of zero: the observer was called before the commit returned.
            if each(other) <= 0:
                return None
            mine, theirs, texts = each(own), each(other), (shown(own)[0], shown(other)[0])
        else:
            key = "bytes_on_disk" if kind == "disk" else "peak_rss"
            # Only the largest of several sizes is compared.
            is_compared = workload in (DISK if kind == "disk" else MEMORY) and own is self.results.find("varve", workload)
            if not is_compared:
                return None
            texts = (megabytes(own[key]), megabytes(other[key]))
            mine, theirs = own[key], other[key]
            if kind == "disk" and own["n"] and other["n"]:
                mine, theirs = mine / own["n"], theirs / other["n"]
            elif own["n"] != other["n"]:
                return None
        return (*texts, theirs / mine) if theirs < mine * LEAST else None

    def not_offered(self):
        """Lists the workloads that engines do not offer, by reason. Omits those of Varve alone."""
        reasons = {}
        for (engine, workload), line in self.results.refusals.items():
            known = self.reasons.find("not offered", workload, engine)
            stated = line.get("not_offered")
            if stated is None:
                continue
            # The message of varve-bench has no reason if the engine does not conform to the protocol.
            if re.search(r"does not offer |^not any ", stated):
                if known is None and not any(belongs(workload, prefix) for prefix in self.shared):
                    continue
                stated = known
            reason = stated or UNKNOWN
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
        """Replaces the names of all queries inside writes by that of their group."""
        group = "W3w"
        queries = [name for name in self.results.names if belongs(name, group)]
        if len(queries) < 2 or not set(queries) <= set(workloads):
            return workloads
        return [*(name for name in workloads if name not in queries), group]

    def failures(self):
        """Lists the failures for the top of the page, without the paths of the machine."""
        lines = []
        for line in self.results.failures():
            text = re.sub(r"(?<![\w.])/[^\s\"”]+", "…", line["failure"].split("\n")[0])[:300]
            lines.append(f"- {line['workload']}, {line['engine']}: {text}")
        return "**Failed in this run:**\n\n" + "\n".join(lines) + "\n" if lines else ""
