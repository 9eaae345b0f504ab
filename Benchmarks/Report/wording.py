"""Numbers as people write them."""
import math


def three(number):
    """Three digits."""
    if number <= 0:
        return "0"
    number = float(f"{number:.2e}")
    digits = max(0, 2 - math.floor(math.log10(number)))
    return f"{number:.{digits}f}"


UNITS = [("s", 1), ("ms", 1e3), ("µs", 1e6), ("ns", 1e9)]


def unit_of(seconds):
    # What rounds to 1000 of a unit is told in the next one.
    return next(((name, times) for name, times in UNITS if seconds * times >= 0.9995), UNITS[-1])


def time(seconds):
    if seconds <= 0:
        return "0"
    name, times = unit_of(seconds)
    return f"{three(seconds * times)} {name}"


def span(least, most):
    """From one time to another, in the unit of the longer one."""
    name, times = unit_of(most)
    return f"{three(least * times)}–{three(most * times)} {name}"


def ratio(factor):
    return f"{factor:.2f} ×" if factor < 10 else f"{factor:,.0f} ×"


def megabytes(count):
    return f"{count / 1e6:,.1f} MB"


def count(number):
    return f"{number:,}"


def listing(words):
    return ", ".join(words)


def markdown(head, rows):
    """A table. A column is set to the right if its head begins with a colon."""
    lines = ["| " + " | ".join(cell.lstrip(":") for cell in head) + " |"]
    lines.append("|" + "|".join("---:" if cell.startswith(":") else "---" for cell in head) + "|")
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines)
