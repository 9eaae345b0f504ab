import Testing
import VarveEncoding
import VarveStorage
import VarveTestSupport

@testable import VarveCore

/// The comparison of two versions relies on stamps: the stamp of an entry indicates whether
/// anything below it has changed.
@Suite struct ListStampTests {
  private let listID = ListTestStore.listID

  @Test func oneChangedElementStampsOnePath() throws {
    let store = try ListTestStore()
    let format = ListTestKind.int.format
    let old = try store.write(format) { editor in
      try editor.insert(contentsOf: (0..<30_000).map { UInt64($0) }, at: 0)
    }
    let new = try store.write(format) { editor in try editor.replace(at: 15_000, bits: 1) }
    let report = ListTreeCheck.run(listID: listID, format: format, in: new)
    #expect(report.depth == 3)
    #expect(stamps(in: new).filter { $0.value == new.root.counter }.count == 2)
    #expect(stamps(in: old).allSatisfy { $0.value == old.root.counter })
  }

  @Test func appendingStampsOnlyRightEdge() throws {
    let store = try ListTestStore()
    let format = ListTestKind.int.format
    try store.write(format) { editor in
      try editor.insert(contentsOf: (0..<29_990).map { UInt64($0) }, at: 0)
    }
    let new = try store.write(format) { editor in try editor.append(bits: 1) }
    #expect(stamps(in: new).filter { $0.value == new.root.counter }.count == 2)
  }

  @Test(arguments: ListTestKind.all)
  func nodesWithOlderStampsAreUnchanged(kind: ListTestKind) throws {
    var generator = SeededRandom()
    let seed = generator.seed
    let store = try ListTestStore()
    var old = try store.write(kind.format) { editor in
      let elements = (0..<4000).compactMap { _ in kind.element(&generator) }
      try editor.insert(contentsOf: elements, at: 0)
    }
    for _ in 0..<20 {
      let new = try store.write(kind.format) { editor in
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
          try change(editor, kind, &generator)
        }
      }
      for (nodeID, stamp) in stamps(in: new) where stamp <= old.root.counter {
        #expect(bytes(nodeID, old) == bytes(nodeID, new), "VARVE_SEED=\(seed)")
      }
      old = new
    }
  }

  private func change(
    _ editor: ListEditor, _ kind: ListTestKind, _ generator: inout SeededRandom
  ) throws {
    let index = Int.random(in: 0..<editor.count, using: &generator)
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: try editor.insert(kind.element(&generator), at: index)
    case 1: try editor.replace(at: index, kind.element(&generator))
    case 2: try editor.remove(at: index)
    case 3:
      let upper = min(editor.count, index + Int.random(in: 1...300, using: &generator))
      if upper - index < editor.count { try editor.removeSubrange(index..<upper) }
    default:
      let elements = (0..<200).compactMap { _ in kind.element(&generator) }
      try editor.insert(contentsOf: elements, at: index)
      try editor.flush()
    }
  }

  /// The stamp of every node but the root.
  private func stamps(in snapshot: Snapshot) -> [UInt64: UInt64] {
    var found: [UInt64: UInt64] = [:]
    var open = [ListNodeKey.root]
    while let nodeID = open.popLast() {
      let node = bytes(nodeID, snapshot) ?? []
      node.withUnsafeBytes { bytes in
        guard let inner = try? ListInner(validating: bytes) else { return }
        for index in 0..<inner.count {
          let entry = inner.child(at: index)
          found[entry.nodeID] = entry.stamp
          open.append(entry.nodeID)
        }
      }
    }
    return found
  }

  private func bytes(_ nodeID: UInt64, _ snapshot: Snapshot) -> [UInt8]? {
    ListNodeKey(listID: listID, nodeID: nodeID).withBytes { key in
      snapshot.find(.lists, key: key).map { [UInt8]($0) }
    }
  }
}
