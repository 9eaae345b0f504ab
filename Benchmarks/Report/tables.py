"""The tables of results."""
from results import COUNTED, LEAST_LATENCY, each, factor, is_latency, is_query
from wording import count, markdown, megabytes, ratio, span, time

# The summaries of additional results, which `varve-bench list` does not list.
VARIANTS = {
    "W9-readers-commits": "the commits of the writing process",
    "F3-log": "the lines appended to the log",
    "F4-grow-scan": "the sum of a number of all documents afterwards",
}


class Tables:
    def __init__(self, results, summaries):
        self.results = results
        self.summaries = summaries

    def table(self, prefixes, with_space=False):
        """Returns the table of the workloads with these prefixes. with_space: includes Varve's disk and memory."""
        rows = list(self.results.rows(prefixes))
        engines = [e for e in self.results.engines if self.takes_part(e, rows)]
        if not rows:
            return "Not measured."
        head = ["", "workload", ":n"]
        for engine in engines:
            head.append(":" + engine)
            if engine == "varve":
                head.append(":from–to")
                head += [":disk", ":peak memory"] if with_space else []
        return markdown(head, [self.row(row, engines, with_space) for row in rows])

    def takes_part(self, engine, rows):
        return engine == "varve" or any(
            found[engine] or self.results.missing(engine, workload) == "failed" for workload, _, found in rows
        )

    def row(self, row, engines, with_space):
        workload, size, found = row
        own = found.get("varve")
        if size is None:
            size = max((result["n"] for result in [own] if result), default=None)
        if size is None:
            size = max((result["n"] for result in found.values() if result), default=None)
        cells = [workload, self.summary(workload), "" if size is None else count(size)]
        for engine in engines:
            cells.append(self.cell(engine, workload, found[engine], own, size))
            if engine == "varve":
                cells.append(spread(own) if own else "")
                if with_space:
                    cells.append(megabytes(own["bytes_on_disk"]) if own else "")
                    cells.append(megabytes(own["peak_rss"]) if own else "")
        return cells

    def summary(self, workload):
        if workload in self.summaries:
            return self.summaries[workload]
        if workload.endswith("-whole"):
            return "the same from the start of the commit"
        return VARIANTS.get(workload, "")

    def cell(self, engine, workload, result, own, size):
        if result is None:
            return self.results.missing(engine, workload)
        text, value = shown(result)
        if result["n"] != size and workload not in COUNTED:
            text += f" for {count(result['n'])}"
        elif workload in COUNTED and result is not own:
            text += f", {count(result['n'])} of them"
        if own is None or result is own or incomparable(own) or incomparable(result):
            return text
        times = factor(value, shown(own)[1])
        return text if times is None else f"{text} ({ratio(times)})"


def incomparable(result):
    return is_latency(result) and result["seconds"] < LEAST_LATENCY


def shown(result):
    """Returns the text of a result, and its value per operation for comparisons."""
    if result["workload"] == "W8":
        return megabytes(result["bytes_on_disk"]), factor(result["bytes_on_disk"], result["n"])
    value = each(result)
    if value is None:
        return "none", None
    return time(result["seconds"] if is_query(result["workload"]) else value), value


def spread(result):
    """Returns the minimum and the maximum of the repeats, or of the latencies."""
    if result["workload"] == "W8" or each(result) is None:
        return ""
    least, most = each(result, "min_seconds"), each(result, "max_seconds")
    if least == most:
        return ""
    operations = result["n"] if is_query(result["workload"]) else 1
    return span(least * operations, most * operations)
