import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct ShelfTests {
  @Test(arguments: Workload.all.map(\.name))
  func everyWorkloadIsMeasuredAndLeavesNothing(name: String) throws {
    let workload = try #require(Workload.all.first { $0.name == name })
    try withDirectory { (directory) throws in
      let shelf = shelf(Right.self, directory, scale: 0.0005)
      for size in workload.sizes(scale: 0.0005) {
        let samples = try shelf.measure(workload, size: size)
        #expect(samples.first?.variant == "")
        // The log may have no lines.
        #expect(samples.allSatisfy { !$0.seconds.isEmpty && ($0.operations > 0 || name == "F3") })
        #expect(samples.allSatisfy { $0.bytesOnDisk > 0 && $0.peakResidentBytes > 0 })
        #expect((samples.first?.scaling != nil) == (name == "W2t"))
      }
      try shelf.clear()
      #expect(try names(in: directory).isEmpty)
      let events = EngineEvents.inDirectory(directory)
      #expect(
        events.count { $0.hasPrefix("open") } == events.count { $0 == "close" } + children(name))
    }
  }

  /// The number of further processes of a workload. In these tests they open the store without
  /// closing it.
  private func children(_ workload: String) -> Int {
    switch workload {
    case "W9-readers": 5
    case _ where workload.hasPrefix("W9"): 1
    default: 0
    }
  }

  @Test func readingWorkloadsShareStore() throws {
    try withDirectory { (directory) throws in
      let shelf = shelf(Right.self, directory)
      for name in ["W2", "W2t", "W3a", "W3c", "open-view", "W2"] {
        _ = try shelf.measure(try workload(name), size: 1000)
      }
      #expect(EngineEvents.inDirectory(directory) == ["open full", "insert 1000"])
      #expect(try names(in: directory).count == 1)
      try shelf.clear()
      #expect(EngineEvents.inDirectory(directory).last == "close")
      #expect(try names(in: directory).isEmpty)
    }
  }

  @Test func otherSizeUsesOtherStore() throws {
    try withDirectory { (directory) throws in
      let shelf = shelf(Right.self, directory)
      _ = try shelf.measure(try workload("W2"), size: 1000)
      _ = try shelf.measure(try workload("W3a"), size: 500)
      #expect(
        EngineEvents.inDirectory(directory) == [
          "open full", "insert 1000", "close", "open full", "insert 500",
        ])
      try shelf.clear()
    }
  }

  @Test func workloadThatChangesStoreRemovesIt() throws {
    try withDirectory { (directory) throws in
      let shelf = shelf(Right.self, directory)
      _ = try shelf.measure(try workload("update-all"), size: 1000)
      #expect(try names(in: directory).isEmpty)
      _ = try shelf.measure(try workload("W3a"), size: 1000)
      #expect(
        EngineEvents.inDirectory(directory) == [
          "open full", "insert 1000", "close", "open full", "insert 1000",
        ])
      try shelf.clear()
    }
  }

  @Test func eachFillingRunGetsNewStore() throws {
    try withDirectory { (directory) throws in
      let shelf = shelf(Right.self, directory)
      for _ in 0..<2 { _ = try shelf.measure(try workload("W1c-nosync"), size: 7) }
      #expect(
        EngineEvents.inDirectory(directory) == [
          "open none", "insert 7", "close", "open none", "insert 7", "close",
        ])
      #expect(try names(in: directory).isEmpty)
    }
  }

  @Test func unsupportedWorkloadIsRefusedAndLeavesNoStore() throws {
    try withDirectory { (directory) throws in
      let shelf = Shelf(
        PersonsOnly.self, directory: directory, scale: 0.01, children: threads(PersonsOnly.self))
      let refusal = expectError(NotOffered.self) {
        try shelf.measure(try workload("diff-one"), size: 100)
      }
      #expect(refusal?.reason == "persons does not offer diff-one")
      #expect(try names(in: directory).isEmpty)
      // The workload reads a store of the same kind and size: 10,000 at scale 1.
      _ = try shelf.measure(try workload("W9-commits"), size: 3)
      #expect(EngineEvents.inDirectory(directory).contains("insert 100"))
    }
  }

  @Test func largestCountLimitsStoredObjects() throws {
    try withDirectory { (directory) throws in
      let shelf = Shelf(
        PersonsOnly.self, directory: directory, scale: 1, children: threads(PersonsOnly.self))
      _ = try shelf.measure(try workload("W9-commits"), size: 3)
      #expect(EngineEvents.inDirectory(directory).contains("insert 100"))
    }
  }

  @Test func fileSizesAreMeasured() throws {
    try withDirectory { (directory) throws in
      let samples = try shelf(Right.self, directory).measure(try workload("W1a"), size: 100)
      #expect(samples[0].bytesOnDisk >= 10_000)
    }
  }

  @Test func growthIsDifferenceMadeByObserver() throws {
    try withDirectory { (directory) throws in
      let samples = try shelf(Right.self, directory)
        .measure(try workload("growth-observed"), size: 10)
      #expect(samples[0].bytesOnDisk == 4096)
    }
  }
}

/// An engine that stores only persons, and at most a hundred.
private struct PersonsOnly: PersonEngine {
  static let name = "persons"
  static func largestCount(of workload: Workload) -> Int { 100 }
  private let engine: DictionaryEngine<Right>

  init(directory: URL, durability: Durability) throws {
    engine = try DictionaryEngine(directory: directory, durability: durability)
  }

  func close() throws { try engine.close() }
  func insertPersons(_ ids: Range<Int>, perTransaction: Int) throws {
    try engine.insertPersons(ids, perTransaction: perTransaction)
  }
  func insertPersonsConcurrently(_ count: Int, writers: Int) throws {
    try engine.insertPersonsConcurrently(count, writers: writers)
  }
  func setAge(ofPerson id: Int, to age: Int) throws { try engine.setAge(ofPerson: id, to: age) }
  func makePersonReader() throws -> any PersonReader { try engine.makePersonReader() }
}
