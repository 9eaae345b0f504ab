import CTestFaults
import Foundation
import Testing
import VarveTestSupport

/// Power failures at every point of recorded transactions.
@Suite(.enabled(if: fault_is_supported() != 0)) struct PowerTests {
  /// Checks the images of a run.
  private func expectNoFaults(_ run: PowerRun, _ comment: String) throws {
    for _ in 0..<FaultDirectory.rounds {
      var random = SeededRandom()
      let report = try run.run(&random)
      print(
        "\(comment): \(report.imageCount) images, \(report.imagesPerSecond) a second, "
          + "\(report.acknowledged) transactions, \(random)")
      #expect(report.acknowledged == run.processes * run.transactions)
      #expect(report.imageCount > run.imageLimit / 3)
      #expect(
        report.faultCount == 0,
        "\(random): \(report.faults.joined(separator: "\n")) \(report.keptDirectory ?? "")")
    }
  }

  @Test func acknowledgedCommitsSurvive() throws {
    try expectNoFaults(PowerRun(), "pages")
  }

  @Test func acknowledgedCommitsSurviveTornPages() throws {
    try expectNoFaults(PowerRun(sectorSize: 512), "sectors")
  }

  @Test func growthSurvives() throws {
    try expectNoFaults(PowerRun(options: ["grow"], imageLimit: 600), "growth")
  }

  @Test func copiesAndCompactionSurvive() throws {
    try expectNoFaults(PowerRun(options: ["copy", "compact"]), "copy and compaction")
  }

  /// The processes create the store together, and then write in turn.
  @Test func commitsOfSeveralProcessesSurvive() throws {
    try expectNoFaults(PowerRun(processes: 3, transactions: 12), "processes")
  }

  /// A commit whose synchronization failed is not acknowledged, and those after it are durable.
  @Test func commitsAfterFailedSyncSurvive() throws {
    var random = SeededRandom()
    var number = 1
    while true {
      let run = PowerRun(
        transactions: 8, options: ["compact"], imageLimit: 60 * FaultDirectory.rounds,
        environment: ["VARVE_FAULT_PLAN=sync:\(number):fail:5"])
      let report = try run.run(&random)
      #expect(
        report.faultCount == 0,
        """
        \(random), sync \(number): \(report.faultCount) of \(report.imageCount) images are bad:
        \(report.faults.joined(separator: "\n")) \(report.keptDirectory ?? "")
        """)
      guard report.failedSyncCount > 0 else { break }
      number += 1
    }
    print("failed syncs: \(number - 1), \(random)")
    #expect(number > 15)
  }
}
