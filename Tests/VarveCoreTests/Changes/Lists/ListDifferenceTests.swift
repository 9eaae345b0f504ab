import Foundation
import Testing
import VarveEncoding
import VarveStorage
import VarveTestSupport

@testable import VarveCore

@Suite struct ListDifferenceTests {
  private let listID = ListTestStore.listID
  private let int = ListTestKind.int.format

  private func difference(
    _ format: ListElementFormat, _ old: Snapshot, _ new: Snapshot, links: ListLinks? = nil
  ) throws -> IndexChanges {
    try ListDifference(listID: listID, format: format, links: links)
      .changes(from: old, to: new)
  }

  private func write(
    _ store: ListTestStore, _ elements: [UInt64], _ format: ListElementFormat? = nil
  ) throws -> Snapshot {
    try store.write(format ?? int) { editor in
      if editor.count > 0 { try editor.removeAll() }
      try editor.insert(contentsOf: elements, at: 0)
    }
  }

  @Test func replacedElementIsModified() throws {
    let store = try ListTestStore()
    let old = try write(store, Array(0..<30_000))
    let new = try store.write(int) { editor in
      for index in [0, 7000, 7001, 29_999] { try editor.replace(at: index, bits: 99_999) }
    }
    let changes = try difference(int, old, new)
    #expect(Array(changes.modifications) == [0, 7000, 7001, 29_999])
    #expect(changes.newModifications == changes.modifications)
    #expect(changes.deletions.isEmpty && changes.insertions.isEmpty && changes.moves.isEmpty)
  }

  @Test func unequalReplacementIsModificationPlusInsertionOrDeletion() throws {
    let store = try ListTestStore()
    let old = try write(store, [1, 2, 3, 4, 5, 6])
    let new = try write(store, [1, 20, 30, 31, 32, 4, 6])
    let changes = try difference(int, old, new)
    #expect(Array(changes.modifications) == [1, 2] && Array(changes.newModifications) == [1, 2])
    #expect(Array(changes.insertions) == [3, 4] && Array(changes.deletions) == [4])
    let back = try difference(int, new, old)
    #expect(Array(back.modifications) == [1, 2] && Array(back.newModifications) == [1, 2])
    #expect(Array(back.deletions) == [3, 4] && Array(back.insertions) == [4])
  }

  @Test func writingEqualElementsChangesNothing() throws {
    let store = try ListTestStore()
    let old = try write(store, Array(0..<3000))
    let new = try store.write(int) { editor in
      try editor.removeSubrange(1000..<1500)
      try editor.insert(contentsOf: (1000..<1500).map { UInt64($0) }, at: 1000)
      try editor.replace(at: 0, bits: 5)
      try editor.replace(at: 0, bits: 0)
    }
    let changes = try difference(int, old, new)
    #expect(changes.isEmpty)
    let refilled = try write(store, Array(0..<3000))
    #expect(try difference(int, old, refilled).isEmpty)
    #expect(try difference(int, refilled, refilled).isEmpty)
  }

  @Test func insertionsAndDeletionsAreRanges() throws {
    let store = try ListTestStore()
    let old = try write(store, Array(0..<20_000))
    let new = try store.write(int) { editor in
      try editor.removeSubrange(15_000..<16_000)
      try editor.insert(contentsOf: Array(50_000..<50_700 as Range<UInt64>), at: 5000)
    }
    let changes = try difference(int, old, new)
    #expect(changes.deletions.ranges == [15_000..<16_000])
    #expect(changes.insertions.ranges == [5000..<5700])
    #expect(changes.modifications.isEmpty)
  }

  @Test func missingListComparesAsEmpty() throws {
    let store = try ListTestStore()
    let none = try store.write(int, listID: 8) { editor in try editor.append(bits: 1) }
    let some = try write(store, Array(0..<5000))
    let gone = try store.write(int) { editor in try editor.removeAll() }
    let created = try difference(int, none, some)
    #expect(created.insertions.ranges == [0..<5000] && created.deletions.isEmpty)
    let deleted = try difference(int, some, gone)
    #expect(deleted.deletions.ranges == [0..<5000] && deleted.insertions.isEmpty)
    #expect(try difference(int, none, gone).isEmpty)
  }

  @Test func emptiedListIsNotRead() throws {
    let store = try ListTestStore()
    let full = try write(store, Array(0..<5000))
    let damaged = try store.damage(nodeID: 1) { $0[4] = 77 }
    let emptied = try store.write(int) { editor in try editor.removeAll() }
    #expect(try difference(int, damaged, emptied).deletions.ranges == [0..<5000])
    #expect(try difference(int, emptied, damaged).insertions.ranges == [0..<5000])
    #expect(try difference(int, full, damaged).isEmpty)
  }

  @Test func sharedNodesAreNotRead() throws {
    let store = try ListTestStore()
    var old = try write(store, Array(0..<60_000))
    var reader = ListNodeReader(listID: listID, format: int, snapshot: old)
    let leaves = try reader.leaves(below: try reader.root())
    for leaf in leaves.entries.dropFirst().dropLast() {
      old = try store.damage(nodeID: leaf.nodeID) { $0[4] = 77 }
    }
    let transaction = try store.beginWrite()
    let editor = ListEditor(listID: listID, transaction: transaction, format: int)
    try editor.insert(bits: 7, at: 3)
    try editor.append(bits: 8)
    try editor.flush()
    let changes = try difference(int, old, try transaction.commit())
    #expect(Array(changes.insertions) == [3, 60_001] && changes.deletions.isEmpty)
  }

  @Test func splitAndMergedLeavesChangeNothing() throws {
    let store = try ListTestStore()
    let format = ListTestKind.string.format
    let tag = PropertyType.string.rawValue
    let elements = (0..<600).map { [tag] + [UInt8](repeating: UInt8($0 % 251), count: 100) }
    let longElement = [tag] + [UInt8](repeating: 1, count: 500)
    let old = try store.write(format) { editor in try editor.insert(contentsOf: elements, at: 0) }
    // Longer elements split leaves, and replacing them with short ones merges the leaves.
    let long = try store.write(format) { editor in
      for index in stride(from: 100, to: 200, by: 3) {
        try editor.replace(at: index, longElement)
      }
    }
    let short = try store.write(format) { editor in
      for index in stride(from: 100, to: 200, by: 3) {
        try editor.replace(at: index, [tag])
      }
    }
    let expected = Array(stride(from: 100, to: 200, by: 3))
    for (from, to) in [(old, long), (long, short), (short, old), (old, short), (short, long)] {
      let changes = try difference(format, from, to)
      #expect(Array(changes.modifications) == expected)
      #expect(changes.newModifications == changes.modifications)
      #expect(changes.insertions.isEmpty && changes.deletions.isEmpty)
    }
  }

  @Test func treesOfDifferentHeightsAreCompared() throws {
    let store = try ListTestStore()
    let low = try write(store, Array(0..<200))
    let middle = try store.write(int) { editor in
      try editor.insert(contentsOf: Array(1000..<8000 as Range<UInt64>), at: 100)
    }
    let high = try store.write(int) { editor in
      try editor.insert(contentsOf: Array(10_000..<60_000 as Range<UInt64>), at: 3000)
    }
    #expect(try difference(int, low, middle).insertions.ranges == [100..<7100])
    #expect(try difference(int, middle, high).insertions.ranges == [3000..<53_000])
    #expect(try difference(int, low, high).insertions.ranges == [100..<57_100])
    #expect(try difference(int, high, low).deletions.ranges == [100..<57_100])
    #expect(try difference(int, high, middle).deletions.ranges == [3000..<53_000])
  }

  // MARK: - Equality

  @Test(arguments: [false, true])
  func numbersCompareLikeValues(isNullable: Bool) throws {
    let store = try ListTestStore()
    let format = ListElementFormat(type: .double, isNullable: isNullable)
    let numbers: [Double] = [0, .nan, 1, 2, .infinity]
    let others: [Double] = [-0.0, -.nan, 1, -2, -.infinity]
    let old = try write(store, numbers.map(\.bitPattern), format)
    let new = try write(store, others.map(\.bitPattern), format)
    #expect(Array(try difference(format, old, new).modifications) == [3, 4])
  }

  @Test func numbersInMixedListsCompareLikeValues() throws {
    let store = try ListTestStore()
    func mixed(_ values: [Value]) throws -> Snapshot {
      try store.write(.variable) { editor in
        if editor.count > 0 { try editor.removeAll() }
        for value in values {
          var buffer = ByteBuffer()
          ElementCodec.append(value, to: &buffer)
          try buffer.withUnsafeBytes { try editor.insert(bytes: $0, at: editor.count) }
        }
      }
    }
    let old = try mixed([.double(0), .float(.nan), .float(-0.0), .int(1), .null, .string("a")])
    let data = Value.data(Data([97]))
    let new = try mixed([.double(-0.0), .float(-.nan), .float(0), .double(1), .null, data])
    #expect(Array(try difference(.variable, old, new).modifications) == [3, 5])
  }

  @Test func nullsAreEqual() throws {
    let store = try ListTestStore()
    let format = ListTestKind.nullableInt.format
    let old = try store.write(format) { editor in
      try editor.insert(contentsOf: [nil, 0, nil, 1], at: 0)
    }
    let new = try store.write(format) { editor in
      try editor.replace(at: 0, bits: 0)
      try editor.append(bits: nil)
    }
    let changes = try difference(format, old, new)
    #expect(Array(changes.modifications) == [0] && Array(changes.insertions) == [4])
    #expect(changes.deletions.isEmpty)
  }
}
