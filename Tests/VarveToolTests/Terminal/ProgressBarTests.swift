import Testing

@testable import VarveTool

@Suite struct ProgressBarTests {
  @Test func barFillsWithProgress() {
    let line = ProgressBar.line("Work", done: 1, total: 4, width: 40)
    #expect(line == "  Work ━━━━──────────────  25 %  1 of 4")
    #expect(ProgressBar.line("Work", done: 4, total: 4, width: 40).contains("100 %"))
  }

  @Test(arguments: 0...120)
  func lineFitsWidth(width: Int) {
    let line = ProgressBar.line("Packages", done: 28_548, total: 63_440, width: width)
    #expect(line.count < max(1, width))
  }

  @Test func stepsStayInRange() {
    #expect(ProgressBar.step(done: -1, total: 10, of: 4) == 0)
    #expect(ProgressBar.step(done: 99, total: 10, of: 4) == 4)
    #expect(ProgressBar.step(done: 0, total: 0, of: 4) == 0)
    #expect(ProgressBar.step(done: 5, total: 10, of: 4) == 2)
  }
}
