import Dispatch
import Synchronization
import Testing
import VarveEncoding
import VarveStorage
import VarveTestSupport

@testable import VarveCore

@Suite struct ListDirectoryTests {
  private let listID = ListTestStore.listID

  @Test(arguments: [0, 1, 248, 249, 5000, 30_000])
  func readsReturnWrittenElements(count: Int) throws {
    let store = try ListTestStore()
    let format = ListTestKind.int.format
    let snapshot = try store.write(format) { editor in
      try editor.insert(contentsOf: (0..<count).map { UInt64($0) }, at: 0)
    }
    let directory = ListDirectory(listID: listID, snapshot: snapshot, format: format)
    #expect(directory.count == count)
    #expect((0..<count).allSatisfy { directory.bits(at: $0) == UInt64($0) })
    #expect(directory.bits(at: -1) == nil && directory.bits(at: count) == nil)
    #expect(directory.bytes(at: -1) == nil && directory.bytes(at: count) == nil)
    #expect(directory.firstIndex(ofBits: UInt64(count)) == nil)
    if count > 0 { #expect(directory.firstIndex(ofBits: UInt64(count - 1)) == count - 1) }
  }

  @Test func firstNullIsFound() throws {
    let store = try ListTestStore()
    let format = ListTestKind.nullableInt.format
    let snapshot = try store.write(format) { editor in
      try editor.insert(contentsOf: (0..<700).map { $0 == 600 ? nil : UInt64($0) }, at: 0)
      let found = try editor.firstIndex(ofBits: nil)
      #expect(found == 600)
    }
    let directory = ListDirectory(listID: listID, snapshot: snapshot, format: format)
    #expect(directory.firstIndex(ofBits: nil) == 600)
    #expect(directory.bits(at: 600) == nil && directory.bytes(at: 600) == nil)
  }

  @Test func oldSnapshotKeepsElements() throws {
    let store = try ListTestStore()
    let format = ListTestKind.int.format
    let old = try store.write(format) { editor in
      try editor.insert(contentsOf: (0..<3000).map { UInt64($0) }, at: 0)
    }
    let directory = ListDirectory(listID: listID, snapshot: old, format: format)
    try store.write(format) { editor in
      try editor.removeSubrange(100..<2900)
      try editor.replace(at: 0, bits: 9)
    }
    #expect((0..<3000).allSatisfy { directory.bits(at: $0) == UInt64($0) })
  }

  @Test func unretainedSnapshotEndsBeforeDirectory() throws {
    let store = try ListTestStore()
    let format = ListTestKind.int.format
    try store.write(format) { editor in try editor.append(bits: 1) }
    weak var ended: Snapshot?
    var directory: ListDirectory?
    do {
      let transaction = try store.beginWrite()
      let editor = ListEditor(listID: listID, transaction: transaction, format: format)
      try editor.append(bits: 2)
      try editor.flush()
      let snapshot = try transaction.commit()
      ended = snapshot
      directory = ListDirectory(
        listID: listID, snapshot: snapshot, format: format, retainsSnapshot: false)
      #expect(directory?.bits(at: 1) == 2)
    }
    // A later version replaces the snapshot that the environment shares.
    try store.write(format) { editor in try editor.append(bits: 3) }
    #expect(ended == nil)
    #expect(directory?.count == 2)
  }

  @Test(arguments: [ListTestKind.int, ListTestKind.string])
  func threadsReadOneDirectory(kind: ListTestKind) throws {
    var generator = SeededRandom()
    let store = try ListTestStore()
    var elements: [[UInt8]] = []
    for _ in 0..<6000 {
      if let element = kind.element(&generator) { elements.append(element) }
    }
    let written = elements
    let snapshot = try store.write(kind.format) { editor in
      try editor.insert(contentsOf: written, at: 0)
    }
    let directory = ListDirectory(listID: listID, snapshot: snapshot, format: kind.format)
    let wrong = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      var index = thread * 1009
      for _ in 0..<written.count {
        index = (index + 4001) % written.count
        let found = directory.bytes(at: index)
        if found.map({ $0.elementsEqual(written[index]) }) != true {
          wrong.add(1, ordering: .relaxed)
        }
      }
    }
    #expect(wrong.load(ordering: .relaxed) == 0, "VARVE_SEED=\(generator.seed)")
  }
}
