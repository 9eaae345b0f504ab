"""Questions that are asked inside of a write, beside the same outside of it."""
from results import each, factor, is_latency
from wording import count, markdown, ratio, time

OUTSIDE = "-outside"
# How many times as long a question may take inside of a write as outside of it.
MOST_INSIDE = 3


class InsideTable:
    def __init__(self, results, summaries):
        self.results = results
        self.summaries = summaries

    def questions(self):
        names = self.results.workloads(["W3w"])
        return [name for name in names if not name.endswith(OUTSIDE)]

    def both(self, engine, question):
        """The results outside and inside; None where there is none."""
        return self.results.find(engine, question + OUTSIDE), self.results.find(engine, question)

    def table(self):
        questions = self.questions()
        engines = [e for e in self.results.engines if e == "varve" or any(self.both(e, q)[1] for q in questions)]
        if not questions:
            return "Not measured."
        head = ["", "question", ":n"]
        for engine in engines:
            head += [f":{engine}, outside", ":inside", ":inside ÷ outside"]
        return markdown(head, [self.row(question, engines) for question in questions])

    def row(self, question, engines):
        own = self.both("varve", question)
        sizes = [result["n"] for e in engines for result in self.both(e, question) if result]
        cells = [question, self.summaries.get(question, ""), count(max(sizes)) if sizes else ""]
        for engine in engines:
            found = self.both(engine, question)
            for result, mine in zip(found, own):
                cells.append(self.cell(engine, question, result, mine))
            cells.append(ratio(times(*found)) if times(*found) else "")
        return cells

    def cell(self, engine, question, result, mine):
        if result is None:
            return self.results.missing(engine, question)
        text = time(each(result))
        compared = mine and mine is not result and factor(each(result), each(mine))
        return f"{text} ({ratio(compared)})" if compared else text

    def worst(self):
        """The question of Varve's that takes the most inside against outside, and how many times; None without results."""
        found = [(times(*self.both("varve", question)), question) for question in self.questions()]
        return max([(most, question) for most, question in found if most], default=None)


def times(outside, inside):
    if outside is None or inside is None or not (is_latency(outside) and is_latency(inside)):
        return None
    return factor(each(inside), each(outside))
