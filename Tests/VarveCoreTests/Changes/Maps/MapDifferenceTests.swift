import Foundation
import Testing
import VarveEncoding
import VarveStorage
import VarveTestSupport

@testable import VarveCore

@Suite struct MapDifferenceTests {
  private let map = MapDifference(mapID: MapWriter.mapID)

  private func changes(
    deletions: [String] = [], insertions: [String] = [], modifications: [String] = []
  ) -> KeyChanges {
    var changes = KeyChanges()
    changes.deletions = deletions
    changes.insertions = insertions
    changes.modifications = modifications
    return changes
  }

  /// Compares in both directions, and with `isEmpty`.
  private func expect(
    _ old: Snapshot, _ new: Snapshot, _ expected: KeyChanges,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let there = try map.changes(from: old, to: new)
    #expect(there == expected, sourceLocation: sourceLocation)
    let back = try map.changes(from: new, to: old)
    #expect(
      back
        == changes(
          deletions: expected.insertions, insertions: expected.deletions,
          modifications: expected.modifications), sourceLocation: sourceLocation)
    let isEmpty = try map.isEmpty(from: old, to: new)
    #expect(isEmpty == expected.isEmpty, sourceLocation: sourceLocation)
  }

  @Test func keysAreInOrder() throws {
    let store = try ListTestStore()
    let old = try store.writeMaps { writer in
      for key in ["b", "", "é", "a\0", "zz"] { try writer.set(key, .int(1)) }
      try writer.set("a", .int(1), mapID: MapWriter.mapID - 1)
      try writer.set("a", .int(1), mapID: MapWriter.mapID + 1)
    }
    let new = try store.writeMaps { writer in
      for key in ["é", "", "b"] { try writer.set(key, .int(2)) }
      for key in ["a\0", "zz"] { try writer.remove(key) }
      for key in ["ab", "A", "~"] { try writer.set(key, .null) }
      try writer.set("b", .int(2), mapID: MapWriter.mapID - 1)
      try writer.remove("a", mapID: MapWriter.mapID + 1)
    }
    try expect(
      old, new,
      changes(
        deletions: ["a\0", "zz"], insertions: ["A", "ab", "~"], modifications: ["", "b", "é"]))
  }

  @Test func valueChangedBackIsNoChange() throws {
    let store = try ListTestStore()
    let large = String(repeating: "x", count: 3000)
    let old = try store.writeMaps { writer in
      try writer.set("number", .int(1))
      try writer.set("large", .string(large))
      try writer.set("gone", .null)
    }
    try store.writeMaps { writer in
      try writer.set("number", .int(2))
      try writer.set("large", .string("y"))
      try writer.remove("gone")
      try writer.set("come", .int(1))
    }
    let new = try store.writeMaps { writer in
      try writer.set("number", .int(1))
      try writer.set("large", .string(large))
      try writer.set("gone", .null)
      try writer.remove("come")
    }
    try expect(old, new, changes())
    try expect(old, old, changes())
  }

  @Test func missingMapComparesAsEmpty() throws {
    let store = try ListTestStore()
    let without = try store.writeMaps { writer in try writer.set("a", .int(1), mapID: 8) }
    let with = try store.writeMaps { writer in
      for index in 0..<2000 { try writer.set("key \(10_000 + index)", .int(1)) }
    }
    try expect(without, with, changes(insertions: (10_000..<12_000).map { "key \($0)" }))
    #expect(try MapDifference(mapID: 0).changes(from: without, to: with).isEmpty)
  }

  @Test func longKeysAreCompleteAndInOrder() throws {
    let store = try ListTestStore()
    let start = String(repeating: "k", count: 600)
    let keys = (0..<40).map { start + String(100 + $0) }
    let old = try store.writeMaps { writer in
      for key in keys[..<30] { try writer.set(key, .int(1)) }
      try writer.set("a", .int(1))
    }
    let new = try store.writeMaps { writer in
      for key in keys[..<10] { try writer.remove(key) }
      for key in keys[10..<20] { try writer.set(key, .int(2)) }
      for key in keys[30...] { try writer.set(key, .int(1)) }
      try writer.set("z", .int(1))
    }
    try expect(
      old, new,
      changes(
        deletions: Array(keys[..<10]), insertions: Array(keys[30...]) + ["z"],
        modifications: Array(keys[10..<20])))
  }

  @Test func keysWithSameTruncatedFormAreDistinct() throws {
    let store = try ListTestStore()
    let (one, other) = (String(repeating: "a", count: 500), String(repeating: "b", count: 500))
    let old = try store.writeMaps { writer in try writer.set(one, .int(1)) }
    let new = try store.writeMaps { writer in
      var element = try writer.element(.int(1))
      Array(other.utf8).withUnsafeBytes { ElementCodec.appendWholeKey($0, to: &element) }
      try writer.put(element, under: writer.entryKey(one, MapWriter.mapID).key.bytes)
    }
    try expect(old, new, changes(deletions: [one], insertions: [other]))
  }

  @Test func numbersAreComparedByBits() throws {
    let store = try ListTestStore()
    let numbers: [(Value, Value, Bool)] = [
      (.double(.nan), .double(.nan), true), (.double(0), .double(-0.0), false),
      (.float(.nan), .float(.nan), true), (.float(0), .float(-0.0), false),
      (.double(1), .int(1), false), (.double(1), .float(1), false), (.null, .int(0), false),
    ]
    for (before, after, isSame) in numbers {
      let old = try store.writeMaps { writer in try writer.set("key", before) }
      try store.writeMaps { writer in try writer.remove("key") }
      let new = try store.writeMaps { writer in try writer.set("key", after) }
      try expect(old, new, changes(modifications: isSame ? [] : ["key"]))
    }
  }

  @Test func largeValuesAreComparedByBytes() throws {
    let store = try ListTestStore()
    var bytes = [UInt8](repeating: 65, count: (3 << 20) + 100)
    func write(_ value: Value) throws -> Snapshot {
      try store.writeMaps { writer in try writer.set("key", value) }
    }
    let string = try write(.string(String(decoding: bytes, as: UTF8.self)))
    try expect(string, try write(.string(String(decoding: bytes, as: UTF8.self))), changes())
    let modified = changes(modifications: ["key"])
    try expect(string, try write(.data(Data(bytes))), modified)
    bytes[(3 << 20) + 99] = 66
    try expect(string, try write(.string(String(decoding: bytes, as: UTF8.self))), modified)
    bytes.removeLast()
    try expect(string, try write(.string(String(decoding: bytes, as: UTF8.self))), modified)
    try expect(string, try write(.string("A")), modified)
  }

  @Test func chunkSizeDoesNotAffectEquality() throws {
    let store = try ListTestStore()
    var bytes = [UInt8](repeating: 65, count: 9000)
    func write(_ chunkBytes: Int) throws -> Snapshot {
      try store.writeMaps { writer in
        var writer = writer
        writer.chunkBytes = chunkBytes
        try writer.set("key", .data(Data(bytes)))
      }
    }
    let old = try write(8176)
    for chunkBytes in [8176, 9000, 8999, 10] {
      try expect(old, try write(chunkBytes), changes())
    }
    bytes[8999] = 66
    for chunkBytes in [8176, 9000, 8999, 10] {
      try expect(old, try write(chunkBytes), changes(modifications: ["key"]))
    }
  }

  @Test func inlineValueEqualsBlobValue() throws {
    let store = try ListTestStore()
    let text = String(repeating: "t", count: 800)
    let old = try store.writeMaps { writer in try writer.set("key", .string(text)) }
    func write(_ text: String) throws -> Snapshot {
      try store.writeMaps { writer in
        var element = ByteBuffer()
        ElementCodec.append(.string(text), to: &element)
        try writer.put("key", MapWriter.mapID, element)
      }
    }
    try expect(old, try write(text), changes())
    try expect(old, try write(text.dropLast() + "u"), changes(modifications: ["key"]))
  }

  @Test func mapsWithDifferentIDsAreCompared() throws {
    let store = try ListTestStore()
    let large = String(repeating: "x", count: 3000)
    let long = String(repeating: "k", count: 700)
    let snapshot = try store.writeMaps { writer in
      for (key, value) in [("a", 1), ("b", 2), (long, 3), ("x\0", 4)] as [(String, Int64)] {
        try writer.set(key, .int(value), mapID: 20)
        try writer.set(key, .int(key == "b" ? 5 : value), mapID: 31)
      }
      try writer.set("large", .string(large), mapID: 20)
      try writer.set("large", .string(large), mapID: 31)
      try writer.set("only", .null, mapID: 20)
      try writer.set("zero", .null, mapID: 31)
    }
    let difference = MapDifference(from: 20, to: 31)
    let found = try difference.changes(from: snapshot, to: snapshot)
    #expect(
      found == changes(deletions: ["only"], insertions: ["zero"], modifications: ["b"]))
    #expect(try !difference.isEmpty(from: snapshot, to: snapshot))
    let new = try store.writeMaps { writer in
      try writer.set("b", .int(2), mapID: 31)
      try writer.set("only", .null, mapID: 31)
      try writer.remove("zero", mapID: 31)
    }
    #expect(try difference.changes(from: snapshot, to: new).isEmpty)
    #expect(try difference.isEmpty(from: snapshot, to: new))
    let gone = try MapDifference(from: 20, to: 0).changes(from: snapshot, to: new)
    #expect(gone == changes(deletions: ["a", "b", long, "large", "only", "x\0"]))
    let come = try MapDifference(from: 0, to: 31).changes(from: snapshot, to: new)
    #expect(come == changes(insertions: gone.deletions))
  }

  @Test func mapsOfTwoFilesAreCompared() throws {
    let stores = [try ListTestStore(), try ListTestStore()]
    let snapshots = try stores.enumerated().map { number, store in
      try store.writeMaps { writer in
        // One blob id has different contents in the two files.
        try writer.set("large", .string(String(repeating: "\(number)", count: 1000)))
        try writer.set("other", .string(String(repeating: "o", count: 1000)))
        try writer.set("key \(number)", .int(1))
      }
    }
    try expect(
      snapshots[0], snapshots[1],
      changes(deletions: ["key 0"], insertions: ["key 1"], modifications: ["large"]))
    withExtendedLifetime(stores) {}
  }

  @Test func damagedEntriesThrow() throws {
    for damage in [[0x2F], [PropertyType.int64.rawValue, 1], []] as [[UInt8]] {
      let store = try ListTestStore()
      let old = try store.writeMaps { writer in try writer.set("key", .int(1)) }
      let new = try store.writeMaps { writer in
        var element = ByteBuffer()
        for byte in damage { element.append(byte) }
        try writer.put("key", MapWriter.mapID, element)
      }
      expectError(.corrupted) { try map.changes(from: old, to: new) }
      expectError(.corrupted) { try map.changes(from: new, to: old) }
      expectError(.corrupted) { try map.isEmpty(from: old, to: new) }
      #expect(store.environment.damageError?.code == .corrupted)
    }
  }

  @Test func valuesOfFutureTypesThrowNewerFormat() throws {
    let store = try ListTestStore()
    let old = try store.writeMaps { writer in try writer.set("key", .int(1)) }
    let new = try store.writeMaps { writer in
      var element = ByteBuffer()
      for byte in [0x1D] + [UInt8](repeating: 1, count: 16) { element.append(byte) }
      try writer.put("key", MapWriter.mapID, element)
    }
    expectError(.newerFormat) { try map.changes(from: old, to: new) }
    #expect(!store.environment.isDamaged)
  }

  @Test func damagedKeysThrow() throws {
    for key in [[0xFF, 0, 1], [65, 0, 7], [65]] as [[UInt8]] {
      let store = try ListTestStore()
      let old = try store.writeMaps { writer in try writer.set("key", .int(1)) }
      let new = try store.writeMaps { writer in
        var entry = OrderedKey()
        CollectionEntryKey.begin(&entry, collectionID: MapWriter.mapID)
        try writer.put(try writer.element(.int(1)), under: entry.bytes + key)
      }
      expectError(.corrupted) { try map.changes(from: old, to: new) }
    }
  }

  @Test func missingChunksThrow() throws {
    for count in [-1, 999] {
      let store = try ListTestStore()
      let text = Value.string(String(repeating: "t", count: 1000))
      let old = try store.writeMaps { writer in try writer.set("key", text) }
      let new = try store.writeMaps { writer in
        try writer.set("key", text)
        let id = writer.transaction.root.nextBlobID - 1
        if count >= 0 {
          return try writer.putChunk(id, at: 0, [UInt8](repeating: 116, count: count))
        }
        var key = OrderedKey()
        BlobChunkKey(blobID: id, offset: 0).encode(into: &key)
        _ = try key.withUnsafeBytes { try writer.transaction.delete(.blobs, key: $0) }
      }
      expectError(.corrupted) { try map.changes(from: old, to: new) }
    }
  }
}
