import Testing

@testable import PackageIndexDemo

@Suite struct OutputTests {
  @Test func numbersAreFormattedForPeople() {
    #expect(Quantity.count(63_440) == "63,440")
    #expect(Quantity.count(1, "entry", "entries") == "1 entry")
    #expect(Quantity.count(1000, "entry", "entries") == "1,000 entries")
    #expect(
      [1023, 1024, 1536, 1024 * 1024 - 1].map(Quantity.bytes) == [
        "1023 B", "1.0 KiB", "1.5 KiB", "1.0 MiB",
      ])
    let durations: [Duration] = [.microseconds(340), .milliseconds(12), .microseconds(999_960)]
    #expect(durations.map(Quantity.duration) == ["340 µs", "12.0 ms", "1.00 s"])
  }

  @Test func columnsHaveWidthOfWidestCell() {
    var table = TextTable(columns: [.left, .right], titles: ["name", "n"])
    table.rows = [["a", "1"], ["longer", "100"]]
    #expect(table.lines() == ["  name      n", "  a         1", "  longer  100"])
    table.titles = []
    #expect(table.lines() == ["  a         1", "  longer  100"])
  }

  @Test func barFillsWithProgress() {
    let line = ProgressBar.line("Work", 1, of: 4)
    #expect(line.hasPrefix("  Work ━━━━━━━━━━───"))
    #expect(line.hasSuffix(" 25 %  1 of 4"))
    #expect(ProgressBar.line("Work", 0, of: 0).contains(" 0 %"))
  }
}
