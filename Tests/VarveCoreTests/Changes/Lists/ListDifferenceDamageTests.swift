import Testing
import VarveEncoding
import VarveStorage
import VarveTestSupport

@testable import VarveCore

/// Damaged nodes result in an error or in other changes, never in a trap or an endless loop.
@Suite struct ListDifferenceDamageTests {
  private let listID = ListTestStore.listID

  @Test(arguments: [ListTestKind.int, .nullableInt, .link, .string])
  func randomlyDamagedNodesNeverTrap(kind: ListTestKind) throws {
    var random = SeededRandom()
    // A trap prints no message of an expectation, so the seed is printed beforehand.
    print("\(#function) \(kind) \(random)")
    let difference = ListDifference(listID: listID, format: kind.format)
    var errors = 0
    for round in 0..<12 {
      let store = try ListTestStore()
      let built = try store.write(kind.format) { editor in
        let elements = (0..<1500).compactMap { _ in kind.element(&random) }
        try editor.insert(contentsOf: elements, at: 0)
      }
      let changed = try store.write(kind.format) { editor in
        for _ in 0..<random.int(1...40) {
          try editor.replace(at: random.below(editor.count), kind.element(&random))
          try editor.insert(kind.element(&random), at: random.below(editor.count))
        }
      }
      let damage = Damage.allCases[round % Damage.allCases.count]
      // Every comparison reads the root, so that some comparisons fail with any seed.
      let nodeID =
        damage == .otherBytes
        ? ListNodeKey.root : UInt64(random.below(Int(changed.root.nextNodeID)))
      let damaged = try store.damage(nodeID: nodeID) { damage.apply(to: &$0, &random) }
      for (old, new) in [(built, damaged), (damaged, built), (changed, damaged)] {
        do {
          _ = try difference.changes(from: old, to: new)
        } catch {
          errors += 1
          #expect(error.code == .corrupted, "\(random)")
        }
      }
    }
    #expect(errors > 0, "\(random)")
  }

  private enum Damage: CaseIterable {
    case header, truncation, otherBytes, entry, scattered

    func apply(to bytes: inout [UInt8], _ random: inout SeededRandom) {
      switch self {
      case .header where bytes.count > 12:
        bytes[random.int(4...11)] = UInt8(random.below(256))
      case .truncation:
        bytes.removeLast(random.below(bytes.count))
      case .otherBytes:
        bytes = random.bytes(random.below(2000))
      case .entry where bytes.count > 40:
        // The entry of an inner node gets another child, stamp or count.
        bytes[random.int(12...40)] = UInt8(random.below(256))
      default:
        for _ in 0..<8 where !bytes.isEmpty {
          bytes[random.below(bytes.count)] = UInt8(random.below(256))
        }
      }
      if bytes.isEmpty { bytes = [0] }
    }
  }

  @Test func missingNodeThrows() throws {
    let store = try ListTestStore()
    let format = ListTestKind.int.format
    let old = try store.write(format) { editor in
      try editor.insert(contentsOf: (0..<2000).map { UInt64($0) }, at: 0)
    }
    let transaction = try store.beginWrite()
    let editor = ListEditor(listID: listID, transaction: transaction, format: format)
    try editor.replace(at: 3, bits: 9)
    try editor.flush()
    _ = try ListNodeKey(listID: listID, nodeID: 1).withBytes {
      try transaction.delete(.lists, key: $0)
    }
    _ = try ListNodeKey(listID: listID, nodeID: 2).withBytes {
      try transaction.delete(.lists, key: $0)
    }
    let new = try transaction.commit()
    let difference = ListDifference(listID: listID, format: format)
    expectError(.corrupted) { try difference.changes(from: old, to: new) }
    #expect(store.environment.damageError?.code == .corrupted)
  }

  @Test func listOfOtherFormatThrows() throws {
    let store = try ListTestStore()
    let old = try store.write(ListTestKind.int.format) { editor in try editor.append(bits: 1) }
    let new = try store.write(ListTestKind.int.format) { editor in try editor.append(bits: 2) }
    let difference = ListDifference(listID: listID, format: ListTestKind.nullableInt.format)
    expectError(.corrupted) { try difference.changes(from: old, to: new) }
  }

  @Test func nodeReferencedByManyEntriesThrows() throws {
    let store = try ListTestStore()
    let format = ListTestKind.int.format
    let old = try store.write(format) { editor in try editor.append(bits: 1) }
    let transaction = try store.beginWrite()
    let leaf = ListLeafBuffer(format: format)
    leaf.append(bits64: 7)
    let leafKey = ListNodeKey(listID: listID, nodeID: 1)
    try leaf.finish(leafKey) { bytes in
      try leafKey.withBytes { try transaction.put(.lists, key: $0, bytes) }
    }
    // Ninety million elements in five nodes.
    var below: UInt32 = 1
    for level in 2...5 as ClosedRange<UInt64> {
      let inner = ListInnerBuffer()
      for _ in 0..<99 {
        inner.append(ListInnerEntry(nodeID: level - 1, stamp: 1, count: below))
      }
      below *= 99
      let key = ListNodeKey(listID: listID, nodeID: level == 5 ? 0 : level)
      try inner.finish(key) { bytes in
        try key.withBytes { try transaction.put(.lists, key: $0, bytes) }
      }
    }
    let new = try transaction.commit()
    let difference = ListDifference(listID: listID, format: format)
    expectError(.corrupted) { try difference.changes(from: old, to: new) }
  }

  @Test func rootThatIsItsOwnChildThrows() throws {
    let store = try ListTestStore()
    let format = ListTestKind.int.format
    let old = try store.write(format) { editor in try editor.append(bits: 1) }
    let new = try store.damage(nodeID: ListNodeKey.root) { bytes in
      let inner = ListInnerBuffer()
      inner.append(ListInnerEntry(nodeID: ListNodeKey.root, stamp: 1, count: 5))
      bytes = inner.finish(ListNodeKey(listID: listID)) { [UInt8]($0) }
    }
    let difference = ListDifference(listID: listID, format: format)
    expectError(.corrupted) { try difference.changes(from: old, to: new) }
  }

  @Test func damagedEnvironmentThrowsInsteadOfMissingList() throws {
    let store = try ListTestStore()
    let format = ListTestKind.int.format
    let old = try store.write(format) { editor in try editor.append(bits: 1) }
    let new = try store.write(format) { editor in try editor.removeAll() }
    store.environment.markDamaged(StorageError(.corrupted, "A page is damaged."))
    let difference = ListDifference(listID: listID, format: format)
    expectError(.corrupted) { try difference.changes(from: old, to: new) }
  }
}
