import Testing
import VarveEncoding
import VarveStorage
import VarveTestSupport

@testable import VarveCore

@Suite struct CollectionDifferenceTests {
  private func property(_ collection: CollectionKind) -> StoredProperty {
    StoredProperty(
      id: 1, name: "property", kind: PropertyKind(type: .int64, collection: collection))
  }

  private func content(_ id: UInt64, _ revision: UInt32, _ count: UInt32) -> CollectionContent {
    CollectionContent(CollectionSlot(id: id, revision: revision, count: count))
  }

  @Test func listChangedBackHasNoDifference() throws {
    let store = try ListTestStore()
    let format = ListTestKind.int.format
    let id = ListTestStore.listID
    let old = try store.write(format) { editor in
      try editor.insert(contentsOf: (0..<2000).map { UInt64($0) }, at: 0)
    }
    let changed = try store.write(format) { editor in
      _ = try editor.replace(at: 900, bits: 3)
    }
    let new = try store.write(format) { editor in _ = try editor.replace(at: 900, bits: 900) }
    let list = property(.list)
    let there = CollectionDifference(of: list, from: content(id, 1, 2000), to: content(id, 2, 2000))
    #expect(try !there.isEmpty(from: old, to: changed))
    #expect(try there.list().changes(from: old, to: changed).modifications == [900])
    let back = CollectionDifference(of: list, from: content(id, 1, 2000), to: content(id, 3, 2000))
    #expect(try back.isEmpty(from: old, to: new))
    #expect(try back.list().changes(from: old, to: new).isEmpty)
  }

  @Test func mapChangedBackHasNoDifference() throws {
    let store = try ListTestStore()
    let old = try store.writeMaps { writer in try writer.set("key", .int(1)) }
    let changed = try store.writeMaps { writer in try writer.set("key", .int(2)) }
    let new = try store.writeMaps { writer in try writer.set("key", .int(1)) }
    let id = MapWriter.mapID
    let map = property(.dictionary)
    let there = CollectionDifference(of: map, from: content(id, 1, 1), to: content(id, 2, 1))
    #expect(try !there.isEmpty(from: old, to: changed))
    #expect(try there.map.changes(from: old, to: changed).modifications == ["key"])
    let back = CollectionDifference(of: map, from: content(id, 1, 1), to: content(id, 3, 1))
    #expect(try back.isEmpty(from: old, to: new))
  }

  @Test func identicalContentsAreNotRead() throws {
    let store = try ListTestStore()
    let snapshot = try store.write(ListTestKind.int.format) { editor in try editor.append(bits: 1) }
    for kind in [CollectionKind.list, .dictionary] {
      let property = property(kind)
      // Reading the nodes or entries of these ids would give another result.
      let equal = CollectionDifference(of: property, from: content(50, 1, 3), to: content(50, 1, 3))
      #expect(try equal.isEmpty(from: snapshot, to: snapshot))
      let shorter = CollectionDifference(
        of: property, from: content(50, 1, 3), to: content(50, 2, 2))
      #expect(try !shorter.isEmpty(from: snapshot, to: snapshot))
      let cleared = CollectionDifference(of: property, from: .none, to: content(50, 2, 0))
      #expect(try cleared.isEmpty(from: snapshot, to: snapshot))
    }
  }

  @Test func equalSlotsOfTwoFilesAreCompared() throws {
    let stores = [try ListTestStore(), try ListTestStore()]
    let snapshots = try stores.enumerated().map { number, store in
      try store.write(ListTestKind.int.format) { editor in
        try editor.append(bits: UInt64(number))
      }
    }
    let slot = content(ListTestStore.listID, 1, 1)
    let difference = CollectionDifference(of: property(.list), from: slot, to: slot)
    #expect(try !difference.isEmpty(from: snapshots[0], to: snapshots[1]))
    withExtendedLifetime(stores) {}
  }
}
