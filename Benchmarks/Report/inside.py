"""The table of queries inside a write and outside."""
from results import each, factor, is_latency
from wording import count, markdown, ratio, time

OUTSIDE = "-outside"
# The target for the time of a query inside a write divided by its time outside.
MOST_INSIDE = 3


class InsideTable:
    def __init__(self, results, summaries):
        self.results = results
        self.summaries = summaries

    def queries(self):
        names = self.results.workloads(["W3w"])
        return [name for name in names if not name.endswith(OUTSIDE)]

    def both(self, engine, query):
        """Returns the results outside and inside; None for a missing one."""
        return self.results.find(engine, query + OUTSIDE), self.results.find(engine, query)

    def table(self):
        queries = self.queries()
        engines = [e for e in self.results.engines if e == "varve" or any(self.both(e, q)[1] for q in queries)]
        if not queries:
            return "Not measured."
        head = ["", "query", ":n"]
        for engine in engines:
            head += [f":{engine}, outside", ":inside", ":inside ÷ outside"]
        return markdown(head, [self.row(query, engines) for query in queries])

    def row(self, query, engines):
        own = self.both("varve", query)
        sizes = [result["n"] for e in engines for result in self.both(e, query) if result]
        cells = [query, self.summaries.get(query, ""), count(max(sizes)) if sizes else ""]
        for engine in engines:
            found = self.both(engine, query)
            for result, mine in zip(found, own):
                cells.append(self.cell(engine, query, result, mine))
            cells.append(ratio(times(*found)) if times(*found) else "")
        return cells

    def cell(self, engine, query, result, mine):
        if result is None:
            return self.results.missing(engine, query)
        text = time(each(result))
        compared = mine and mine is not result and factor(each(result), each(mine))
        return f"{text} ({ratio(compared)})" if compared else text

    def worst(self):
        """Returns the highest ratio of Varve's times inside and outside, and its query; None without results."""
        found = [(times(*self.both("varve", query)), query) for query in self.queries()]
        return max([(most, query) for most, query in found if most], default=None)


def times(outside, inside):
    if outside is None or inside is None or not (is_latency(outside) and is_latency(inside)):
        return None
    return factor(each(inside), each(outside))
