import CTestFaults
import Testing
import VarveTestSupport

/// Processes that are killed at random moments, and at chosen file operations.
@Suite struct KillTests {
  /// Runs stores one after another until there are enough kills.
  ///
  /// The moments of the kills differ each time, also with the same seed.
  private func expectNoLoss(
    _ comment: String, kills: Int, _ options: KillRun.Options
  ) throws -> KillReport {
    var report = KillReport()
    var random = SeededRandom()
    let seed = random.description
    let goal = kills * FaultDirectory.rounds
    while report.kills < goal {
      var options = options
      options.kills = min(options.kills, goal - report.kills)
      let run = try KillRun(options, random, report)
      do {
        try run.run()
      } catch {
        Issue.record("\(seed), \(run.report): \(error) \(run.directory.path)")
        return run.report
      }
      random = run.random
      report = run.report
    }
    print("\(comment): \(report), \(seed)")
    #expect(report.acknowledged > 0)
    return report
  }

  @Test func acknowledgedCommitsSurvive() throws {
    let report = try expectNoLoss("kills", kills: 50, KillRun.Options(kills: 200))
    #expect(report.deliveries > 0)
  }

  @Test func acknowledgedCommitsSurviveOnDisk() throws {
    _ = try expectNoLoss("kills on a disk", kills: 16, KillRun.Options(isOnDisk: true))
  }

  @Test func growthSurvives() throws {
    _ = try expectNoLoss(
      "growth", kills: 16, KillRun.Options(words: ["grow"], sizeLimit: 192 << 20))
  }

  /// Several processes create the store, and some of them are killed meanwhile.
  @Test func creationSurvives() throws {
    _ = try expectNoLoss("creation", kills: 30, KillRun.Options(observers: 1, kills: 3))
  }

  /// The processes close the store, and compact it when they are the only ones that open it.
  @Test func compactionSurvives() throws {
    _ = try expectNoLoss(
      "compaction", kills: 30, KillRun.Options(writers: 2, observers: 0, words: ["compact"]))
  }

  /// The survivors clear the slots, without an opening.
  @Test func slotsOfDeadReadersAreCleared() throws {
    // A dead reader pins its version for up to a second, in which the file grows by each commit: by
    // more than 100 MB on a fast machine.
    let report = try expectNoLoss(
      "reader slots", kills: 6, KillRun.Options(sizeLimit: 384 << 20, isSettled: true))
    // The test sees slots before they are cleared; on a busy machine not after each kill.
    if FaultDirectory.rounds > 1 { #expect(report.deadSlots > 0) }
  }
}
