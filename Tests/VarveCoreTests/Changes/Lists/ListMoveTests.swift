import Testing
import VarveEncoding
import VarveStorage
import VarveTestSupport

@testable import VarveCore

/// Objects that are at another index of their list.
@Suite struct ListMoveTests {
  private let format = ListTestKind.link.format
  private let links = ListLinks(targetClass: 1, originClass: 2, originProperty: 3, originID: 4)

  private func changes(
    from old: [UInt64], to new: [UInt64], _ links: ListLinks? = nil
  ) throws -> IndexChanges {
    let store = try ListTestStore()
    let before = try write(store, old)
    let after = try write(store, new)
    return try ListDifference(listID: ListTestStore.listID, format: format, links: links)
      .changes(from: before, to: after)
  }

  private func write(_ store: ListTestStore, _ objects: [UInt64]) throws -> Snapshot {
    try store.write(format) { editor in
      if editor.count > 0 { try editor.removeAll() }
      try editor.insert(contentsOf: objects, at: 0)
      let occurrences = Dictionary(grouping: objects) { $0 }
      for (id, all) in occurrences { try count(id, all.count, editor.transaction) }
    }
  }

  private func count(_ id: UInt64, _ count: Int, _ transaction: WriteTransaction) throws {
    var key = OrderedKey()
    BacklinkKey(
      targetClass: links.targetClass, targetID: id, originClass: links.originClass,
      originProperty: links.originProperty, originID: links.originID
    ).encode(into: &key)
    var value = ByteBuffer()
    BacklinkKey.encodeCount(UInt32(count), into: &value)
    try key.withUnsafeBytes { key in
      try value.withUnsafeBytes { try transaction.put(.backlinks, key: key, $0) }
    }
  }

  @Test func movedObjectIsDeletedAndInserted() throws {
    let objects = Array(1...2000 as ClosedRange<UInt64>)
    let store = try ListTestStore()
    let old = try write(store, objects)
    let new = try store.write(format) { editor in try editor.move(from: 10, to: 1700) }
    let changes = try ListDifference(listID: ListTestStore.listID, format: format)
      .changes(from: old, to: new)
    #expect(Array(changes.deletions) == [10] && Array(changes.insertions) == [1700])
    #expect(changes.moves == [IndexChanges.Move(from: 10, to: 1700)])
    #expect(changes.modifications.isEmpty)
  }

  @Test func swappedObjectsAreMoved() throws {
    let changes = try changes(from: [1, 2, 3, 4, 5, 6], to: [1, 5, 3, 4, 2, 6])
    #expect(changes.moves == [.init(from: 4, to: 1), .init(from: 1, to: 4)])
    #expect(Array(changes.deletions) == [1, 4] && Array(changes.insertions) == [1, 4])
    #expect(changes.modifications.isEmpty)
  }

  @Test func movesAndModificationsAreReportedTogether() throws {
    let changes = try changes(from: [1, 2, 3, 4, 5, 6], to: [1, 20, 30, 4, 5, 2, 6])
    #expect(changes.moves == [.init(from: 1, to: 5)])
    #expect(Array(changes.deletions) == [1] && Array(changes.insertions) == [2, 5])
    #expect(Array(changes.modifications) == [2] && Array(changes.newModifications) == [1])
  }

  @Test func objectThatOccursTwiceDoesNotMove() throws {
    let twice = try changes(from: [7, 1, 2, 3, 7], to: [1, 2, 7, 3, 7], links)
    #expect(twice.moves.isEmpty)
    #expect(Array(twice.deletions) == [0] && Array(twice.insertions) == [2])
    let first = try changes(from: [7, 1, 2, 3], to: [1, 2, 7, 3, 8], links)
    #expect(first.moves == [.init(from: 0, to: 2)])
    let more = try changes(from: [7, 1, 2, 3], to: [1, 2, 7, 3, 7], links)
    #expect(more.moves.isEmpty)
  }

  @Test func damagedLinkCountThrows() throws {
    let store = try ListTestStore()
    let old = try write(store, [1, 2, 3])
    let new = try store.write(format) { editor in
      try editor.move(from: 0, to: 2)
      var key = OrderedKey()
      BacklinkKey(
        targetClass: 1, targetID: 1, originClass: 2, originProperty: 3, originID: 4
      ).encode(into: &key)
      try key.withUnsafeBytes { key in
        try [9, 9].withUnsafeBytes { try editor.transaction.put(.backlinks, key: key, $0) }
      }
    }
    let difference = ListDifference(listID: ListTestStore.listID, format: format, links: links)
    expectError(.corrupted) { try difference.changes(from: old, to: new) }
  }

  @Test func shuffledListConsistsOfMoves() throws {
    var random = SeededRandom()
    let objects = Array(1...5000 as ClosedRange<UInt64>)
    let shuffled = objects.shuffled(using: &random)
    let changes = try changes(from: objects, to: shuffled)
    #expect(fault(changes, from: objects, to: shuffled, movesAreFound: true) == nil, "\(random)")
    #expect(changes.modifications.isEmpty && changes.moves.count == changes.deletions.count)
    #expect(changes.insertions.count < 5000, "\(random)")
  }
}
