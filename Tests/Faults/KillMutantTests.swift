import Testing
import VarveTestSupport

/// Faults of a program that the kills, or the observers among them, must show.
@Suite struct KillMutantTests {
  private func expectFault(_ word: String, observers: Int = 0) throws {
    var random = SeededRandom()
    let seed = random.description
    var report = KillReport()
    for _ in 0..<20 {
      let run = try KillRun(
        KillRun.Options(observers: observers, kills: 10, words: [word]), random, report)
      do {
        try run.run()
      } catch let fault as KillRun.Fault {
        run.directory.isKept = false
        print("\(word): found after \(run.report.kills) kills: \(fault), \(seed)")
        return
      }
      random = run.random
      report = run.report
    }
    Issue.record("\(word) is not found after \(report.kills) kills, \(seed)")
  }

  @Test func acknowledgmentBeforeTheCommitIsFound() throws { try expectFault("early") }

  @Test func transactionInTwoCommitsIsFound() throws { try expectFault("split") }

  @Test func skippedChangeSetIsFound() throws { try expectFault("skip", observers: 2) }
}
