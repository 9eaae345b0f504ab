import CTestFaults
import Testing
import VarveTestSupport

/// The synchronization of the directory after a compaction fails, and the machine goes down later.
@Suite(.enabled(if: fault_is_supported() != 0)) struct CompactionSyncTests {
  @Test func laterCommitsSurvive() throws {
    var run = PowerRun(transactions: 8, options: ["compact"], imageLimit: 100)
    let directory = try FaultDirectory()
    try directory.make("recorded")
    let operations = try run.record(directory.path + "/recorded", seed: 1)
    // The first rename creates the store, the second one replaces it.
    let renames = operations.indices.filter { operations[$0].kind == .rename }
    try #require(renames.count == 2)
    let number = operations[..<renames[1]].count { $0.kind == .sync } + 1
    run.environment = ["VARVE_FAULT_PLAN=sync:\(number):fail:5"]
    var random = SeededRandom(seed: 1)
    let report = try run.run(&random, keepsFaults: false)
    #expect(report.failedSyncCount == 1)
    #expect(report.faultCount == 0, "\(report.faults.joined(separator: "\n"))")
  }
}
