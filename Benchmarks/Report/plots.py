"""The plots. Only this module needs matplotlib."""
import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot as plot  # noqa: E402
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator  # noqa: E402

from results import each, is_query  # noqa: E402
from wording import time, unit_of  # noqa: E402

matplotlib.rcParams["svg.hashsalt"] = "varve"

COLOURS = {
    "varve": "#1f6f54",
    "lmdb": "#8a8d91",
    "grdb": "#c8553d",
    "grdb-raw": "#e29a86",
    "files": "#4a6fa5",
}
MARKERS = {"W6-all": "o", "W6-filter": "s", "W6-sorted": "^", "W6-list": "D", "W6-map": "v"}


def bars(results, title, prefixes, path, measure="time per operation"):
    """Draws the seconds per operation, with a group of bars for each workload."""
    rows = [row for row in results.rows(prefixes) if row[0] != "W8" and any(positive(r) for r in row[2].values())]
    if not rows:
        return
    engines = [e for e in results.engines if any(positive(row[2][e]) for row in rows)]
    # A group has no gap for an engine without a result.
    places, ticks, y = {e: [] for e in engines}, [], 0.0
    for row in rows:
        mine = [e for e in engines if positive(row[2][e])]
        own = row[2].get("varve") or {}
        # The time of a query is that of all of Varve's rows, as in the tables.
        times = own.get("n", 1) if is_query(row[0]) else 1
        for index, engine in enumerate(mine):
            places[engine].append((y + index, positive(row[2][engine]) * times))
        ticks.append(y + (len(mine) - 1) / 2)
        y += len(mine) + 0.8
    figure, axes = plot.subplots(figsize=(9, 0.16 * y + 1.2))
    all_values = [value for values in places.values() for _, value in values]
    for engine in engines:
        # A logarithmic axis has no zero, so bars begin at its left end.
        axes.barh(
            [p for p, _ in places[engine]],
            [value for _, value in places[engine]],
            height=0.9,
            color=COLOURS[engine],
            label=engine,
        )
        for place, value in places[engine]:
            axes.annotate(time(value), (value, place), (3, 0), textcoords="offset points", va="center", fontsize=6)
    axes.set_yticks(ticks, [w if s is None else f"{w} {s:,}" for w, s, _ in rows], fontsize=8)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(-1, y - 0.3)
    axes.invert_yaxis()
    axes.set_xscale("log")
    # Space for the numbers after the bars.
    axes.set_xlim(min(all_values) / 3, max(all_values) * (max(all_values) / min(all_values)) ** 0.12)
    in_words(axes.xaxis)
    axes.set_xlabel(f"{measure}, logarithmic (shorter is better)")
    axes.grid(axis="x", alpha=0.3)
    axes.set_axisbelow(True)
    axes.legend(fontsize=8, ncol=len(engines), loc="lower center", bbox_to_anchor=(0.5, 1), frameon=False)
    axes.set_title(title, pad=24)
    save(figure, path)


def latencies(results, path):
    """Draws the time from the start of a commit to the callback, by size of the observed collection."""
    figure, axes = plot.subplots(figsize=(9, 5.5))
    drawn = False
    for engine in results.engines:
        for workload, marker in MARKERS.items():
            found = [results.find(engine, workload + "-whole", n) for n in results.sizes(workload + "-whole")]
            points = [(r["n"], positive(r)) for r in found if r and positive(r)]
            if len(points) < 2:
                continue
            drawn = True
            axes.plot(
                [n for n, _ in points],
                [value for _, value in points],
                marker=marker,
                markersize=5,
                linewidth=1,
                alpha=0.85,
                color=COLOURS[engine],
                label=f"{engine}, {workload}",
            )
    axes.set_xscale("log")
    axes.set_yscale("log")
    in_words(axes.yaxis)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda n, _: f"{n:,.0f}"))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel("elements in the collection")
    axes.set_ylabel("from the start of the commit to the callback")
    axes.set_title("Latency of observers")
    axes.grid(alpha=0.3)
    if drawn:
        axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    save(figure, path)


def positive(result):
    """Returns the seconds per operation; None if they have no logarithm."""
    value = each(result) if result else None
    return value if value is not None and value > 0 else None


def in_words(axis):
    axis.set_major_locator(LogLocator(base=10, numticks=20))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda seconds, _: power(seconds)))


def power(seconds):
    """Formats a power of ten: “10 µs” instead of “10.0 µs”."""
    name, times = unit_of(seconds)
    return f"{seconds * times:g} {name}"


def save(figure, path):
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None}, bbox_inches="tight")
    plot.close(figure)
    # Trailing spaces would appear in diffs.
    path.write_text("\n".join(line.rstrip() for line in path.read_text().splitlines()) + "\n")
