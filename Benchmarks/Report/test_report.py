"""Tests of the report. They need no matplotlib, which only the plots use.

    python3 -m unittest discover Benchmarks/Report
"""
import json
import unittest

import report
from losses import Losses, Reasons
from results import Results
from tables import Tables
from targets import Targets
from wording import ratio, span, time

NAMES = {"W3w-max": "maximum", "W10a": "requests", "W1a": "insert", "W2": "look up", "W3b": "sum", "W6-all": "observe", "F3": "pages", "F4": "documents", "W8": "disk"}


def line(engine, workload, n=100, seconds=1.0, **more):
    result = {"engine": engine, "workload": workload, "n": n, "seconds": seconds, "scale": 1}
    result |= {"min_seconds": seconds / 2, "max_seconds": seconds * 2, "repeats": 3, "samples": 3}
    result |= {"ops_per_s": 0, "bytes_on_disk": 1000, "peak_rss": 1000}
    return json.dumps(result | more)


def refused(engine, workload, **why):
    return json.dumps({"engine": engine, "workload": workload, "scale": 1} | why)


def results(*lines):
    return Results(lines, NAMES)


class StatedReasons(Reasons):
    def __init__(self, kinds):
        self.kinds = kinds


class ReportTests(unittest.TestCase):
    def row(self, table, beginning):
        found = [row for row in table.splitlines() if row.startswith(f"| {beginning} ")]
        self.assertEqual(len(found), 1, table)
        return [cell.strip() for cell in found[0].strip("|").split("|")]

    def table(self, prefixes, *lines):
        return Tables(results(*lines), NAMES).table(prefixes)

    def target(self, workload, engine, *lines):
        table = Targets(results(*lines), NAMES, Reasons()).ratios()
        found = [row for row in table.splitlines() if row.startswith(f"| {engine} | {workload} |")]
        self.assertEqual(len(found), 1, table)
        return [cell.strip() for cell in found[0].strip("|").split("|")][2:]

    def losses(self, *lines, **reasons):
        return Losses(results(*lines), StatedReasons(reasons) if reasons else Reasons(), sum(report.GROUPS.values(), []), report.OWN)

    def test_failure_is_named_and_refusal_is_dash(self):
        table = self.table(
            ["W2"],
            line("varve", "W2"),
            refused("lmdb", "W2", failure="lmdb W2 returned 1 instead of 2"),
            refused("grdb", "W2", not_offered="cannot"),
            line("files", "W1a"),
            line("grdb", "W2t"),
        )
        self.assertEqual(self.row(table, "W2")[4:], ["5.00–20.0 ms", "failed", "–"])

    def test_variant_fails_with_its_workload(self):
        found = results(line("varve", "F3"), refused("grdb", "F3", failure="no"))
        self.assertEqual(found.missing("grdb", "F3-log"), "failed")
        # Another workload does not.
        self.assertEqual(found.missing("grdb", "F4"), "not measured")

    def test_failures_are_listed_without_paths(self):
        text = self.losses(line("varve", "W2"), refused("lmdb", "W2", failure="no file /tmp/x/y.mdb there")).failures()
        self.assertIn("- W2, lmdb: no file … there", text)
        self.assertEqual(self.losses(line("varve", "W2")).failures(), "")

    def test_later_result_replaces_failure(self):
        self.assertEqual(results(refused("varve", "W2", failure="x"), line("varve", "W2")).failures(), [])

    def test_zero_operations_have_no_time(self):
        table = self.table(["F3"], line("varve", "F3-log", n=0), line("files", "F3-log", n=10))
        self.assertEqual(self.row(table, "F3-log")[3:], ["none", "", "100 ms, 10 of them"])
        self.assertEqual(self.losses(line("varve", "F3-log", n=0), line("files", "F3-log")).table(), "None in this run.")

    def test_zero_latency_has_no_ratio(self):
        table = self.table(["W6"], line("varve", "W6-all", seconds=0, p95=0), line("grdb", "W6-all", p95=1))
        self.assertEqual(self.row(table, "W6-all")[3:], ["0", "", "1.00 s"])

    def test_target_of_zero_latency_is_compared_with_microsecond(self):
        size = 1_000_000
        lines = line("varve", "W6-all", n=size, seconds=0, p95=0), line("grdb", "W6-all", n=size, seconds=2e-3, p95=1)
        self.assertEqual(self.target("W6-all", "grdb", *lines)[1:], ["100 ×", "more than 2,000 ×", ""])

    def test_growth_of_short_latencies_includes_commit(self):
        lines = [line("varve", "W6-all", n=n, seconds=0, p95=0) for n in (10_000, 1_000_000)]
        lines += [
            line("varve", "W6-all-whole", n=10_000, seconds=1e-3, p95=1),
            line("varve", "W6-all-whole", n=1_000_000, seconds=3e-3, p95=1),
        ]
        self.assertEqual(
            self.target("W6-all-whole", "itself", *lines),
            ["1,000,000 ÷ 10,000", "at most 2.00 ×", "3.00 ×", "not reached"],
        )

    def test_own_workloads_are_compared(self):
        lines = [line("varve", "W1a", n=10, seconds=4), line("varve", "W1a-insert", n=10, seconds=2)]
        row = next(r for r in Targets(results(*lines), NAMES, Reasons()).ratios().splitlines() if "W1a-insert" in r)
        self.assertIn("2", row)
        self.assertNotIn("not reached", row)
        lines[1] = line("varve", "W1a-insert", n=10, seconds=3)
        row = next(r for r in Targets(results(*lines), NAMES, Reasons()).ratios().splitlines() if "W1a-insert" in r)
        self.assertIn("not reached", row)

    def test_target_without_result_is_listed(self):
        self.assertEqual(self.target("W2", "lmdb", line("varve", "W2")), ["100", "1.00 ×", "not measured", ""])
        failed = refused("lmdb", "W2", failure="x")
        self.assertEqual(self.target("W2", "lmdb", line("varve", "W2"), failed)[2], "failed")
        self.assertEqual(self.target("F4, bytes on disk", "files")[2], "not measured")
        self.assertIn("| W3h |", Targets(results(), NAMES, Reasons()).floors())

    def test_upper_limits_of_queries_are_for_all_rows(self):
        floors = Targets(results(line("varve", "W3b", n=1000, seconds=6e-3)), NAMES, Reasons()).floors()
        self.assertEqual(self.row(floors, "W3b")[2:], ["1,000", "5.00 ms", "6.00 ms", "3.00–12.0 ms", "not reached"])

    def test_disk_use_is_compared_per_object(self):
        lines = line("varve", "F4", n=100, bytes_on_disk=2000), line("files", "F4", n=50, bytes_on_disk=500)
        self.assertEqual(self.target("F4, bytes on disk", "files", *lines)[2:], ["2.000 × (0.0 MB)", "not reached"])
        self.assertIn("| F4, disk | 100 |", self.losses(*lines).table())

    def test_losses_have_reasons_or_are_not_explained(self):
        table = self.losses(
            line("varve", "W1a"),
            line("lmdb", "W1a", seconds=0.4),
            line("varve", "F4"),
            line("lmdb", "F4", seconds=0.4, peak_rss=500),
            time={"W1[ab]/lmdb": "its loop is in C", "*/grdb": "it is SQLite"},
        ).table()
        self.assertIn("lmdb 4.00 ms (0.40 ×) | its loop is in C |", table)
        self.assertIn("| F4 | 100 | 10.0 ms | lmdb 4.00 ms (0.40 ×) | not explained |", table)
        self.assertIn("| F4, memory |", table)

    def test_loss_within_own_spread_is_marked(self):
        table = self.losses(line("varve", "W1a"), line("lmdb", "W1a", seconds=0.6)).table()
        self.assertIn("lmdb 6.00 ms (0.60 ×) | within the spread of Varve's times in this run |", table)

    def test_missed_target_has_reason(self):
        lines = line("varve", "W1a"), line("lmdb", "W1a", seconds=0.5)
        self.assertRegex(self.target("W1a", "lmdb", *lines)[3], "^not reached: .")

    def test_refusals_are_listed_with_reasons(self):
        text = self.losses(
            line("varve", "W4c"),
            refused("lmdb", "W4c", not_offered="all would be renumbered"),
            refused("lmdb", "W6-all", not_offered="lmdb does not offer W6-all"),
            refused("lmdb", "migrate", not_offered="lmdb does not offer migrate"),
        ).not_offered()
        self.assertEqual(text, "- W4c (lmdb): all would be renumbered.\n- W6-all (lmdb): LMDB has no observers.")

    def test_queries_inside_writes_are_compared_with_those_outside(self):
        lines = [line("varve", "W3w-max", seconds=6e-3, p95=1), line("varve", "W3w-max-outside", seconds=2e-6, p95=1)]
        lines += [line("grdb-raw", "W3w-max", seconds=4e-6, p95=1), line("grdb-raw", "W3w-max-outside", seconds=4e-6, p95=1)]
        lines += [refused("lmdb", "W3w-max", not_offered="lmdb does not offer W3w-max")]
        table = report.page(results(*lines), NAMES, Reasons())["inside"]
        cells = ["maximum", "100", "2.00 µs", "6.00 ms", "3,000 ×", "4.00 µs (2.00 ×)", "4.00 µs (0.00 ×)", "1.00 ×"]
        self.assertEqual(self.row(table, "W3w-max")[1:], cells)
        self.assertNotIn("lmdb", table)
        self.assertNotIn("W3w", self.table(["W3"], *lines, line("varve", "W3b")))

    def test_slowest_query_inside_write_is_target(self):
        lines = [line("varve", "W3w-max", seconds=6e-3, p95=1), line("varve", "W3w-max-outside", seconds=2e-6, p95=1)]
        worst = self.target("W3w, inside ÷ outside a write", "itself", *lines)
        self.assertEqual(worst, ["100", "at most 3.00 ×", "3,000 × (W3w-max)", "not reached"])
        self.assertEqual(self.target("W3w, inside ÷ outside a write", "itself")[2], "not measured")

    def test_server_has_rates_and_latencies(self):
        lines = [line("varve", "W10a", n=1000), line("grdb", "W10a", n=1000, seconds=2)]
        lines += [line("varve", "W10a-read", seconds=2e-6, p95=1, p99=4e-6)]
        lines += [line("grdb", "W10a-read", seconds=1e-5, p95=1, p99=8e-6)]
        lines += [refused("files", "W10a", not_offered="files does not offer W10a")]
        text = report.page(results(*lines), NAMES, Reasons())["server"]
        self.assertEqual(self.row(text, "W10a")[1:], ["requests", "1,000", "1,000/s", "500/s (2.00 ×)"])
        read = ["reads by key", "100", "2.00 µs, p99 4.00 µs", "10.0 µs (5.00 ×), p99 8.00 µs (2.00 ×)"]
        self.assertEqual(self.row(text, "W10a-read")[1:], read)
        self.assertNotIn("W10a", self.table(["W1"], *lines, line("varve", "W1a")))

    def test_requests_are_ordered_by_frequency(self):
        lines = [line("varve", "W10a")] + [line("varve", f"W10a-{kind}", p95=1, p99=1) for kind in ("create", "page", "patch", "read")]
        table = report.page(results(*lines), NAMES, Reasons())["server"]
        places = [table.index(f"| W10a-{kind} ") for kind in ("read", "page", "patch", "create")]
        self.assertEqual(places, sorted(places))

    def test_latency_loss_ignores_minimum(self):
        lines = line("varve", "W3w-max", seconds=6e-3, p95=1), line("grdb-raw", "W3w-max", seconds=4e-3, p95=1)
        self.assertIn("grdb-raw 4.00 ms (0.67 ×) | not explained |", self.losses(*lines).table())

    def test_unmeasured_queries_inside_writes_are_listed_as_group(self):
        names = NAMES | {"W3w-sum": "sum"}
        why = "grdb does not offer it"
        lines = [refused("grdb", name, not_offered=why) for name in ("W3w-max", "W3w-sum")]
        text = Losses(Results(lines, names), Reasons(), ["W3w"], report.OWN).not_offered()
        self.assertEqual(text, "- W3w (grdb): measured with `grdb-raw` only.")

    def test_other_scale_has_note(self):
        self.assertIn("The scale of this run is 0.5", Targets(results(line("varve", "W2", scale=0.5)), NAMES, Reasons()).ratios())
        self.assertNotIn("The scale", Targets(results(line("varve", "W2")), NAMES, Reasons()).ratios())

    def test_page_is_written_for_few_results(self):
        for lines in ([], [refused("varve", "W2", failure="x")], [line("lmdb", "W2", n=0)]):
            self.assertIn("targets", report.page(results(*lines), NAMES, Reasons()))

    def test_numbers_are_formatted(self):
        self.assertEqual([time(t) for t in (0, 2e-9, 1.5e-6, 0.0123, 0.9999, 12)], ["0", "2.00 ns", "1.50 µs", "12.3 ms", "1.00 s", "12.0 s"])
        self.assertEqual(span(1e-3, 2e-3), "1.00–2.00 ms")
        self.assertEqual([ratio(1.234), ratio(1234.5)], ["1.23 ×", "1,234 ×"])


if __name__ == "__main__":
    unittest.main()
