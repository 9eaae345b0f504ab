"""The targets: ratios to other engines, and upper limits of Varve's times."""
from inside import MOST_INSIDE, InsideTable
from results import LEAST_LATENCY, each, is_latency, is_query
from tables import incomparable, spread
from wording import count, markdown, megabytes, ratio, time

# The other engine, the workload, the size or None, and the other engine's time divided by Varve's.
TARGETS = [
    ("lmdb", "W2", None, 1),
    ("lmdb", "W1a", None, 1 / 1.3),
    ("grdb", "W1a", None, 8),
    ("grdb", "W1b", None, 8),
    ("grdb", "W1c", None, 1 / 1.15),
    ("grdb", "W2", None, 20),
    ("grdb", "W3a", None, 15),
    ("grdb", "W6-all", 1_000_000, 100),
    ("grdb", "W6-all-whole", 1_000_000, 100),
    ("grdb", "W6-filter", 1_000_000, 100),
    ("grdb", "W6-filter-whole", 1_000_000, 100),
    ("grdb", "W6-sorted", 1_000_000, 100),
    ("grdb", "W6-sorted-whole", 1_000_000, 100),
    ("grdb", "W10a", None, 2),
    ("grdb", "W10c", None, 2),
    ("grdb-raw", "W1a", None, 1.8),
    ("grdb-raw", "W2", None, 4),
    ("grdb-raw", "W3b", None, 8),
    ("grdb-raw", "W3c", None, 8),
    ("lmdb", "F1-write", None, 1 / 1.5),
    ("lmdb", "F1-random-read-lent", None, 1 / 1.5),
    ("files", "F1-random-read", None, 3),
    ("files", "F1-random-read-lent", None, 3),
    ("lmdb", "F4", None, 7.3 / 13),
    ("grdb-raw", "F4", None, 1.7),
    ("files", "F4", None, 3),
]
# The other engine, the workload, and the maximum of Varve's bytes divided by the other engine's.
DISK_TARGETS = [("files", "F1-write", 1), ("files", "F4", 1)]
# Two workloads of Varve, and the first one's time divided by the second one's.
OWN_TARGETS = [("W1a", "W1a-insert", 1 / 0.56)]
# The collections whose latency must not depend on their size: the ratio of the largest to the smallest is limited.
GROWTH_TARGETS = ["W6-all", "W6-filter", "W6-sorted", "W6-list", "W6-map"]
MOST_GROWTH = 2
NOT_REACHED = "not reached"
# The workload, and the maximum in seconds: of a query, or of an operation.
FLOORS = [
    ("W3b", 5e-3),
    ("W3c", 3.5e-3),
    ("W3c-indexed", 0.2e-3),
    ("W3d", 120e-3),
    ("W3d-indexed", 0.2e-3),
    ("W3e-indexed", 1e-3),
    ("W3f-indexed", 1.5e-6),
    ("W3g-indexed", 15e-3),
    ("W3h", 20e-6),
]


class Targets:
    def __init__(self, results, summaries, reasons):
        """reasons: those of the kind “targets” explain why a target is not reached."""
        self.results = results
        self.summaries = summaries
        self.reasons = reasons

    def caution(self):
        """Returns a note for a run at another scale, to which the targets do not apply."""
        scales = self.results.values("scale")
        if scales == [1]:
            return ""
        text = " and ".join(f"{scale:g}" for scale in scales) or "unknown"
        return f"**The scale of this run is {text}: the targets apply to a scale of 1.**\n\n"

    def ratios(self):
        rows = [self.explained(self.ratio(*target)) for target in TARGETS]
        rows += [self.explained(self.own_ratio(*target)) for target in OWN_TARGETS]
        rows += [self.growth(workload) for workload in GROWTH_TARGETS]
        rows.append(self.inside())
        rows += [self.disk(*target) for target in DISK_TARGETS]
        return self.caution() + markdown(["compared with", "workload", ":n", ":target", ":measured", ""], rows)

    def explained(self, row):
        """Appends the reason to the verdict “not reached”."""
        reason = row[-1] == NOT_REACHED and self.reasons.find("targets", row[1], row[0])
        return row[:-1] + [f"{NOT_REACHED}: {reason}"] if reason else row

    def own_verdict(self, workload, is_reached):
        """The verdict on a limit of Varve's own, with the reason of one that is not reached."""
        reason = not is_reached and self.reasons.find("targets", workload, "itself")
        return f"{NOT_REACHED}: {reason}" if reason else verdict(is_reached)

    def ratio(self, engine, workload, size, wanted):
        # At another scale there is no such size; the row contains the actual size.
        own = self.at(engine="varve", workload=workload, size=size)
        other = self.at(engine, workload, own["n"] if own and size else size)
        row = [engine, workload, sizes(own, other), ratio(wanted)]
        times = own and other and each(own) is not None and each(other) is not None
        if not times:
            return row + [self.missing(workload, engine), ""]
        if incomparable(own) and incomparable(other):
            return row + [f"both below {time(LEAST_LATENCY)}", ""]
        if incomparable(own):
            reached = each(other) / LEAST_LATENCY
            return row + [f"more than {ratio(reached)}", verdict(reached >= wanted)]
        if each(own) <= 0:
            return row + ["no measurable time", ""]
        reached = each(other) / each(own)
        return row + [ratio(reached), verdict(reached >= wanted)]

    def own_ratio(self, first, second, wanted):
        one, other = self.results.find("varve", first), self.results.find("varve", second)
        row = ["itself", f"{first} ÷ {second}", sizes(one, other), ratio(wanted)]
        if not (one and other and each(one) and each(other)):
            return row + [self.missing(first), ""]
        reached = each(one) / each(other)
        return row + [ratio(reached), verdict(reached >= wanted)]

    def at(self, engine, workload, size):
        return self.results.find(engine, workload, size) or self.results.find(engine, workload)

    def missing(self, workload, *engines):
        words = {self.results.missing(e, workload) for e in ("varve", *engines) if not self.results.find(e, workload)}
        return "failed" if "failed" in words else "not measured"

    def growth(self, workload):
        """Compares latencies; those from the start of the commit if a latency is too short to compare."""
        own = [self.results.find("varve", workload, size) for size in self.results.sizes(workload)]
        if any(result and result["seconds"] < LEAST_LATENCY for result in own):
            workload += "-whole"
            own = [self.results.find("varve", workload, size) for size in self.results.sizes(workload)]
        limit = f"at most {ratio(MOST_GROWTH)}"
        if len(own) < 2 or not all(own) or own[0]["seconds"] <= 0:
            return ["itself", f"{workload}, largest ÷ smallest", "", limit, self.missing(workload), ""]
        small, large = own[0], own[-1]
        reached = large["seconds"] / small["seconds"]
        sizes = f"{count(large['n'])} ÷ {count(small['n'])}"
        return ["itself", workload, sizes, limit, ratio(reached), verdict(reached <= MOST_GROWTH)]

    def inside(self):
        """Compares the query with the highest ratio of the times inside and outside a write."""
        row = ["itself", "W3w, inside ÷ outside a write"]
        worst = InsideTable(self.results, self.summaries).worst()
        limit = f"at most {ratio(MOST_INSIDE)}"
        if worst is None:
            return [*row, "", limit, "not measured", ""]
        reached, query = worst
        n = count(self.results.find("varve", query)["n"])
        measured = f"{ratio(reached)} ({query})"
        return [*row, n, limit, measured, self.own_verdict(query, reached <= MOST_INSIDE)]

    def disk(self, engine, workload, most):
        own, other = self.results.find("varve", workload), self.results.find(engine, workload)
        row = [engine, f"{workload}, bytes on disk", sizes(own, other), f"at most {ratio(most)}"]
        if not (own and other and own["n"] and other["n"] and other["bytes_on_disk"]):
            return row + [self.missing(workload, engine), ""]
        reached = (own["bytes_on_disk"] / own["n"]) / (other["bytes_on_disk"] / other["n"])
        text = f"{reached:.3f} × ({megabytes(own['bytes_on_disk'])})"
        return row + [text, verdict(reached <= most)]

    def floors(self):
        rows = []
        for workload, most in FLOORS:
            own = self.results.find("varve", workload)
            value = own and (own["seconds"] if is_query(workload) or is_latency(own) else each(own))
            found = self.missing(workload) if value is None else time(value)
            rows.append(
                [
                    workload,
                    self.summaries.get(workload, ""),
                    count(own["n"]) if own else "",
                    time(most),
                    found,
                    spread(own) if own else "",
                    "" if value is None else self.own_verdict(workload, value <= most),
                ]
            )
        return markdown(["", "workload", ":n", ":at most", ":measured", ":from–to", ""], rows)


def sizes(own, other):
    if own is None or other is None or own["n"] == other["n"]:
        return count((own or other)["n"]) if own or other else ""
    return f"{count(own['n'])} ÷ {count(other['n'])}"


def verdict(is_reached):
    return "" if is_reached else NOT_REACHED
