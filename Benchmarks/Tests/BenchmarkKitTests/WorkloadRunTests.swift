import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct WorkloadRunTests {
  @Test(arguments: Workload.allCases)
  func everyWorkloadIsMeasuredAndLeavesNothing(workload: Workload) throws {
    try withDirectory { (directory) throws in
      let results = try WorkloadRun<DictionaryEngine>(
        workload, scale: 0.0005, repeats: 3, directory: directory
      ).measure()
      #expect(results.map(\.n) == workload.sizes(scale: 0.0005))
      let result = try #require(results.last)
      #expect(result.workload == workload.rawValue)
      #expect(result.n == workload.operations(scale: 0.0005))
      #expect(result.repeats == (result.percentile95 == nil ? 3 : 300))
      #expect(result.minimumSeconds <= result.seconds)
      #expect(result.seconds <= result.maximumSeconds)
      #expect(result.peakResidentBytes > 0)
      #expect((result.scaling != nil) == (workload == .lookUpTwoThreads))
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
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

  @Test(arguments: [Workload.insert, .lookUp, .lookUpTwoThreads, .iterate, .openView, .observeAll])
  func lostRowsAreNoticed(workload: Workload) throws {
    try withDirectory { (directory) throws in
      do {
        _ = try WorkloadRun<LosingEngine>(
          workload, scale: 0.0005, repeats: 1, directory: directory
        ).measure()
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

/// Keeps half of what it is given.
private struct LosingEngine: Engine {
  static let name = "losing"
  private let engine: DictionaryEngine

  init(directory: URL) throws { engine = try DictionaryEngine(directory: directory) }
  func insertPersons(count: Int) throws { try engine.insertPersons(count: count / 2) }
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
  func close() throws {}
}
