import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct ShelfFailureTests {
  /// Growth is a number of bytes, which cannot be wrong.
  static let checked = Workload.all.map(\.name).filter { !$0.hasPrefix("growth") }

  @Test(arguments: checked)
  func lostObjectsAreDetected(name: String) throws {
    try expectWrong(name, Losing.self)
  }

  @Test(arguments: checked)
  func wrongAnswersAreDetected(name: String) throws {
    try expectWrong(name, Lying.self)
  }

  private func expectWrong(_ name: String, _ kind: (some EngineKind).Type) throws {
    let workload = try workload(name)
    try withDirectory { (directory) throws in
      let shelf = shelf(kind, directory, scale: 0.002)
      for size in workload.sizes(scale: 0.002) {
        expectError(BenchmarkError.self) { try shelf.measure(workload, size: size) }
        #expect(try names(in: directory).isEmpty)
      }
    }
  }

  @Test func lostLogLinesAreDetected() throws {
    try withDirectory { (directory) throws in
      let engine = try DictionaryEngine<Right>(directory: directory, durability: .full)
      try engine.storePages(0..<10)
      let context = WorkloadContext(
        engine: DictionaryEngine<Right>.self, workload: "F3", count: 1000, stored: 10, scale: 1,
        directory: directory, writeBack: engine.writeBack,
        children: threads(DictionaryEngine<Right>.self)(directory))
      try engine.appendToLog("one too many")
      expectError(BenchmarkError.self) { try workload("F3").measure(engine, context) }
      try engine.close()
    }
  }

  @Test func stalePageReaderIsDetected() throws {
    try withDirectory { (directory) throws in
      let shelf = shelf(Standing.self, directory)
      let error = expectError(BenchmarkError.self) { try shelf.measure(workload("F3"), size: 100) }
      #expect(error?.description.contains("instead of") == true)
    }
  }

  @Test(arguments: ["W10a", "W10b"])
  func lostPatchesAreDetected(name: String) throws {
    try expectWrong(name, Unpatched.self)
  }

  @Test func idsWithGapsAreDetected() throws {
    try expectWrong("W10c", Skipping.self)
  }

  @Test func incompleteFullTextIndexIsDetected() throws {
    try expectWrong("W10c", Wordless.self)
    try expectWrong("T1-add", Wordless.self)
    try expectWrong("T1-search", Wordless.self)
  }

  @Test func missingRollbackIsDetected() throws {
    try expectWrong("W3w-key", Committing.self)
  }

  @Test func storeThatFailsToOpenIsRemoved() throws {
    try expectFailure(Unopened.self, "W2", EngineFailure.self, events: [])
  }

  @Test func storeThatFailsToFillIsClosedAndRemoved() throws {
    try expectFailure(Uninserted.self, "W2", EngineFailure.self, events: ["open full", "close"])
  }

  @Test func storeThatFailsDuringWorkIsClosedAndRemoved() throws {
    try expectFailure(Uninserted.self, "W1a", EngineFailure.self, events: ["open full", "close"])
  }

  @Test func storeThatFailsToCloseIsRemoved() throws {
    try expectFailure(
      Unclosed.self, "W1a", EngineFailure.self, events: ["open full", "insert 10", "close"])
  }

  @Test func engineMayRefuseDuringFilling() throws {
    try expectFailure(
      Refusing.self, "W3c-indexed", NotOffered.self, events: ["open full", "close"])
    try expectFailure(Refusing.self, "W1a", NotOffered.self, events: ["open full", "close"])
  }

  private func expectFailure(
    _ kind: (some EngineKind).Type, _ name: String, _ failure: (some Error).Type, events: [String]
  ) throws {
    try withDirectory { (directory) throws in
      let shelf = shelf(kind, directory)
      expectError(failure) { try shelf.measure(try workload(name), size: 10) }
      #expect(try names(in: directory).isEmpty)
      #expect(EngineEvents.inDirectory(directory) == events)
      // The store is not used any more.
      try shelf.clear()
    }
  }
}
