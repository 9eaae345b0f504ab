"""The tables of the server workloads: requests per second, and latencies by kind of request."""
from results import each, factor, is_latency
from wording import count, markdown, ratio, time

KINDS = {
    "-read": "reads by key",
    "-page": "pages of 20",
    "-patch": "patches",
    "-create": "creates",
}


class ServerTables:
    def __init__(self, results, summaries):
        self.results = results
        self.summaries = summaries

    def tables(self):
        rows = list(self.results.rows(["W10"]))
        if not rows:
            return "Not measured."
        engines = [e for e in self.results.engines if e == "varve" or any(found[e] for _, _, found in rows)]
        # A workload without any result has no variants either.
        rates = [row for row in rows if row[0] in self.summaries]
        kinds = [row for row in rows if row[0] not in self.summaries]
        kinds.sort(key=lambda row: (self.results.position(row[0]), place(row[0])))
        head = [":" + engine for engine in engines]
        parts = [
            markdown(["", "workload", ":n", *head], [self.row(row, engines, self.rate) for row in rates]),
            markdown(["", "request", ":n", *head], [self.row(row, engines, self.latency) for row in kinds]),
        ]
        return "\n\n".join(part for part, has_rows in zip(parts, (rates, kinds)) if has_rows)

    def row(self, row, engines, cell):
        workload, _, found = row
        what = self.summaries.get(workload) or KINDS.get(kind_of(workload), "")
        sizes = [result["n"] for result in found.values() if result]
        cells = [workload, what, count(max(sizes)) if sizes else ""]
        for engine in engines:
            result = found[engine]
            missing = self.results.missing(engine, workload)
            cells.append(missing if result is None else cell(result, found.get("varve")))
        return cells

    def rate(self, result, own):
        seconds = each(result)
        if not seconds:
            return "none"
        text = f"{1 / seconds:,.0f}/s"
        compared = own and own is not result and factor(seconds, each(own))
        return f"{text} ({ratio(compared)})" if compared else text

    def latency(self, result, own):
        """Returns the median and the 99th percentile, each with its ratio to Varve's."""
        if not is_latency(result):
            return time(each(result))
        own = own if own is not result else None
        parts = []
        for name, key in (("", "seconds"), ("p99 ", "p99")):
            compared = own and factor(result[key], own.get(key))
            parts.append(f"{name}{time(result[key])}" + (f" ({ratio(compared)})" if compared else ""))
        return ", ".join(parts)


def kind_of(workload):
    return "-" + workload.rpartition("-")[2]


def place(workload):
    return list(KINDS).index(kind_of(workload)) if kind_of(workload) in KINDS else len(KINDS)
