"""Formats numbers and tables."""
import math


def three(number):
    """Formats a number with three significant digits."""
    if number <= 0:
        return "0"
    number = float(f"{number:.2e}")
    digits = max(0, 2 - math.floor(math.log10(number)))
    return f"{number:.{digits}f}"


UNITS = [("s", 1), ("ms", 1e3), ("µs", 1e6), ("ns", 1e9)]


def unit_of(seconds):
    # A value that would be rounded to 1000 has the next unit.
    return next(((name, times) for name, times in UNITS if seconds * times >= 0.9995), UNITS[-1])


def time(seconds):
    if seconds <= 0:
        return "0"
    name, times = unit_of(seconds)
    return f"{three(seconds * times)} {name}"


def span(least, most):
    """Formats a range of times in the unit of the longer one."""
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
    """Formats a table. Columns whose head begins with a colon are right-aligned."""
    lines = ["| " + " | ".join(cell.lstrip(":") for cell in head) + " |"]
    lines.append("|" + "|".join("---:" if cell.startswith(":") else "---" for cell in head) + "|")
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines)
