import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct WorkloadRunTests {
  @Test(arguments: Workload.allCases)
  func everyWorkloadIsMeasuredAndLeavesNothing(workload: Workload) throws {
    try withDirectory { (directory) throws in
      var run = WorkloadRun<DictionaryEngine>(
        workload, scale: 0.0005, repeats: 3, directory: directory)
      // In this process: commit number n returns at n − 0.5.
      run.write = { _, commits, _ in
        (0..<commits).map { TimedCommit(began: Double($0), returned: Double($0) + 0.5) }
      }
      let results = try run.measure()
      #expect(results.map(\.n) == workload.sizes(scale: 0.0005))
      let result = try #require(results.last)
      #expect(result.workload == workload.rawValue)
      #expect(result.n == workload.operations(scale: 0.0005))
      let latencies = workload.observesAnotherOrCommits ? 3 * result.n : 300
      #expect(result.repeats == (result.percentile95 == nil ? 3 : latencies))
      #expect(result.minimumSeconds <= result.seconds)
      #expect(result.seconds <= result.maximumSeconds)
      #expect(result.peakResidentBytes > 0)
      #expect((result.scaling != nil) == (workload == .lookUpTwoThreads))
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
    }
  }

  @Test func aCommitThatSharesACallCountsUpToThatCall() throws {
    try withDirectory { (directory) throws in
      var run = WorkloadRun<DictionaryEngine>(
        .observeProcess, scale: 0.002, repeats: 1, directory: directory)
      run.write = { _, commits, _ in
        (0..<commits).map { TimedCommit(began: Double($0), returned: Double($0) + 0.5) }
      }
      let result = try run.measure()[0]
      // Of two commits one call tells: at 2, after returns at 0.5 and 1.5.
      #expect(result.n == 2)
      #expect((result.minimumSeconds, result.seconds, result.maximumSeconds) == (0.5, 1, 1.5))
    }
  }

  @Test func growthIsWhatTheObserverAdds() throws {
    try withDirectory { (directory) throws in
      let result = try WorkloadRun<DictionaryEngine>(
        .growObserved, scale: 0.001, repeats: 1, directory: directory
      ).measure()[0]
      #expect(result.bytesOnDisk == 4096)
    }
  }

  @Test func filesAreCounted() throws {
    try withDirectory { (directory) throws in
      let result = try WorkloadRun<DictionaryEngine>(
        .insert, scale: 0.0001, repeats: 1, directory: directory
      ).measure()[0]
      #expect(result.bytesOnDisk >= 10_000)
    }
  }

  @Test(arguments: [
    Workload.insert, .lookUp, .lookUpTwoThreads, .iterate, .openView, .observeAll,
    .commit, .observeProcess, .compareOne, .sumAges, .countOlder, .countOlderIndexed,
    .lowestScores, .lowestScoresIndexed, .countPrefixes, .countPrefixesIndexed, .countAge,
    .countAgeIndexed, .countNamesIndexed,
  ])
  func lostRowsAreNoticed(workload: Workload) throws {
    try withDirectory { (directory) throws in
      do {
        var run = WorkloadRun<LosingEngine>(
          workload, scale: 0.002, repeats: 1, directory: directory)
        run.write = { _, commits, _ in
          Array(repeating: TimedCommit(began: 0, returned: 0), count: commits)
        }
        _ = try run.measure()
        Issue.record("Rows were lost.")
      } catch is BenchmarkError {}
    }
  }

  private func withDirectory(_ body: (URL) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("varve-bench-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    try body(url)
  }
}

extension Workload {
  /// Whether there is a time for each commit.
  fileprivate var observesAnotherOrCommits: Bool {
    switch self {
    case .commit, .commitWithoutSync, .observeProcess, .observeProcessAtRest: true
    default: false
    }
  }
}

/// Keeps half of what it is given.
private struct LosingEngine: Engine {
  static let name = "losing"
  private let engine: DictionaryEngine

  init(directory: URL) throws { engine = try DictionaryEngine(directory: directory) }
  func insertPersons(count: Int) throws { try engine.insertPersons(count: count / 2) }
  func insertIndexedPersons(count: Int) throws { try insertPersons(count: count) }
  func makeReader() throws -> any EngineReader { try engine.makeReader() }
  func openViews(count: Int, persons: Int) throws -> Int {
    try engine.openViews(count: count, persons: persons)
  }
  func appendToList(count: Int) throws { try engine.appendToList(count: count) }
  func insertIntoMap(keys: [String]) throws { try engine.insertIntoMap(keys: keys) }
  func observe(
    _ collection: ObservedCollection, commits: Int, count: Int
  ) throws -> [ObservedCommit] {
    try engine.observe(collection, commits: commits, count: count).map { commit in
      ObservedCommit(seconds: commit.seconds, oldChanges: commit.oldChanges, newChanges: 0)
    }
  }
  func commit(_ count: Int, pause: Duration, isDurable: Bool) throws -> [TimedCommit] {
    try engine.commit(count / 2, pause: pause, isDurable: isDurable)
  }
  func listen(upTo last: Int, while work: () throws -> Void) throws -> [HeardNumber] {
    try engine.listen(upTo: last, while: work).dropLast()
  }
  func grow(commits count: Int, isObserved: Bool, isDurable: Bool) throws -> Int {
    try engine.grow(commits: count, isObserved: isObserved, isDurable: isDurable)
  }
  func compare(isChanged: Bool, count: Int, times: Int) throws -> [ComparedVersions] {
    try engine.compare(isChanged: false, count: count, times: times)
  }
  func migrate() throws { try engine.migrate() }
  func readMigratedAges() throws -> Checksum { try engine.readMigratedAges() }
  func updatePersons(count: Int, onlyDifferences: Bool) throws {
    try engine.updatePersons(count: count / 2, onlyDifferences: onlyDifferences)
  }
  func exportText() throws { try engine.exportText() }
  func importText() throws { try engine.importText() }
  func readImportedAges() throws -> Checksum { try engine.readImportedAges() }
  func close() throws {}
}
