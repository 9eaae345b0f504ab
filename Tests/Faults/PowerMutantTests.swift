import CTestFaults
import Testing
import VarveTestSupport

/// Faults that the power failures must show. Each one is what a wrong program, or a wrong disk,
/// would do.
@Suite(.enabled(if: fault_is_supported() != 0)) struct PowerMutantTests {
  private func expectFaults(_ mutant: String, plan: String = "") throws {
    var random = SeededRandom()
    let run = PowerRun(
      transactions: 30, imageLimit: 400,
      environment: ["VARVE_FAULT_MUTANT=\(mutant)", "VARVE_FAULT_PLAN=\(plan)"])
    let report = try run.run(&random, keepsFaults: false)
    print(
      "\(mutant): \(report.faultCount) of \(report.imageCount) images are bad, "
        + "\(report.crashCount) crashes, \(report.imagesPerSecond) a second, \(random)")
    #expect(report.faultCount > 0, "\(random)")
  }

  @Test func droppedDataSyncIsFound() throws { try expectFaults("dropDataSync") }

  @Test func droppedDirectorySyncIsFound() throws { try expectFaults("dropDirectorySync") }

  @Test func hiddenSyncFailureIsFound() throws {
    try expectFaults("hideSyncFailure", plan: "sync:20:fail:5:always")
  }

  @Test(
    arguments: [
      "listIsNotChecked", "markOnOneSide", "noMark", "markAfterCommit", "twoChecksums",
      "unlockedBeforeSync", "listWithoutFreeList",
    ])
  func faultOfProtocolIsFound(_ mutant: String) throws {
    var counts: [Int] = []
    // Some faults need one tear among thousands.
    for _ in 0..<12 {
      var random = SeededRandom()
      let run = PowerRun(
        sectorSize: 512, imageLimit: 800, tearsAlways: true, mutant: mutant,
        tolerance: mutant == "unlockedBeforeSync" ? 1 : 0)
      let report = try run.run(&random, keepsFaults: false)
      counts.append(report.faultCount)
      print(
        "\(mutant): \(report.faultCount) of \(report.imageCount) images are bad, "
          + "\(report.crashCount) crashes, \(random), \(report.faults.prefix(1))")
      if report.faultCount > 0 { return }
    }
    Issue.record("\(mutant) is not found: \(counts)")
  }
}
